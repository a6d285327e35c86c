//===- llvm_ops.cpp - building operations of the LLVM dialect for Rust ----===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API builds operations by name and attribute dictionary: it cannot set native properties (overflow flags), and
// a conversion that makes millions of operations pays for every dictionary. src/mlir/llvm_ops.rs is the safe side.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "ppy.h"

using namespace mlir;

namespace {
RewriterBase &builder(MlirRewriterBase rewriter) { return *unwrap(rewriter); }

MlirValue result(Value value) { return wrap(value); }

SmallVector<Value, 8> values(intptr_t n, const MlirValue *list) {
  SmallVector<Value, 8> all;
  for (intptr_t i = 0; i < n; ++i)
    all.push_back(unwrap(list[i]));
  return all;
}
SmallVector<Type, 8> types(intptr_t n, const MlirType *list) {
  SmallVector<Type, 8> all;
  for (intptr_t i = 0; i < n; ++i)
    all.push_back(unwrap(list[i]));
  return all;
}

/// On an `llvm.intr.assume` until `ppyLLVMSplitChecks`: the status to return, where the operand is true or is false.
constexpr StringLiteral failsWhenTrue = "ppy.fails_when_true";
constexpr StringLiteral failsWhenFalse = "ppy.fails_when_false";
} // namespace

extern "C" {
//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The elements of a dense `value` are taken as `type` has them: LLVM's have no sign.
MlirValue ppyLLVMConstant(MlirRewriterBase rewriter, MlirLocation location, MlirType type, MlirAttribute value) {
  Attribute attribute = unwrap(value);
  auto vector = dyn_cast<VectorType>(unwrap(type));
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (vector && dense && dense.getElementType() != vector.getElementType())
    attribute = dense.bitcast(vector.getElementType());
  return result(LLVM::ConstantOp::create(builder(rewriter), unwrap(location), unwrap(type), attribute));
}
/// An integer in every lane of `type`.
MlirValue ppyLLVMInteger(MlirRewriterBase rewriter, MlirLocation location, MlirType type, int64_t value) {
  Type converted = unwrap(type);
  auto vector = dyn_cast<VectorType>(converted);
  Type element = vector ? vector.getElementType() : converted;
  unsigned width = element.getIntOrFloatBitWidth();
  Attribute attribute = IntegerAttr::get(element, APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true));
  if (vector)
    attribute = DenseElementsAttr::get(vector, attribute);
  return result(LLVM::ConstantOp::create(builder(rewriter), unwrap(location), converted, attribute));
}

/// `op` numbers the cases, `flags` is 1 for nsw and 2 for nuw.
MlirValue ppyLLVMArith(MlirRewriterBase rewriter, MlirLocation location, int32_t op, MlirValue lhs, MlirValue rhs,
                       int32_t flags) {
  RewriterBase &b = builder(rewriter);
  Location loc = unwrap(location);
  Value x = unwrap(lhs), y = unwrap(rhs);
  auto overflow = static_cast<LLVM::IntegerOverflowFlags>(flags);
  switch (op) {
  case 0:
    return result(LLVM::AddOp::create(b, loc, x, y, overflow));
  case 1:
    return result(LLVM::SubOp::create(b, loc, x, y, overflow));
  case 2:
    return result(LLVM::MulOp::create(b, loc, x, y, overflow));
  case 3:
    return result(LLVM::ShlOp::create(b, loc, x, y, overflow));
  case 4:
    return result(LLVM::AShrOp::create(b, loc, x, y));
  case 5:
    return result(LLVM::LShrOp::create(b, loc, x, y));
  case 6:
    return result(LLVM::AndOp::create(b, loc, x, y));
  case 7:
    return result(LLVM::OrOp::create(b, loc, x, y));
  case 8:
    return result(LLVM::XOrOp::create(b, loc, x, y));
  case 9:
    return result(LLVM::SDivOp::create(b, loc, x, y));
  case 10:
    return result(LLVM::UDivOp::create(b, loc, x, y));
  case 11:
    return result(LLVM::SRemOp::create(b, loc, x, y));
  default:
    return result(LLVM::URemOp::create(b, loc, x, y));
  }
}
/// Float arithmetic; `fast` for the fast-math flags of a function that asks for them.
MlirValue ppyLLVMFloatArith(MlirRewriterBase rewriter, MlirLocation location, int32_t op, MlirValue lhs, MlirValue rhs,
                            bool fast) {
  RewriterBase &b = builder(rewriter);
  Location loc = unwrap(location);
  Value x = unwrap(lhs), y = unwrap(rhs);
  auto flags = fast ? LLVM::FastmathFlags::fast : LLVM::FastmathFlags::none;
  auto type = x.getType();
  switch (op) {
  case 0:
    return result(LLVM::FAddOp::create(b, loc, type, x, y, flags));
  case 1:
    return result(LLVM::FSubOp::create(b, loc, type, x, y, flags));
  case 2:
    return result(LLVM::FMulOp::create(b, loc, type, x, y, flags));
  case 3:
    return result(LLVM::FDivOp::create(b, loc, type, x, y, flags));
  default:
    return result(LLVM::FRemOp::create(b, loc, type, x, y, flags));
  }
}
/// `predicate` is the number of the LLVM dialect's.
MlirValue ppyLLVMCompare(MlirRewriterBase rewriter, MlirLocation location, bool isFloat, int32_t predicate,
                         MlirValue lhs, MlirValue rhs) {
  if (isFloat)
    return result(LLVM::FCmpOp::create(builder(rewriter), unwrap(location), static_cast<LLVM::FCmpPredicate>(predicate),
                                       unwrap(lhs), unwrap(rhs)));
  return result(LLVM::ICmpOp::create(builder(rewriter), unwrap(location), static_cast<LLVM::ICmpPredicate>(predicate),
                                     unwrap(lhs), unwrap(rhs)));
}
MlirValue ppyLLVMSelect(MlirRewriterBase rewriter, MlirLocation location, MlirValue condition, MlirValue yes,
                        MlirValue no) {
  return result(
      LLVM::SelectOp::create(builder(rewriter), unwrap(location), unwrap(condition), unwrap(yes), unwrap(no)));
}
/// The wrapped result of add (0), sub (1) or mul (2) in `value`; whether it is inexact is the answer.
MlirValue ppyLLVMWithOverflow(MlirRewriterBase rewriter, MlirLocation location, int32_t op, bool isSigned,
                              MlirType pair, MlirValue lhs, MlirValue rhs, MlirValue *value) {
  RewriterBase &b = builder(rewriter);
  Location loc = unwrap(location);
  Type type = unwrap(pair);
  Value x = unwrap(lhs), y = unwrap(rhs), both;
  switch (op * 2 + isSigned) {
  case 0:
    both = LLVM::UAddWithOverflowOp::create(b, loc, type, x, y);
    break;
  case 1:
    both = LLVM::SAddWithOverflowOp::create(b, loc, type, x, y);
    break;
  case 2:
    both = LLVM::USubWithOverflowOp::create(b, loc, type, x, y);
    break;
  case 3:
    both = LLVM::SSubWithOverflowOp::create(b, loc, type, x, y);
    break;
  case 4:
    both = LLVM::UMulWithOverflowOp::create(b, loc, type, x, y);
    break;
  default:
    both = LLVM::SMulWithOverflowOp::create(b, loc, type, x, y);
    break;
  }
  *value = result(LLVM::ExtractValueOp::create(b, loc, both, 0));
  return result(LLVM::ExtractValueOp::create(b, loc, both, 1));
}
MlirValue ppyLLVMExtract(MlirRewriterBase rewriter, MlirLocation location, MlirValue aggregate, intptr_t n,
                         const int64_t *position) {
  return result(LLVM::ExtractValueOp::create(builder(rewriter), unwrap(location), unwrap(aggregate),
                                             ArrayRef<int64_t>(position, n)));
}
MlirValue ppyLLVMInsert(MlirRewriterBase rewriter, MlirLocation location, MlirValue aggregate, MlirValue value,
                        intptr_t n, const int64_t *position) {
  return result(LLVM::InsertValueOp::create(builder(rewriter), unwrap(location), unwrap(aggregate), unwrap(value),
                                            ArrayRef<int64_t>(position, n)));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// `base` moved by `index` elements; by `constant` ones where `index` is null.
MlirValue ppyLLVMGep(MlirRewriterBase rewriter, MlirLocation location, MlirType element, MlirValue base,
                     MlirValue index, int32_t constant, int32_t flags) {
  Value pointer = unwrap(base);
  LLVM::GEPArg argument = index.ptr ? LLVM::GEPArg(unwrap(index)) : LLVM::GEPArg(constant);
  return result(LLVM::GEPOp::create(builder(rewriter), unwrap(location), pointer.getType(), unwrap(element), pointer,
                                    ArrayRef<LLVM::GEPArg>(argument), static_cast<LLVM::GEPNoWrapFlags>(flags)));
}
/// An alignment of 0 is the type's own.
MlirValue ppyLLVMLoad(MlirRewriterBase rewriter, MlirLocation location, MlirType type, MlirValue pointer,
                      uint32_t alignment) {
  return result(LLVM::LoadOp::create(builder(rewriter), unwrap(location), unwrap(type), unwrap(pointer), alignment));
}
void ppyLLVMStore(MlirRewriterBase rewriter, MlirLocation location, MlirValue value, MlirValue pointer,
                  uint32_t alignment) {
  LLVM::StoreOp::create(builder(rewriter), unwrap(location), unwrap(value), unwrap(pointer), alignment);
}
/// Stack memory at the start of the function's entry block `entry`, so that a loop does not grow the stack.
MlirValue ppyLLVMAlloca(MlirRewriterBase rewriter, MlirLocation location, MlirBlock entry, MlirType element,
                        int64_t count, uint32_t alignment) {
  RewriterBase &b = builder(rewriter);
  OpBuilder::InsertionGuard restore(b);
  b.setInsertionPointToStart(unwrap(entry));
  Location loc = unwrap(location);
  Value size = LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(count));
  return result(
      LLVM::AllocaOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()), unwrap(element), size, alignment));
}
void ppyLLVMZeroMemory(MlirRewriterBase rewriter, MlirLocation location, MlirValue pointer, int64_t bytes) {
  RewriterBase &b = builder(rewriter);
  Location loc = unwrap(location);
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI8Type(), b.getI8IntegerAttr(0));
  Value size = LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(bytes));
  LLVM::MemsetOp::create(b, loc, unwrap(pointer), zero, size, /*isVolatile=*/false);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void ppyLLVMBr(MlirRewriterBase rewriter, MlirLocation location, MlirBlock block, intptr_t n, const MlirValue *list) {
  LLVM::BrOp::create(builder(rewriter), unwrap(location), values(n, list), unwrap(block));
}
MlirOperation ppyLLVMCondBr(MlirRewriterBase rewriter, MlirLocation location, MlirValue condition, MlirBlock yes,
                            intptr_t n, const MlirValue *yesList, MlirBlock no, intptr_t m, const MlirValue *noList) {
  return wrap(LLVM::CondBrOp::create(builder(rewriter), unwrap(location), unwrap(condition), unwrap(yes),
                                     values(n, yesList), unwrap(no), values(m, noList))
                  .getOperation());
}
void ppyLLVMReturn(MlirRewriterBase rewriter, MlirLocation location, MlirValue value) {
  Value answer = value.ptr ? unwrap(value) : Value();
  LLVM::ReturnOp::create(builder(rewriter), unwrap(location), answer ? ValueRange(answer) : ValueRange());
}
/// A call by name, or through the first of `list` where `callee` is empty. The answer is null for a void function.
MlirValue ppyLLVMCall(MlirRewriterBase rewriter, MlirLocation location, MlirType function, MlirStringRef callee,
                      intptr_t n, const MlirValue *list) {
  RewriterBase &b = builder(rewriter);
  auto type = cast<LLVM::LLVMFunctionType>(unwrap(function));
  SmallVector<Value, 8> operands = values(n, list);
  LLVM::CallOp call = callee.length == 0 ? LLVM::CallOp::create(b, unwrap(location), type, operands)
                                         : LLVM::CallOp::create(b, unwrap(location), type, unwrap(callee), operands);
  return wrap(call->getNumResults() ? call->getResult(0) : Value());
}
/// The function fails here with `status` where `condition` is `sense`.
void ppyLLVMCheck(MlirRewriterBase rewriter, MlirLocation location, MlirValue condition, bool sense, int32_t status) {
  RewriterBase &b = builder(rewriter);
  auto check = LLVM::AssumeOp::create(b, unwrap(location), unwrap(condition));
  check->setDiscardableAttr(sense ? failsWhenTrue : failsWhenFalse, b.getI32IntegerAttr(status));
}
/// Makes an edge of every check in `function`: to one cold block per status, which returns it. Linear, because a split
/// moves what follows the check only, and the last check of a block is split first.
void ppyLLVMSplitChecks(MlirOperation function) {
  auto func = cast<LLVM::LLVMFuncOp>(unwrap(function));
  if (func.isExternal())
    return;
  OpBuilder b(func.getContext());
  StringAttr whenTrue = b.getStringAttr(failsWhenTrue), whenFalse = b.getStringAttr(failsWhenFalse);
  SmallVector<std::pair<int64_t, Block *>, 2> exits;
  auto exit = [&](int64_t status) {
    for (auto &[known, block] : exits)
      if (known == status)
        return block;
    OpBuilder::InsertionGuard restore(b);
    Block *block = b.createBlock(&func.getBody(), func.getBody().end());
    Value value = LLVM::ConstantOp::create(b, func.getLoc(), b.getI32Type(), b.getI32IntegerAttr(status));
    LLVM::ReturnOp::create(b, func.getLoc(), value);
    exits.push_back({status, block});
    return block;
  };
  SmallVector<Block *> blocks;
  for (Block &block : func.getBody())
    blocks.push_back(&block);
  for (Block *block : blocks) {
    Operation *next = nullptr;
    for (Operation *op = block->empty() ? nullptr : &block->back(); op; op = next) {
      next = op->getPrevNode();
      auto check = dyn_cast<LLVM::AssumeOp>(op);
      if (!check)
        continue;
      auto status = dyn_cast_or_null<IntegerAttr>(check->getDiscardableAttr(whenTrue));
      bool sense = bool(status);
      if (!status)
        status = dyn_cast_or_null<IntegerAttr>(check->getDiscardableAttr(whenFalse));
      if (!status)
        continue;
      Block *rest = block->splitBlock(op);
      Block *fail = exit(status.getInt());
      b.setInsertionPointToEnd(block);
      // As rare as can be said: failures must not take much from the counts of a long loop.
      constexpr int32_t rare = 1, usual = std::numeric_limits<int32_t>::max();
      if (sense)
        LLVM::CondBrOp::create(b, op->getLoc(), check.getCond(), fail, ValueRange(), rest, ValueRange(),
                               std::make_pair(rare, usual));
      else
        LLVM::CondBrOp::create(b, op->getLoc(), check.getCond(), rest, ValueRange(), fail, ValueRange(),
                               std::make_pair(usual, rare));
      op->erase();
    }
  }
}
/// Merges the second block into the first where the first only jumps to it and nobody else does.
void ppyLLVMMergeEntry(MlirOperation function) {
  auto func = cast<LLVM::LLVMFuncOp>(unwrap(function));
  if (func.isExternal() || func.getBody().hasOneBlock())
    return;
  Block *entry = &func.getBody().front();
  auto jump = dyn_cast<LLVM::BrOp>(entry->back());
  if (!jump)
    return;
  Block *body = jump.getDest();
  if (body == entry || body->getSinglePredecessor() != entry)
    return;
  for (auto [argument, value] : llvm::zip_equal(body->getArguments(), jump.getDestOperands()))
    argument.replaceAllUsesWith(value);
  jump.erase();
  entry->getOperations().splice(entry->end(), body->getOperations());
  body->erase();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function without a body, inserted at the insertion point.
MlirOperation ppyLLVMFunc(MlirRewriterBase rewriter, MlirLocation location, MlirStringRef name, MlirType type,
                          bool internal) {
  RewriterBase &b = builder(rewriter);
  auto func = LLVM::LLVMFuncOp::create(b, unwrap(location), unwrap(name), cast<LLVM::LLVMFunctionType>(unwrap(type)),
                                       internal ? LLVM::Linkage::Internal : LLVM::Linkage::External);
  func.setNoUnwind(true);
  return wrap(func.getOperation());
}
void ppyLLVMMoveBody(MlirRewriterBase rewriter, MlirRegion from, MlirRegion to) {
  builder(rewriter).inlineRegionBefore(*unwrap(from), *unwrap(to), unwrap(to)->end());
}
void ppyLLVMSetArgumentAttribute(MlirOperation function, uint32_t index, MlirStringRef name, MlirAttribute value) {
  cast<LLVM::LLVMFuncOp>(unwrap(function)).setArgAttr(index, unwrap(name), unwrap(value));
}
/// Puts a name around the location of a block argument.
void ppyLLVMNameArgument(MlirValue argument, MlirStringRef name) {
  auto value = cast<BlockArgument>(unwrap(argument));
  value.setLoc(NameLoc::get(StringAttr::get(value.getContext(), unwrap(name)), value.getLoc()));
}
/// An empty block before `before`, or last in region 0 of `function` where that is null; building goes on at its end.
MlirBlock ppyLLVMCreateBlock(MlirRewriterBase rewriter, MlirOperation function, MlirBlock before, intptr_t n,
                             const MlirType *list, MlirLocation location) {
  RewriterBase &b = builder(rewriter);
  SmallVector<Type, 8> arguments = types(n, list);
  SmallVector<Location, 8> locations(arguments.size(), unwrap(location));
  if (before.ptr)
    return wrap(b.createBlock(unwrap(before), arguments, locations));
  Region &region = unwrap(function)->getRegion(0);
  return wrap(b.createBlock(&region, region.end(), arguments, locations));
}
}
