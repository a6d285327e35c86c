// RUN: %ppy-opt %s --pass-pipeline='builtin.module(sanitize{kinds=bounds})' | FileCheck %s --check-prefix=BOUNDS
// RUN: %ppy-opt %s --pass-pipeline='builtin.module(sanitize{kinds=overflow})' | FileCheck %s --check-prefix=OVERFLOW
// RUN: %ppy-opt %s --pass-pipeline='builtin.module(sanitize{kinds=pointer})' | FileCheck %s --check-prefix=POINTER
// RUN: %ppy-opt %s --pass-pipeline='builtin.module(sanitize{kinds=alignment})' | FileCheck %s --check-prefix=ALIGNMENT
// RUN: %ppy-opt %s --sanitize | FileCheck %s --check-prefix=ALL
// RUN: not %ppy-opt %s --sanitize=kinds=bounds,moon 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: "moon" is no sanitizer: the kinds are bounds, overflow, pointer, alignment

// An index of any integer type is compared as an i64, in which one past the last is negative.
// BOUNDS-LABEL: @element
// BOUNDS: %[[N:.*]] = buffer_len %[[B:.*]] :
// BOUNDS: %[[LEN:.*]] = cast %[[N]] : index to i64
// BOUNDS: %[[I:.*]] = cast %{{.*}} : ui64 to i64
// BOUNDS: %[[LOW:.*]] = cmp ge, %[[I]], %
// BOUNDS: %[[HIGH:.*]] = cmp lt, %[[I]], %[[LEN]]
// BOUNDS: %[[OK:.*]] = and %[[LOW]], %[[HIGH]]
// BOUNDS-NEXT: guard %[[OK]], bounds {label = "sanitize:bounds", message = "index outside the buffer"}
// BOUNDS-NEXT: buffer_load %[[B]]
// BOUNDS: guard {{.*}} "sanitize:bounds"
// BOUNDS-NEXT: buffer_store
// BOUNDS-NOT: sanitize:
ppy_core.func @element(%b: !ppy_core.buffer<f64>, %i: ui64) {
  %x = ppy_core.buffer_load %b[%i] : !ppy_core.buffer<f64>, ui64
  ppy_core.buffer_store %x, %b[%i] : !ppy_core.buffer<f64>, ui64
  ppy_core.ret
}

// What fails already, floats, lanes, and other operations have no overflow to guard.
// OVERFLOW-LABEL: @arithmetic
// OVERFLOW: %[[V:.*]]:2 = call_intrinsic "ppy.checked_add"
// OVERFLOW: %[[OK:.*]] = xor %[[V]]#1, %true
// OVERFLOW-NEXT: guard %[[OK]], overflow {label = "sanitize:overflow", message = "integer outside its type"}
// OVERFLOW: call_intrinsic "ppy.checked_sub"(%[[V]]#0,
// OVERFLOW: guard
// OVERFLOW: call_intrinsic "ppy.checked_mul"
// OVERFLOW: guard
// OVERFLOW-NOT: guard
// OVERFLOW-LABEL: @accesses
ppy_core.func @arithmetic(%a: i64, %x: f64, %v: vector<4xi32>) -> (i64, f64, vector<4xi32>) {
  %0 = ppy_core.add %a, %a overflow<wrap> : i64
  %1 = ppy_core.sub %0, %a overflow<proven> : i64
  %2 = ppy_core.mul %1, %a overflow<native> : i64
  %3 = ppy_core.add %2, %a overflow<python> : i64
  %4 = ppy_core.add %3, %a overflow<checked> : i64
  %5 = ppy_core.neg %4 overflow<wrap> : i64
  %6 = ppy_core.add %x, %x : f64
  %7 = ppy_core.add %v, %v overflow<wrap> : vector<4xi32>
  ppy_core.ret %5, %6, %7 : i64, f64, vector<4xi32>
}

// POINTER-LABEL: @accesses
// POINTER: %[[NULL:.*]] = const #ppy_core.null : !ppy_core.ptr<i64>
// POINTER: %[[OK:.*]] = cmp ne, %[[P:.*]], %[[NULL]]
// POINTER-NEXT: guard %[[OK]], contract {label = "sanitize:pointer", message = "access through the null pointer"}
// POINTER-NEXT: load %[[P]]
// POINTER: guard {{.*}} "sanitize:pointer"
// POINTER-NEXT: store
// POINTER-NOT: sanitize:
// POINTER-LABEL: @resumed
// A slot of the function's own, at its own type, is aligned.
// ALIGNMENT-LABEL: @accesses
// ALIGNMENT: %[[A:.*]] = cast %[[P:.*]] : !ppy_core.ptr<i64> to i64
// ALIGNMENT: %[[MASK:.*]] = const 7 : i64
// ALIGNMENT: %[[REST:.*]] = and %[[A]], %[[MASK]]
// ALIGNMENT: %[[OK:.*]] = cmp eq, %[[REST]], %
// ALIGNMENT-NEXT: guard %[[OK]], contract {label = "sanitize:alignment", message = "access through a misaligned pointer"}
// ALIGNMENT-NEXT: load %[[P]]
// ALIGNMENT: store
// ALIGNMENT: store
// ALIGNMENT-NOT: sanitize:
// ALIGNMENT: const 3 : i64
// ALIGNMENT: guard
// ALIGNMENT-NEXT: load {{.*}}ptr<i32, stack>
// ALIGNMENT-NOT: sanitize:
// ALIGNMENT-LABEL: @resumed
ppy_core.func @accesses(%p: !ppy_core.ptr<i64>, %c: i8, %b: !ppy_core.ptr<i8>) {
  %x = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.store %c, %b : !ppy_core.ptr<i8>
  %s = ppy_core.alloca count<2> : !ppy_core.ptr<i64, stack>
  ppy_core.store %x, %s : !ppy_core.ptr<i64, stack>
  %t = ppy_core.cast %s : !ppy_core.ptr<i64, stack> to !ppy_core.ptr<i32, stack>
  %y = ppy_core.load %t : !ppy_core.ptr<i32, stack>
  ppy_core.ret
}

// What has no status to fail with stays as it is.
// ALL-LABEL: @resumed
// ALL-NOT: guard
ppy_core.func @resumed(%p: !ppy_core.ptr<i64>) attributes {ppy.abi = "resume"} {
  %x = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
// ALL-LABEL: @coroutine
// ALL-NOT: guard
ppy_core.func @coroutine(%p: !ppy_core.ptr<i64>) attributes {ppy.async = true} {
  %x = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
// ALL-LABEL: @device
// ALL-NOT: guard
ppy_core.func @device(%p: !ppy_core.ptr<i64>) attributes {gpu.kind = "device"} {
  %x = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
// ALL-LABEL: @host
// ALL: guard
ppy_core.func @host(%p: !ppy_core.ptr<i64>) attributes {gpu.kind = "host"} {
  %x = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret
}

// Who may fail now says so, up to the callers; a call that hands on the status does not fail.
// ALL-LABEL: @sum
// ALL-SAME: effects = ["may_raise"]
ppy_core.func private @sum(%a: i64) -> i64 attributes {effects = ["pure"]} {
  %0 = ppy_core.add %a, %a overflow<wrap> : i64
  ppy_core.ret %0 : i64
}
// ALL-LABEL: @caller
// ALL-SAME: effects = ["alloc", "may_raise", "read_memory"]
ppy_core.func @caller(%a: i64) -> i64 attributes {effects = ["alloc", "read_memory"]} {
  %0 = ppy_core.call @sum(%a) : (i64) -> i64
  ppy_core.ret %0 : i64
}
// ALL-LABEL: @capturer
// ALL-SAME: effects = ["pure"]
ppy_core.func @capturer(%a: i64) -> i64 attributes {effects = ["pure"]} {
  %0:2 = ppy_core.call @sum(%a) {capture_status = true} : (i64) -> (i64, i64)
  ppy_core.ret %0#1 : i64
}
// ALL-LABEL: @elsewhere
// ALL-SAME: effects = ["may_raise"]
ppy_core.func private @elsewhere(i64) -> i64 attributes {effects = ["pure"]}

// ALL: module @inner
// ALL: guard
module @inner {
  ppy_core.func @deep(%p: !ppy_core.ptr<i64>) {
    %x = ppy_core.load %p : !ppy_core.ptr<i64>
    ppy_core.ret
  }
}
