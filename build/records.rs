//! The TableGen records as Rust data: what `llvm-tblgen --dump-json` says about `mlir-td/`.

use crate::{generate_cpp::write_if_changed, llvm::Llvm};
use serde_json::Value;
use std::{collections::BTreeSet, error::Error, fs, path::Path, process::Command};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

pub struct Dialect {
    /// Stem of its file in `mlir-td/`: `Core`.
    pub file: String,
    /// MLIR namespace: `ppy_core`.
    pub name: String,
    /// Name in `.ppyir`: `core`.
    pub ppyir: String,
    pub version: i64,
    pub summary: String,
    pub description: String,
    pub address_spaces: Vec<String>,
    /// The rule that every function is held to; empty for none.
    pub verify_function: String,
    /// The dialects whose declarations its file includes, by their `.ppyir` names.
    pub uses: Vec<String>,
    pub enums: Vec<Enum>,
    pub types: Vec<TypeDef>,
    pub attributes: Vec<TypeDef>,
    pub ops: Vec<Op>,
}

#[derive(Clone)]
pub struct Enum {
    /// `.ppyir` name of the dialect it belongs to.
    pub dialect: String,
    pub name: String,
    pub summary: String,
    /// (C++ and Rust name, number, spelling)
    pub cases: Vec<(String, i64, String)>,
}

pub struct TypeDef {
    /// `Ptr`; the C++ class is `PtrType` (`NullAttr` for attributes).
    pub name: String,
    pub mnemonic: String,
    pub summary: String,
    pub description: String,
    pub verified: bool,
    pub parameters: Vec<(String, Parameter)>,
}

/// What a parameter of a type is in C++.
#[derive(Clone, Copy, PartialEq)]
pub enum Parameter {
    Type,
    Str,
    Bool,
    Int,
    Types,
    Strs,
    Ints,
}

pub struct Op {
    /// `AddOp`
    pub class: String,
    /// `add`
    pub mnemonic: String,
    pub summary: String,
    pub description: String,
    pub operands: Vec<Operand>,
    pub results: Vec<Operand>,
    pub attributes: Vec<Attribute>,
    pub successors: Vec<String>,
    pub regions: usize,
    pub segments: bool,
    pub terminator: bool,
    pub pure: bool,
    pub commutative: bool,
    pub symbol: bool,
    pub verify: String,
    pub fold: String,
    pub canonicalize: String,
    pub variant_attribute: String,
    pub variants: Vec<String>,
    pub inline_attribute: String,
}

pub struct Operand {
    pub name: String,
    pub variadic: bool,
}

pub struct Attribute {
    pub name: String,
    pub optional: bool,
    pub kind: AttributeKind,
}

pub enum AttributeKind {
    Enum(Enum),
    Str,
    I64,
    Bool,
    Unit,
    Symbol,
    Type,
    Array,
    Other,
}

pub struct Pass {
    /// Record name, `ConvertPpyToLLVM`.
    pub name: String,
    pub argument: String,
    pub summary: String,
    pub description: String,
    /// The dialect whose folder has its Rust; without one it is in `src/passes`.
    pub dialect: Option<String>,
    /// Module of that folder.
    pub rust: String,
    /// The operation it runs on, `ppy_core.func`; empty for any.
    pub anchor: String,
    /// C++ classes of the analyses that its body gets.
    pub requires: Vec<String>,
    /// C++ classes of the analyses that hold after it as before.
    pub preserves: Vec<String>,
    /// C++ class of the analysis that says by being there that there is nothing to do; empty for none.
    pub settled: String,
    pub options: Vec<PassOption>,
    /// (C++ variable, description)
    pub statistics: Vec<(String, String)>,
}

pub struct PassOption {
    pub cpp: String,
    pub argument: String,
    pub ty: String,
    pub list: bool,
    pub default: String,
    pub description: String,
}

impl Pass {
    /// A C and Rust identifier: `lower_regex`.
    pub fn ident(&self) -> String {
        self.argument.replace('-', "_")
    }
    /// The path of its Rust module in the crate.
    pub fn module(&self) -> String {
        match &self.dialect {
            Some(dialect) => format!("crate::dialects::{dialect}::{}", self.rust),
            None => format!("crate::passes::{}", self.rust),
        }
    }
}

/// What `mlir-td/` says about passes and the default pipeline.
pub struct Passes {
    pub passes: Vec<Pass>,
    /// In their order.
    pub phases: Vec<Phase>,
    /// In their order.
    pub steps: Vec<Step>,
}

/// A part of the default pipeline.
pub struct Phase {
    pub name: String,
    pub stage: bool,
    pub summary: String,
}

/// A pass in the default pipeline.
pub struct Step {
    /// Index of its phase.
    pub phase: usize,
    /// As in a pipeline's text, options included.
    pub pass: String,
    pub anchor: String,
    pub level: i64,
    pub optional: bool,
}

fn dump(llvm: &Llvm, td: &Path, file: &Path) -> Result<Value> {
    let output = Command::new(llvm.tool("llvm-tblgen"))
        .arg("--dump-json")
        .arg(format!("-I{}", llvm.include().display()))
        .arg(format!("-I{}", td.display()))
        .arg(file)
        .output()?;
    if !output.status.success() {
        return Err(format!("llvm-tblgen {}:\n{}", file.display(), String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Every dialect declared in `mlir-td/`: one per file that defines a `Ppy_Dialect`, in file order.
pub fn dialects(llvm: &Llvm, td: &Path) -> Result<Vec<Dialect>> {
    let mut files: Vec<_> = fs::read_dir(td)?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.sort();
    let mut dialects = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        if !text.contains(": Ppy_Dialect<") {
            continue;
        }
        let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        let json = dump(llvm, td, &file)?;
        let own = instances(&json, "Ppy_Dialect")
            .find(|d| loc_file(d).is_some_and(|f| f == format!("{stem}.td")))
            .ok_or_else(|| format!("{} declares no dialect of its own", file.display()))?;
        dialects.push(dialect(&json, own, stem)?);
    }
    Ok(dialects)
}

fn instances<'j>(json: &'j Value, class: &str) -> impl Iterator<Item = &'j Value> {
    let names: Vec<&str> =
        json["!instanceof"][class].as_array().map_or(Vec::new(), |a| a.iter().filter_map(Value::as_str).collect());
    names.into_iter().map(move |name| &json[name])
}

fn loc_file(record: &Value) -> Option<&str> {
    let loc = record["!locs"].as_array()?.last()?.as_str()?;
    loc.rsplit_once(':').map(|(file, _)| file.rsplit('/').next().unwrap_or(file))
}

fn line(record: &Value) -> u64 {
    let loc = record["!locs"].as_array().and_then(|a| a.last()).and_then(Value::as_str).unwrap_or_default();
    loc.rsplit_once(':').and_then(|(_, l)| l.parse().ok()).unwrap_or(0)
}

fn text(record: &Value, field: &str) -> String {
    record[field].as_str().unwrap_or_default().to_owned()
}

fn strings(record: &Value, field: &str) -> Vec<String> {
    record[field].as_array().map_or(Vec::new(), |a| a.iter().filter_map(Value::as_str).map(String::from).collect())
}

fn flag(record: &Value, field: &str) -> bool {
    record[field].as_i64() == Some(1)
}

fn reference<'j>(json: &'j Value, value: &Value) -> &'j Value {
    value["def"].as_str().map_or(&Value::Null, |name| &json[name])
}

fn is_a(record: &Value, class: &str) -> bool {
    record["!superclasses"].as_array().is_some_and(|a| a.iter().any(|c| c == class))
}

fn dialect(json: &Value, record: &Value, file: String) -> Result<Dialect> {
    let key = text(record, "!name");
    let owned = |r: &&Value, field: &str| r[field]["def"] == key.as_str();
    let mut ops: Vec<&Value> = instances(json, "Ppy_Op").filter(|r| owned(r, "opDialect")).collect();
    ops.sort_by_key(|r| line(r));
    let ppyir = text(record, "ppyir");
    Ok(Dialect {
        file,
        name: text(record, "name"),
        uses: instances(json, "Ppy_Dialect").map(|d| text(d, "ppyir")).filter(|d| *d != ppyir).collect(),
        version: record["version"].as_i64().ok_or("a dialect without a version")?,
        summary: text(record, "summary"),
        description: text(record, "description"),
        address_spaces: strings(record, "addressSpaces"),
        verify_function: text(record, "rustVerifyFunction"),
        enums: instances(json, "Ppy_Enum").map(|r| enumeration(json, r)).filter(|e| e.dialect == ppyir).collect(),
        types: instances(json, "TypeDef")
            .filter(|r| owned(r, "dialect"))
            .map(|r| type_def(json, r))
            .collect::<Result<_>>()?,
        attributes: instances(json, "AttrDef")
            .filter(|r| owned(r, "dialect"))
            .map(|r| type_def(json, r))
            .collect::<Result<_>>()?,
        ops: ops.into_iter().map(|r| op(json, r)).collect::<Result<_>>()?,
        ppyir,
    })
}

fn enumeration(json: &Value, record: &Value) -> Enum {
    let cases = record["enumerants"].as_array().map_or(Vec::new(), |a| a.clone());
    Enum {
        dialect: text(record, "cppNamespace").trim_start_matches("::ppy::").to_owned(),
        name: text(record, "className"),
        summary: text(record, "summary"),
        cases: cases
            .iter()
            .map(|c| reference(json, c))
            .map(|c| (text(c, "symbol"), c["value"].as_i64().unwrap_or(0), text(c, "str")))
            .collect(),
    }
}

fn type_def(json: &Value, record: &Value) -> Result<TypeDef> {
    let mut parameters = Vec::new();
    for p in record["parameters"]["args"].as_array().unwrap_or(&Vec::new()) {
        let def = reference(json, &p[0]);
        // Of a typed attribute, which no accessor is generated for.
        if is_a(def, "AttributeSelfTypeParameter") {
            continue;
        }
        let cpp = p[0].as_str().map_or_else(|| text(def, "cppType"), String::from);
        let name = p[1].as_str().unwrap_or_default().to_owned();
        let kind = parameter(&cpp)
            .ok_or_else(|| format!("{}: parameter {name} is a {cpp}; {PARAMETERS}", text(record, "cppClassName")))?;
        parameters.push((name, kind));
    }
    Ok(TypeDef {
        name: text(record, "cppClassName").trim_end_matches("Type").trim_end_matches("Attr").to_owned(),
        mnemonic: text(record, "mnemonic"),
        summary: text(record, "summary"),
        description: text(record, "description"),
        verified: flag(record, "genVerifyDecl"),
        parameters,
    })
}

const PARAMETERS: &str = "use a Type, a StringRef, a bool, an int64_t or an ArrayRef of Type, StringAttr or int64_t";

fn parameter(cpp: &str) -> Option<Parameter> {
    match cpp.replace("::mlir::", "").replace("::llvm::", "").as_str() {
        "Type" => Some(Parameter::Type),
        "bool" => Some(Parameter::Bool),
        "int64_t" => Some(Parameter::Int),
        "StringRef" => Some(Parameter::Str),
        "ArrayRef<Type>" => Some(Parameter::Types),
        "ArrayRef<StringAttr>" => Some(Parameter::Strs),
        "ArrayRef<int64_t>" => Some(Parameter::Ints),
        _ => None,
    }
}

fn op(json: &Value, record: &Value) -> Result<Op> {
    let name = text(record, "!name");
    let class = name.rsplit('_').next().unwrap_or(&name).to_owned();
    let mut operands = Vec::new();
    let mut attributes = Vec::new();
    for argument in record["arguments"]["args"].as_array().unwrap_or(&Vec::new()) {
        let def = reference(json, &argument[0]);
        let arg_name = argument[1].as_str().unwrap_or_default().to_owned();
        // `Arg<T, "", [effects]>` wraps a constraint.
        let inner = if is_a(def, "OpVariable") { reference(json, &def["constraint"]) } else { def };
        if is_a(inner, "Attr") {
            attributes.push(attribute(json, inner, arg_name));
        } else {
            operands.push(Operand { name: arg_name, variadic: is_a(inner, "Variadic") });
        }
    }
    let results = record["results"]["args"].as_array().map_or(&[][..], Vec::as_slice).iter().map(|r| {
        let def = reference(json, &r[0]);
        let inner = if is_a(def, "OpVariable") { reference(json, &def["constraint"]) } else { def };
        Operand { name: r[1].as_str().unwrap_or_default().to_owned(), variadic: is_a(inner, "Variadic") }
    });
    let mut traits = BTreeSet::new();
    collect_traits(json, &record["traits"], &mut traits);
    Ok(Op {
        class,
        mnemonic: text(record, "opName"),
        summary: text(record, "summary"),
        description: text(record, "description"),
        results: results.collect(),
        operands,
        attributes,
        successors: record["successors"]["args"]
            .as_array()
            .map_or(Vec::new(), |a| a.iter().map(|s| s[1].as_str().unwrap_or_default().to_owned()).collect()),
        regions: record["regions"]["args"].as_array().map_or(0, Vec::len),
        segments: traits.contains("AttrSizedOperandSegments"),
        terminator: traits.contains("IsTerminator") || traits.contains("Terminator"),
        pure: traits.contains("NoMemoryEffect"),
        commutative: traits.contains("IsCommutative") || traits.contains("Commutative"),
        symbol: traits.contains("Symbol") || traits.contains("FunctionOpInterface"),
        verify: text(record, "rustVerify"),
        fold: text(record, "rustFold"),
        canonicalize: text(record, "rustCanonicalize"),
        variant_attribute: text(record, "variantAttribute"),
        variants: strings(record, "variants"),
        inline_attribute: text(record, "inlineAttribute"),
    })
}

/// Names of the traits and of what trait lists hold; a `MemoryEffects<[]>` counts as `NoMemoryEffect`.
fn collect_traits(json: &Value, list: &Value, names: &mut BTreeSet<String>) {
    for item in list.as_array().unwrap_or(&Vec::new()) {
        let Some(name) = item["def"].as_str() else { continue };
        let record = &json[name];
        names.insert(name.to_owned());
        if let Some(cpp) = record["cppInterfaceName"].as_str() {
            names.insert(cpp.to_owned());
        }
        collect_traits(json, &record["traits"], names);
    }
}

fn attribute(json: &Value, record: &Value, name: String) -> Attribute {
    let (mut inner, mut optional) = (record, false);
    loop {
        let base = reference(json, &inner["baseAttr"]);
        if flag(inner, "isOptional") {
            optional = true;
        }
        if base.is_null() || is_a(inner, "Ppy_Enum") {
            break;
        }
        inner = base;
    }
    let storage = text(inner, "storageType");
    let kind = if is_a(inner, "Ppy_Enum") {
        AttributeKind::Enum(enumeration(json, inner))
    } else if text(record, "!name") == "UnitAttr" {
        optional = true;
        AttributeKind::Unit
    } else {
        match storage.trim().trim_start_matches("::mlir::") {
            "StringAttr" => AttributeKind::Str,
            "BoolAttr" => AttributeKind::Bool,
            "IntegerAttr" => AttributeKind::I64,
            "UnitAttr" => AttributeKind::Unit,
            "FlatSymbolRefAttr" => AttributeKind::Symbol,
            "TypeAttr" => AttributeKind::Type,
            "ArrayAttr" => AttributeKind::Array,
            _ => AttributeKind::Other,
        }
    };
    Attribute { name, optional, kind }
}

/// The files of `mlir-td/` that declare passes or steps of the default pipeline.
fn pass_files(td: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(td)? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        if [": Ppy_Pass<", ": Ppy_Step<", ": Ppy_OptionalStep<"].iter().any(|record| text.contains(record)) {
            files.extend(path.file_name().and_then(|name| name.to_str()).map(String::from));
        }
    }
    files.sort();
    Ok(files)
}

/// Every pass and step declared in `mlir-td/`. Writes `<out>/AllPasses.td`, which includes their files.
pub fn passes(llvm: &Llvm, td: &Path, out: &Path, dialects: &[Dialect]) -> Result<Passes> {
    let files = pass_files(td)?;
    let all = out.join("AllPasses.td");
    let includes: String = files.iter().map(|file| format!("include \"{file}\"\n")).collect();
    write_if_changed(&all, &includes)?;
    let json = dump(llvm, td, &all)?;
    let place = |r: &Value| {
        let file = loc_file(r).and_then(|file| files.iter().position(|f| f == file)).unwrap_or(files.len());
        (file, line(r))
    };
    let mut records: Vec<&Value> = instances(&json, "Ppy_Pass").collect();
    records.sort_by_key(|r| place(r));
    let passes = records.into_iter().map(|record| pass(&json, record, dialects)).collect();
    let mut phases: Vec<&Value> = instances(&json, "Ppy_Phase").collect();
    phases.sort_by_key(|r| r["position"].as_i64());
    let phase = |r: &Value| phases.iter().position(|p| p["!name"] == r["phase"]["def"]);
    let mut steps: Vec<&Value> = instances(&json, "Ppy_Step").collect();
    steps.sort_by_key(|r| (phase(r), r["position"].as_i64(), place(r)));
    let steps = steps
        .into_iter()
        .map(|r| {
            Ok(Step {
                phase: phase(r).ok_or_else(|| format!("the step {} has no phase", text(r, "!name")))?,
                pass: text(r, "pass"),
                anchor: text(r, "anchor"),
                level: r["level"].as_i64().unwrap_or(0),
                optional: flag(r, "optional"),
            })
        })
        .collect::<Result<_>>()?;
    let phases = phases
        .iter()
        .map(|p| Phase { name: text(p, "name"), stage: flag(p, "stage"), summary: text(p, "summary") })
        .collect();
    Ok(Passes { passes, phases, steps })
}

fn pass(json: &Value, record: &Value, dialects: &[Dialect]) -> Pass {
    let list = |field: &str| record[field].as_array().cloned().unwrap_or_default();
    let dialect = loc_file(record).and_then(|file| file.strip_suffix("Passes.td"));
    Pass {
        name: text(record, "!name"),
        argument: text(record, "argument"),
        summary: text(record, "summary"),
        description: text(record, "description"),
        dialect: dialects.iter().find(|d| Some(d.file.as_str()) == dialect).map(|d| d.ppyir.clone()),
        rust: text(record, "rust"),
        anchor: text(record, "anchor"),
        requires: strings(record, "requires"),
        preserves: strings(record, "preserves"),
        settled: text(record, "settled"),
        options: list("options")
            .iter()
            .map(|o| reference(json, o))
            .map(|o| PassOption {
                cpp: text(o, "cppName"),
                argument: text(o, "argument"),
                ty: text(o, "type"),
                list: is_a(o, "ListOption"),
                default: text(o, "defaultValue"),
                description: text(o, "description"),
            })
            .collect(),
        statistics: list("statistics")
            .iter()
            .map(|s| reference(json, s))
            .map(|s| (text(s, "name"), text(s, "description")))
            .collect(),
    }
}
