//===- Concurrency.td - the ppy_concurrency dialect -----------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CONCURRENCY_TD
#define PPY_CONCURRENCY_TD

include "Core.td"

def Concurrency_Dialect : Ppy_Dialect<"concurrency", 1> {
  let summary = "Threads, and what they wait for each other with";
  let description = [{
    A thread runs a function of the program. A mutex, a condition and a barrier are `i64` slots of memory that the
    program owns, 0 before they are used, and every backend works on them in one way, so that programs of different
    backends and C (`runtime/include/ppy_runtime.h`) may share them:

    | object | slots |
    |---|---|
    | mutex | 1 while it is locked |
    | condition | the number of notifications |
    | barrier | the number of arrivals, then the generation |

    Threads are pthreads. A target that has none is refused. One that waits spins a little, then yields, then sleeps.
  }];
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

/// Without declared effects: no access to memory is moved, merged or dropped across these.
class Concurrency_Op<string opMnemonic, list<Trait> opTraits = []> : Ppy_Op<Concurrency_Dialect, opMnemonic, opTraits>;

def Concurrency_SpawnOp : Concurrency_Op<"spawn", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "start a thread that runs a function, and its handle";
  let description = [{
    The function returns nothing and takes exactly the arguments. What is written before is seen by the thread. Stack
    memory may be passed when the thread is joined before its function returns. A thread that the system cannot start
    counts as one that failed at once: joining it gives the fallback status.

    ```mlir
    %h = ppy_concurrency.spawn @work(%p, %n) : (!ppy_core.ptr<i64>, i64)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args);
  let results = (outs Ppy_I64:$handle);
  let assemblyFormat = "$callee `(` $args `)` attr-dict (`:` `(` type($args)^ `)`)?";
}

def Concurrency_JoinOp : Concurrency_Op<"join"> {
  let summary = "wait for a thread to end, and the status its function came to";
  let description = [{
    0, or the status that a guard failed with. What the thread wrote is seen afterwards. A handle is joined once.

    ```mlir
    %status = ppy_concurrency.join %h
    ```
  }];
  let arguments = (ins Ppy_I64:$handle);
  let results = (outs Ppy_I64:$status);
  let assemblyFormat = "$handle attr-dict";
}

class Concurrency_SlotOp<string opMnemonic> : Concurrency_Op<opMnemonic> {
  let arguments = (ins Core_AnyPtr:$slot);
  let assemblyFormat = "$slot attr-dict `:` qualified(type($slot))";
  let rustVerify = "slots";
  let description = "```mlir\nppy_concurrency." # opMnemonic # " %slot : !ppy_core.ptr<i64>\n```";
}
def Concurrency_MutexLockOp : Concurrency_SlotOp<"mutex_lock"> {
  let summary = "wait until nobody has the mutex, and take it";
}
def Concurrency_MutexUnlockOp : Concurrency_SlotOp<"mutex_unlock"> {
  let summary = "give the mutex back";
}
def Concurrency_ConditionNotifyOp : Concurrency_SlotOp<"condition_notify"> {
  let summary = "wake every thread that waits on the condition";
}

def Concurrency_ConditionWaitOp : Concurrency_Op<"condition_wait"> {
  let summary = "give the mutex back, wait for a notification, and take it again";
  let description = [{
    The mutex is held by the thread that waits. It may wake without cause: what it waits for is asked again in a loop.

    ```mlir
    ppy_concurrency.condition_wait %condition, %mutex : !ppy_core.ptr<i64>, !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins Core_AnyPtr:$condition, Core_AnyPtr:$mutex);
  let assemblyFormat = "$condition `,` $mutex attr-dict `:` qualified(type($condition)) `,` qualified(type($mutex))";
  let rustVerify = "slots";
}

def Concurrency_BarrierOp : Concurrency_Op<"barrier"> {
  let summary = "wait until as many threads have arrived";
  let description = [{
    The pointer is to the first of two slots. The barrier can be used again at once.

    ```mlir
    ppy_concurrency.barrier %slots, %parties : !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins Core_AnyPtr:$slots, Ppy_I64:$parties);
  let assemblyFormat = "$slots `,` $parties attr-dict `:` qualified(type($slots))";
  let rustVerify = "slots";
}

def Concurrency_ThreadIdOp : Concurrency_Op<"thread_id", [Pure]> {
  let summary = "a number that no other running thread has, and that is not 0";
  let description = [{
    ```mlir
    %0 = ppy_concurrency.thread_id
    ```
  }];
  let results = (outs Ppy_I64:$result);
  let assemblyFormat = "attr-dict";
}

#endif // PPY_CONCURRENCY_TD
