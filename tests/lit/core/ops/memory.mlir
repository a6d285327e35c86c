// RUN: %roundtrip --ppyir %s
// Stack memory, pointers, buffers.

module {
  ppy_core.func @slots(%arg0: i64) -> i64 {
    %0 = alloca : <i64, stack>
    %1 = alloca count<8> : <f64, stack>
    store %arg0, %0 : !ppy_core.ptr<i64, stack>
    %2 = load %0 : !ppy_core.ptr<i64, stack>
    ret %2 : i64
  }
  ppy_core.func @pointers(%arg0: !ppy_core.ptr<f64>, %arg1: !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, %arg2: i64, %arg3: i64) -> i32 {
    %0 = ptr_offset %arg0, %arg2 : !ppy_core.ptr<f64>, i64
    %1 = ptr_index %arg1[%arg2, %arg3, %arg3] : !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, (i64, i64, i64) -> !ppy_core.ptr<i32>
    %2 = load %1 : !ppy_core.ptr<i32>
    ret %2 : i32
  }
  ppy_core.func @buffers(%arg0: !ppy_core.buffer<f64>, %arg1: i64) -> index {
    %0 = buffer_data %arg0 : !ppy_core.buffer<f64> -> !ppy_core.ptr<f64>
    %1 = buffer_len %arg0 : !ppy_core.buffer<f64>
    %2 = buffer_load %arg0[%arg1] : !ppy_core.buffer<f64>, i64
    buffer_store %2, %arg0[%arg1] : !ppy_core.buffer<f64>, i64
    ret %1 : index
  }
}

