// RUN: %roundtrip --ppyir %s
// Tuples and structs.

module {
  ppy_core.func @tuples(%arg0: i64, %arg1: f64) -> f64 {
    %0 = tuple_make %arg0, %arg1 : tuple<i64, f64>
    %1 = tuple_extract %0[1] : tuple<i64, f64> -> f64
    ret %1 : f64
  }
  ppy_core.func @structs(%arg0: f64, %arg1: f64) -> f64 {
    %0 = struct_make %arg0, %arg1 : !ppy_core.struct<"Point", x: f64, y: f64>
    %1 = struct_extract %0["x"] : !ppy_core.struct<"Point", x: f64, y: f64> -> f64
    ret %1 : f64
  }
}

