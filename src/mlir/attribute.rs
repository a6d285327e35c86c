//! Attributes and strings across the C API.

use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Identifier, Operation, Type, TypeLike,
        attribute::{DenseI32ArrayAttribute, IntegerAttribute},
        operation::OperationBuilder,
        r#type::IntegerType,
    },
};
use mlir_sys::*;

/// A borrowed string for the C API.
pub fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// The text of a string the C API handed out.
///
/// # Safety
/// The bytes must live for `'a`. Strings of the context (names, attributes, types) live as long as it does.
pub unsafe fn str_of<'a>(text: MlirStringRef) -> &'a str {
    if text.length == 0 {
        return "";
    }
    std::str::from_utf8(unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) }).unwrap_or("<not UTF-8>")
}

/// The text of an identifier, which lives as long as the context.
pub fn identifier_text(name: Identifier<'_>) -> &str {
    unsafe { str_of(mlirIdentifierStr(name.to_raw())) }
}

/// Copies of `count` strings.
///
/// # Safety
/// `list` must point to `count` valid strings.
pub unsafe fn strings_of(count: isize, list: *const MlirStringRef) -> Vec<String> {
    (0..count).map(|i| unsafe { str_of(*list.offset(i)) }.to_owned()).collect()
}

pub fn i64_attribute(context: &Context, value: i64) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, 64).into(), value).into()
}

/// The `i32` attribute an ODS enum is stored as.
pub fn enum_attribute(context: &Context, number: i64) -> Attribute<'_> {
    IntegerAttribute::new(IntegerType::new(context, 32).into(), number).into()
}

pub fn bool_attribute(context: &Context, value: bool) -> Attribute<'_> {
    unsafe { Attribute::from_raw(mlirBoolAttrGet(context.to_raw(), value.into())) }
}

/// The named attribute `operandSegmentSizes`.
pub fn segment_sizes<'c>(context: &'c Context, sizes: &[i32]) -> (&'static str, Attribute<'c>) {
    ("operandSegmentSizes", DenseI32ArrayAttribute::new(context, sizes).into())
}

/// An integer attribute of any integer type or index, from its value modulo 2^64.
pub fn integer_attribute<'c>(type_: Type<'c>, value: i64) -> Attribute<'c> {
    IntegerAttribute::new(type_, value).into()
}

/// The bits of an integer attribute of at most 64 bits, whatever its signedness, sign-extended unless unsigned.
pub fn integer_bits(attribute: Attribute<'_>) -> Option<i64> {
    typed_integer(attribute).map(|(_, bits)| bits)
}

/// The type and the bits of an integer attribute, as [`integer_bits`] has them.
pub fn typed_integer<'c>(attribute: Attribute<'c>) -> Option<(Type<'c>, i64)> {
    unsafe extern "C" {
        fn ppyIntegerOf(attribute: MlirAttribute, type_: *mut MlirType, bits: *mut i64) -> bool;
    }
    let (mut type_, mut bits) = (MlirType { ptr: std::ptr::null() }, 0);
    unsafe { ppyIntegerOf(attribute.to_raw(), &raw mut type_, &raw mut bits).then(|| (Type::from_raw(type_), bits)) }
}

/// The value of a float attribute as the nearest double (exact for every ppy float).
pub fn float_value(attribute: Attribute<'_>) -> Option<f64> {
    let raw = attribute.to_raw();
    unsafe { mlirAttributeIsAFloat(raw).then(|| mlirFloatAttrGetValueDouble(raw)) }
}

/// Whether an attribute is the values of a vector's lanes.
pub fn is_dense(attribute: Attribute<'_>) -> bool {
    unsafe { mlirAttributeIsADenseElements(attribute.to_raw()) }
}

/// The values of a vector's lanes.
pub fn dense_lanes<'c>(attribute: Attribute<'c>) -> Option<Vec<Attribute<'c>>> {
    if !is_dense(attribute) {
        return None;
    }
    let raw = attribute.to_raw();
    let lane = |at: i64| unsafe {
        let mut index = at as u64;
        Attribute::from_raw(mlirElementsAttrGetValue(raw, 1, &raw mut index))
    };
    Some((0..unsafe { mlirElementsAttrGetNumElements(raw) }).map(lane).collect())
}

/// The same bits in lanes of another vector type of that width.
pub fn dense_of<'c>(type_: Type<'c>, attribute: Attribute<'c>) -> Option<Attribute<'c>> {
    let raw = attribute.to_raw();
    unsafe {
        if !is_dense(attribute) || type_.to_raw().ptr == mlirAttributeGetType(raw).ptr {
            return Some(attribute);
        }
        let lane = Type::from_raw(mlirShapedTypeGetElementType(type_.to_raw()));
        let bits = dense_lanes(attribute)?.into_iter().map(integer_bits);
        let lanes: Option<Vec<MlirAttribute>> =
            bits.map(|bits| bits.map(|bits| integer_attribute(lane, bits).to_raw())).collect();
        let lanes = lanes?;
        let made = mlirDenseElementsAttrGet(type_.to_raw(), lanes.len() as isize, lanes.as_ptr());
        (!made.ptr.is_null()).then(|| Attribute::from_raw(made))
    }
}

/// The null pointer of a pointer type.
pub fn null_attribute(type_: Type<'_>) -> Attribute<'_> {
    unsafe extern "C" {
        fn ppy_core_null_get(type_: MlirType) -> MlirAttribute;
    }
    unsafe { Attribute::from_raw(ppy_core_null_get(type_.to_raw())) }
}

/// Whether an attribute is the null pointer.
pub fn is_null_attribute(attribute: Attribute<'_>) -> bool {
    unsafe extern "C" {
        fn ppy_core_null_is(attribute: MlirAttribute) -> bool;
    }
    unsafe { ppy_core_null_is(attribute.to_raw()) }
}

/// Builds the operation with its attributes. Only an operation without registered result types to infer reaches here,
/// so building does not fail.
pub fn finish<'c>(
    context: &'c Context,
    builder: OperationBuilder<'c>,
    attributes: &[(&str, Attribute<'c>)],
) -> Operation<'c> {
    let named: Vec<_> = attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
    builder.add_attributes(&named).build().expect("an operation without result inference always builds")
}

/// A vector constant with the same value in every lane.
pub fn splat<'c>(type_: Type<'c>, value: Attribute<'c>) -> Attribute<'c> {
    unsafe { Attribute::from_raw(mlirDenseElementsAttrSplatGet(type_.to_raw(), value.to_raw())) }
}

/// A string attribute of any bytes.
pub fn bytes_attribute<'c>(context: &'c Context, bytes: &[u8]) -> Attribute<'c> {
    let text = MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() };
    unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), text)) }
}

/// The strings of an array attribute; what is no string is left out.
pub fn strings(attribute: Attribute<'_>) -> Vec<&str> {
    use super::attribute_view::{AttributeView, view};
    let AttributeView::Array(items) = view(attribute) else { return Vec::new() };
    items
        .into_iter()
        .filter_map(|item| if let AttributeView::Str(text) = view(item) { Some(text) } else { None })
        .collect()
}
