// RUN: %roundtrip --ppyir %s
// Every operation, on every kind of number.

module {
  ppy_core.func @numbers(%arg0: !ppy_core.ptr<i64>, %arg1: i64) -> i64 {
    %0 = ppy_atomic.load relaxed %arg0 : !ppy_core.ptr<i64>
    %1 = ppy_atomic.load acquire %arg0 : !ppy_core.ptr<i64>
    %2 = ppy_atomic.load seq_cst %arg0 : !ppy_core.ptr<i64>
    ppy_atomic.store relaxed %0, %arg0 : !ppy_core.ptr<i64>
    ppy_atomic.store release %1, %arg0 : !ppy_core.ptr<i64>
    ppy_atomic.store seq_cst %2, %arg0 : !ppy_core.ptr<i64>
    %3 = ppy_atomic.exchange acq_rel %arg0, %arg1 : !ppy_core.ptr<i64>
    %4 = ppy_atomic.fetch_add relaxed %arg0, %3 : !ppy_core.ptr<i64>
    %5 = ppy_atomic.fetch_sub acquire %arg0, %4 : !ppy_core.ptr<i64>
    %6 = ppy_atomic.fetch_and release %arg0, %5 : !ppy_core.ptr<i64>
    %7 = ppy_atomic.fetch_or acq_rel %arg0, %6 : !ppy_core.ptr<i64>
    %8 = ppy_atomic.fetch_xor seq_cst %arg0, %7 : !ppy_core.ptr<i64>
    %found, %swapped = ppy_atomic.compare_exchange acq_rel acquire %arg0, %8, %arg1 : !ppy_core.ptr<i64>
    ppy_atomic.fence acquire
    ppy_atomic.fence release
    ppy_atomic.fence acq_rel
    ppy_atomic.fence seq_cst
    ret %found : i64
  }
  ppy_core.func @others(%arg0: !ppy_core.ptr<f64>, %arg1: !ppy_core.ptr<ui8, stack>, %arg2: !ppy_core.ptr<index, generic, const>, %arg3: f64, %arg4: ui8) -> index {
    %0 = ppy_atomic.exchange seq_cst %arg0, %arg3 : !ppy_core.ptr<f64>
    %found, %swapped = ppy_atomic.compare_exchange seq_cst relaxed %arg0, %0, %arg3 : !ppy_core.ptr<f64>
    %1 = ppy_atomic.fetch_add relaxed %arg1, %arg4 : !ppy_core.ptr<ui8, stack>
    %2 = ppy_atomic.load relaxed %arg2 : !ppy_core.ptr<index, generic, const>
    ret %2 : index
  }
}
