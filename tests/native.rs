//! Objects, as a C program links and calls them: the stored rows hold on this machine, and under emulation on two
//! others. The C is written by what docs/abi.md says of a function, and compiled by clang.

mod support;

use ppy_mlir::{
    driver::args,
    emit::llvm::{self, Level, Options, Output, Target, symbol_of},
    ppyir::{
        self,
        ast::{Function, Module, Type},
    },
    semantics::{
        FloatType, Scalar, ScalarType,
        value::{Data, Value},
    },
};
use serde_json::Value as Json;
use std::{
    collections::BTreeSet,
    env,
    fmt::{Display, Write},
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use support::{Tally, defines, files, folder, meets, read, rows};

/// A machine, and what runs its programs.
struct Home {
    /// `None` is this one.
    triple: Option<&'static str>,
    emulator: Option<&'static str>,
    /// What its compiler's library lacks.
    library: Option<&'static str>,
}

/// A feature that one stored program demands and no other machine has.
const FEATURE: &str = "no feature 'avx2'";

/// A parameter, or what a result pointer points to.
#[derive(Clone, Copy, PartialEq)]
enum Atom {
    Scalar(ScalarType),
    Vector(ScalarType, u64),
}

impl Atom {
    fn scalar(self) -> ScalarType {
        match self {
            Atom::Scalar(ty) | Atom::Vector(ty, _) => ty,
        }
    }
    fn lanes(self) -> usize {
        match self {
            Atom::Scalar(_) => 1,
            Atom::Vector(_, lanes) => lanes as usize,
        }
    }
    /// Its type in LLVM IR.
    fn ir(self) -> String {
        match self {
            Atom::Vector(ty, lanes) => format!("<{lanes} x {}>", Atom::Scalar(ty).ir()),
            Atom::Scalar(ScalarType::Bool) => "i8".into(),
            Atom::Scalar(ScalarType::Index) => "i64".into(),
            Atom::Scalar(ScalarType::Int(int)) => format!("i{}", int.width),
            Atom::Scalar(ScalarType::Float(FloatType::F16)) => "half".into(),
            Atom::Scalar(ScalarType::Float(FloatType::Bf16)) => "bfloat".into(),
            Atom::Scalar(ScalarType::Pointer) => "ptr".into(),
            Atom::Scalar(ty) => c_type(ty),
        }
    }
}

fn c_type(ty: ScalarType) -> String {
    match ty {
        ScalarType::Bool => "uint8_t".into(),
        ScalarType::Index => "int64_t".into(),
        ScalarType::Int(int) => format!("{}int{}_t", if int.signed { "" } else { "u" }, int.width),
        ScalarType::Float(FloatType::F16) => "f16".into(),
        ScalarType::Float(FloatType::Bf16) => "bf16".into(),
        ScalarType::Float(FloatType::F32) => "float".into(),
        ScalarType::Float(FloatType::F64) => "double".into(),
        ScalarType::Pointer => "pointer".into(),
    }
}

/// The atoms of a type; `None` where it has none.
fn atoms(ty: &Type) -> Option<Vec<Atom>> {
    let all = |types: &mut dyn Iterator<Item = &Type>| {
        let parts: Option<Vec<Vec<Atom>>> = types.map(atoms).collect();
        parts.map(|parts| parts.concat())
    };
    match ty {
        Type::Void => Some(Vec::new()),
        Type::Buffer(_) => Some(vec![Atom::Scalar(ScalarType::Pointer), Atom::Scalar(ScalarType::Index)]),
        Type::Tuple(items) => all(&mut items.iter()),
        Type::Struct(ty) => all(&mut ty.fields.iter().map(|(_, ty)| ty)),
        Type::Array(element, shape) => Some(atoms(element)?.repeat(shape.iter().product::<u64>() as usize)),
        Type::Vector(element, lanes) => Some(vec![Atom::Vector(ScalarType::of(element)?, *lanes)]),
        ty => Some(vec![Atom::Scalar(ScalarType::of(ty)?)]),
    }
}

/// The bytes of scalars in memory.
fn bytes(scalars: &[Scalar]) -> Vec<u8> {
    scalars.iter().flat_map(|one| one.bits.to_le_bytes()[..usize::from(one.ty.size())].to_vec()).collect()
}

fn literal(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.iter().map(|byte| byte.to_string()).collect();
    // Nothing has an address too.
    if words.is_empty() { "{0}".into() } else { format!("{{{}}}", words.join(",")) }
}

/// One call, in C.
struct Call {
    results: Vec<Atom>,
    types: Vec<Type>,
    memory: Vec<Data>,
    code: String,
    prototype: String,
    /// C's vectors are passed in another way than LLVM's: such a function is called through one of LLVM IR, which takes
    /// the addresses of what it passes.
    through: Option<String>,
}

/// An argument in C: its value, and where it is.
struct Passed {
    atom: Atom,
    value: String,
    address: String,
}

impl Passed {
    fn new(ty: ScalarType, value: impl Display) -> Passed {
        Passed { atom: Atom::Scalar(ty), address: format!("&({}){{{value}}}", c_type(ty)), value: value.to_string() }
    }
}

impl Call {
    /// `None` where the signature has a type that is passed nowhere.
    fn new(function: &Function, values: &[Value]) -> Option<Call> {
        let mut call = Call {
            results: atoms(&Type::Tuple(function.results.clone().into()))?,
            types: function.results.clone(),
            memory: Vec::new(),
            code: String::new(),
            prototype: String::new(),
            through: None,
        };
        if call.results.is_empty() {
            call.results.push(Atom::Scalar(ScalarType::Index));
        }
        let mut passed = Vec::new();
        for (param, value) in function.params.iter().zip(values) {
            call.pass(&param.ty, value, &mut passed)?;
        }
        for (index, atom) in call.results.iter().enumerate() {
            let (ty, lanes) = (c_type(atom.scalar()), atom.lanes());
            let _ = writeln!(call.code, "    _Alignas(64) {ty} r{index}[{lanes}];");
            passed.push(Passed::new(ScalarType::Pointer, format!("r{index}")));
        }
        let symbol = symbol_of(function);
        let expression = if passed.iter().any(|one| matches!(one.atom, Atom::Vector(..))) {
            call.through(symbol, &passed);
            let all: Vec<&str> = passed.iter().map(|one| one.address.as_str()).collect();
            format!("through_{symbol}((const void *[]){{{}}})", all.join(", "))
        } else {
            let types: Vec<String> = passed.iter().map(|one| c_type(one.atom.scalar())).collect();
            call.prototype = format!("int32_t {symbol}({});\n", types.join(", "));
            let all: Vec<&str> = passed.iter().map(|one| one.value.as_str()).collect();
            format!("{symbol}({})", all.join(", "))
        };
        let _ = writeln!(call.code, "    printf(\"%d\", {expression});");
        for index in 0..call.results.len() {
            let _ = writeln!(call.code, "    show(r{index}, sizeof r{index});");
        }
        for (index, data) in call.memory.iter().enumerate() {
            let _ = writeln!(call.code, "    show(m{index}, {});", data.bytes.len());
        }
        Some(call)
    }

    /// Adds what stands between the parentheses for an argument.
    fn pass(&mut self, ty: &Type, value: &Value, passed: &mut Vec<Passed>) -> Option<()> {
        match (ty, value) {
            (_, Value::Memory(data)) => {
                let index = self.memory.len();
                let _ = writeln!(self.code, "    static _Alignas(64) uint8_t m{index}[] = {};", literal(&data.bytes));
                passed.push(Passed::new(ScalarType::Pointer, format!("m{index}")));
                if matches!(ty, Type::Buffer(_)) {
                    passed.push(Passed::new(ScalarType::Index, data.len));
                }
                self.memory.push(data.clone());
            }
            (_, Value::Null) => passed.push(Passed::new(ScalarType::Pointer, 0)),
            (Type::Tuple(items), Value::Group(values)) => {
                items.iter().zip(values).try_for_each(|(ty, value)| self.pass(ty, value, passed))?;
            }
            (Type::Struct(ty), Value::Group(values)) => {
                ty.fields.iter().zip(values).try_for_each(|((_, ty), value)| self.pass(ty, value, passed))?;
            }
            (ty, value) => {
                let scalars = value.scalars();
                let mut rest = scalars.as_slice();
                for atom in atoms(ty)? {
                    let (these, after) = rest.split_at_checked(atom.lanes())?;
                    rest = after;
                    let address = format!("a{}", passed.len());
                    let bytes = literal(&bytes(these));
                    let _ = writeln!(self.code, "    static const _Alignas(64) uint8_t {address}[] = {bytes};");
                    let value = format!("*(const {} *){address}", c_type(atom.scalar()));
                    passed.push(Passed { atom, value, address });
                }
            }
        }
        Some(())
    }

    /// Calls a function with what stands at the addresses of a table.
    fn through(&mut self, symbol: &str, passed: &[Passed]) {
        self.prototype = format!("int32_t through_{symbol}(const void *const *);\n");
        let mut text = format!("define i32 @through_{symbol}(ptr %table) {{\n");
        for (index, ty) in passed.iter().map(|one| one.atom.ir()).enumerate() {
            let _ = writeln!(text, "  %at{index} = getelementptr ptr, ptr %table, i64 {index}");
            let _ = writeln!(text, "  %cell{index} = load ptr, ptr %at{index}");
            let _ = writeln!(text, "  %value{index} = load {ty}, ptr %cell{index}, align 1");
        }
        let typed = passed.iter().enumerate().map(|(index, one)| format!("{} %value{index}", one.atom.ir()));
        let _ = writeln!(text, "  %status = call i32 @{symbol}({})", typed.collect::<Vec<_>>().join(", "));
        let types: Vec<String> = passed.iter().map(|one| one.atom.ir()).collect();
        let _ = write!(text, "  ret i32 %status\n}}\ndeclare i32 @{symbol}({})\n", types.join(", "));
        self.through = Some(text);
    }

    /// What the printed line says.
    fn answer(&self, line: &str) -> Option<Json> {
        let mut words = line.split(' ');
        let status: i32 = words.next()?.parse().ok()?;
        let mut unhex = || -> Option<Vec<u8>> {
            let word = words.next()?;
            (0..word.len() / 2).map(|at| u8::from_str_radix(&word[2 * at..2 * at + 2], 16).ok()).collect()
        };
        let mut bits = Vec::new();
        for atom in &self.results {
            let (raw, ty) = (unhex()?, atom.scalar());
            for lane in raw.chunks(usize::from(ty.size())).take(atom.lanes()) {
                let mut word = [0; 8];
                word[..lane.len()].copy_from_slice(lane);
                bits.push(ty.from_memory(u64::from_le_bytes(word)));
            }
        }
        let mut rest = bits.as_slice();
        let results: Vec<Value> = match status {
            0 => self.types.iter().map(|ty| Value::unflatten(ty, &mut rest)).collect::<Option<_>>()?,
            _ => Vec::new(),
        };
        let memory = self.memory.iter().map(|data| Some(Data { bytes: unhex()?, ..data.clone() }));
        let memory = memory.collect::<Option<Vec<Data>>>()?;
        serde_json::from_str(&args::render(status, &results, &memory)).ok()
    }
}

/// The C program that makes calls, each a line of its output.
fn program(calls: &[Call]) -> String {
    let mut text = String::from(
        "#include <stdint.h>\n#include <stdio.h>\ntypedef _Float16 f16;\ntypedef __bf16 bf16;\ntypedef void *pointer;\n\
         static void show(const void *at, int size) {\n  const uint8_t *bytes = at;\n  printf(\" \");\n  \
         for (int i = 0; i < size; ++i)\n    printf(\"%02x\", bytes[i]);\n}\n",
    );
    text.extend(calls.iter().map(|call| call.prototype.clone()).collect::<BTreeSet<String>>());
    text += "int main(void) {\n";
    for call in calls {
        let _ = write!(text, "  {{\n{}    printf(\"\\n\");\n    fflush(stdout);\n  }}\n", call.code);
    }
    text + "}\n"
}

fn clang() -> PathBuf {
    Path::new(&env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into())).join("bin/clang")
}

impl Home {
    /// The lines of a program of one object.
    fn run(&self, scratch: &Path, object: &[u8], calls: &[Call]) -> Result<String, String> {
        let at = |name: &str| scratch.join(name);
        fs::write(at("unit.o"), object).map_err(|e| e.to_string())?;
        fs::write(at("main.c"), program(calls)).map_err(|e| e.to_string())?;
        let through: BTreeSet<&str> = calls.iter().filter_map(|call| call.through.as_deref()).collect();
        fs::write(at("through.ll"), through.into_iter().collect::<String>()).map_err(|e| e.to_string())?;
        let mut compile = Command::new(clang());
        if let Some(triple) = self.triple {
            compile.arg(format!("--target={triple}"));
        }
        // Functions that no row reaches may need a runtime that is not here.
        compile
            .args(["-static", "-std=c11", "-O1", "-w", "-Wl,--unresolved-symbols=ignore-all"])
            .args([at("main.c"), at("through.ll"), at("unit.o")])
            .args(self.library.map(folder))
            .args(["-lm", "-lpthread", "-o"]);
        done(compile.arg(at("main")))?;
        match self.emulator {
            Some(emulator) => done(Command::new(emulator).arg(at("main"))),
            None => done(&mut Command::new(at("main"))),
        }
    }

    /// Every row, in the first file that it holds for.
    fn check(&self, what: &str) {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(self.triple.unwrap_or("host"));
        fs::create_dir_all(&scratch).expect("a writable target folder");
        let target = Target { triple: self.triple.map(str::to_owned), ..Target::default() };
        let options = Options { target, ..Options::at(Level::O2) };
        let mut tally = Tally::default();
        for expectations in [folder("exec"), folder("../examples")].iter().flat_map(|root| files(root, "json")) {
            if !expectations.ends_with("expect.json") {
                continue;
            }
            let home = expectations.parent().expect("a file has a folder");
            let mut waiting = rows(&expectations);
            waiting.retain(|row| row.get("needs_runtime").is_none());
            for path in files(home, "ppyir") {
                let name = path.strip_prefix(home).expect("below").to_string_lossy().into_owned();
                if name.ends_with(".reprint.ppyir") {
                    continue;
                }
                for tree in read(&path) {
                    let here = |row: &Json| {
                        row["files"].as_array().is_none_or(|chosen| chosen.iter().any(|c| *c == *name))
                            && row["func"].as_str().is_some_and(|symbol| defines(&tree, symbol))
                    };
                    let (mine, others) = waiting.into_iter().partition(here);
                    waiting = others;
                    if !mine.is_empty() {
                        self.module(&scratch, &options, &path, &tree, mine, &mut tally);
                    }
                }
            }
            tally.failed.extend(waiting.iter().map(|row| format!("{}: no file for {row}", expectations.display())));
        }
        tally.finish(what);
    }

    fn module(
        &self,
        scratch: &Path,
        options: &Options,
        path: &Path,
        tree: &Module,
        rows: Vec<Json>,
        tally: &mut Tally,
    ) {
        let object = object(tree, options);
        let mut calls = Vec::new();
        for row in rows {
            let function = args::function(std::slice::from_ref(tree), row["func"].as_str().unwrap_or_default());
            let (_, function) = function.unwrap_or_else(|e| panic!("{e}"));
            let values = args::arguments(function, &row["args"].to_string()).unwrap_or_else(|e| panic!("{e}"));
            match Call::new(function, &values) {
                _ if function.private => tally.wait("a private function is not in the object".into()),
                None => tally.wait("a type that C has not".into()),
                Some(call) => calls.push((call, row)),
            }
        }
        let (calls, rows): (Vec<Call>, Vec<Json>) = calls.into_iter().unzip();
        let lines = object.and_then(|object| self.run(scratch, &object, &calls));
        let lines = match lines {
            Ok(lines) => lines,
            Err(why) if self.triple.is_some() && why.contains(FEATURE) => {
                return rows.iter().for_each(|_| tally.wait("instructions of another machine".into()));
            }
            Err(why) => return tally.failed.push(format!("{}: {why}", path.display())),
        };
        let mut lines = lines.lines();
        for (call, row) in calls.iter().zip(rows) {
            match lines.next().and_then(|line| call.answer(line)) {
                Some(answer) if meets(&row, &answer) => tally.passed += 1,
                answer => tally.failed.push(format!("{}: {answer:?} for {row}", path.display())),
            }
        }
    }
}

fn done(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(format!("{command:?}: {}\n{}", done.status, String::from_utf8_lossy(&done.stderr))),
    }
}

fn object(tree: &Module, options: &Options) -> Result<Vec<u8>, String> {
    let context = ppy_mlir::context();
    let mut module = ppyir::build(&context, tree).map_err(|errors| errors.join("\n"))?;
    llvm::emit(&mut module, options, Output::Object).map_err(|error| error.to_string())
}

#[test]
fn rows_hold_in_objects_of_this_machine() {
    Home { triple: None, emulator: None, library: None }.check("objects of this machine");
}

#[test]
fn rows_hold_in_objects_of_aarch64() {
    Home { triple: Some("aarch64-linux-gnu"), emulator: Some("qemu-aarch64"), library: None }.check("AArch64");
}

#[test]
fn rows_hold_in_objects_of_riscv() {
    let library = Some("native/half.c");
    Home { triple: Some("riscv64-linux-gnu"), emulator: Some("qemu-riscv64"), library }.check("RISC-V");
}
