//! Functions of a module compiled for this process.

use super::{
    EmitError, Options,
    call::{self, Call, Crash, Outcome, Place, Signature, Words},
    lower,
};
use crate::{
    dialects::prof::lower::legend_text,
    mlir::llvm::{self, LlvmModule, Machine, Output, Target},
    mlir::op::OpExt,
    ppyir::ast::{self, Attr},
    profile::{Legend, legend},
    semantics::value::Value,
};
use melior::ir::Module;
use std::time::Duration;
use thiserror::Error;

/// Why a function cannot be compiled or called.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum JitError {
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The function or an argument is not what a call needs.
    #[error("{0}")]
    Request(String),
    /// Functions that the called one reaches are defined nowhere.
    #[error("@{function} reaches functions that are not here: {}; give the libraries that define them \
             with --shared-libs", symbols.join(", "))]
    Missing { function: String, symbols: Vec<String> },
    /// A function is compiled for another processor.
    #[error(
        "@{function} needs the processor feature {feature}, which this machine's {cpu} lacks; run it on one \
             that has it, or with --engine=interp"
    )]
    Feature { function: String, feature: String, cpu: String },
    /// The call did not come back.
    #[error("@{function} {crash}")]
    Crashed { function: String, crash: Crash },
}

/// A module lowered once, whose functions are compiled one by one, each with all that it reaches.
pub struct Jit {
    lowered: LlvmModule,
    machine: Machine,
    options: Options,
    /// Of an instrumented module: its counters' symbol, and what they count.
    profile: Option<(String, Legend)>,
}

/// A compiled function.
pub struct Function {
    signature: Signature,
    /// Owns the code.
    _code: llvm::Jit,
    entry: usize,
    arity: usize,
    counters: Words,
}

/// A function's symbol in compiled code.
pub fn symbol_of(function: &ast::Function) -> &str {
    match function.attrs.as_ref().and_then(|attrs| attrs.get("ppy.symbol")) {
        Some(Attr::Str(symbol)) => symbol,
        _ => &function.symbol,
    }
}

const TRAMPOLINE: &str = "ppy.call";

impl Jit {
    /// Lowers a module for this machine. The MLIR module is the lowered one afterwards.
    pub fn new(module: &mut Module<'_>, level: super::Level) -> Result<Jit, JitError> {
        Jit::with(module, Options::at(level))
    }

    /// The same with every option but the target.
    pub fn with(module: &mut Module<'_>, options: Options) -> Result<Jit, JitError> {
        let options = Options { target: Target::native(), ..options };
        let machine = Machine::new(&options.target, options.level).map_err(EmitError::Target)?;
        let lowered = lower(module, &machine, &options)?;
        let operation = module.as_operation();
        let name = operation.str_attribute("sym_name").unwrap_or("module");
        // The conversion has read it too, and refused what is none.
        let legend = legend_text(operation).and_then(|text| Legend::parse(text).ok());
        let profile = legend.map(|legend| (legend::symbols(name).0, legend));
        Ok(Jit { lowered, machine, options, profile })
    }

    /// What the counters of an instrumented module count.
    pub fn legend(&self) -> Option<&Legend> {
        self.profile.as_ref().map(|(_, legend)| legend)
    }

    /// Compiles a function and what it reaches. What is missing is named here, before anything runs.
    pub fn function(&self, function: &ast::Function) -> Result<Function, JitError> {
        let signature = Signature::from(function);
        call::callable(&signature).map_err(JitError::Request)?;
        let internal = |message| JitError::Emit(EmitError::Internal(message));
        let module = self.lowered.duplicate().map_err(internal)?;
        let arity = module.add_trampoline(symbol_of(function), TRAMPOLINE).map_err(internal)?;
        let kept: Vec<&str> =
            std::iter::once(TRAMPOLINE).chain(self.profile.iter().map(|(symbol, _)| symbol.as_str())).collect();
        module.keep_only(&kept, &self.machine).map_err(internal)?;
        let mut symbols: Vec<String> = module.undefined().into_iter().filter(|s| !llvm::resolve(s)).collect();
        if !symbols.is_empty() {
            symbols.sort();
            return Err(JitError::Missing { function: function.symbol.to_string(), symbols });
        }
        if let Some((function, feature)) = module.lacking(&self.machine) {
            return Err(JitError::Feature { function, feature, cpu: self.machine.cpu().to_owned() });
        }
        // A large frame touches its pages in order, so that running out of stack is always noticed.
        module.add_function_attribute("probe-stack", "inline-asm");
        module.optimize(&self.machine, self.options.level).map_err(internal)?;
        let object = self.machine.emit(&module, Output::Object).map_err(internal)?;
        let code = llvm::Jit::new().map_err(internal)?;
        code.add_object(object).map_err(internal)?;
        let entry = code.lookup(TRAMPOLINE).map_err(internal)?;
        let counters = match &self.profile {
            Some((symbol, legend)) => Words {
                address: code.lookup(symbol).map_err(internal)?,
                count: usize::try_from(legend.counters).unwrap_or(0),
            },
            None => Words::default(),
        };
        Ok(Function { signature, _code: code, entry, arity, counters })
    }
}

impl Function {
    /// Calls it in a child process, so that a crash is an error here.
    pub fn call(&self, arguments: &[Value], timeout: Option<Duration>) -> Result<Outcome, JitError> {
        self.measure(arguments, 1, timeout)
    }

    /// Calls it `times` times with the same arguments; the outcome is the last one's, with the shortest time.
    pub fn measure(&self, arguments: &[Value], times: u32, timeout: Option<Duration>) -> Result<Outcome, JitError> {
        // The child's own memory is all it can harm.
        unsafe { self.run(arguments, times, Place::Child { timeout }) }
    }

    /// Calls it in this process, which is much faster.
    ///
    /// # Safety
    /// A crash, an endless loop or a write outside its memory is this process's.
    pub unsafe fn call_here(&self, arguments: &[Value]) -> Result<Outcome, JitError> {
        unsafe { self.run(arguments, 1, Place::Here) }
    }

    unsafe fn run(&self, arguments: &[Value], times: u32, place: Place) -> Result<Outcome, JitError> {
        let call = Call::new(&self.signature, arguments, self.counters).map_err(JitError::Request)?;
        if call.arity() != self.arity {
            let (wanted, given) = (self.arity, call.arity());
            let message = format!("@{} takes {wanted} machine arguments, not {given}", self.signature.symbol);
            return Err(JitError::Emit(EmitError::Internal(message)));
        }
        // The trampoline was made for this function's signature, whose arity has just been compared. The counters are
        // as many as the conversion made of the legend.
        unsafe { call.run(self.entry, times, place) }
            .map_err(|crash| JitError::Crashed { function: self.signature.symbol.clone(), crash })
    }
}
