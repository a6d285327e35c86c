// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A symbol is defined once.
ppy_core.func private @f()
// expected-error@below {{'ppy_core.func' op defines @f, which a 'ppy_core.func' before it defines: functions and glob}}
ppy_core.func private @f()

// -----

// Functions and globals share their names.
ppy_core.global @f : i64
// expected-error@below {{'ppy_core.func' op defines @f, which a 'ppy_core.global' before it defines: functions and gl}}
ppy_core.func private @f()

// -----

// A parameter is a value.
// expected-error@below {{'ppy_core.func' op @f takes parameter #0 of type !ppy_core.void: void is the type of no valu}}
// expected-error@below {{'ppy_core.func' op @f takes parameter #1 of type !ppy_core.array<i64, 2>: an array is memory}}
// expected-error@below {{'ppy_core.func' op @f takes parameter #2 of type tuple<!ppy_core.array<i64, 2>>: an array is}}
ppy_core.func private @f(!ppy_core.void, !ppy_core.array<i64, 2>, tuple<!ppy_core.array<i64, 2>>)

// -----

// A result is one.
// expected-error@below {{'ppy_core.func' op @f gives result #0 of type !ppy_core.array<i64, 2>: an array is memory an}}
ppy_core.func private @f() -> !ppy_core.array<i64, 2>

// -----

// And does not end with the function.
// expected-error@below {{'ppy_core.func' op @f gives the stack pointer !ppy_core.ptr<i64, stack>: stack memory ends w}}
ppy_core.func private @f() -> !ppy_core.ptr<i64, stack>

// -----

// A block argument is a value.
ppy_core.func @f() {
  unreachable
// expected-error@below {{'ppy_core.func' op @f has argument #0 of block ^bb1 of type !ppy_core.void: void is the type}}
^x(%v: !ppy_core.void):
  ret
}

// -----

// Effects are known words.
// expected-error@below {{'ppy_core.func' op @f has the effect "teleport": the effects are alloc, atomic, gpu_launch,}}
// expected-error@below {{'ppy_core.func' op @f has the effect "alloocs" (did you mean alloc?): the effects are alloc,}}
// expected-error@below {{'ppy_core.func' op @f has the effect 1 : i64: an effect is a name in quotes}}
ppy_core.func private @f() attributes {effects = ["io", "teleport", "alloocs", 1]}

// -----

// Ownerships are known words.
// expected-error@below {{'ppy_core.func' op @f has parameter #0 with ownership "borowed" (did you mean borrowed?): it}}
// expected-error@below {{'ppy_core.func' op @f has parameter #1 with ownership 1 : i64: it is one of borrowed, mut, o}}
ppy_core.func private @f(i64 {ppy_core.ownership = "borowed"}, i64 {ppy_core.ownership = 1})

// -----

// Aliasing is yes or no.
// expected-error@below {{'ppy_core.func' op @f has parameter #0 with noalias "no": it is true or false}}
ppy_core.func private @f(!ppy_core.ptr<i64> {ppy_core.noalias = "no"})

// -----

// A global is a value or an array.
// expected-error@below {{'ppy_core.global' op @g is of type !ppy_core.void: void is the type of no value: leave it ou}}
ppy_core.global @g : !ppy_core.void

// -----

// It outlives every call.
// expected-error@below {{'ppy_core.global' op @g holds the stack pointer !ppy_core.ptr<i64, stack>: stack memory ends}}
ppy_core.global @g : !ppy_core.ptr<i64, stack>

// -----

// Its value has its type.
// expected-error@below {{'ppy_core.global' op @g is 1.500000e+00 : f64, which does not fit i64: give a constant of th}}
ppy_core.global @g : i64 = 1.5 : f64

// -----

// Even of a narrower one.
// expected-error@below {{'ppy_core.global' op @g is 3 : i8, which does not fit i64: give a constant of that type}}
ppy_core.global @g : i64 = 3 : i8

// -----

// Bytes are a string.
// expected-error@below {{'ppy_core.global' op @g is 7 : i64, which does not fit !ppy_core.buffer<ui8>: its bytes are}}
ppy_core.global @g : !ppy_core.buffer<ui8> = 7 : i64

// -----

// A string is of bytes.
// expected-error@below {{'ppy_core.global' op @g is "abc", which does not fit !ppy_core.buffer<i64>: only the bytes o}}
ppy_core.global @g : !ppy_core.buffer<i64> = "abc"

// -----

// A pointer is null.
// expected-error@below {{'ppy_core.global' op @g is 5 : i64, which does not fit !ppy_core.ptr<i64>: the only pointer}}
ppy_core.global @g : !ppy_core.ptr<i64> = 5 : i64

// -----

// Aggregates have no constants.
// expected-error@below {{'ppy_core.global' op @g of type tuple<i64> is 5 : i64: only scalars and bytes have constants}}
ppy_core.global @g : tuple<i64> = 5 : i64
