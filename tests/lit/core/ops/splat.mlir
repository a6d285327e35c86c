// RUN: %roundtrip %s
// Constants of vectors, which folding makes; .ppyir has no spelling for them.

module {
  ppy_core.func @lanes() -> vector<4xi32> {
    %cst = const dense<[1, 2, 3, 4]> : vector<4xi32>
    ret %cst : vector<4xi32>
  }
}
