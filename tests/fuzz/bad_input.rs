//! Bad files by hand, given to the tool itself: a clear error and exit status 1, in bounded time, whatever it is.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The slowest answer; the tool runs unoptimized here, and the largest file has 100 MB.
const LIMIT: Duration = Duration::from_secs(60);

/// As deep as a file may well be that somebody wrote to break us.
const DEEP: usize = 10_000;

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad");
    std::fs::create_dir_all(&folder).expect("a folder for bad files");
    folder.join(name)
}

/// The exit status and the errors of `ppy-opt` on a file.
fn opt(path: &Path, arguments: &[&str]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ppy-opt"))
        .arg(path)
        .args(arguments)
        .args(["-o", "/dev/null"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ppy-opt");
    let mut stderr = child.stderr.take().expect("a pipe");
    let words = std::thread::spawn(move || {
        let mut words = Vec::new();
        let _ = stderr.read_to_end(&mut words);
        String::from_utf8_lossy(&words).into_owned()
    });
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if begin.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("{}: no answer after {LIMIT:?}", path.display());
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let words = words.join().unwrap_or_default();
    let code = status.code().unwrap_or_else(|| panic!("{}: {status}\n{words}", path.display()));
    (code, words)
}

/// The file is refused in words; a huge line is not repeated in them.
fn refused(name: &str, content: impl AsRef<[u8]>) {
    let path = place(name);
    std::fs::write(&path, content).expect("a file");
    let (code, words) = opt(&path, &[]);
    let shown: String = words.chars().take(600).collect();
    assert_eq!(code, 1, "{name}: {shown}");
    assert!(words.contains("error"), "{name} says no error: {shown}");
    assert!(words.len() < 100_000, "{name}: {} bytes of errors: {shown}", words.len());
    let _ = std::fs::remove_file(path);
}

fn accepted(name: &str, content: impl AsRef<[u8]>) {
    let path = place(name);
    std::fs::write(&path, content).expect("a file");
    let (code, words) = opt(&path, &["--canonicalize"]);
    assert_eq!(code, 0, "{name}: {}", words.chars().take(600).collect::<String>());
    let _ = std::fs::remove_file(path);
}

const HEAD: &str = "ppyir 1\nmodule @m\ndialect core 1\n\n";

fn function(line: &str) -> String {
    format!("{HEAD}func @f(%x: i64) -> i64 {{\n^entry:\n    {line}\n    core.ret %x\n}}\n")
}

fn deep(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
}

#[test]
fn deep_ppyir_is_refused() {
    for (open, close) in [
        ("ptr<", ">"),
        ("buffer<", ">"),
        ("tuple<", ">"),
        ("future<", ">"),
        ("struct<A, x: ", ">"),
        ("vector<", ", 2>"),
    ] {
        let ty = deep(open, "i64", close);
        refused("type.ppyir", format!("{HEAD}extern func @f({ty}) -> i64\n"));
        refused("result.ppyir", function(&format!("%y = core.alloca : {ty}")));
        refused("open_type.ppyir", format!("{HEAD}extern func @f({}", open.repeat(DEEP)));
    }
    for (open, middle, close) in [("[", "1", "]"), ("{a = ", "1", "}"), ("[{a = ", "1", "}]")] {
        refused("attribute.ppyir", function(&format!("core.guard %x {{kind = {}}}", deep(open, middle, close))));
        refused("module.ppyir", format!("ppyir 1\nmodule @m\nattrs {{a = {}}}\n", deep(open, middle, close)));
    }
    let region = deep("core.guard %x {\n^b:\n", "core.ret %x\n", "}\n");
    refused("region.ppyir", function(&region));
    refused("open_region.ppyir", function(&"core.guard %x {\n^b:\n".repeat(DEEP)));
}

#[test]
fn deep_mlir_is_refused() {
    refused("regions.mlir", deep("module {\n", "", "}\n"));
    refused("generic.mlir", deep("\"builtin.module\"() ({\n", "", "}) : () -> ()\n"));
    for (open, middle, close) in [
        ("tuple<", "i64", ">"),
        ("!ppy_core.ptr<", "i64", ">"),
        ("!ppy_core.buffer<", "i64", ">"),
        ("!ppy_core.struct<\"A\", x: ", "i64", ">"),
        ("complex<", "f32", ">"),
        ("(", "", ") -> ()"),
    ] {
        refused("types.mlir", format!("module attributes {{a = {}}} {{}}", deep(open, middle, close)));
    }
    for (open, middle, close) in [
        ("[", "1", "]"),
        ("{a = ", "1", "}"),
        ("loc(fused[", "unknown", "])"),
        ("#ppy_core<", "null", ">"),
        ("affine_map<(d0) -> (", "d0", ")>"),
        ("dense<[", "1", "]>"),
    ] {
        refused("attributes.mlir", format!("module attributes {{a = {}}} {{}}", deep(open, middle, close)));
    }
    let sum = format!("affine_map<(d0) -> ({})>", deep("(", "d0", ")"));
    refused("map.mlir", format!("module attributes {{a = {sum}}} {{}}"));
    refused("dense.mlir", format!("module attributes {{a = dense<{}> : tensor<1xi64>}} {{}}", deep("[", "1", "]")));
    refused("callsite.mlir", format!("module {{}} loc({})", deep("callsite(", "unknown", " at unknown)")));
}

#[test]
fn long_lines_are_read_or_refused() {
    let mib = |text: &str| text.repeat((100 << 20) / text.len());
    refused("line.ppyir", mib("a"));
    refused("name.ppyir", format!("ppyir 1\nmodule @{}\n!", mib("a")));
    refused("line.mlir", mib("a"));
    refused("number.mlir", format!("module attributes {{a = {}}} {{}}", mib("9").get(..1 << 20).unwrap_or_default()));
    refused(
        "number.ppyir",
        function(&format!("%y = core.const {} : i64", mib("9").get(..1 << 20).unwrap_or_default())),
    );
    accepted("comment.ppyir", format!("{}// {}\n", function(""), mib("a")));
    accepted("blank.ppyir", format!("{}{}\n", function(""), mib(" ")));
}

#[test]
fn odd_bytes_are_read_or_refused() {
    let good = function("%y = core.add %x, %x {overflow = \"wrap\"} : i64");
    let mlir = "module {\n  ppy_core.func @f(%x: i64) -> i64 {\n    ppy_core.ret %x : i64\n  }\n}\n";
    accepted("crlf.ppyir", good.replace('\n', "\r\n"));
    accepted("crlf.mlir", mlir.replace('\n', "\r\n"));
    refused("mark.ppyir", format!("\u{feff}{good}"));
    for name in ["empty.ppyir", "empty.mlir", "empty"] {
        let path = place(name);
        std::fs::write(&path, "").expect("a file");
        // An empty file is an empty module of MLIR, and no document of ours.
        let (code, words) = opt(&path, &[]);
        assert!(code == 1 || code == 0 && !name.ends_with("ppyir"), "{name}: {code} {words}");
    }
    for (name, text) in [("x.ppyir", good.as_str()), ("x.mlir", mlir)] {
        for bad in [&b"\0"[..], b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x1b[31m", "\u{2028}".as_bytes()] {
            for at in [0, 1, text.len() / 3, text.len() / 2, text.len()] {
                let mut bytes = text.as_bytes().to_vec();
                bytes.splice(at..at, bad.iter().copied());
                let path = place(name);
                std::fs::write(&path, &bytes).expect("a file");
                let (code, words) = opt(&path, &[]);
                assert!(
                    code == 1 && words.contains("error") || code == 0,
                    "{name} with {bad:?} at {at}: {code} {words}"
                );
            }
        }
    }
    refused("bytecode.mlir", b"ML\xefR");
    refused("bytecode", b"ML\xefR\x06MLIR22\0\xff\xff\xff\xff\xff");
    refused("noise", (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>());
}

#[test]
fn what_is_no_file_is_refused() {
    for path in [place(""), place("missing.ppyir"), place("x.ppyir").join("below"), PathBuf::from("/")] {
        let (code, words) = opt(&path, &[]);
        assert!(code == 1 && words.contains("error"), "{}: {code} {words}", path.display());
    }
}
