// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A tuple is made of one value per element.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.tuple_make' op takes 2 values for tuple<i64, i64>, not 1: one for each part}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.tuple_make of (i64) to (tuple<i64, i64>)}}
  %0 = "ppy_core.tuple_make"(%a) : (i64) -> tuple<i64, i64>
  ret
}

// -----

// Of its types.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.tuple_make' op makes tuple<f64> of i64: it is made of f64; convert with core.cas}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.tuple_make of (i64) to (tuple<f64>)}}
  %0 = "ppy_core.tuple_make"(%a) : (i64) -> tuple<f64>
  ret
}

// -----

// A tuple is a tuple.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.tuple_make' op result #0 must be a tuple (core.tuple_make makes one), but got 'i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.tuple_make of (i64) to (i64)}}
  %0 = "ppy_core.tuple_make"(%a) : (i64) -> i64
  ret
}

// -----

// An index is inside the tuple.
ppy_core.func @f(%t: tuple<i64, f64>) {
  // expected-error@below {{'ppy_core.tuple_extract' op takes element 2 of tuple<i64, f64>: its elements are 0 to 1}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.tuple_extract of (tuple<i64, f64>) to (f64)}}
  %0 = tuple_extract %t[2] : tuple<i64, f64> -> f64
  ret
}

// -----

// An empty one has none.
ppy_core.func @f(%t: tuple<>) {
  // expected-error@below {{'ppy_core.tuple_extract' op takes element 0 of tuple<>, which has none}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.tuple_extract of (tuple<>) to (f64)}}
  %0 = tuple_extract %t[0] : tuple<> -> f64
  ret
}

// -----

// An element has its type.
ppy_core.func @f(%t: tuple<i64, f64>) {
  // expected-error@below {{'ppy_core.tuple_extract' op gives i64 for element 1 of tuple<i64, f64>: that is f64; conve}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.tuple_extract of (tuple<i64, f64>) to (i64)}}
  %0 = tuple_extract %t[1] : tuple<i64, f64> -> i64
  ret
}

// -----

// A struct is made of one value per field.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.struct_make' op takes 2 values for !ppy_core.struct<"Point", x: i64, y: f64>, no}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_make of (i64) to (!ppy_core.struct<"Point", x:}}
  %0 = "ppy_core.struct_make"(%a) : (i64) -> !ppy_core.struct<"Point", x: i64, y: f64>
  ret
}

// -----

// Of their types.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.struct_make' op makes !ppy_core.struct<"Point", x: i64, y: f64> of i64, i64: it}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_make of (i64, i64) to (!ppy_core.struct<"Point"}}
  %0 = "ppy_core.struct_make"(%a, %a) : (i64, i64) -> !ppy_core.struct<"Point", x: i64, y: f64>
  ret
}

// -----

// A struct is a struct.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.struct_make' op gives tuple<i64>, which is no struct: name the struct, or make a}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_make of (i64) to (tuple<i64>)}}
  %0 = "ppy_core.struct_make"(%a) : (i64) -> tuple<i64>
  ret
}

// -----

// A field is one of the struct.
ppy_core.func @f(%s: !ppy_core.struct<"Point", x: i64, y: f64>) {
  // expected-error@below {{'ppy_core.struct_extract' op takes the field "z" of !ppy_core.struct<"Point", x: i64, y: f}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_extract of (!ppy_core.struct<"Point", x: i64, y}}
  %0 = struct_extract %s["z"] : !ppy_core.struct<"Point", x: i64, y: f64> -> i64
  ret
}

// -----

// A mistyped one is guessed.
ppy_core.func @f(%s: !ppy_core.struct<"Point", width: i64>) {
  // expected-error@below {{'ppy_core.struct_extract' op takes the field "widht" of !ppy_core.struct<"Point", width: i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_extract of (!ppy_core.struct<"Point", width: i6}}
  %0 = struct_extract %s["widht"] : !ppy_core.struct<"Point", width: i64> -> i64
  ret
}

// -----

// It has its type.
ppy_core.func @f(%s: !ppy_core.struct<"Point", x: i64, y: f64>) {
  // expected-error@below {{'ppy_core.struct_extract' op gives i64 for the field y of !ppy_core.struct<"Point", x: i64}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_extract of (!ppy_core.struct<"Point", x: i64, y}}
  %0 = struct_extract %s["y"] : !ppy_core.struct<"Point", x: i64, y: f64> -> i64
  ret
}

// -----

// A tuple has no fields.
ppy_core.func @f(%t: tuple<i64>) {
  // expected-error@below {{'ppy_core.struct_extract' op takes a field of tuple<i64>, which is no struct: core.tuple_e}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.struct_extract of (tuple<i64>) to (i64)}}
  %0 = struct_extract %t["x"] : tuple<i64> -> i64
  ret
}
