//===- parse.h - reading MLIR text and bytecode ---------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PARSE_H
#define PPY_PARSE_H

#include "ppy.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ppy {
/// A copy of bytecode at an address of any alignment that its sections ask for; null where there is no memory.
std::unique_ptr<llvm::MemoryBuffer> alignedCopy(llvm::StringRef bytecode, llvm::StringRef name);
} // namespace ppy

#endif
