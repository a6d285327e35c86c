// RUN: %roundtrip --ppyir %s

module {
  ppy_core.func @functions(%arg0: f64, %arg1: f16, %arg2: i32, %arg3: ui8) -> (f64, f16) {
    %0 = ppy_special.erf %arg0 : f64
    %1 = ppy_special.erfc %0 : f64
    %2 = ppy_special.gamma %1 : f64
    %3 = ppy_special.gammaln %2 : f64
    %4 = ppy_special.ndtr %3 : f64
    %5 = ppy_special.logit %4 : f64
    %6 = ppy_special.bessel_j0 %5 : f64
    %7 = ppy_special.bessel_j1 %6 : f64
    %8 = ppy_special.bessel_y0 %7 : f64
    %9 = ppy_special.bessel_y1 %8 : f64
    %10 = ppy_special.bessel_jn %arg2, %9 : i32, f64
    %11 = ppy_special.bessel_yn %arg3, %arg1 : ui8, f16
    ret %10, %11 : f64, f16
  }
}
