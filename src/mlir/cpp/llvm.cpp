//===- llvm.cpp - what LLVM's C API lacks for code generation -------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ppy.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;

extern "C" {
/// Makes the host's target known; every other one that LLVM was built with too when `all`.
void ppyInitializeTargets(bool all) {
  if (!all) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
    return;
  }
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();
}

/// Counted loops that end in several ways, as those with guards do, are unrolled from now on. LLVM takes that only as
/// an option of the process; one that its owner has set stays.
void ppyUnrollLoopsWithGuards() {
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr StringLiteral name = "unroll-runtime-multi-exit";
    auto &options = cl::getRegisteredOptions();
    auto found = options.find(name);
    if (found != options.end() && found->second->getNumOccurrences() == 0)
      found->second->addOccurrence(0, name, "true");
  });
}

/// Loops start at multiples of so many bytes in what the machine generates.
void ppyAlignLoops(LLVMTargetMachineRef machine, uint32_t bytes) {
  reinterpret_cast<TargetMachine *>(machine)->Options.LoopAlignment = bytes;
}

/// Calls `each` with the name of every processor (or, with `features`, every feature) of a triple's target.
void ppyTargetNames(MlirStringRef triple, bool features, PpyStringFn each, void *data) {
  Triple parsed(unwrap(triple));
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(parsed, error);
  std::unique_ptr<MCSubtargetInfo> info(target ? target->createMCSubtargetInfo(parsed, "", "") : nullptr);
  if (!info)
    return;
  if (features) {
    for (const SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
      each(data, wrap(StringRef(feature.Key)));
  } else {
    for (const SubtargetSubTypeKV &processor : info->getAllProcessorDescriptions())
      each(data, wrap(StringRef(processor.Key)));
  }
}
}
