// RUN: %roundtrip --ppyir %s
// Every type, as parameters.

module {
  ppy_core.func private @scalars(i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f16, bf16, f32, f64, index)
  ppy_core.func private @pointers(!ppy_core.ptr<f64>, !ppy_core.ptr<i8, stack>, !ppy_core.ptr<i64, generic, const>, !ppy_core.ptr<!ppy_core.void>)
  ppy_core.func private @aggregates(tuple<i64, f64>, !ppy_core.struct<"Point", x: f64, y: f64>, vector<8xf32>)
  ppy_core.func private @others(!ppy_core.buffer<ui8>, !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, !ppy_core.future<i64>)
}
