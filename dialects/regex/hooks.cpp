//===- hooks.cpp - what the regex dialect needs in C++ --------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

namespace ppy::regex {

void registerInterfaces(RegexDialect *) {}

} // namespace ppy::regex
