//! The JIT on functions written in the LLVM dialect by the native ABI, so that only this layer is tested.

use super::{Crash, Jit, JitError, Level, Outcome};
use crate::{
    driver::args,
    mlir::{llvm::LlvmModule, parse},
    ppyir::{ast::Module as Tree, parse_bytes},
    registry,
};
use std::time::Duration;

/// The tree of a module whose functions have these signatures.
fn tree(signatures: &str) -> Tree {
    let mut text = "ppyir 1\nmodule @m\ndialect core 1\n".to_owned();
    for signature in signatures.lines() {
        text += &format!("\nfunc {} {{\n^entry:\n    core.unreachable\n}}\n", signature.trim());
    }
    let mut documents = parse_bytes(text.as_bytes(), "m.ppyir", &registry::Syntax).unwrap_or_else(|e| panic!("{e}"));
    documents.remove(0)
}

fn call(signature: &str, body: &str, arguments: &str, timeout: Option<Duration>) -> Result<Outcome, JitError> {
    let tree = tree(signature);
    let context = crate::context();
    let mut module = parse::module(&context, body.as_bytes(), "m.mlir").expect("it parses");
    let trees = [tree];
    let (_, function) = args::function(&trees, "f").expect("it is there");
    let values = args::arguments(function, arguments).expect("they fit");
    Jit::new(&mut module, Level::O1)?.function(function)?.call(&values, timeout)
}

fn text(outcome: Result<Outcome, JitError>) -> String {
    match outcome {
        Ok(outcome) => args::render(outcome.status, &outcome.results, &outcome.memory),
        Err(error) => error.to_string(),
    }
}

#[test]
fn atoms_and_buffers_pass_both_ways() {
    let signature = "@f(%b: buffer<i64>, %v: vector<f32, 4>, %t: tuple<bool, u8>) -> (vector<f32, 4>, tuple<u8, bool>)";
    let body = r#"
      llvm.func @f(%p: !llvm.ptr, %n: i64, %v: vector<4xf32>, %b: i8, %u: i8,
                   %r0: !llvm.ptr, %r1: !llvm.ptr, %r2: !llvm.ptr) -> i32 {
        %zero = llvm.mlir.constant(0 : i32) : i32
        llvm.store %n, %p : i64, !llvm.ptr
        %w = llvm.fadd %v, %v : vector<4xf32>
        llvm.store %w, %r0 : vector<4xf32>, !llvm.ptr
        llvm.store %u, %r1 : i8, !llvm.ptr
        llvm.store %b, %r2 : i8, !llvm.ptr
        llvm.return %zero : i32
      }"#;
    let arguments = r#"[{"buf": [7, 8], "elem": "q"}, [0.5, 1, -2, "inf"], [true, 255]]"#;
    assert_eq!(
        text(call(signature, body, arguments, None)),
        r#"{"status": 0, "results": [1.0, 2.0, -4.0, "inf", 255, true], "buffers": [[2, 8]]}"#
    );
}

#[test]
fn a_status_has_no_results_and_keeps_the_buffers() {
    let body = r#"
      llvm.func @f(%p: !llvm.ptr, %r0: !llvm.ptr) -> i32 {
        %two = llvm.mlir.constant(2 : i32) : i32
        %b = llvm.mlir.constant(9 : i8) : i8
        llvm.store %b, %p : i8, !llvm.ptr
        llvm.return %two : i32
      }"#;
    assert_eq!(
        text(call("@f(%p: ptr<u8>) -> i64", body, r#"[{"ptr": [1, 2]}]"#, None)),
        r#"{"status": 2, "buffers": [[9, 2]]}"#
    );
}

#[test]
fn crashes_are_reported() {
    let divide = r#"
      llvm.func @f(%a: i64, %b: i64, %r0: !llvm.ptr) -> i32 {
        %zero = llvm.mlir.constant(0 : i32) : i32
        %p = llvm.inttoptr %a : i64 to !llvm.ptr
        llvm.store volatile %b, %p : i64, !llvm.ptr
        llvm.return %zero : i32
      }"#;
    let found = call("@f(%a: i64, %b: i64) -> i64", divide, "[8, 0]", None);
    let JitError::Crashed { crash, function } = found.expect_err("it crashes") else { panic!("a crash") };
    assert_eq!((crash, function.as_str()), (Crash::Signal { signal: libc::SIGSEGV, address: 8 }, "f"));

    let deep = r#"
      llvm.func @f(%a: i64, %r0: !llvm.ptr) -> i32 attributes {passthrough = ["noinline"]} {
        %one = llvm.mlir.constant(1 : i64) : i64
        %slot = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
        llvm.store volatile %a, %slot : i64, !llvm.ptr
        %s = llvm.call @f(%a, %slot) : (i64, !llvm.ptr) -> i32
        llvm.store volatile %a, %slot : i64, !llvm.ptr
        %t = llvm.add %s, %s : i32
        llvm.return %t : i32
      }"#;
    assert!(matches!(
        call("@f(%a: i64) -> i64", deep, "[8]", None),
        Err(JitError::Crashed { crash: Crash::Stack, .. })
    ));

    let huge = r#"
      llvm.func @f(%a: i64, %r0: !llvm.ptr) -> i32 {
        %slot = llvm.alloca %a x i64 : (i64) -> !llvm.ptr
        llvm.store volatile %a, %slot : i64, !llvm.ptr
        %s = llvm.trunc %a : i64 to i32
        llvm.return %s : i32
      }"#;
    assert!(matches!(
        call("@f(%a: i64) -> i64", huge, "[1000000000000]", None),
        Err(JitError::Crashed { crash: Crash::Stack, .. })
    ));

    let endless = r#"
      llvm.func @f(%a: i64, %r0: !llvm.ptr) -> i32 {
        llvm.br ^again
      ^again:
        llvm.store volatile %a, %r0 : i64, !llvm.ptr
        llvm.br ^again
      }"#;
    let limit = Duration::from_millis(50);
    assert!(matches!(
        call("@f(%a: i64) -> i64", endless, "[8]", Some(limit)),
        Err(JitError::Crashed { crash: Crash::Timeout(_), .. })
    ));

    let leave = r#"
      llvm.func @_exit(i32)
      llvm.func @f(%a: i32, %r0: !llvm.ptr) -> i32 {
        llvm.call @_exit(%a) : (i32) -> ()
        llvm.unreachable
      }"#;
    assert!(matches!(
        call("@f(%a: i32) -> i32", leave, "[3]", None),
        Err(JitError::Crashed { crash: Crash::Exit(3), .. })
    ));
}

#[test]
fn missing_functions_are_named_when_they_are_reached() {
    let body = r#"
      llvm.func @ppy_not_there(i64) -> i64
      llvm.func @labs(i64) -> i64
      llvm.func @g(%a: i64, %r0: !llvm.ptr) -> i32 {
        %zero = llvm.mlir.constant(0 : i32) : i32
        %x = llvm.call @ppy_not_there(%a) : (i64) -> i64
        llvm.store %x, %r0 : i64, !llvm.ptr
        llvm.return %zero : i32
      }
      llvm.func @f(%a: i64, %r0: !llvm.ptr) -> i32 {
        %zero = llvm.mlir.constant(0 : i32) : i32
        %x = llvm.call @labs(%a) : (i64) -> i64
        llvm.store %x, %r0 : i64, !llvm.ptr
        llvm.return %zero : i32
      }"#;
    assert_eq!(text(call("@f(%a: i64) -> i64", body, "[-5]", None)), r#"{"status": 0, "results": [5], "buffers": []}"#);
    let reaching = body.replace("@labs(%a)", "@ppy_not_there(%a)");
    let message = text(call("@f(%a: i64) -> i64", &reaching, "[-5]", None));
    assert!(message.contains("@f reaches functions that are not here: ppy_not_there"), "{message}");
}

#[test]
fn what_llvm_cannot_express_is_an_error() {
    let context = crate::context();
    let module = parse::module(&context, b"func.func private @g()", "m.mlir").expect("it parses");
    let error = LlvmModule::translate(module.as_operation()).err().expect("func is no LLVM dialect");
    assert!(error.contains("m.mlir:1:1: error: "), "{error}");
}
