//! `.ppyprof`: reading, with every problem named, and writing as ppy does.

use super::{FunctionProfile, Profile};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fs, os::unix::fs::FileTypeExt, path::Path};
use thiserror::Error;

/// The newest version of the file that is read, and the one that is written.
pub const VERSION: u64 = 1;
const KIND: &str = "ppy.profile";
/// Bytes that a profile may have.
const MAX_BYTES: u64 = 1 << 30;

/// Why there is no profile.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProfileError {
    #[error("there is no profile {path}: ppy-run --profile={path} records one")]
    Missing { path: String },
    #[error("cannot read the profile {path}: {why}")]
    Unreadable { path: String, why: String },
    #[error("{path} is no profile: {why}; record it again")]
    Corrupt { path: String, why: String },
    #[error("{path} is a profile of version {version}, and this build reads up to version {VERSION}: update ppy-mlir")]
    Newer { path: String, version: u64 },
    /// Nothing that it counted is here.
    #[error(
        "{path} is a profile of another program ({program}): none of its {functions} functions, {first} for one, \
         is in module @{module}"
    )]
    OtherProgram { path: String, program: String, functions: usize, first: String, module: String },
}

impl Profile {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<Profile, ProfileError> {
        let shown = path.display().to_string();
        let unreadable = |why: String| ProfileError::Unreadable { path: shown.clone(), why };
        match fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(ProfileError::Missing { path: shown });
            }
            Err(error) => return Err(unreadable(error.to_string())),
            Ok(found) if found.is_dir() => return Err(unreadable("it is a folder".into())),
            // Some have no end.
            Ok(found) if found.file_type().is_char_device() || found.file_type().is_block_device() => {
                return Err(unreadable("it is a device".into()));
            }
            Ok(found) if found.len() > MAX_BYTES => {
                return Err(unreadable(format!("it is larger than {MAX_BYTES} bytes")));
            }
            Ok(_) => {}
        }
        let bytes = fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        Profile::parse(&bytes, &shown)
    }

    /// The profile that the bytes of a file spell.
    pub fn parse(bytes: &[u8], path: &str) -> Result<Profile, ProfileError> {
        let corrupt = |why: String| ProfileError::Corrupt { path: path.to_owned(), why };
        let json: Value = serde_json::from_slice(bytes).map_err(|error| corrupt(error.to_string()))?;
        let top = json.as_object().ok_or_else(|| corrupt("it is not a JSON object".into()))?;
        match top.get("kind") {
            Some(Value::String(kind)) if kind == KIND => {}
            Some(kind) => return Err(corrupt(format!("its kind is {kind}, not \"{KIND}\""))),
            None => return Err(corrupt(format!("it does not say \"kind\": \"{KIND}\""))),
        }
        let version = number(top, "version").map_err(corrupt)?;
        if version > VERSION {
            return Err(ProfileError::Newer { path: path.to_owned(), version });
        }
        if version == 0 {
            return Err(corrupt("its version is 0, and they begin at 1".into()));
        }
        let mut profile = Profile {
            program: text(top, "program").map_err(corrupt)?,
            compiler: text(top, "compiler").map_err(corrupt)?,
            runs: number(top, "runs").map_err(corrupt)?,
            functions: BTreeMap::new(),
        };
        let functions = top.get("functions").and_then(Value::as_object);
        for (name, value) in functions.ok_or_else(|| corrupt("it has no \"functions\"".into()))? {
            let read = function(value).map_err(|why| corrupt(format!("function {name}: {why}")))?;
            profile.functions.insert(name.clone(), read);
        }
        Ok(profile)
    }

    /// The text of the file: sorted, a space an indent, and a line's end.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
        // Writing to memory does not fail, and no key is anything but a string.
        let written = Written {
            compiler: &self.compiler,
            functions: self.functions.iter().map(|(name, f)| (name.as_str(), WrittenFunction::of(f))).collect(),
            kind: KIND,
            program: &self.program,
            runs: self.runs,
            version: VERSION,
        };
        let _ = written.serialize(&mut serializer);
        String::from_utf8(out).unwrap_or_default() + "\n"
    }
}

/// Keys in the order of the file.
#[derive(Serialize)]
struct Written<'p> {
    compiler: &'p str,
    functions: BTreeMap<&'p str, WrittenFunction<'p>>,
    kind: &'static str,
    program: &'p str,
    runs: u64,
    version: u64,
}

#[derive(Serialize)]
struct WrittenFunction<'p> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    arguments: &'p BTreeMap<String, BTreeMap<String, u64>>,
    blocks: &'p BTreeMap<String, u64>,
    branches: &'p BTreeMap<String, (u64, u64)>,
    calls: u64,
    cfg: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    generic: &'p str,
    symbol: &'p str,
}

impl<'p> WrittenFunction<'p> {
    fn of(f: &'p FunctionProfile) -> Self {
        WrittenFunction {
            arguments: &f.arguments,
            blocks: &f.blocks,
            branches: &f.branches,
            calls: f.calls,
            cfg: &f.cfg,
            generic: &f.generic,
            symbol: &f.symbol,
        }
    }
}

fn number(map: &Map<String, Value>, key: &str) -> Result<u64, String> {
    map.get(key).ok_or_else(|| format!("it has no \"{key}\"")).and_then(|value| count(value, key))
}

fn count(value: &Value, what: &str) -> Result<u64, String> {
    value.as_u64().ok_or_else(|| format!("\"{what}\" is {}, not a count", short(value)))
}

/// A text that may be missing.
fn text(map: &Map<String, Value>, key: &str) -> Result<String, String> {
    match map.get(key) {
        None => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(format!("\"{key}\" is {}, not a text", short(other))),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 40 { text.chars().take(40).chain("...".chars()).collect() } else { text }
}

/// An object's values by key; nothing where the object is missing.
fn table<T>(
    map: &Map<String, Value>,
    key: &str,
    read: impl Fn(&Value, &str) -> Result<T, String>,
) -> Result<BTreeMap<String, T>, String> {
    match map.get(key) {
        None => Ok(BTreeMap::new()),
        Some(Value::Object(entries)) => {
            entries.iter().map(|(name, value)| Ok((name.clone(), read(value, name)?))).collect()
        }
        Some(other) => Err(format!("\"{key}\" is {}, not a table", short(other))),
    }
}

fn function(value: &Value) -> Result<FunctionProfile, String> {
    let map = value.as_object().ok_or_else(|| format!("it is {}, not a table", short(value)))?;
    let cfg = text(map, "cfg")?;
    if cfg.is_empty() {
        return Err("it has no \"cfg\", which says what graph was counted".into());
    }
    Ok(FunctionProfile {
        symbol: text(map, "symbol")?,
        cfg,
        calls: number(map, "calls")?,
        blocks: table(map, "blocks", count)?,
        branches: table(map, "branches", |value, block| match value.as_array().map(Vec::as_slice) {
            Some([taken, not]) => Ok((count(taken, block)?, count(not, block)?)),
            _ => Err(format!("branch \"{block}\" is {}, not [taken, not taken]", short(value))),
        })?,
        arguments: table(map, "arguments", |value, argument| {
            let types = value.as_object().ok_or_else(|| format!("argument {argument} is {}", short(value)))?;
            types.iter().map(|(name, value)| Ok((name.clone(), count(value, name)?))).collect()
        })?,
        generic: text(map, "generic")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{
 "compiler": "0.7.1",
 "functions": {
  "app.count": {
   "arguments": {
    "0": {
     "int": 2
    }
   },
   "blocks": {
    "entry": 2,
    "while.head1": 22
   },
   "branches": {
    "while.head1": [
     20,
     2
    ]
   },
   "calls": 2,
   "cfg": "681055f083784de9",
   "symbol": "app_count"
  }
 },
 "kind": "ppy.profile",
 "program": "app.ppy",
 "runs": 1,
 "version": 1
}
"#;

    #[test]
    fn a_file_of_ppy_reads_and_writes_the_same() {
        let profile = Profile::parse(FILE.as_bytes(), "app.ppyprof").unwrap();
        assert_eq!(profile.functions["app.count"].branches["while.head1"], (20, 2));
        assert_eq!(profile.text(), FILE);
    }

    #[test]
    fn broken_files_say_what_is_wrong() {
        let cases = [
            (String::new(), "EOF"),
            ("[]".into(), "not a JSON object"),
            (FILE.replace("ppy.profile", "other"), "its kind is \"other\""),
            (FILE.replace(" \"kind\": \"ppy.profile\",\n", ""), "does not say \"kind\""),
            (FILE.replace("\"calls\": 2", "\"calls\": -2"), "function app.count: \"calls\" is -2, not a count"),
            (FILE.replace("\"calls\": 2", "\"calls\": 99999999999999999999"), "not a count"),
            (FILE.replace("\"calls\": 2", "\"calls\": 2.5"), "not a count"),
            (FILE.replace("     20,\n", ""), "not [taken, not taken]"),
            (FILE.replace("\"681055f083784de9\"", "\"\""), "no \"cfg\""),
            (FILE.replace("\"681055f083784de9\"", "7"), "\"cfg\" is 7, not a text"),
            (FILE[..FILE.len() / 2].to_owned(), "EOF"),
            (FILE.replace("functions", "f"), "no \"functions\""),
        ];
        for (text, why) in cases {
            let error = Profile::parse(text.as_bytes(), "x.ppyprof").unwrap_err().to_string();
            assert!(error.starts_with("x.ppyprof is no profile: ") && error.contains(why), "{error}");
        }
        let newer = Profile::parse(FILE.replace("\"version\": 1", "\"version\": 2").as_bytes(), "x").unwrap_err();
        assert_eq!(newer, ProfileError::Newer { path: "x".into(), version: 2 });
        let none = Profile::parse(FILE.replace("\"version\": 1", "\"version\": 0").as_bytes(), "x").unwrap_err();
        assert!(none.to_string().contains("its version is 0"), "{none}");
    }
}
