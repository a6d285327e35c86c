// RUN: %roundtrip --ppyir %s

module {
  ppy_core.func @f(%arg0: i1) {
    ppy_prof.hit 0
    ppy_prof.hit_if %arg0, 16777215
    ret
  }
}
