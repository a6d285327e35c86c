//===- plugin.cpp - libraries of passes that the tools load ---------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "ppy.h"
#include "llvm/Object/ObjectFile.h"

using namespace mlir;

extern "C" {

/// Says each name in the string table of a library's dynamic section, of the libraries it needs among others; false
/// after saying why the file is no library.
bool ppyLibraryNames(MlirStringRef path, PpyStringFn name, PpyStringFn problem, void *data) {
  auto file = llvm::object::ObjectFile::createObjectFile(unwrap(path));
  if (!file) {
    problem(data, wrap(StringRef(llvm::toString(file.takeError()))));
    return false;
  }
  for (const llvm::object::SectionRef &section : file->getBinary()->sections()) {
    llvm::Expected<StringRef> title = section.getName();
    if (!title || *title != ".dynstr") {
      llvm::consumeError(title.takeError());
      continue;
    }
    llvm::Expected<StringRef> contents = section.getContents();
    if (!contents) {
      problem(data, wrap(StringRef(llvm::toString(contents.takeError()))));
      return false;
    }
    SmallVector<StringRef> names;
    contents->split(names, '\0', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef found : names)
      name(data, wrap(found));
    return true;
  }
  problem(data, wrap(StringRef("it is no shared library")));
  return false;
}

/// Loads a library of passes and lets it register them; false after saying why not.
bool ppyLoadPassPlugin(MlirStringRef path, PpyStringFn problem, void *data) {
  llvm::Expected<PassPlugin> plugin = PassPlugin::load(unwrap(path).str());
  if (!plugin) {
    problem(data, wrap(StringRef(llvm::toString(plugin.takeError()))));
    return false;
  }
  plugin->registerPassRegistryCallbacks();
  return true;
}

} // extern "C"
