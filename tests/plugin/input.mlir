// What the plugin must do inside a stock mlir-opt: fold, promote memory, lower.
module {
  ppy_core.func @f(%arg0: i64) -> i64 {
    %0 = ppy_core.alloca : !ppy_core.ptr<i64, stack>
    ppy_core.store %arg0, %0 : !ppy_core.ptr<i64, stack>
    %1 = ppy_core.load %0 : !ppy_core.ptr<i64, stack>
    %2 = ppy_core.const 20 : i64
    %3 = ppy_core.const 22 : i64
    %4 = ppy_core.add %2, %3 overflow<python> : i64
    %5 = ppy_core.mul %1, %4 overflow<python> : i64
    ppy_core.ret %5 : i64
  }
}
