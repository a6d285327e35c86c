//===- conversion.cpp - dialect conversion for Rust -----------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API of MLIR 22 has no dialect conversion. src/mlir/conversion.rs is the safe side. A pattern's closure must be
// `Sync`: patterns may run on any thread.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ppy.h"

using namespace mlir;

extern "C" {
typedef MlirLogicalResult (*PpyConvertFn)(void *data, MlirOperation op, intptr_t n, const MlirValue *operands,
                                          MlirRewriterBase rewriter, const void *typeConverter);
/// 0: not mine, 1: converted into *out, 2: has no conversion.
typedef int32_t (*PpyTypeFn)(void *data, MlirType in, MlirType *out);
}

namespace {
struct Holder {
  explicit Holder(PpyClosure closure) : closure(closure) {}
  Holder(const Holder &) = delete;
  Holder &operator=(const Holder &) = delete;
  ~Holder() {
    if (closure.drop)
      closure.drop(closure.data);
  }
  PpyClosure closure;
};

class RustConversionPattern final : public ConversionPattern {
public:
  RustConversionPattern(const TypeConverter &converter, StringRef root, PatternBenefit benefit, MLIRContext *context,
                        PpyConvertFn fn, PpyClosure closure)
      : ConversionPattern(converter, root, benefit, context), fn(fn), holder(closure) {}
  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    static_assert(sizeof(Value) == sizeof(MlirValue));
    return unwrap(fn(holder.closure.data, wrap(op), operands.size(),
                     reinterpret_cast<const MlirValue *>(operands.data()), wrap(static_cast<RewriterBase *>(&rewriter)),
                     getTypeConverter()));
  }

private:
  PpyConvertFn fn;
  Holder holder;
};
} // namespace

extern "C" {
//===----------------------------------------------------------------------===//
// Type converter
//===----------------------------------------------------------------------===//

LLVMTypeConverter *ppyLLVMTypeConverterCreate(MlirContext context) {
  LowerToLLVMOptions options(unwrap(context));
  options.useBarePtrCallConv = true;
  return new LLVMTypeConverter(unwrap(context), options);
}
void ppyTypeConverterDestroy(LLVMTypeConverter *converter) { delete converter; }
void ppyTypeConverterAddConversion(LLVMTypeConverter *converter, PpyTypeFn fn, PpyClosure closure) {
  auto holder = std::make_shared<Holder>(closure);
  converter->addConversion([fn, holder](Type type) -> std::optional<Type> {
    MlirType out{nullptr};
    switch (fn(holder->closure.data, wrap(type), &out)) {
    case 0:
      return std::nullopt;
    case 1:
      return unwrap(out);
    default:
      return Type();
    }
  });
}
MlirType ppyTypeConverterConvert(const LLVMTypeConverter *converter, MlirType type) {
  return wrap(converter->convertType(unwrap(type)));
}

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

ConversionTarget *ppyConversionTargetCreate(MlirContext context) { return new ConversionTarget(*unwrap(context)); }
void ppyConversionTargetDestroy(ConversionTarget *target) { delete target; }
void ppyConversionTargetAddLegalDialect(ConversionTarget *target, MlirStringRef dialect) {
  target->addLegalDialect(unwrap(dialect));
}
void ppyConversionTargetAddIllegalDialect(ConversionTarget *target, MlirStringRef dialect) {
  target->addIllegalDialect(unwrap(dialect));
}
//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void ppyConversionPatternAdd(MlirRewritePatternSet set, const LLVMTypeConverter *converter, MlirStringRef root,
                             uint32_t benefit, PpyConvertFn fn, PpyClosure closure) {
  auto &patterns = *unwrap(set);
  patterns.add(std::make_unique<RustConversionPattern>(*converter, unwrap(root), PatternBenefit(benefit),
                                                       patterns.getContext(), fn, closure));
}
void ppyPopulateUpstreamToLLVM(const LLVMTypeConverter *converter, MlirRewritePatternSet set) {
  auto &patterns = *unwrap(set);
  arith::populateArithToLLVMConversionPatterns(*converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(*converter, patterns);
  populateMathToLLVMConversionPatterns(*converter, patterns);
  populateVectorToLLVMConversionPatterns(*converter, patterns);
}

//===----------------------------------------------------------------------===//
// Rewriter: what the C API lacks on a conversion's
//===----------------------------------------------------------------------===//

MlirLogicalResult ppyConversionRewriterConvertRegionTypes(MlirRewriterBase rewriter, MlirRegion region,
                                                          const LLVMTypeConverter *converter) {
  auto &conversion = static_cast<ConversionPatternRewriter &>(*unwrap(rewriter));
  return wrap(success(succeeded(conversion.convertRegionTypes(unwrap(region), *converter))));
}
//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

MlirLogicalResult ppyApplyPartialConversion(intptr_t count, const MlirOperation *ops, ConversionTarget *target,
                                            MlirFrozenRewritePatternSet patterns) {
  ConversionConfig config;
  // Folding is canonicalization's; here it would run on every operation.
  config.foldingMode = DialectConversionFoldingMode::Never;
  SmallVector<Operation *> roots;
  for (intptr_t i = 0; i < count; ++i)
    roots.push_back(unwrap(ops[i]));
  return wrap(applyPartialConversion(roots, *target, *unwrap(patterns), config));
}

//===----------------------------------------------------------------------===//
// Unreachable blocks
//===----------------------------------------------------------------------===//

/// Erases the blocks of the regions of `op` and below that nothing reaches: a conversion would leave them as they are.
void ppyEraseUnreachableBlocks(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  (void)eraseUnreachableBlocks(rewriter, unwrap(op)->getRegions());
  for (Region &region : unwrap(op)->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        (void)eraseUnreachableBlocks(rewriter, inner.getRegions());
}
}
