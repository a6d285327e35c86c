//===- Cpu.td - the ppy_cpu dialect ---------------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CPU_TD
#define PPY_CPU_TD

include "Core.td"

def Cpu_Dialect : Ppy_Dialect<"cpu", 1> {
  let summary = "Hints to the processor, and what it must be able to do";
  let description = [{
    The operations are hints: a target without the instruction drops them, and no result depends on them.

    A function with the attribute `cpu.features = ["avx2", "fma"]` is compiled for a processor that has these features,
    by LLVM's names, and is not run on one that lacks any.
  }];
  let dependentDialects = ["::ppy::core::CoreDialect"];
  let rustVerifyFunction = "features";
}

/// A hint stays where it is among other hints; memory accesses pass it.
def Cpu_Hints : Resource<"::ppy::cpu::Hints">;

class Cpu_Op<string opMnemonic> : Ppy_Op<Cpu_Dialect, opMnemonic, [MemoryEffects<[MemWrite<Cpu_Hints>]>]>;

def Cpu_Access : Ppy_Enum<Cpu_Dialect, "Access", "what a cache line is wanted for", [
    I32EnumAttrCase<"Read", 0, "read">,
    I32EnumAttrCase<"Write", 1, "write">]>;

def Cpu_PrefetchOp : Cpu_Op<"prefetch"> {
  let summary = "ask for a cache line";
  let description = [{
    The line of the address, for reading or writing (`rw`, reading without it), to be kept from not at all (`locality`
    0) to in all caches (3, which it is without one). It is no access: any address will do.

    ```mlir
    ppy_cpu.prefetch %p rw<write> locality<1> : !ppy_core.ptr<f64>
    ```
  }];
  let arguments = (ins Core_AnyPtr:$ptr, OptionalAttr<Cpu_Access>:$rw, OptionalAttr<I64Attr>:$locality);
  let assemblyFormat = [{
    $ptr (`rw` `` `<` $rw^ `>`)? (`locality` `` `<` $locality^ `>`)? attr-dict `:` qualified(type($ptr))
  }];
  let rustVerify = "prefetch";
}

def Cpu_PauseOp : Cpu_Op<"pause"> {
  let summary = "a loop that only waits runs here";
  let description = [{
    The hint of a loop that spins until another thread writes.

    ```mlir
    ppy_cpu.pause
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // PPY_CPU_TD
