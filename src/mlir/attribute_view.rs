//! A builtin attribute as Rust data.

use super::attribute::{integer_bits, str_of};
use melior::ir::{Attribute, AttributeLike, Type};
use mlir_sys::*;

/// What an attribute holds, one level deep.
pub enum AttributeView<'c> {
    Unit,
    Bool(bool),
    /// Exact, of any width up to 128 bits.
    Int {
        value: i128,
    },
    Float(f64),
    Str(&'c str),
    Symbol(&'c str),
    Type(Type<'c>),
    Array(Vec<Attribute<'c>>),
    Dict(Vec<(&'c str, Attribute<'c>)>),
    Other,
}

/// Looks into an attribute.
pub fn view<'c>(attribute: Attribute<'c>) -> AttributeView<'c> {
    let raw = attribute.to_raw();
    unsafe {
        if mlirAttributeIsAUnit(raw) {
            AttributeView::Unit
        } else if mlirAttributeIsABool(raw) {
            AttributeView::Bool(mlirBoolAttrGetValue(raw))
        } else if mlirAttributeIsAInteger(raw) {
            match integer_bits(attribute) {
                Some(bits) => {
                    let type_ = mlirAttributeGetType(raw);
                    let unsigned = mlirTypeIsAInteger(type_) && mlirIntegerTypeIsUnsigned(type_);
                    AttributeView::Int { value: if unsigned { bits as u64 as i128 } else { bits.into() } }
                }
                // Wider than the C API reads: its text is exact.
                None => match attribute.to_string().split(' ').next().and_then(|text| text.parse().ok()) {
                    Some(value) => AttributeView::Int { value },
                    None => AttributeView::Other,
                },
            }
        } else if mlirAttributeIsAFloat(raw) {
            AttributeView::Float(mlirFloatAttrGetValueDouble(raw))
        } else if mlirAttributeIsAString(raw) {
            AttributeView::Str(str_of(mlirStringAttrGetValue(raw)))
        } else if mlirAttributeIsAFlatSymbolRef(raw) {
            AttributeView::Symbol(str_of(mlirFlatSymbolRefAttrGetValue(raw)))
        } else if mlirAttributeIsAType(raw) {
            AttributeView::Type(Type::from_raw(mlirTypeAttrGetValue(raw)))
        } else if mlirAttributeIsAArray(raw) {
            let n = mlirArrayAttrGetNumElements(raw);
            AttributeView::Array((0..n).map(|i| Attribute::from_raw(mlirArrayAttrGetElement(raw, i))).collect())
        } else if mlirAttributeIsADictionary(raw) {
            let n = mlirDictionaryAttrGetNumElements(raw);
            let entries = (0..n).map(|i| {
                let named = mlirDictionaryAttrGetElement(raw, i);
                (str_of(mlirIdentifierStr(named.name)), Attribute::from_raw(named.attribute))
            });
            AttributeView::Dict(entries.collect())
        } else {
            AttributeView::Other
        }
    }
}
