//! `ppy-translate`: modules to LLVM IR, assembly and objects, and between `.ppyir` and `.mlir`.

use super::{
    Failure,
    input::{self, Source},
    link::Files,
    output::{self, Kind},
    passes::PassOptions,
    run::parse,
};
use crate::{
    context,
    emit::llvm::{self, Level, Output, Target},
    mlir::{
        diagnostic,
        op::{OpExt, modules as modules_of},
    },
    passes::sanitize::Sanitizer,
    ppyir::{self, ast, print_module},
    registry,
};
use clap::{ArgGroup, Parser};
use melior::ir::{
    Module,
    operation::{OperationLike, OperationPrintingFlags},
};
use std::{mem::ManuallyDrop, path::PathBuf};

/// What there is to do: at least one of it.
const WHAT: [&str; 6] = ["ppy_to_llvmir", "ppy_to_asm", "ppy_to_object", "ppy_to_ppyir", "ppyir_to_mlir", "link"];

/// Translates a ppy module (.ppyir, .mlir or bytecode).
#[derive(Debug, Parser)]
#[command(name = "ppy-translate", disable_version_flag = true, max_term_width = 100)]
#[command(group(ArgGroup::new("to")))]
#[command(group(ArgGroup::new("what").args(WHAT).multiple(true).required(true)))]
pub struct Options {
    /// Link the modules of all files into one first; to the ppy IR's own text where nothing else is asked for
    #[arg(long)]
    pub link: bool,
    /// The name of the linked module
    #[arg(long, value_name = "NAME", default_value = "linked", requires = "link")]
    pub name: String,
    /// To LLVM IR
    #[arg(long, group = "to")]
    pub ppy_to_llvmir: bool,
    /// To assembly
    #[arg(long, group = "to")]
    pub ppy_to_asm: bool,
    /// To an object file
    #[arg(long, group = "to")]
    pub ppy_to_object: bool,
    /// To the ppy IR's own text
    #[arg(long, group = "to")]
    pub ppy_to_ppyir: bool,
    /// To MLIR text
    #[arg(long, group = "to")]
    pub ppyir_to_mlir: bool,
    /// The target, as a triple: aarch64-linux-gnu. Without it, this machine's
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The processor: znver4, or native for this machine's. Without it, the oldest that the target allows
    #[arg(long, value_name = "NAME")]
    pub cpu: Option<String>,
    /// Processor features to add and remove: +avx2,-fma
    #[arg(long, value_name = "FEATURES", allow_hyphen_values = true)]
    pub features: Option<String>,
    /// How much to optimize: -O0 to -O3; -O2 without it
    #[arg(short = 'O', value_name = "LEVEL", value_parser = super::run::level)]
    pub level: Option<Level>,
    /// Say in the code which line of the source it is from: DWARF's line tables, for debuggers and profilers
    #[arg(short = 'g')]
    pub debug_info: bool,
    #[command(flatten)]
    pub passes: PassOptions,
    /// What to guard first: bounds, overflow, pointer, alignment
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = Sanitizer::parse)]
    pub sanitize: Vec<Sanitizer>,
    /// Keep names and source locations in MLIR text
    #[arg(long)]
    pub mlir_print_debuginfo: bool,
    /// Where to write; the standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The module, - for the standard input; with --link, all of the program's
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<String>,
}

impl Options {
    /// Refuses options that what is asked for does not look at.
    fn agree(&self) -> Result<(), Failure> {
        let code = self.ppy_to_llvmir || self.ppy_to_asm || self.ppy_to_object;
        let unheeded = [
            ("--target", self.target.is_some() && !code),
            ("--cpu", self.cpu.is_some() && !code),
            ("--features", self.features.is_some() && !code),
            ("-g", self.debug_info && !code),
            ("-O", self.level.is_some() && !code),
            ("--mlir-print-debuginfo", self.mlir_print_debuginfo && !self.ppyir_to_mlir),
        ];
        match unheeded.iter().find(|(_, given)| *given) {
            Some(("--mlir-print-debuginfo", _)) => {
                Err(Failure::User("--mlir-print-debuginfo is for --ppyir-to-mlir".into()))
            }
            Some((option, _)) => {
                Err(Failure::User(format!("{option} is for code: --ppy-to-llvmir, --ppy-to-asm or --ppy-to-object")))
            }
            None if self.passes.given() && !code => Err(Failure::User(
                "--passes-level, --stage-pass, --with, --use-profile, --until, --load-pass-plugin and --ppy-report are \
                 for code: --ppy-to-llvmir, --ppy-to-asm or --ppy-to-object; ppy-opt --ppy-pipeline writes modules"
                    .into(),
            )),
            None => Ok(()),
        }
    }
}

/// The tool.
pub fn main(arguments: Vec<std::ffi::OsString>) -> Result<(), Failure> {
    let Some(options) = parse::<Options>("ppy-translate", arguments)? else { return Ok(()) };
    let kind = if options.ppy_to_object { Kind::Binary } else { Kind::Text };
    let bytes = translate(&options)?;
    output::write(options.output.as_deref(), &bytes, kind)
}

/// Translates and answers the bytes to write.
pub fn translate(options: &Options) -> Result<Vec<u8>, Failure> {
    options.agree()?;
    // The tool ends when this is done: a large program is not taken apart first, operation by operation.
    let context = ManuallyDrop::new(context());
    let modules = match (options.link, &options.files[..]) {
        (true, files) => {
            let code = options.ppy_to_llvmir || options.ppy_to_asm || options.ppy_to_object;
            let (as_text, as_read) = (!code && !options.ppyir_to_mlir, options.sanitize.is_empty());
            let print = |tree: &ast::Module| {
                let text = print_module(tree, &registry::Syntax).map(String::into_bytes);
                text.map_err(|error| Failure::Internal(error.to_string()))
            };
            let printed = |tree: &_| (as_text && as_read).then(|| print(tree));
            let (program, text) = Files::open(files)?.link_and(&context, &options.name, printed)?;
            let mut program = ManuallyDrop::new(program);
            if let Some(text) = text {
                return text;
            }
            program.sanitize(&options.sanitize)?;
            if as_text {
                return print(&program.tree);
            }
            vec![ManuallyDrop::into_inner(program).module]
        }
        (false, [file]) => {
            let mut modules = Source::open(file)?.modules(&context)?;
            input::sanitize(&mut modules, &options.sanitize)?;
            modules
        }
        (false, files) => {
            return Err(Failure::User(format!("{} files are given; --link makes one program of them", files.len())));
        }
    };
    let mut modules = ManuallyDrop::new(modules);
    if options.ppyir_to_mlir {
        return mlir(&modules, options.mlir_print_debuginfo).map(String::into_bytes);
    }
    if options.ppy_to_ppyir {
        return to_ppyir(&modules).map(String::into_bytes);
    }
    let level = options.level.unwrap_or(Level::O2);
    let code = llvm::Options {
        target: Target { triple: options.target.clone(), cpu: options.cpu.clone(), features: options.features.clone() },
        level,
        passes: options.passes.pipeline(level.number())?,
        debug_info: options.debug_info,
        report: options.passes.report(),
    };
    let count = modules.len();
    let [module] = &mut modules[..] else {
        return Err(Failure::User(format!(
            "{} has {count} modules, and one module of LLVM IR is written; --link makes one program of them",
            options.files.join(", ")
        )));
    };
    if modules_of(module.as_operation()).len() > 1 {
        return Err(Failure::User(format!(
            "{} has modules inside of a module, and they would not be in the LLVM IR: give each a file of its own",
            options.files.join(", ")
        )));
    }
    let bytes = match (options.ppy_to_llvmir, options.ppy_to_asm) {
        (true, _) => llvm::compile(module, &code).map(|(code, _)| code.text().into_bytes()),
        (_, true) => llvm::emit(module, &code, Output::Assembly),
        _ => llvm::emit(module, &code, Output::Object),
    };
    options.passes.write(code.report.as_ref())?;
    Ok(bytes?)
}

fn mlir(modules: &[Module<'_>], debuginfo: bool) -> Result<String, Failure> {
    let print = |module: &Module<'_>| {
        let flags = OperationPrintingFlags::new().enable_debug_info(debuginfo, false);
        let text = module.as_operation().to_string_with_flags(flags);
        text.map(|text| format!("{text}\n")).map_err(|error| Failure::Internal(error.to_string()))
    };
    Ok(modules.iter().map(print).collect::<Result<Vec<_>, _>>()?.join("// -----\n"))
}

fn to_ppyir(modules: &[Module<'_>]) -> Result<String, Failure> {
    let mut text = String::new();
    for module in modules {
        let operation = module.as_operation();
        let (written, reports) = diagnostic::capture_reports(operation.context_ref(), |_| {
            ppyir::write(operation).map_err(|error| error.emit()).ok()
        });
        text.push_str(&written.ok_or_else(|| Failure::Input(diagnostic::errors_of(&reports)))?);
    }
    Ok(text)
}
