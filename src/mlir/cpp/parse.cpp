//===- parse.cpp - reading MLIR text and bytecode -------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parse.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

std::unique_ptr<llvm::MemoryBuffer> ppy::alignedCopy(StringRef bytecode, StringRef name) {
  const llvm::Align page(4096);
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytecode.size(), name, page);
  if (copy)
    llvm::copy(bytecode, copy->getBufferStart());
  return copy;
}

extern "C" {
/// Parses MLIR text or bytecode without verifying it; null after an error was emitted.
MlirModule ppyParseModule(MlirContext context, MlirStringRef bytes, MlirStringRef name) {
  ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  StringRef source = unwrap(bytes);
  std::unique_ptr<llvm::MemoryBuffer> copy;
  if (isBytecode(llvm::MemoryBufferRef(source, unwrap(name))) && (copy = ppy::alignedCopy(source, unwrap(name))))
    source = copy->getBuffer();
  return wrap(parseSourceString<ModuleOp>(source, config, unwrap(name)).release());
}

/// Reads bytecode and writes it again, with the resources of others; false after an error was emitted, or without one
/// where the bytes have not exactly one operation.
bool ppyRewriteBytecode(MlirContext context, MlirStringRef bytes, MlirStringRef name, PpyStringFn write, void *data) {
  FallbackAsmResourceMap resources;
  ParserConfig config(unwrap(context), /*verifyAfterParse=*/false, &resources);
  llvm::SourceMgr sources;
  auto copy = ppy::alignedCopy(unwrap(bytes), unwrap(name));
  if (!copy)
    return false;
  sources.AddNewSourceBuffer(std::move(copy), llvm::SMLoc());
  Block block;
  if (failed(parseSourceFile(sources, &block, config)) || !llvm::hasSingleElement(block))
    return false;
  std::string written;
  llvm::raw_string_ostream os(written);
  if (failed(writeBytecodeToFile(&block.front(), os, BytecodeWriterConfig(resources))))
    return false;
  write(data, wrap(StringRef(written)));
  return true;
}
}
