//! The JSON of `ppy-run`: arguments typed by a function's signature, and results as Python prints them.
//!
//! An argument is a number or bool; `"nan"`, `"inf"`, `"-inf"`; `{"buf": [...]}` or `{"ptr": [...]}` for a buffer or
//! pointer, `null` for the null pointer; a list for a tuple, struct, array or vector. Also understood, because
//! recorded calls have them: `{"list": [...]}`, `{"tuple": [...]}`, `{"obj": NAME, "fields": [...]}`, and an `"elem"`
//! beside the elements, which says nothing that the signature does not. Both engines take the [`Value`]s made here.

use super::named;
use crate::ppyir::ast::{Attr, Function, Item, Module, Type};
use crate::semantics::layout;
use crate::semantics::value::{Data, Value};
use crate::semantics::{FloatType, Scalar, ScalarType, float};
use serde_json::{Map, Value as Json};
use std::fmt::Write;

/// Elements that one argument may have in all.
const MAX_ELEMENTS: usize = 1 << 27;

/// The function that a user names: by its name in the module, its native symbol, or its Python name with or without
/// the module's. An error lists what there is.
pub fn function<'m>(modules: &'m [Module], name: &str) -> Result<(&'m Module, &'m Function), String> {
    let all = || {
        modules.iter().flat_map(|module| {
            module.items.iter().filter_map(move |item| match item {
                Item::Function(function) => Some((module, function)),
                Item::Global(_) => None,
            })
        })
    };
    let attr = |function: &'m Function, key: &str| match function.attrs.as_ref()?.get(key) {
        Some(Attr::Str(text)) => Some(text.as_str()),
        _ => None,
    };
    let is = |function: &'m Function, how: usize| match how {
        0 => function.symbol == name,
        1 => attr(function, "ppy.symbol") == Some(name),
        2 => attr(function, "ppy.qualname") == Some(name),
        _ => {
            attr(function, "ppy.qualname").and_then(|full| full.split_once('.')).is_some_and(|(_, short)| short == name)
        }
    };
    let bare = name.strip_prefix('@');
    if let Some(found) = (0..4).find_map(|how| all().find(|(_, function)| is(function, how) && function.body.is_some()))
    {
        return Ok(found);
    }
    if let Some(bare) = bare {
        return self::function(modules, bare);
    }
    if all().any(|(_, function)| function.symbol == name) {
        return Err(format!("@{name} is only declared here; link the module that defines it"));
    }
    let names: Vec<String> = all()
        .filter(|(_, function)| function.body.is_some())
        .map(|(_, function)| format!("@{}", function.symbol))
        .collect();
    let shown = names.iter().take(20).cloned().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 20 { format!(" and {} more", names.len() - 20) } else { String::new() };
    let name = named(name);
    Err(match names.is_empty() {
        true => format!("there is no function {name}: the module defines none"),
        false => format!("there is no function {name}; there are {shown}{more}"),
    })
}

/// The arguments of a call of `function`, from a JSON list. An error names the argument, its type and the problem.
pub fn arguments(function: &Function, json: &str) -> Result<Vec<Value>, String> {
    let parsed: Json = serde_json::from_str(json)
        .map_err(|error| format!("the arguments are not JSON: {error}; give a list like [1, 2.5]"))?;
    let Json::Array(items) = parsed else {
        return Err(format!("the arguments must be a JSON list like [1, 2.5], not {}", words(&parsed)));
    };
    let params = &function.params;
    if items.len() != params.len() {
        let types: Vec<String> = params.iter().map(|param| param.ty.to_string()).collect();
        let given = items.len();
        return Err(format!(
            "@{} takes {} argument{} ({}), {given} given",
            function.symbol,
            params.len(),
            if params.len() == 1 { "" } else { "s" },
            types.join(", ")
        ));
    }
    let mut values = Vec::with_capacity(items.len());
    for (index, (item, param)) in items.iter().zip(params).enumerate() {
        let name = param.value.and_then(|id| function.values.get(id.0 as usize)).map(|value| value.name.as_str());
        values.push(argument(&param.ty, item).map_err(|problem| {
            format!("argument {} (%{}: {}): {problem}", index + 1, name.unwrap_or("?"), param.ty)
        })?);
    }
    Ok(values)
}

/// One value of a type.
fn argument(ty: &Type, json: &Json) -> Result<Value, String> {
    match ty {
        Type::Ptr(_) if json.is_null() => Ok(Value::Null),
        Type::Ptr(ptr) => memory(&ptr.pointee, json).map(Value::Memory),
        Type::Buffer(element) => memory(element, json).map(Value::Memory),
        Type::Tuple(items) => group(json, items.iter()),
        Type::Struct(ty) => group(json, ty.fields.iter().map(|(_, ty)| ty)),
        Type::Vector(..) | Type::Array(..) => {
            let leaves = layout::leaves(ty).ok_or("such a value cannot be passed")?;
            let items = flat(json)?;
            if items.len() != leaves.len() {
                return Err(format!("needs {} elements, {} given", leaves.len(), items.len()));
            }
            let scalars = items.iter().zip(&leaves).map(|(item, leaf)| scalar(leaf.ty, item).map(Value::Scalar));
            scalars.collect::<Result<_, _>>().map(Value::Group)
        }
        ty => match ScalarType::of(ty) {
            Some(scalar_type) => scalar(scalar_type, json).map(Value::Scalar),
            None => Err("a value of this type cannot be written as JSON".into()),
        },
    }
}

fn group<'t>(json: &Json, types: impl ExactSizeIterator<Item = &'t Type>) -> Result<Value, String> {
    let items = list(json, &["tuple", "fields"])?;
    if items.len() != types.len() {
        return Err(format!("needs a list of {}, {} given", types.len(), items.len()));
    }
    let values = items
        .iter()
        .zip(types)
        .enumerate()
        .map(|(index, (item, ty))| argument(ty, item).map_err(|problem| format!("item {index}: {problem}")));
    values.collect::<Result<_, _>>().map(Value::Group)
}

/// The items of a JSON list, bare or under one of the keys.
fn list<'j>(json: &'j Json, keys: &[&str]) -> Result<&'j [Json], String> {
    let found = match json {
        Json::Array(items) => Some(items),
        Json::Object(map) => match keyed(map, keys)? {
            Some(Json::Array(items)) => Some(items),
            _ => None,
        },
        _ => None,
    };
    found.map(Vec::as_slice).ok_or_else(|| format!("needs a list, not {}", words(json)))
}

/// The value under one of the keys, when no other key is there that could mean something.
fn keyed<'j>(map: &'j Map<String, Json>, keys: &[&str]) -> Result<Option<&'j Json>, String> {
    if let Some(other) =
        map.keys().find(|key| !keys.contains(&key.as_str()) && !["elem", "obj"].contains(&key.as_str()))
    {
        return Err(match other.as_str() {
            "str" => "a string is an object of the runtime; it cannot be passed here".into(),
            other => format!("the key \"{other}\" means nothing here; the elements go under \"{}\"", keys[0]),
        });
    }
    Ok(keys.iter().find_map(|key| map.get(*key)))
}

/// The letter that Python's `struct` and `array` have for a type.
fn element_code(ty: ScalarType) -> Option<&'static str> {
    Some(match ty {
        ScalarType::Bool => "?",
        ScalarType::Index => "q",
        ScalarType::Int(int) => match (int.width, int.signed) {
            (8, true) => "b",
            (8, false) => "B",
            (16, true) => "h",
            (16, false) => "H",
            (32, true) => "i",
            (32, false) => "I",
            (64, true) => "q",
            (64, false) => "Q",
            _ => return None,
        },
        ScalarType::Float(FloatType::F16) => "e",
        ScalarType::Float(FloatType::F32) => "f",
        ScalarType::Float(FloatType::F64) => "d",
        ScalarType::Float(_) | ScalarType::Pointer => return None,
    })
}

/// Elements for memory; `"elem"`, which may be left out, says again of which type they are.
fn memory(element: &Type, json: &Json) -> Result<Data, String> {
    let items = match json {
        Json::Object(map) => keyed(map, &["buf", "ptr", "list"])?,
        _ => None,
    };
    let items = items.ok_or_else(|| format!("needs {{\"buf\": [...]}}, not {}", words(json)))?;
    let leaves = layout::leaves(element).filter(|leaves| !leaves.is_empty());
    let leaves = leaves.ok_or_else(|| format!("elements of {element} cannot be written as JSON"))?;
    if let Some(named) = json.get("elem") {
        let code = leaves.first().and_then(|leaf| element_code(leaf.ty)).filter(|_| leaves.len() == 1);
        if let Some(code) = code.filter(|code| named.as_str() != Some(code)) {
            return Err(format!("\"elem\" is {named}, and elements of {element} are \"{code}\""));
        }
    }
    let items = flat(items)?;
    if !items.len().is_multiple_of(leaves.len()) {
        return Err(format!("{} numbers do not make whole elements of {element} ({} each)", items.len(), leaves.len()));
    }
    let scalars = items.iter().zip(leaves.iter().cycle()).enumerate().map(|(index, (item, leaf))| {
        scalar(leaf.ty, item).map_err(|problem| format!("element {}: {problem}", index / leaves.len()))
    });
    let scalars: Vec<Scalar> = scalars.collect::<Result<_, _>>()?;
    Data::pack(element.clone(), &scalars).ok_or_else(|| format!("elements of {element} cannot be passed"))
}

/// The scalars of nested lists in order.
fn flat(json: &Json) -> Result<Vec<&Json>, String> {
    if !json.is_array() {
        return Err(format!("needs a list, not {}", words(json)));
    }
    let (mut out, mut rest) = (Vec::new(), vec![json]);
    while let Some(next) = rest.pop() {
        match next {
            Json::Array(items) => rest.extend(items.iter().rev()),
            item => out.push(item),
        }
        if out.len() > MAX_ELEMENTS {
            return Err(format!("more than {MAX_ELEMENTS} elements"));
        }
    }
    Ok(out)
}

/// One scalar of a type. Integers are exact: what does not fit is an error, not wrapped.
fn scalar(ty: ScalarType, json: &Json) -> Result<Scalar, String> {
    match (ty, json) {
        (ScalarType::Pointer, Json::Null) => Ok(Scalar { ty, bits: 0 }),
        (ScalarType::Bool, Json::Bool(value)) => Ok(Scalar::bool(*value)),
        (ScalarType::Bool, Json::Number(number)) => match number.as_str() {
            "0" => Ok(Scalar::bool(false)),
            "1" => Ok(Scalar::bool(true)),
            text => Err(format!("{text} is no bool; give true, false, 1 or 0")),
        },
        (ScalarType::Int(_) | ScalarType::Index, Json::Number(number)) => {
            let text = number.as_str();
            let value: Option<i128> = text.parse().ok();
            match value.and_then(|value| Scalar::int(ty, value)) {
                Some(scalar) => Ok(scalar),
                None if text.contains(['.', 'e', 'E']) => Err(format!("{text} is no integer")),
                None => {
                    let int = ty.as_int().unwrap_or(crate::semantics::IntType::I64);
                    Err(format!("{text} does not fit {ty} ({} to {})", int.min(), int.max()))
                }
            }
        }
        (ScalarType::Float(float), Json::Number(number)) => {
            parse_float(float, number.as_str()).ok_or_else(|| format!("{number} is no {ty}"))
        }
        (ScalarType::Float(float), Json::String(text)) if ["nan", "inf", "-inf"].contains(&text.as_str()) => {
            parse_float(float, text).ok_or_else(|| format!("{text} is no {ty}"))
        }
        (ScalarType::Float(float), Json::Bool(value)) => Ok(Scalar::float(float, f64::from(u8::from(*value)))),
        (ty, json) => Err(format!("needs {}, not {}", wanted(ty), words(json))),
    }
}

/// Text to a float with one rounding.
fn parse_float(ty: FloatType, text: &str) -> Option<Scalar> {
    match ty {
        FloatType::F32 => {
            let bits = u64::from(text.parse::<f32>().ok()?.to_bits());
            Some(Scalar { ty: ScalarType::Float(ty), bits })
        }
        ty => Some(Scalar::float(ty, text.parse().ok()?)),
    }
}

fn wanted(ty: ScalarType) -> String {
    match ty {
        ScalarType::Bool => "true or false".into(),
        ScalarType::Float(_) => "a number, \"nan\", \"inf\" or \"-inf\"".into(),
        ScalarType::Pointer => "null".into(),
        ScalarType::Int(_) | ScalarType::Index => format!("an integer ({ty})"),
    }
}

/// A JSON value in an error, short.
fn words(json: &Json) -> String {
    match json {
        Json::Array(items) => format!("a list of {}", items.len()),
        Json::Object(map) if map.is_empty() => "an empty object".into(),
        Json::Object(map) => {
            format!("an object with {}", map.keys().map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", "))
        }
        Json::String(text) if text.chars().count() > 40 => "a long string".into(),
        other => other.to_string(),
    }
}

/// One line: status, results (status 0 only) with groups flattened, and the memory passed in as it is afterwards.
pub fn render(status: i32, results: &[Value], memory: &[Data]) -> String {
    let mut out = format!("{{\"status\": {status}");
    if status == 0 {
        let scalars: Vec<String> = results.iter().flat_map(Value::scalars).map(number).collect();
        let _ = write!(out, ", \"results\": [{}]", scalars.join(", "));
    }
    let blocks = memory.iter().map(|data| {
        let scalars: Vec<String> = data.leaves().unwrap_or_default().into_iter().map(number).collect();
        format!("[{}]", scalars.join(", "))
    });
    let _ = write!(out, ", \"buffers\": [{}]}}", blocks.collect::<Vec<_>>().join(", "));
    out
}

/// A scalar as Python's `json` would write it; a NaN or infinity as a string, an address as whether it is one.
pub fn number(scalar: Scalar) -> String {
    match scalar.ty {
        ScalarType::Bool => (scalar.bits != 0).to_string(),
        ScalarType::Float(ty) => {
            let value = float::decode(ty, scalar.bits);
            if value.is_finite() { python_float(value) } else { format!("\"{}\"", python_float(value)) }
        }
        ScalarType::Pointer => format!("{{\"ptr\": {}}}", scalar.bits != 0),
        ScalarType::Int(_) | ScalarType::Index => scalar.as_int().unwrap_or(0).to_string(),
    }
}

/// `repr` of a Python float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16.
pub fn python_float(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf".into() } else { "inf".into() };
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::IntType;
    use std::sync::Arc;

    const U8: Type = Type::Int { width: 8, signed: false };

    fn read(ty: &Type, json: &str) -> Result<Value, String> {
        argument(ty, &serde_json::from_str(json).map_err(|error| error.to_string())?)
    }

    #[test]
    fn floats_print_as_python_does() {
        let rows = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (9999999999999998.0, "9999999999999998.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in rows {
            assert_eq!(python_float(value), text);
        }
    }

    #[test]
    fn scalars_are_exact() {
        assert_eq!(
            read(&U8, "255"),
            Ok(Value::Scalar(Scalar { ty: ScalarType::of(&U8).unwrap_or(ScalarType::Bool), bits: 255 }))
        );
        assert_eq!(read(&U8, "256"), Err("256 does not fit u8 (0 to 255)".into()));
        assert_eq!(read(&U8, "1.0"), Err("1.0 is no integer".into()));
        assert_eq!(
            read(&Type::Int { width: 64, signed: false }, "18446744073709551615"),
            Ok(Value::Scalar(Scalar { ty: ScalarType::Int(IntType::U64), bits: u64::MAX }))
        );
        assert_eq!(read(&Type::F64, "\"-inf\""), Ok(Value::Scalar(Scalar::f64(f64::NEG_INFINITY))));
        assert_eq!(read(&Type::F64, "0.1"), Ok(Value::Scalar(Scalar::f64(0.1))));
        assert_eq!(read(&Type::Bool, "1"), Ok(Value::Scalar(Scalar::bool(true))));
        assert!(read(&Type::Bool, "2").is_err());
        assert!(read(&U8, "99999999999999999999999999999999999999999999").is_err());
    }

    #[test]
    fn memory_and_groups() {
        let buffer = Type::Buffer(Arc::new(Type::Int { width: 16, signed: true }));
        let Ok(Value::Memory(data)) = read(&buffer, r#"{"buf": [1, -1], "elem": "h"}"#) else {
            panic!("a buffer is memory");
        };
        assert_eq!((data.bytes.as_slice(), data.len), ([1, 0, 255, 255].as_slice(), 2));
        assert_eq!(
            render(0, &[Value::Scalar(Scalar::f64(2.0))], &[data]),
            r#"{"status": 0, "results": [2.0], "buffers": [[1, -1]]}"#
        );
        assert_eq!(render(1, &[], &[]), r#"{"status": 1, "buffers": []}"#);
        let error = read(&buffer, r#"{"buf": [1, 40000]}"#);
        assert_eq!(error, Err("element 1: 40000 does not fit i16 (-32768 to 32767)".into()));
        let error = read(&buffer, r#"{"buf": [1], "elem": "q"}"#);
        assert_eq!(error, Err(r#""elem" is "q", and elements of i16 are "h""#.into()));
        assert!(read(&buffer, r#"{"bug": [1]}"#).is_err());
        assert!(read(&buffer, "[1]").is_err());
        let tuple = Type::Tuple([Type::Bool, Type::F64].into());
        let both = Value::Group(vec![Value::Scalar(Scalar::bool(true)), Value::Scalar(Scalar::f64(2.0))]);
        assert_eq!(read(&tuple, "[true, 2]"), Ok(both.clone()));
        assert_eq!(read(&tuple, r#"{"tuple": [1, 2.0]}"#), Ok(both));
        assert!(read(&tuple, "[true]").is_err());
    }
}
