//! Statements on numbers. A mode that must not overflow is only given to operands whose ranges prove it.

use crate::body::{Body, Range, int_of, is_float, text};
use crate::rows::{float_type, int_type, scalar_type};
use ppy_mlir::ppyir::ast::{Attr, Type, ValueId};
use ppy_mlir::semantics::ScalarType;

pub const STATEMENTS: &[(usize, fn(&mut Body))] = &[
    (26, int_binary),
    (10, division),
    (8, narrow),
    (9, float_binary),
    (8, bitwise),
    (7, shift),
    (10, cmp),
    (7, select),
    (11, cast),
    (4, neg),
    (6, math),
    (4, checked),
    (2, constant),
];

const MODES: &[&str] = &["python", "checked", "wrap", "proven", "native"];

fn corners(a: Range, b: Range, f: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
    let all = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
    Some((*all.iter().min()?, *all.iter().max()?))
}

impl Body<'_> {
    /// A mode for a result of the exact range, and the range under it.
    fn mode(&mut self, ty: &Type, exact: Option<Range>) -> (&'static str, Option<Range>) {
        let Some(int) = int_of(ty) else { return ("wrap", None) };
        let fits = exact.is_some_and(|(low, high)| low >= int.min() && high <= int.max());
        if fits {
            return (*self.dice.pick(MODES), exact);
        }
        let clipped = exact.map(|(low, high)| (low.clamp(int.min(), int.max()), high.clamp(int.min(), int.max())));
        let python = if self.strict { 0 } else { 22 };
        match self.dice.weighted(&[python, 8, 60, if int.signed { 0 } else { 10 }]) {
            0 => ("python", clipped),
            1 => ("checked", clipped),
            2 => ("wrap", None),
            _ => ("native", None),
        }
    }

    /// An operand pair of a type: equal ones and constants are where patterns bite.
    pub fn pair(&mut self, ty: &Type) -> (ValueId, ValueId) {
        let a = self.of_type(ty);
        let b = match self.dice.weighted(&[55, 30, 15]) {
            0 => self.of_type(ty),
            1 => self.make(ty),
            _ => a,
        };
        if self.dice.chance(50) { (a, b) } else { (b, a) }
    }

    /// An integer type, most often one that is in scope.
    pub fn some_int(&mut self) -> Type {
        match self.find(|body, id| int_of(body.ty(id)).is_some()) {
            Some(id) if self.dice.chance(80) => self.ty(id).clone(),
            _ => int_type(self.dice),
        }
    }

    /// A float type, most often one that is in scope.
    pub fn some_float(&mut self) -> Type {
        match self.find(|body, id| is_float(body.ty(id))) {
            Some(id) if self.dice.chance(80) => self.ty(id).clone(),
            _ => float_type(self.dice),
        }
    }

    /// A bool that compares something, or any in scope.
    pub fn condition(&mut self) -> ValueId {
        if self.dice.chance(60) {
            cmp(self);
            if let Some(id) = self.scope.last().copied().filter(|id| *self.ty(*id) == Type::Bool) {
                return id;
            }
        }
        self.of_type(&Type::Bool)
    }
}

fn int_binary(body: &mut Body) {
    let ty = body.some_int();
    let (a, b) = body.pair(&ty);
    let (x, y) = (body.range(a), body.range(b));
    let (name, exact) = match body.dice.below(3) {
        0 => ("core.add", corners(x, y, i128::checked_add)),
        1 => ("core.sub", corners(x, y, i128::checked_sub)),
        _ => ("core.mul", corners(x, y, i128::checked_mul)),
    };
    let (mode, range) = body.mode(&ty, exact);
    let id = body.one(name, &[a, b], &ty, &[("overflow", text(mode))]);
    if let Some(range) = range {
        body.set_range(id, range);
    }
}

/// Division and remainder by what is not zero: a constant, an odd number, or a guarded value.
fn division(body: &mut Body) {
    let ty = body.some_int();
    let Some(int) = int_of(&ty) else { return };
    let a = body.of_type(&ty);
    let b = match body.dice.below(4) {
        0 | 1 => {
            let magnitude = *body.dice.pick(&[1i128, 2, 3, 4, 5, 7, 8, 10, 16, 64, 100]);
            let value = if int.signed && body.dice.chance(35) { -magnitude } else { magnitude };
            body.int(&ty, value)
        }
        2 => {
            let (x, one) = (body.of_type(&ty), body.int(&ty, 1));
            body.one("core.or", &[x, one], &ty, &[])
        }
        _ => {
            let (x, zero) = (body.of_type(&ty), body.int(&ty, 0));
            let ok = body.one("core.cmp", &[x, zero], &Type::Bool, &[("predicate", text("ne"))]);
            body.none("core.guard", &[ok], &[("kind", text("zero_division"))]);
            x
        }
    };
    let rounding = *body.dice.pick(&["floor", "trunc"]);
    let ((low, high), divisor) = (body.range(a), body.range(b));
    let overflows = int.signed && low == int.min() && divisor.0 <= -1 && divisor.1 >= -1;
    let most = low.unsigned_abs().max(high.unsigned_abs()) as i128;
    let exact = if overflows { Some((int.min(), int.max() + 1)) } else { Some((-most, most)) };
    let quotient = body.dice.chance(55);
    let (mode, _) = match (int.signed, overflows || !quotient) {
        (false, _) => (*body.dice.pick(MODES), None),
        // The remainder always fits; only the machine's instruction minds.
        (true, true) => body.mode(&ty, if quotient { exact } else { Some((int.min(), int.max() + 1)) }),
        (true, false) => (*body.dice.pick(MODES), None),
    };
    let name = if quotient { "core.div" } else { "core.mod" };
    let id = body.one(name, &[a, b], &ty, &[("overflow", text(mode)), ("rounding", text(rounding))]);
    if !quotient && low >= 0 && divisor.0 > 0 {
        body.set_range(id, (0, divisor.1 - 1));
    }
}

/// A value of few bits, whose arithmetic is proven to fit.
fn narrow(body: &mut Body) {
    let ty = body.some_int();
    let Some(int) = int_of(&ty) else { return };
    let a = body.of_type(&ty);
    if body.dice.chance(60) {
        let bits = body.dice.within(1, usize::from(int.width) / 2);
        let mask = (1i128 << bits) - 1;
        let b = body.int(&ty, mask);
        let operands = if body.dice.chance(70) { [a, b] } else { [b, a] };
        let id = body.one("core.and", &operands, &ty, &[]);
        body.set_range(id, (0, mask));
    } else {
        let modulus = body.dice.within(2, 100) as i128;
        let b = body.int(&ty, modulus);
        let id = body.one("core.mod", &[a, b], &ty, &[("overflow", text("wrap")), ("rounding", text("floor"))]);
        body.set_range(id, (0, modulus - 1));
    }
}

fn float_binary(body: &mut Body) {
    let ty = body.some_float();
    let (a, b) = body.pair(&ty);
    let name = *body.dice.pick(&["core.add", "core.sub", "core.mul", "core.div", "core.mod"]);
    let rounding = *body.dice.pick(&["floor", "trunc"]);
    let attrs = [("rounding", text(rounding))];
    let rounded = name == "core.mod" || name == "core.div" && body.dice.chance(25);
    body.one(name, &[a, b], &ty, if rounded { &attrs } else { &[] });
}

fn bitwise(body: &mut Body) {
    let ty = if body.dice.chance(35) { Type::Bool } else { body.some_int() };
    let (a, b) = body.pair(&ty);
    let name = *body.dice.pick(&["core.and", "core.or", "core.xor"]);
    let id = body.one(name, &[a, b], &ty, &[]);
    let (x, y) = (body.range(a), body.range(b));
    if int_of(&ty).is_some() && name == "core.and" && x.0 >= 0 && y.0 >= 0 {
        body.set_range(id, (0, x.1.min(y.1)));
    }
}

/// Shifts by an amount below the width.
fn shift(body: &mut Body) {
    let ty = body.some_int();
    let Some(int) = int_of(&ty) else { return };
    let a = body.of_type(&ty);
    let width = i128::from(int.width);
    let amount = if body.dice.chance(60) {
        let amount = body.dice.below(int.width.into()) as i128;
        body.int(&ty, amount)
    } else {
        let (x, mask) = (body.of_type(&ty), body.int(&ty, width - 1));
        let id = body.one("core.and", &[x, mask], &ty, &[]);
        body.set_range(id, (0, width - 1));
        id
    };
    let (x, by) = (body.range(a), body.range(amount));
    if body.dice.chance(50) {
        let id = body.one("core.shr", &[a, amount], &ty, &[]);
        if let Some(range) = corners(x, by, |x, by| Some(x >> by)) {
            body.set_range(id, range);
        }
        return;
    }
    let exact = corners(x, by, |x, by| x.checked_mul(1 << by));
    let (mode, range) = body.mode(&ty, exact);
    let id = body.one("core.shl", &[a, amount], &ty, &[("overflow", text(mode))]);
    if let Some(range) = range {
        body.set_range(id, range);
    }
}

fn cmp(body: &mut Body) {
    const PREDICATES: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge"];
    let ty = match body.dice.weighted(&[65, 25, 10]) {
        0 => body.some_int(),
        1 => body.some_float(),
        _ => Type::Bool,
    };
    let (a, b) = body.pair(&ty);
    let predicate = *body.dice.pick(PREDICATES);
    body.one("core.cmp", &[a, b], &Type::Bool, &[("predicate", text(predicate))]);
}

fn select(body: &mut Body) {
    let ty = match body.find(|body, id| !matches!(body.ty(id), Type::Ptr(_) | Type::Buffer(_))) {
        Some(id) => body.ty(id).clone(),
        None => scalar_type(body.dice),
    };
    let condition = body.condition();
    let (a, b) = body.pair(&ty);
    let id = body.one("core.select", &[condition, a, b], &ty, &[]);
    let (x, y) = (body.range(a), body.range(b));
    if int_of(&ty).is_some() {
        body.set_range(id, (x.0.min(y.0), x.1.max(y.1)));
    }
}

fn cast(body: &mut Body) {
    let from = body.find(|body, id| ScalarType::of(body.ty(id)).is_some_and(|ty| ty != ScalarType::Pointer));
    let Some(a) = from else { return };
    let to = scalar_type(body.dice);
    let from = body.ty(a).clone();
    let a = if is_float(&from) && int_of(&to).is_some() { clamp(body, a, &to) } else { a };
    let range = body.range(a);
    let id = body.one("core.cast", &[a], &to, &[]);
    if let Some(int) = int_of(&to) {
        match from {
            Type::Bool => body.set_range(id, (0, 1)),
            _ if int_of(&from).is_some() && range.0 >= int.min() && range.1 <= int.max() => body.set_range(id, range),
            _ => {}
        }
    }
}

/// A float that the integer type holds: outside of 0..100 (and a NaN) it becomes 1, or a guard fails.
fn clamp(body: &mut Body, a: ValueId, to: &Type) -> ValueId {
    let ty = body.ty(a).clone();
    let signed = int_of(to).is_some_and(|int| int.signed);
    let (low, high) = (body.float(&ty, if signed { -100.0 } else { 0.0 }), body.float(&ty, 100.0));
    let above = body.one("core.cmp", &[a, low], &Type::Bool, &[("predicate", text("ge"))]);
    let below = body.one("core.cmp", &[a, high], &Type::Bool, &[("predicate", text("le"))]);
    let ok = body.one("core.and", &[above, below], &Type::Bool, &[]);
    if body.dice.chance(30) {
        body.none("core.guard", &[ok], &[("kind", text("range"))]);
        return a;
    }
    let one = body.float(&ty, 1.0);
    body.one("core.select", &[ok, a, one], &ty, &[])
}

fn neg(body: &mut Body) {
    if body.dice.chance(30) {
        let ty = body.some_float();
        let a = body.of_type(&ty);
        body.one("core.neg", &[a], &ty, &[]);
        return;
    }
    let ty = body.some_int();
    let a = body.of_type(&ty);
    let (low, high) = body.range(a);
    let (mode, range) = body.mode(&ty, Some((-high, -low)));
    let id = body.one("core.neg", &[a], &ty, &[("overflow", text(mode))]);
    if let Some(range) = range {
        body.set_range(id, range);
    }
}

fn math(body: &mut Body) {
    const UNARY: &[&str] = &[
        "sqrt", "sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", "floor", "ceil", "trunc", "abs", "floor",
        "abs",
    ];
    let ty = body.some_float();
    let a = body.of_type(&ty);
    match body.dice.below(10) {
        0 => {
            let b = body.of_type(&ty);
            body.one("math.pow", &[a, b], &ty, &[]);
        }
        1 if ty == Type::F64 => {
            body.one("core.call_intrinsic", &[a], &ty, &[("intrinsic", text("math.fabs"))]);
        }
        _ => {
            let name = format!("math.{}", body.dice.pick(UNARY));
            body.one(&name, &[a], &ty, &[]);
        }
    }
}

/// The intrinsics that say whether they overflowed.
fn checked(body: &mut Body) {
    let ty = if body.dice.chance(70) { crate::rows::I64 } else { body.some_int() };
    if ty == Type::Index {
        return;
    }
    let (a, b) = body.pair(&ty);
    let name = *body.dice.pick(&["ppy.checked_add", "ppy.checked_sub", "ppy.checked_mul"]);
    body.op("core.call_intrinsic", &[a, b], &[ty, Type::Bool], &[("intrinsic", text(name))]);
}

fn constant(body: &mut Body) {
    let ty = scalar_type(body.dice);
    body.constant(&ty);
}

/// `true` for most values, so that a guard on it lets most rows through.
pub fn likely(body: &mut Body) -> ValueId {
    if body.dice.chance(25) {
        return body.condition();
    }
    let ty = body.some_int();
    let Some(int) = int_of(&ty) else { return body.constant(&Type::Bool) };
    let a = body.of_type(&ty);
    let (predicate, bound) = match body.dice.below(3) {
        0 => ("ne", 17),
        1 => ("le", int.max() - 1),
        _ => ("ge", int.min() + 1),
    };
    let b = body.int(&ty, bound);
    body.one("core.cmp", &[a, b], &Type::Bool, &[("predicate", text(predicate))])
}

/// A flag attribute.
pub fn yes() -> Attr {
    Attr::Bool(true)
}
