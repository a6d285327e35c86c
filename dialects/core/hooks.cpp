//===- hooks.cpp - interfaces of the core dialect that must be C++ --------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included at the end of the dialect's generated translation unit.
//
//===----------------------------------------------------------------------===//

namespace ppy::core {

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

Operation *CoreDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != type || !isa<IntegerAttr, FloatAttr, NullAttr>(value))
    return nullptr;
  return ConstOp::create(builder, loc, type, typed);
}

#include "inliner.inc"

void registerInterfaces(CoreDialect *dialect) { dialect->addInterfaces<CoreInliner>(); }

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Whether values of the type can be in memory or an aggregate.
bool isStorable(Type type) {
  if (isNumber(type) || type.isSignlessInteger(1) || isa<PtrType, BufferType, StructType, ArrayType, FutureType>(type))
    return true;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable();
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isStorable);
  // A type of another ppy dialect decides for itself.
  StringRef dialect = type.getDialect().getNamespace();
  return dialect.starts_with("ppy_") && dialect != "ppy_core";
}
LogicalResult verifyElement(EmitError emit, StringRef what, Type type) {
  if (isStorable(type))
    return success();
  return emit() << what << " cannot be of type " << type
                << ": use a number, bool, pointer, buffer, vector, tuple, struct, array or future";
}
bool isWord(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}
} // namespace

LogicalResult PtrType::verify(EmitError emit, Type pointee, StringRef space, bool) {
  if (!isWord(space))
    return emit() << "the address space '" << space << "' is not a word; write one like generic or stack";
  if (isa<VoidType, FunctionType>(pointee))
    return success();
  return verifyElement(emit, "what a pointer addresses", pointee);
}
LogicalResult BufferType::verify(EmitError emit, Type element) {
  return verifyElement(emit, "the element of a buffer", element);
}
LogicalResult FutureType::verify(EmitError emit, Type value) {
  if (isa<VoidType>(value))
    return success();
  return verifyElement(emit, "the value of a future", value);
}
LogicalResult ArrayType::verify(EmitError emit, Type element, ArrayRef<int64_t> shape) {
  if (shape.empty())
    return emit() << "an array needs at least one dimension: write array<" << element << ", N>";
  for (int64_t extent : shape)
    if (extent <= 0)
      return emit() << "the array extent " << extent << " is not positive";
  return verifyElement(emit, "the element of an array", element);
}
LogicalResult StructType::verify(EmitError emit, StringRef name, ArrayRef<StringAttr> fields, ArrayRef<Type> types) {
  if (fields.size() != types.size())
    return emit() << "a struct of " << fields.size() << " field names needs as many types, not " << types.size();
  llvm::SmallDenseSet<StringAttr> seen;
  for (auto [field, type] : llvm::zip(fields, types)) {
    if (!seen.insert(field).second)
      return emit() << "struct " << name << " has two fields named " << field;
    if (failed(verifyElement(emit, "a field of a struct", type)))
      return failure();
  }
  return success();
}

Type PtrType::parse(AsmParser &parser) {
  Type pointee;
  std::string space = "generic";
  bool constant = false;
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    if (parser.parseKeyword(&word))
      return {};
    space = word.str();
    if (succeeded(parser.parseOptionalComma())) {
      if (parser.parseKeyword("const", " or '>'"))
        return {};
      constant = true;
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PtrType>(parser.getContext(), pointee, space, constant);
}
void PtrType::print(AsmPrinter &printer) const {
  printer << "<" << getPointee();
  if (getConstant() || getSpace() != "generic")
    printer << ", " << getSpace();
  if (getConstant())
    printer << ", const";
  printer << ">";
}

Type StructType::parse(AsmParser &parser) {
  std::string name;
  SmallVector<StringAttr> fields;
  SmallVector<Type> types;
  if (parser.parseLess() || parser.parseString(&name))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    std::string field;
    Type type;
    if (parser.parseKeywordOrString(&field) || parser.parseColon() || parser.parseType(type))
      return {};
    fields.push_back(StringAttr::get(parser.getContext(), field));
    types.push_back(type);
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<StructType>(parser.getContext(), name, fields, types);
}
void StructType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getName());
  for (auto [field, type] : llvm::zip(getFields(), getTypes())) {
    printer << ", ";
    printer.printKeywordOrString(field.getValue());
    printer << ": " << type;
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Functions and symbols
//===----------------------------------------------------------------------===//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto type = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                 function_interface_impl::VariadicFlag,
                 std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), type,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}
void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }
void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  auto symbol = cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee));
  if (symbol != getCalleeAttr())
    (*this)->removeDiscardableAttr("ppy.effects"); // They are the other callee's.
  setCalleeAttr(symbol);
}
Operation::operand_range CallOp::getArgOperands() { return getArgs(); }
MutableOperandRange CallOp::getArgOperandsMutable() { return getArgsMutable(); }

/// What `infer-effects` wrote on the call: passes over functions run in parallel, and must not look at the callee. A
/// call is never speculated, because its callee's `python` arithmetic fails without an effect, as everywhere.
void CallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto unknown = [&] {
    effects.clear();
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
    effects.emplace_back(MemoryEffects::Write::get(), FallbackResource::get());
  };
  auto stated = (*this)->getAttrOfType<ArrayAttr>("ppy.effects");
  if (!stated)
    return unknown();
  for (Attribute attribute : stated) {
    auto word = dyn_cast<StringAttr>(attribute);
    StringRef name = word ? word.getValue() : StringRef();
    if (name == "read_memory" || name == "read_object") {
      effects.emplace_back(MemoryEffects::Read::get());
    } else if (name == "may_raise") {
      effects.emplace_back(MemoryEffects::Write::get(), FallbackResource::get());
    } else if (name == "alloc") {
      // An allocation that no result can hold is nobody's.
      for (OpResult result : getResults())
        effects.emplace_back(MemoryEffects::Allocate::get(), result);
    } else if (name != "pure") {
      return unknown();
    }
  }
}

FailureOr<FunctionType> verifyPassed(Operation *op, FlatSymbolRefAttr callee, StringRef what, TypeRange passed,
                                     SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FuncOp>(op, callee);
  if (!function)
    return op->emitOpError() << what << " @" << callee.getValue()
                             << ", which is no function of the module: define it, or declare it with extern func";
  // What the callee itself lacks is the callee's error.
  if (!isa_and_nonnull<FunctionType>(function.getFunctionTypeAttr() ? function.getFunctionTypeAttr().getValue()
                                                                    : Type()))
    return FunctionType();
  FunctionType type = function.getFunctionType();
  if (type.getNumInputs() != passed.size())
    return op->emitOpError() << "passes " << passed.size() << " arguments to @" << callee.getValue() << ", which takes "
                             << type.getNumInputs();
  for (unsigned i = 0, n = passed.size(); i != n; ++i)
    if (passed[i] != type.getInput(i))
      return op->emitOpError() << "passes argument #" << i << " of type " << passed[i] << " to @" << callee.getValue()
                               << ", which takes " << type.getInput(i) << "; convert it with core.cast";
  return type;
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FunctionType> checked = verifyPassed(*this, getCalleeAttr(), "calls", getOperandTypes(), symbols);
  if (failed(checked) || !*checked)
    return checked;
  FunctionType type = *checked;
  SmallVector<Type> results(type.getResults());
  bool captures = getCaptureStatus().value_or(false);
  if (captures)
    results.push_back(IntegerType::get(getContext(), 64));
  if (results.size() != getNumResults())
    return emitOpError() << "has " << getNumResults() << " results, but @" << getCallee() << " gives "
                         << type.getNumResults()
                         << (captures ? " and capture_status adds the status: name one more result of type i64"
                                      : ": name as many results");
  for (unsigned i = 0, n = getNumResults(); i != n; ++i)
    if (getResult(i).getType() != results[i])
      return emitOpError() << "has result #" << i << " of type " << getResult(i).getType() << ", but @" << getCallee()
                           << " gives " << results[i] << "; convert it afterwards with core.cast";
  return success();
}

LogicalResult CallIntrinsicOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (getIntrinsic() == "ppy.function_address") {
    auto callee = (*this)->getAttrOfType<FlatSymbolRefAttr>("callee");
    if (callee && !symbols.lookupNearestSymbolFrom<FuncOp>(*this, callee))
      return emitOpError() << "takes the address of " << callee
                           << ", which is no function of the module: define it, or declare it with extern func";
  } else if (getIntrinsic() == "ppy.string_data") {
    // `.ppyir` names it by a string.
    Attribute symbol = (*this)->getAttr("symbol");
    StringAttr name = dyn_cast_or_null<StringAttr>(symbol);
    if (auto reference = dyn_cast_or_null<FlatSymbolRefAttr>(symbol))
      name = reference.getAttr();
    if (!name)
      return success();
    auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, StringAttr::get(getContext(), name.getValue()));
    if (global && !global.getTypeAttr())
      return success();
    auto buffer = global ? dyn_cast<BufferType>(global.getType()) : BufferType();
    if (!buffer || !buffer.getElement().isUnsignedInteger(8))
      return emitOpError() << "calls intrinsic ppy.string_data of @" << name.getValue()
                           << ", which is no global of bytes: define a global @" << name.getValue()
                           << " that is a buffer of u8";
  }
  return success();
}

/// Reads nothing and writes nothing, except where the intrinsic hands control over.
void CallIntrinsicOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  bool pure = llvm::StringSwitch<bool>(getIntrinsic())
                  .Cases({"ppy.checked_add", "ppy.checked_sub", "ppy.checked_mul", "ppy.string_data",
                          "ppy.buffer_from_parts", "ppy.function_address", "math.fabs"},
                         true)
                  .Default(false);
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Printing names
//===----------------------------------------------------------------------===//

void ConstOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (auto integer = dyn_cast<IntegerAttr>(getValue()); integer && integer.getType().isSignlessInteger(1))
    return setName(getResult(), integer.getValue().isZero() ? "false" : "true");
  if (auto integer = dyn_cast<IntegerAttr>(getValue())) {
    SmallString<16> name("c");
    integer.getValue().toString(name, 10, !integer.getType().isUnsignedInteger());
    if (name.size() > 1 && name[1] == '-')
      name[1] = '_';
    return setName(getResult(), name);
  }
  setName(getResult(), isa<NullAttr>(getValue()) ? "null" : "cst");
}

/// `%a, %b : tuple<A, B>`: the operands' types are the aggregate's.
static ParseResult parseMake(OpAsmParser &parser, OperationState &result,
                             llvm::function_ref<std::optional<ArrayRef<Type>>(Type)> fieldsOf, StringRef what) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Type type;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  auto fields = fieldsOf(type);
  if (!fields)
    return parser.emitError(at) << "expected a " << what << " type, but got " << type;
  if (fields->size() != operands.size())
    return parser.emitError(at) << type << " has " << fields->size() << " elements, but there are " << operands.size()
                                << " operands";
  result.addTypes(type);
  return parser.resolveOperands(operands, *fields, at, result.operands);
}
static void printMake(OpAsmPrinter &printer, Operation *op) {
  if (op->getNumOperands())
    printer << ' ' << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getResult(0).getType();
}

ParseResult TupleMakeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMake(
      parser, result,
      [](Type type) -> std::optional<ArrayRef<Type>> {
        auto tuple = dyn_cast<TupleType>(type);
        return tuple ? std::optional(tuple.getTypes()) : std::nullopt;
      },
      "tuple");
}
void TupleMakeOp::print(OpAsmPrinter &printer) { printMake(printer, *this); }
ParseResult StructMakeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMake(
      parser, result,
      [](Type type) -> std::optional<ArrayRef<Type>> {
        auto record = dyn_cast<StructType>(type);
        return record ? std::optional(record.getTypes()) : std::nullopt;
      },
      "struct");
}
void StructMakeOp::print(OpAsmPrinter &printer) { printMake(printer, *this); }

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

SuccessorOperands BrOp::getSuccessorOperands(unsigned) { return SuccessorOperands(getDestOperandsMutable()); }
SuccessorOperands CondBrOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(index == 0 ? getTrueOperandsMutable() : getFalseOperandsMutable());
}
Block *CondBrOp::getSuccessorForOperands(ArrayRef<Attribute> operands) {
  if (auto condition = dyn_cast_or_null<IntegerAttr>(operands.front()))
    return condition.getValue().isOne() ? getTrueDest() : getFalseDest();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Speculation
//===----------------------------------------------------------------------===//

/// A shift by an amount that is not known to be in range has no meaning off its path.
Speculation::Speculatability ShrOp::getSpeculatability() {
  IntegerAttr amount;
  bool known = matchPattern(getRhs(), m_Constant(&amount)) &&
               amount.getValue().ult(ConstantIntRanges::getStorageBitwidth(getType()));
  return known ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
/// A float that does not fit an integer has no meaning, so such a cast stays behind its guard.
Speculation::Speculatability CastOp::getSpeculatability() {
  return isFloatLike(getInput().getType()) && isIntegerLike(getType()) ? Speculation::NotSpeculatable
                                                                       : Speculation::Speculatable;
}

//===----------------------------------------------------------------------===//
// Memory slots: stock mem2reg removes the frontend's allocas
//===----------------------------------------------------------------------===//

SmallVector<MemorySlot> AllocaOp::getPromotableSlots() {
  Type pointee = getType().getPointee();
  if (getCount().value_or(1) != 1 || !zeroOf(pointee) || (*this)->hasAttr("ppy.owns"))
    return {};
  // Upstream takes a slot for live on the way into its own block unless that block stores to it first, and in a loop
  // would read the promoted value above its definition.
  Block *block = (*this)->getBlock();
  if (!block->hasNoPredecessors()) {
    Operation *first = nullptr;
    for (Operation *user : getResult().getUsers())
      if (user->getBlock() == block && (!first || user->isBeforeInBlock(first)))
        first = user;
    auto store = dyn_cast_or_null<StoreOp>(first);
    if (!store || store.getPtr() != getResult())
      return {};
  }
  return {MemorySlot{getResult(), pointee}};
}
Value AllocaOp::getDefaultValue(const MemorySlot &slot, OpBuilder &builder) {
  return ConstOp::create(builder, getLoc(), slot.elemType, zeroOf(slot.elemType));
}
void AllocaOp::handleBlockArgument(const MemorySlot &, BlockArgument, OpBuilder &) {}
std::optional<PromotableAllocationOpInterface> AllocaOp::handlePromotionComplete(const MemorySlot &, Value defaultValue,
                                                                                 OpBuilder &) {
  if (defaultValue && defaultValue.use_empty())
    defaultValue.getDefiningOp()->erase();
  erase();
  return std::nullopt;
}

bool LoadOp::loadsFrom(const MemorySlot &slot) { return getPtr() == slot.ptr; }
bool LoadOp::storesTo(const MemorySlot &) { return false; }
Value LoadOp::getStored(const MemorySlot &, OpBuilder &, Value, const DataLayout &) { return {}; }
bool LoadOp::canUsesBeRemoved(const MemorySlot &slot, const SmallPtrSetImpl<OpOperand *> &uses,
                              SmallVectorImpl<OpOperand *> &, const DataLayout &) {
  return uses.size() == 1 && (*uses.begin())->get() == slot.ptr && getPtr() == slot.ptr &&
         getResult().getType() == slot.elemType;
}
DeletionKind LoadOp::removeBlockingUses(const MemorySlot &, const SmallPtrSetImpl<OpOperand *> &, OpBuilder &,
                                        Value reaching, const DataLayout &) {
  getResult().replaceAllUsesWith(reaching);
  return DeletionKind::Delete;
}
bool StoreOp::loadsFrom(const MemorySlot &) { return false; }
bool StoreOp::storesTo(const MemorySlot &slot) { return getPtr() == slot.ptr; }
Value StoreOp::getStored(const MemorySlot &, OpBuilder &, Value, const DataLayout &) { return getValue(); }
bool StoreOp::canUsesBeRemoved(const MemorySlot &slot, const SmallPtrSetImpl<OpOperand *> &uses,
                               SmallVectorImpl<OpOperand *> &, const DataLayout &) {
  return uses.size() == 1 && (*uses.begin())->get() == slot.ptr && getPtr() == slot.ptr && getValue() != slot.ptr &&
         getValue().getType() == slot.elemType;
}
DeletionKind StoreOp::removeBlockingUses(const MemorySlot &, const SmallPtrSetImpl<OpOperand *> &, OpBuilder &, Value,
                                         const DataLayout &) {
  return DeletionKind::Delete;
}

} // namespace ppy::core

extern "C" MlirAttribute ppy_core_null_get(MlirType type) {
  return wrap(Attribute(ppy::core::NullAttr::get(unwrap(type).getContext(), unwrap(type))));
}
extern "C" bool ppy_core_null_is(MlirAttribute attribute) { return isa<ppy::core::NullAttr>(unwrap(attribute)); }

#include "ranges.inc"
