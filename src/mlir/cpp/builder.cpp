//===- builder.cpp - making operations from parts -------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `mlirOperationCreate` does, for readers of millions of operations: no copies of the lists on the heap, no lookup
// of a known name, and no dictionary of the attributes that an operation keeps elsewhere.
//
//===----------------------------------------------------------------------===//

#include "ppy.h"

using namespace mlir;

extern "C" const void *ppyOperationName(MlirContext context, MlirStringRef name) {
  return OperationName(unwrap(name), unwrap(context)).getAsOpaquePointer();
}

/// Takes the regions over.
extern "C" MlirOperation ppyCreateOperation(const void *opaqueName, MlirLocation location, intptr_t operandCount,
                                            const MlirValue *operandList, intptr_t resultCount,
                                            const MlirType *resultList, intptr_t attributeCount,
                                            const MlirNamedAttribute *attributes, intptr_t successorCount,
                                            const MlirBlock *successorList, intptr_t regionCount,
                                            const MlirRegion *regions) {
  OperationName name = OperationName::getFromOpaquePointer(opaqueName);
  MLIRContext *context = name.getContext();
  SmallVector<Value, 8> operands;
  SmallVector<Type, 4> results;
  SmallVector<Block *, 2> successors;
  for (const MlirBlock &block : ArrayRef(successorList, successorCount))
    successors.push_back(unwrap(block));
  Operation *op = Operation::create(unwrap(location), name, unwrapList(resultCount, resultList, results),
                                    unwrapList(operandCount, operandList, operands), DictionaryAttr::get(context),
                                    OpaqueProperties(nullptr), successors, regionCount);
  for (auto [index, region] : llvm::enumerate(ArrayRef(regions, regionCount))) {
    std::unique_ptr<Region> owned(unwrap(region));
    op->getRegion(index).takeBody(*owned);
  }
  SmallVector<NamedAttribute, 4> others;
  for (const MlirNamedAttribute &attribute : ArrayRef(attributes, attributeCount)) {
    StringAttr key = unwrap(attribute.name);
    Attribute value = unwrap(attribute.attribute);
    if (op->getPropertiesStorageSize() && op->getInherentAttr(key))
      op->setInherentAttr(key, value);
    else
      others.emplace_back(key, value);
  }
  if (!others.empty())
    op->setDiscardableAttrs(others);
  return wrap(op);
}
