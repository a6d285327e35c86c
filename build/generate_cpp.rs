//! The C++ that the records imply: one translation unit per dialect, and one for the passes.

use crate::records::{Dialect, Parameter, Pass, TypeDef};
use std::{
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Writes only what changed, so that the compiler's own caching keeps working.
pub fn write_if_changed(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text)?;
    }
    Ok(())
}

fn camel(name: &str) -> String {
    name.split('_').map(|w| w[..1].to_uppercase() + &w[1..]).collect()
}

/// The C++ class of the dialect with this `.ppyir` name.
fn class_of(dialect: &str) -> String {
    format!("::ppy::{dialect}::{}Dialect", camel(dialect))
}

/// `include/<dialect>/dialect.h` and the unit that defines the dialect; answers the unit's path.
pub fn dialect(out: &Path, folder: &Path, d: &Dialect) -> Result<PathBuf> {
    let dir = &d.ppyir;
    let mut header =
        format!("#ifndef PPY_{0}_DIALECT_H\n#define PPY_{0}_DIALECT_H\n#include \"ppy.h\"\n", dir.to_uppercase());
    for used in &d.uses {
        writeln!(header, "#include \"{used}/dialect.h\"")?;
    }
    if folder.join("interfaces.h").exists() {
        writeln!(header, "#include \"{}\"", folder.join("interfaces.h").display())?;
    }
    let enums = !d.enums.is_empty();
    let (types, attributes) = (!d.types.is_empty(), !d.attributes.is_empty());
    if enums {
        writeln!(header, "#include \"{dir}/enums.h.inc\"")?;
    }
    writeln!(header, "#include \"{dir}/dialect.h.inc\"")?;
    if types {
        writeln!(header, "#define GET_TYPEDEF_CLASSES\n#include \"{dir}/types.h.inc\"")?;
    }
    if attributes {
        writeln!(header, "#define GET_ATTRDEF_CLASSES\n#include \"{dir}/attributes.h.inc\"")?;
    }
    // Between the types and the ops: what the ops' constraints and generated bodies call.
    if folder.join("helpers.h").exists() {
        writeln!(header, "#include \"{}\"", folder.join("helpers.h").display())?;
    }
    writeln!(header, "#define GET_OP_CLASSES\n#include \"{dir}/ops.h.inc\"\n#endif")?;
    write_if_changed(&out.join("include").join(dir).join("dialect.h"), &header)?;

    let class = format!("{}Dialect", camel(dir));
    let mut unit = format!("#include \"{dir}/dialect.h\"\nusing namespace mlir;\nusing namespace ppy::{dir};\n");
    writeln!(unit, "namespace ppy::{dir} {{ void registerInterfaces({class} *dialect); }}")?;
    writeln!(unit, "#include \"{dir}/dialect.cpp.inc\"")?;
    if enums {
        writeln!(unit, "#include \"{dir}/enums.cpp.inc\"")?;
    }
    if types {
        writeln!(unit, "#define GET_TYPEDEF_CLASSES\n#include \"{dir}/types.cpp.inc\"")?;
    }
    if attributes {
        writeln!(unit, "#define GET_ATTRDEF_CLASSES\n#include \"{dir}/attributes.cpp.inc\"")?;
    }
    writeln!(unit, "#define GET_OP_CLASSES\n#include \"{dir}/ops.cpp.inc\"\n\nvoid {class}::initialize() {{")?;
    for used in &d.uses {
        writeln!(unit, "  getContext()->getOrLoadDialect<{}>();", class_of(used))?;
    }
    if types {
        writeln!(unit, "  addTypes<\n#define GET_TYPEDEF_LIST\n#include \"{dir}/types.cpp.inc\"\n      >();")?;
    }
    if attributes {
        writeln!(
            unit,
            "  addAttributes<\n#define GET_ATTRDEF_LIST\n#include \"{dir}/attributes.cpp.inc\"\n      >();"
        )?;
    }
    writeln!(unit, "  addOperations<\n#define GET_OP_LIST\n#include \"{dir}/ops.cpp.inc\"\n      >();")?;
    writeln!(unit, "  addInterface(std::make_unique<ppy::BytecodeVersionInterface>(this, {}));", d.version)?;
    let hooks = folder.join("hooks.cpp");
    if hooks.exists() {
        writeln!(unit, "  ppy::{dir}::registerInterfaces(this);")?;
    }
    // The dialect's own one stays.
    writeln!(unit, "  addInterface(std::make_unique<ppy::Inlinable>(this));")?;
    writeln!(unit, "}}")?;
    for t in &d.types {
        type_api(&mut unit, d, t)?;
    }
    writeln!(
        unit,
        "extern \"C\" void {}_register(MlirDialectRegistry registry) {{ unwrap(registry)->insert<{class}>(); }}",
        d.name
    )?;
    if hooks.exists() {
        println!("cargo:rerun-if-changed={}", hooks.display());
        writeln!(unit, "#include \"{}\"", hooks.display())?;
    }
    let path = out.join(format!("{dir}_dialect.cpp"));
    write_if_changed(&path, &unit)?;
    Ok(path)
}

/// C accessors of a type, which the generated Rust wrappers call, and the forwarder of its verifier.
fn type_api(unit: &mut String, d: &Dialect, t: &TypeDef) -> Result<()> {
    let class = format!("::ppy::{}::{}Type", d.ppyir, t.name);
    let stem = format!("{}_type_{}", d.name, t.mnemonic);
    let getter = |name: &str| format!("get{}", camel(name));
    let (mut declared, mut made) = (Vec::new(), Vec::new());
    writeln!(unit, "extern \"C\" bool {stem}_is(MlirType type) {{ return isa<{class}>(unwrap(type)); }}")?;
    let mut prelude = String::new();
    for (name, ty) in &t.parameters {
        let get = getter(name);
        match ty {
            Parameter::Type => {
                declared.push(format!("MlirType {name}"));
                made.push(format!("unwrap({name})"));
                writeln!(
                    unit,
                    "extern \"C\" MlirType {stem}_{name}(MlirType type) {{ return wrap(cast<{class}>(unwrap(type)).{get}()); }}"
                )?;
            }
            Parameter::Bool | Parameter::Int => {
                let c = if *ty == Parameter::Bool { "bool" } else { "int64_t" };
                declared.push(format!("{c} {name}"));
                made.push(name.clone());
                writeln!(
                    unit,
                    "extern \"C\" {c} {stem}_{name}(MlirType type) {{ return cast<{class}>(unwrap(type)).{get}(); }}"
                )?;
            }
            Parameter::Str => {
                declared.push(format!("MlirStringRef {name}"));
                made.push(format!("unwrap({name})"));
                writeln!(
                    unit,
                    "extern \"C\" MlirStringRef {stem}_{name}(MlirType type) {{ return wrap(cast<{class}>(unwrap(type)).{get}()); }}"
                )?;
            }
            Parameter::Types | Parameter::Strs | Parameter::Ints => {
                let (element, c, wrap, unwrap) = match ty {
                    Parameter::Types => ("Type", "MlirType", "wrap", format!("unwrap({name}[i])")),
                    Parameter::Strs => (
                        "StringAttr",
                        "MlirStringRef",
                        "",
                        format!("StringAttr::get(unwrap(context), unwrap({name}[i]))"),
                    ),
                    _ => ("int64_t", "int64_t", "", format!("{name}[i]")),
                };
                declared.push(format!("intptr_t {name}Count, const {c} *{name}"));
                writeln!(
                    prelude,
                    "  SmallVector<{element}> {name}List;\n  for (intptr_t i = 0; i < {name}Count; ++i)\n    {name}List.push_back({unwrap});"
                )?;
                made.push(format!("{name}List"));
                let item = format!("cast<{class}>(unwrap(type)).{get}()[i]");
                let item = if *ty == Parameter::Strs {
                    format!("::wrap({item}.getValue())")
                } else {
                    format!("{wrap}({item})")
                };
                writeln!(
                    unit,
                    "extern \"C\" intptr_t {stem}_{name}_count(MlirType type) {{ return cast<{class}>(unwrap(type)).{get}().size(); }}"
                )?;
                writeln!(unit, "extern \"C\" {c} {stem}_{name}_at(MlirType type, intptr_t i) {{ return {item}; }}")?;
            }
        }
    }
    let comma = if declared.is_empty() { "" } else { ", " };
    let arguments = made.iter().map(|m| format!(", {m}")).collect::<String>();
    let get = if t.verified { "getChecked" } else { "get" };
    let emit = if t.verified { "[&] { return emitError(UnknownLoc::get(unwrap(context))); }, " } else { "" };
    writeln!(
        unit,
        "extern \"C\" MlirType {stem}_get(MlirContext context{comma}{}) {{\n{prelude}  return wrap(Type({class}::{get}({emit}unwrap(context){arguments})));\n}}",
        declared.join(", ")
    )?;
    Ok(())
}

/// The passes' translation unit: each pass copies its options into a struct and calls Rust.
pub fn passes(out: &Path, dialects: &[Dialect], passes: &[Pass]) -> Result<PathBuf> {
    let mut unit =
        String::from("#include \"analysis.h\"\n#include \"passes.h\"\n#include \"mlir/Pass/PassRegistry.h\"\n");
    for d in dialects {
        writeln!(unit, "#include \"{}/dialect.h\"", d.ppyir)?;
    }
    unit.push_str("using namespace mlir;\nnamespace ppy {\n#define GEN_PASS_DECL\n#include \"passes.h.inc\"\n");
    for p in passes {
        writeln!(unit, "#define GEN_PASS_DEF_{}", p.name.to_uppercase())?;
    }
    unit.push_str("#include \"passes.h.inc\"\n} // namespace ppy\n");
    let all: Vec<_> = dialects.iter().map(|d| class_of(&d.ppyir)).collect();
    writeln!(
        unit,
        "static void insertPpyDialects(DialectRegistry &registry) {{ registry.insert<{}>(); }}",
        all.join(", ")
    )?;
    for p in passes {
        let mut fields = String::new();
        let mut values = Vec::new();
        let mut prelude = String::new();
        for o in &p.options {
            let name = &o.cpp;
            if o.list {
                writeln!(fields, "  intptr_t {name}Count;\n  const MlirStringRef *{name};")?;
                writeln!(
                    prelude,
                    "    SmallVector<MlirStringRef> {name}List;\n    for (auto &item : {name})\n      {name}List.push_back(wrap(StringRef(item)));"
                )?;
                values.push(format!("(intptr_t){name}List.size(), {name}List.data()"));
            } else {
                match o.ty.as_str() {
                    "std::string" => {
                        writeln!(fields, "  MlirStringRef {name};")?;
                        values.push(format!("wrap(StringRef({name}.getValue()))"));
                    }
                    "bool" => {
                        writeln!(fields, "  bool {name};")?;
                        values.push(format!("{name}.getValue()"));
                    }
                    "int64_t" => {
                        writeln!(fields, "  int64_t {name};")?;
                        values.push(format!("{name}.getValue()"));
                    }
                    other => {
                        return Err(format!(
                            "pass {}: option {name} has type {other}; use bool, int64_t or std::string",
                            p.argument
                        )
                        .into());
                    }
                }
            }
        }
        let count = p.statistics.len();
        let (class, ident) = (&p.name, p.ident());
        let preserved = match p.preserves.as_slice() {
            [] => String::new(),
            kept => format!("      markAnalysesPreserved<{}>();\n", kept.join(", ")),
        };
        let settled = match p.settled.as_str() {
            "" => String::new(),
            name => format!(
                "    if (getCachedAnalysis<{name}>()) {{\n      markAllAnalysesPreserved();\n      return;\n    }}\n"
            ),
        };
        let mut analyses = String::new();
        for (i, name) in p.requires.iter().enumerate() {
            writeln!(
                analyses,
                "    ppy::countStatistic(getCachedAnalysis<{name}>() ? \"analyses-kept\" : \"analyses-computed\", 1);\n    \
                 analyses[{i}] = &getAnalysis<{name}>();"
            )?;
        }
        writeln!(
            unit,
            "extern \"C\" {{\nstruct Ppy{class}Options {{\n{fields}}};\nuint8_t ppy_pass_{ident}(MlirOperation, const Ppy{class}Options *, const void *const *analyses, uint64_t *statistics);\n}}\n\
             namespace {{\nstruct {class}Pass final : ppy::impl::{class}Base<{class}Pass> {{\n  using {class}Base::{class}Base;\n  \
             void getDependentDialects(DialectRegistry &registry) const override {{\n    {class}Base::getDependentDialects(registry);\n    \
             insertPpyDialects(registry);\n  }}\n  void runOnOperation() override {{\n{settled}{prelude}    \
             Ppy{class}Options options{{{}}};\n    uint64_t counts[{}] = {{}};\n    const void *analyses[{}] = {{}};\n{analyses}    \
             switch (ppy_pass_{ident}(wrap(static_cast<Operation *>(getOperation())), &options, analyses, counts)) {{\n    \
             case 0:\n      signalPassFailure();\n      break;\n    case 2:\n      markAllAnalysesPreserved();\n      break;\n    default:\n{preserved}      break;\n    }}\n",
            values.join(", "),
            count.max(1),
            p.requires.len().max(1)
        )?;
        for (i, (name, _)) in p.statistics.iter().enumerate() {
            writeln!(unit, "    ppy::countStatistic({name:?}, counts[{i}]);")?;
        }
        unit.push_str("  }\n};\n} // namespace\n");
    }
    unit.push_str(
        "namespace ppy {\n#define GEN_PASS_REGISTRATION\n#include \"passes.h.inc\"\n} // namespace ppy\n\
         extern \"C\" void ppy_register_passes() { ppy::registerPpyPasses(); }\n",
    );
    for p in passes {
        writeln!(
            unit,
            "extern \"C\" MlirPass ppy_create_pass_{}() {{ return wrap(ppy::create{}().release()); }}",
            p.ident(),
            p.name
        )?;
    }
    let path = out.join("passes.cpp");
    write_if_changed(&path, &unit)?;
    Ok(path)
}
