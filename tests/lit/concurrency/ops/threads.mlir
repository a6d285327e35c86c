// RUN: %roundtrip --ppyir %s

module {
  ppy_core.func @work(%arg0: !ppy_core.ptr<i64>, %arg1: f64) {
    ret
  }
  ppy_core.func @nothing() {
    ret
  }
  ppy_core.func @main(%arg0: !ppy_core.ptr<i64>, %arg1: !ppy_core.ptr<i64, stack>, %arg2: f64, %arg3: i64) -> (i64, i64) {
    %0 = ppy_concurrency.spawn @work(%arg0, %arg2) : (!ppy_core.ptr<i64>, f64)
    %1 = ppy_concurrency.spawn @nothing()
    ppy_concurrency.mutex_lock %arg0 : !ppy_core.ptr<i64>
    ppy_concurrency.condition_wait %arg1, %arg0 : !ppy_core.ptr<i64, stack>, !ppy_core.ptr<i64>
    ppy_concurrency.condition_notify %arg1 : !ppy_core.ptr<i64, stack>
    ppy_concurrency.mutex_unlock %arg0 : !ppy_core.ptr<i64>
    ppy_concurrency.barrier %arg0, %arg3 : !ppy_core.ptr<i64>
    %2 = ppy_concurrency.join %0
    %3 = ppy_concurrency.join %1
    %4 = ppy_concurrency.thread_id
    ret %2, %4 : i64, i64
  }
}
