// The peer of small.ppyir.
module @small {
  func.func @twice(%x: i64) -> i64 {
    cf.br ^entry
  ^entry:
    %two = arith.constant 2 : i64
    %r = arith.muli %x, %two : i64
    return %r : i64
  }
}
