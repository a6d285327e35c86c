//! Functions of the C library that the standard library of Rust does not have: what compiled code calls, too.

use std::ffi::c_int;

mod c {
    use std::ffi::c_int;

    #[link(name = "m")]
    unsafe extern "C" {
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub fn lgamma_r(x: f64, sign: *mut c_int) -> f64;
        pub safe fn j0(x: f64) -> f64;
        pub safe fn j1(x: f64) -> f64;
        pub safe fn y0(x: f64) -> f64;
        pub safe fn y1(x: f64) -> f64;
        pub safe fn jn(order: c_int, x: f64) -> f64;
        pub safe fn yn(order: c_int, x: f64) -> f64;
    }
}

pub use c::{erf, erfc, j0, j1, tgamma, y0, y1};

/// A function of one double, as C calls it.
pub type Function = extern "C" fn(f64) -> f64;

/// The logarithm of the absolute value of the gamma function.
pub extern "C" fn lgamma(x: f64) -> f64 {
    let mut sign = 0;
    unsafe { c::lgamma_r(x, &mut sign) }
}

/// The C library negates an order, so the least one is left out.
fn order(n: i128) -> c_int {
    n.clamp((-c_int::MAX).into(), c_int::MAX.into()) as c_int
}

/// The Bessel function of the first kind.
pub fn jn(n: i128, x: f64) -> f64 {
    c::jn(order(n), x)
}

/// The Bessel function of the second kind.
pub fn yn(n: i128, x: f64) -> f64 {
    c::yn(order(n), x)
}
