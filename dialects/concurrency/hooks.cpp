//===- hooks.cpp - what the concurrency dialect needs in C++ --------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

namespace ppy::concurrency {

void registerInterfaces(ConcurrencyDialect *) {}

LogicalResult SpawnOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<FunctionType> type = core::verifyPassed(*this, getCalleeAttr(), "spawns", getOperandTypes(), symbols);
  if (failed(type) || !*type)
    return type;
  if (unsigned results = type->getNumResults())
    return emitOpError() << "spawns @" << getCallee() << ", which gives " << results
                         << (results == 1 ? " result" : " results")
                         << ": a thread's function returns nothing; let it store what it finds";
  return success();
}

} // namespace ppy::concurrency
