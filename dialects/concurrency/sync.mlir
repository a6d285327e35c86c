// What the concurrency operations become, in the LLVM dialect. `lower.rs` puts what a module needs into it; C has the
// same in `runtime/ppy_runtime.c`, and both work on one memory.
//
// A mutex is 0 or 1. A condition counts its notifications, and a waiter waits for another count than it saw. A barrier
// counts arrivals; the last one begins the next generation, which the others wait for.

llvm.func @sched_yield() -> i32
llvm.func @usleep(i32) -> i32
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @pthread_self() -> i64
llvm.func @pthread_create(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @pthread_join(!llvm.ptr, !llvm.ptr) -> i32

// One more of the tries so far: the first ones spin, then the processor is left to others, then the thread sleeps.
llvm.func internal @ppy.wait(%tries: i64) -> i64 attributes {no_inline} {
  %one = llvm.mlir.constant(1 : i64) : i64
  %spins = llvm.mlir.constant(100 : i64) : i64
  %yields = llvm.mlir.constant(300 : i64) : i64
  %microseconds = llvm.mlir.constant(100 : i32) : i32
  %next = llvm.add %tries, %one : i64
  %spin = llvm.icmp "ult" %tries, %spins : i64
  llvm.cond_br %spin, ^spin, ^long
^spin:
  // pause
  llvm.return %next : i64
^long:
  %yield = llvm.icmp "ult" %tries, %yields : i64
  llvm.cond_br %yield, ^yield, ^sleep
^yield:
  %0 = llvm.call @sched_yield() : () -> i32
  llvm.return %next : i64
^sleep:
  %1 = llvm.call @usleep(%microseconds) : (i32) -> i32
  llvm.return %next : i64
}

llvm.func internal @ppy.mutex_lock(%mutex: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^try(%zero : i64)
^try(%tries: i64):
  %0 = llvm.cmpxchg %mutex, %zero, %one acquire monotonic {alignment = 8 : i64} : !llvm.ptr, i64
  %taken = llvm.extractvalue %0[1] : !llvm.struct<(i64, i1)>
  llvm.cond_br %taken, ^done, ^wait(%tries : i64)
^wait(%again: i64):
  %next = llvm.call @ppy.wait(%again) : (i64) -> i64
  %held = llvm.load %mutex atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
  %free = llvm.icmp "eq" %held, %zero : i64
  llvm.cond_br %free, ^try(%next : i64), ^wait(%next : i64)
^done:
  llvm.return
}

llvm.func internal @ppy.mutex_unlock(%mutex: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.store %zero, %mutex atomic release {alignment = 8 : i64} : i64, !llvm.ptr
  llvm.return
}

// Waits until the slot is not what was seen there.
llvm.func internal @ppy.wait_change(%slot: !llvm.ptr, %seen: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.br ^look(%zero : i64)
^look(%tries: i64):
  %now = llvm.load %slot atomic acquire {alignment = 8 : i64} : !llvm.ptr -> i64
  %same = llvm.icmp "eq" %now, %seen : i64
  llvm.cond_br %same, ^wait, ^done
^wait:
  %next = llvm.call @ppy.wait(%tries) : (i64) -> i64
  llvm.br ^look(%next : i64)
^done:
  llvm.return
}

// The count is read while the mutex is held, so that no notification after that is missed.
llvm.func internal @ppy.condition_wait(%condition: !llvm.ptr, %mutex: !llvm.ptr) {
  %seen = llvm.load %condition atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.call @ppy.mutex_unlock(%mutex) : (!llvm.ptr) -> ()
  llvm.call @ppy.wait_change(%condition, %seen) : (!llvm.ptr, i64) -> ()
  llvm.call @ppy.mutex_lock(%mutex) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func internal @ppy.condition_notify(%condition: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %0 = llvm.atomicrmw add %condition, %one release {alignment = 8 : i64} : !llvm.ptr, i64
  llvm.return
}

llvm.func internal @ppy.barrier(%arrivals: !llvm.ptr, %parties: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %generation = llvm.getelementptr inbounds %arrivals[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %seen = llvm.load %generation atomic acquire {alignment = 8 : i64} : !llvm.ptr -> i64
  %before = llvm.atomicrmw add %arrivals, %one acq_rel {alignment = 8 : i64} : !llvm.ptr, i64
  %count = llvm.add %before, %one : i64
  %last = llvm.icmp "sge" %count, %parties : i64
  llvm.cond_br %last, ^open, ^wait
^open:
  llvm.store %zero, %arrivals atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
  %0 = llvm.atomicrmw add %generation, %one release {alignment = 8 : i64} : !llvm.ptr, i64
  llvm.return
^wait:
  llvm.call @ppy.wait_change(%generation, %seen) : (!llvm.ptr, i64) -> ()
  llvm.return
}

// A thread's record: the pthread, the status, whether it was started, and the arguments. Its address is the handle.
llvm.func internal @ppy.thread_start(%record: !llvm.ptr, %entry: !llvm.ptr) -> i64 {
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %fallback = llvm.mlir.constant(1 : i32) : i32
  %status = llvm.getelementptr inbounds %record[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %started = llvm.getelementptr inbounds %record[12] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %fallback, %status {alignment = 4 : i64} : i32, !llvm.ptr
  %error = llvm.call @pthread_create(%record, %null, %entry, %record) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %runs = llvm.icmp "eq" %error, %zero : i32
  %flag = llvm.zext %runs : i1 to i32
  llvm.store %flag, %started {alignment = 4 : i64} : i32, !llvm.ptr
  %handle = llvm.ptrtoint %record : !llvm.ptr to i64
  llvm.return %handle : i64
}

llvm.func internal @ppy.thread_join(%handle: i64) -> i64 {
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %record = llvm.inttoptr %handle : i64 to !llvm.ptr
  %started = llvm.getelementptr inbounds %record[12] : (!llvm.ptr) -> !llvm.ptr, i8
  %flag = llvm.load %started {alignment = 4 : i64} : !llvm.ptr -> i32
  %runs = llvm.icmp "ne" %flag, %zero : i32
  llvm.cond_br %runs, ^join, ^end
^join:
  %thread = llvm.load %record {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %0 = llvm.call @pthread_join(%thread, %null) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^end
^end:
  %at = llvm.getelementptr inbounds %record[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %narrow = llvm.load %at {alignment = 4 : i64} : !llvm.ptr -> i32
  %status = llvm.sext %narrow : i32 to i64
  llvm.call @free(%record) : (!llvm.ptr) -> ()
  llvm.return %status : i64
}
