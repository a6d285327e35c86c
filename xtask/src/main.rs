//! Scaffolds: `./x new-op core frobnicate`, `./x new-dialect simd`, `./x new-pass merge-guards`.
//!
//! Each makes every place that is needed, so that none is remembered, and leaves the summaries empty: the completeness
//! test names what is to be filled in. A file that exists is never overwritten.

mod templates;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["new-op", dialect, name] => new_op(&root, dialect, name),
        ["new-dialect", name] => new_dialect(&root, name),
        ["new-pass", name] => new_pass(&root, name, None),
        ["new-pass", name, dialect] => new_pass(&root, name, Some(dialect)),
        [] | [.., "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("the scaffolds are\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "./x new-op DIALECT NAME\n./x new-dialect NAME\n./x new-pass NAME [DIALECT]";

/// What cannot name a Rust function or module, or a C++ namespace.
const KEYWORDS: &str = "abstract alignas alignof and as asm async auto await become bool box break case catch char \
    class concept const continue crate decltype default delete do double dyn else enum explicit export extern false \
    final float fn for friend gen goto if impl in inline int let long loop macro match mod move mut mutable namespace \
    new noexcept not operator or override priv private protected pub public ref register requires return self short \
    signed sizeof static struct super switch template this thread throw trait true try type typedef typename typeof \
    union unsafe unsigned unsized use using virtual void volatile where while xor yield";

/// Lower-case words with `separator` between them, no keyword.
fn checked(name: &str, separator: char) -> Result<()> {
    if KEYWORDS.split_whitespace().any(|keyword| keyword == name) {
        return Err(format!("'{name}' is a keyword of Rust or C++, and functions and namespaces get the name"));
    }
    let word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_lowercase())
            && w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    match name.split(separator).all(word) {
        true => Ok(()),
        false => Err(format!("'{name}' is no name here: lower-case words with '{separator}' between them")),
    }
}

/// `hoist_guards` and `hoist-guards` as `HoistGuards`.
fn camel(name: &str) -> String {
    let capital =
        |w: &str| w.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(w.chars().skip(1)).collect::<String>();
    name.split(['_', '-']).map(capital).collect()
}

fn create(root: &Path, path: &str, text: &str) -> Result<()> {
    let full = root.join(path);
    if full.exists() {
        return Err(format!("{path} exists"));
    }
    let folder = full.parent().ok_or("a path without a folder")?;
    fs::create_dir_all(folder).and_then(|()| fs::write(&full, text)).map_err(|e| format!("{path}: {e}"))?;
    println!("created {path}");
    Ok(())
}

/// Puts `text` before the first `anchor` after `start`.
fn insert(root: &Path, path: &str, start: &str, anchor: &str, text: &str) -> Result<()> {
    let full = root.join(path);
    let old = fs::read_to_string(&full).map_err(|e| format!("{path}: {e}"))?;
    let from = old.find(start).ok_or_else(|| format!("{path} has no '{start}'"))?;
    let at = old[from..].find(anchor).ok_or_else(|| format!("{path} has no '{anchor}' after '{start}'"))? + from;
    let new = format!("{}{text}{}", &old[..at], &old[at..]);
    fs::write(&full, new).map_err(|e| format!("{path}: {e}"))?;
    println!("edited  {path}");
    Ok(())
}

fn new_op(root: &Path, dialect: &str, name: &str) -> Result<()> {
    checked(dialect, '_')?;
    checked(name, '_')?;
    let class = camel(dialect);
    let td = [format!("mlir-td/{class}Ops.td"), format!("mlir-td/{class}.td")]
        .into_iter()
        .find(|path| root.join(path).exists())
        .ok_or_else(|| format!("there is no mlir-td/{class}.td; ./x new-dialect {dialect} makes it"))?;
    let declared = fs::read_to_string(root.join(&td)).map_err(|e| format!("{td}: {e}"))?;
    let record = format!("def {class}_{}Op", camel(name));
    if declared.lines().any(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ") == record) {
        return Err(format!("{td} declares '{}.{name}' already", dialect));
    }
    let fill = |template: &str| {
        let own = if dialect == "core" { String::new() } else { format!("dialect {dialect} 1\n") };
        let values = [
            ("dialects", format!("dialect core 1\n{own}")),
            ("dialect", dialect.to_owned()),
            ("Dialect", class.clone()),
            ("name", name.to_owned()),
            ("Name", camel(name)),
        ];
        templates::fill(template, &values.each_ref().map(|(key, value)| (*key, value.as_str())))
    };
    insert(root, &td, "#ifndef", "#endif", &fill(templates::OP_TD))?;
    let folder = format!("dialects/{dialect}");
    insert(root, &format!("{folder}/interp.rs"), "pub const RULES", "];", &fill(templates::OP_RULE_ROW))?;
    append(root, &format!("{folder}/interp.rs"), &fill(templates::OP_RULE))?;
    insert(root, &format!("{folder}/lower.rs"), "pub fn to_llvm", "\n}\n", &fill(templates::OP_LOWERING_ROW))?;
    append(root, &format!("{folder}/lower.rs"), &fill(templates::OP_LOWERING))?;
    create(root, &format!("tests/lit/{dialect}/ops/{name}.mlir"), &fill(templates::OP_LIT))?;
    create(root, &format!("tests/lit/{dialect}/ops/{name}.ppyir"), &fill(templates::OP_LIT_PPYIR))?;
    create(root, &format!("tests/exec/hand/{dialect}_{name}/{name}.ppyir"), &fill(templates::OP_EXEC))?;
    create(root, &format!("tests/exec/hand/{dialect}_{name}/expect.json"), &fill(templates::OP_EXPECT))?;
    println!(
        "next: say what it is in {td}, what it does in {folder}, then ./x bless and cargo test --test completeness"
    );
    Ok(())
}

fn append(root: &Path, path: &str, text: &str) -> Result<()> {
    let full = root.join(path);
    let old = fs::read_to_string(&full).map_err(|e| format!("{path}: {e}"))?;
    fs::write(&full, old + text).map_err(|e| format!("{path}: {e}"))?;
    println!("edited  {path}");
    Ok(())
}

fn new_dialect(root: &Path, name: &str) -> Result<()> {
    checked(name, '_')?;
    let class = camel(name);
    let fill = |template: &str| templates::fill(template, &[("dialect", name), ("Dialect", &class)]);
    create(root, &format!("mlir-td/{class}.td"), &fill(templates::DIALECT_TD))?;
    for (file, template) in templates::DIALECT_RUST {
        create(root, &format!("dialects/{name}/{file}"), &fill(template))?;
    }
    println!("next: say what it is in mlir-td/{class}.td, then ./x new-op {name} NAME");
    Ok(())
}

/// The passes and options that a stock `mlir-opt` knows; none where there is no `mlir-opt`.
fn upstream_passes() -> Vec<String> {
    let prefix = env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let help = Command::new(Path::new(&prefix).join("bin/mlir-opt")).arg("--help").output();
    let help = help.map(|output| output.stdout).unwrap_or_default();
    let option = |line: &str| Some(line.trim_start().strip_prefix("--")?.split([' ', '=']).next()?.to_owned());
    String::from_utf8_lossy(&help).lines().filter_map(option).collect()
}

/// A pass over any dialect, or one of a dialect's own.
fn new_pass(root: &Path, name: &str, dialect: Option<&str>) -> Result<()> {
    checked(name, '-')?;
    let module = name.replace('-', "_");
    let class = camel(name);
    let (path, folder, tests) = match dialect {
        None => ("mlir-td/Passes.td".to_owned(), "src/passes".to_owned(), "tests/lit/passes".to_owned()),
        Some(dialect) => {
            checked(dialect, '_')?;
            if !root.join(format!("mlir-td/{}.td", camel(dialect))).exists() {
                return Err(format!("there is no dialect '{dialect}'; ./x new-dialect {dialect} makes it"));
            }
            let path = format!("mlir-td/{}Passes.td", camel(dialect));
            if !root.join(&path).exists() {
                let values = [("dialect", dialect), ("Dialect", &camel(dialect))];
                create(root, &path, &templates::fill(templates::DIALECT_PASSES_TD, &values))?;
            }
            (path, format!("dialects/{dialect}"), format!("tests/lit/{dialect}/passes"))
        }
    };
    let declared = fs::read_to_string(root.join(&path)).map_err(|e| format!("{path}: {e}"))?;
    if declared.contains(&format!("\"{name}\"")) {
        return Err(format!("{path} declares '--{name}' already"));
    }
    if upstream_passes().iter().any(|upstream| upstream == name) {
        return Err(format!("'--{name}' is a pass of MLIR itself; implement the interface that it needs"));
    }
    let fill = |template: &str| templates::fill(template, &[("name", name), ("module", &module), ("Name", &class)]);
    create(root, &format!("{folder}/{module}.rs"), &fill(templates::PASS))?;
    append(root, &path, &fill(templates::PASS_TD))?;
    if dialect.is_none() {
        insert(root, "src/passes/mod.rs", "pub mod", "pub mod", &format!("pub mod {module};\n"))?;
    }
    create(root, &format!("{tests}/{name}.mlir"), &fill(templates::PASS_LIT))?;
    println!("next: say what it does in {path}, do it in {folder}/{module}.rs, then ./x bless");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(camel("hoist-guards"), "HoistGuards");
        assert_eq!(camel("ptr_offset"), "PtrOffset");
        assert!(checked("ptr_offset", '_').is_ok());
        for bad in ["", "Ptr", "ptr-offset", "1x", "a__b", "../x", "fn", "self", "namespace"] {
            assert!(checked(bad, '_').is_err(), "{bad}");
        }
    }

    /// The scaffolds in a copy of the files they edit. That what they make builds is for whoever runs one to see at
    /// once.
    #[test]
    fn scaffolds_make_every_place() {
        let root = env::temp_dir().join(format!("ppy-xtask-{}", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let core = ["mlir-td/CoreOps.td", "dialects/core/interp.rs", "dialects/core/lower.rs"];
        for file in ["mlir-td/Passes.td", "src/passes/mod.rs"].iter().chain(&core) {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::copy(source.join(file), root.join(file)).unwrap();
        }
        new_dialect(&root, "demo").unwrap();
        assert!(new_dialect(&root, "demo").is_err(), "nothing is overwritten");
        new_op(&root, "demo", "twice").unwrap();
        assert!(new_op(&root, "demo", "twice").is_err(), "nothing is declared twice");
        new_op(&root, "demo", "half").unwrap();
        new_pass(&root, "find-demos", None).unwrap();
        new_pass(&root, "lower-demo", Some("demo")).unwrap();
        new_pass(&root, "fuse-demo", Some("demo")).unwrap();
        assert!(new_pass(&root, "lower-demo", Some("demo")).is_err(), "nothing is declared twice");
        assert!(new_pass(&root, "lower-nowhere", Some("nowhere")).is_err());
        assert!(new_pass(&root, "cse", None).is_err(), "upstream has it");
        assert!(new_op(&root, "nowhere", "x").is_err());
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        new_op(&root, "core", "frobnicate").unwrap();
        let program = read("tests/exec/hand/core_frobnicate/frobnicate.ppyir");
        assert_eq!(program.matches("dialect ").count(), 1, "core is listed once");
        assert!(read("mlir-td/Demo.td").contains("def Demo_TwiceOp"));
        assert!(read("dialects/demo/interp.rs").contains("(\"demo.half\", half),"));
        assert!(read("dialects/demo/lower.rs").contains("patterns.add(\"ppy_demo.twice\", twice);"));
        assert!(read("tests/lit/demo/ops/twice.mlir").contains("ppy_demo.twice"));
        assert!(read("mlir-td/Passes.td").contains("def FindDemos : Ppy_Pass<\"find-demos\""));
        assert!(read("mlir-td/DemoPasses.td").contains("def FuseDemo : Ppy_Pass<\"fuse-demo\""));
        assert!(root.join("dialects/demo/lower_demo.rs").exists());
        assert!(read("src/passes/mod.rs").contains("pub mod find_demos;"));
        fs::remove_dir_all(root).unwrap();
    }
}
