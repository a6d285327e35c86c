// RUN: %roundtrip --ppyir %s

module {
  ppy_core.func @hints(%arg0: !ppy_core.ptr<i64>, %arg1: !ppy_core.ptr<i8, stack>) attributes {cpu.features = ["avx2", "sse4.1"]} {
    ppy_cpu.prefetch %arg0 : !ppy_core.ptr<i64>
    ppy_cpu.prefetch %arg0 rw<read> : !ppy_core.ptr<i64>
    ppy_cpu.prefetch %arg1 rw<write> locality<0> : !ppy_core.ptr<i8, stack>
    ppy_cpu.pause
    ret
  }
}
