// RUN: %roundtrip %s
// Functions, declarations, globals, and what a module carries.

module attributes {ppy.attrs = {language = "ppy"}, ppy.dialects = {core = 1 : i64}} {
  ppy_core.global @scale : f64 = 2.000000e+00 : f64
  ppy_core.global "private" mutable @hits : i64 = 0 : i64
  ppy_core.func @double(%arg0: i64) -> i64 {
    %0 = add %arg0, %arg0 overflow<python> : i64
    ret %0 : i64
  }
  ppy_core.func @nothing() {
    ret
  }
  ppy_core.func private @hidden(%arg0: i64, %arg1: f64) -> (i64, f64) attributes {effects = ["may_raise"]} {
    ret %arg0, %arg1 : i64, f64
  }
  ppy_core.func private @declared(i64, !ppy_core.ptr<f64>) -> f64
}

