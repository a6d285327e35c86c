//===- hooks.cpp - what the parallel dialect needs in C++ -----------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

namespace ppy::parallel {

void registerInterfaces(ParallelDialect *) {}

namespace {
/// The body takes what it is passed and gives the results; `why` says which these are.
LogicalResult verifyBody(Operation *op, FlatSymbolRefAttr callee, TypeRange passed, TypeRange results, StringRef why,
                         SymbolTableCollection &symbols) {
  FailureOr<FunctionType> type = core::verifyPassed(op, callee, "runs", passed, symbols);
  if (failed(type) || !*type)
    return type;
  if (TypeRange(type->getResults()) == results)
    return success();
  InFlightDiagnostic error = op->emitOpError() << "runs @" << callee.getValue() << ", which gives ";
  if (type->getNumResults() == 0)
    error << "nothing";
  else
    error << type->getResults();
  return error << ": " << why;
}
} // namespace

LogicalResult ForOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyBody(*this, getCalleeAttr(), getOperandTypes(), {},
                    "a body returns nothing; let it store what it finds, or use parallel.reduce", symbols);
}

LogicalResult ReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyBody(*this, getCalleeAttr(), getOperandTypes(), getResult().getType(),
                    "a body returns the accumulator that it is handed", symbols);
}

LogicalResult MapOp::verifySymbolUses(SymbolTableCollection &symbols) {
  core::PtrType out = getOut().getType();
  if (out.getConstant())
    return emitOpError() << "stores through " << out << ", a const pointer: use one without const";
  SmallVector<Type> passed(getCaptures().getTypes());
  passed.push_back(getBegin().getType());
  return verifyBody(*this, getCalleeAttr(), passed, out.getPointee(),
                    "its one result is what out points to; convert it with core.cast", symbols);
}

} // namespace ppy::parallel
