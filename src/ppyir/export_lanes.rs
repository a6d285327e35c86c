//! The constant of a vector, which `.ppyir` has no word for, as the operations that make it: one lane in all, and the
//! others put in.

use super::ast::{self, Attr, Attrs, Span, Type as Ty, ValueId};
use super::location;
use crate::mlir::attribute::dense_lanes;
use crate::mlir::op::{Op, OpExt};
use melior::ir::Attribute;
use smallvec::SmallVec;
use smol_str::SmolStr;

/// An operation, with one result.
#[derive(Clone, Copy)]
enum Step<'c> {
    Lane(Attribute<'c>),
    Number(usize),
    Splat,
    Insert,
}

/// The operations of one constant.
pub struct Lanes<'c> {
    steps: Vec<Step<'c>>,
}

impl<'c> Lanes<'c> {
    /// `None` for an operation that is no vector's constant.
    pub fn of(op: Op<'c, '_>) -> Option<Lanes<'c>> {
        let lanes = dense_lanes(op.is("ppy_core.const").then(|| op.inherent("value"))??)?;
        let first = *lanes.first()?;
        let mut steps = vec![Step::Lane(first), Step::Splat];
        for (at, lane) in lanes.into_iter().enumerate().filter(|(_, lane)| *lane != first) {
            steps.extend([Step::Lane(lane), Step::Number(at), Step::Insert]);
        }
        Some(Lanes { steps })
    }

    /// The types of the values before the constant itself.
    pub fn hidden(&self, vector: &Ty) -> Vec<Ty> {
        let Ty::Vector(lane, _) = vector else { return Vec::new() };
        let types = self.steps[..self.steps.len() - 1].iter().map(|step| match step {
            Step::Lane(_) => Ty::clone(lane),
            Step::Number(_) => Ty::Int { width: 64, signed: true },
            Step::Splat | Step::Insert => vector.clone(),
        });
        types.collect()
    }

    /// The operations, the last of which gives `result` and the others the values before it.
    pub fn write<E>(
        &self,
        op: Op<'c, '_>,
        result: ValueId,
        mut constant: impl FnMut(Attribute<'c>) -> Result<Attr, E>,
    ) -> Result<Vec<ast::Operation>, E> {
        let first = result.0 + 1 - self.steps.len() as u32;
        let mut vector = ValueId(first);
        let mut written = Vec::with_capacity(self.steps.len());
        for (id, step) in (first..).zip(&self.steps) {
            let mut operands: SmallVec<[ValueId; 3]> = SmallVec::new();
            let (name, value) = match step {
                Step::Lane(lane) => ("core.const", Some(constant(*lane)?)),
                Step::Number(at) => ("core.const", Some(Attr::Int(*at as i128))),
                Step::Splat => {
                    operands.push(ValueId(id - 1));
                    ("simd.splat", None)
                }
                Step::Insert => {
                    operands.extend([vector, ValueId(id - 2), ValueId(id - 1)]);
                    ("simd.insert", None)
                }
            };
            if value.is_none() {
                vector = ValueId(id);
            }
            let mut attrs = Attrs::default();
            if let Some(value) = value {
                attrs.insert(SmolStr::new_static("value"), value);
            }
            written.push(ast::Operation {
                name: SmolStr::new_static(name),
                operands,
                results: std::iter::once(ValueId(id)).collect(),
                attrs,
                successors: Vec::new(),
                regions: Vec::new(),
                loc: location::frontend(op.loc()),
                span: Span::NONE,
            });
        }
        Ok(written)
    }
}
