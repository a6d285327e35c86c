//! Dialect conversion to LLVM, safe over `cpp/conversion.cpp` (MLIR 22 has no C API for it).

use super::{
    attribute::string_ref,
    hooks::{FAILURE, SUCCESS, guard},
    op::{Op, OpExt},
    pattern::Rewriter,
};
use melior::{
    Context,
    ir::{OperationRef, Type, TypeLike, Value},
};
use mlir_sys::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    ffi::c_void,
    ops::Deref,
    sync::{Arc, Mutex},
};

#[repr(C)]
struct Closure {
    data: *mut c_void,
    drop: Option<unsafe extern "C" fn(*mut c_void)>,
}

impl Closure {
    fn new<F: Send + Sync + 'static>(f: F) -> Self {
        unsafe extern "C" fn destroy<F>(data: *mut c_void) {
            drop(unsafe { Box::from_raw(data.cast::<F>()) });
        }
        Self { data: Box::into_raw(Box::new(f)).cast(), drop: Some(destroy::<F>) }
    }
}

type ConvertFn = unsafe extern "C" fn(
    *mut c_void,
    MlirOperation,
    isize,
    *const MlirValue,
    MlirRewriterBase,
    *const c_void,
) -> MlirLogicalResult;
type TypeFn = unsafe extern "C" fn(*mut c_void, MlirType, *mut MlirType) -> i32;

unsafe extern "C" {
    fn ppyLLVMTypeConverterCreate(context: MlirContext) -> *mut c_void;
    fn ppyTypeConverterDestroy(converter: *mut c_void);
    fn ppyTypeConverterAddConversion(converter: *mut c_void, f: TypeFn, closure: Closure);
    fn ppyTypeConverterConvert(converter: *const c_void, type_: MlirType) -> MlirType;
    fn ppyConversionTargetCreate(context: MlirContext) -> *mut c_void;
    fn ppyConversionTargetDestroy(target: *mut c_void);
    fn ppyConversionTargetAddLegalDialect(target: *mut c_void, dialect: MlirStringRef);
    fn ppyConversionTargetAddIllegalDialect(target: *mut c_void, dialect: MlirStringRef);
    fn ppyConversionPatternAdd(
        set: MlirRewritePatternSet,
        converter: *const c_void,
        root: MlirStringRef,
        benefit: u32,
        f: ConvertFn,
        closure: Closure,
    );
    fn ppyPopulateUpstreamToLLVM(converter: *const c_void, set: MlirRewritePatternSet);
    fn ppyConversionRewriterConvertRegionTypes(
        rewriter: MlirRewriterBase,
        region: MlirRegion,
        converter: *const c_void,
    ) -> MlirLogicalResult;
    fn ppyApplyPartialConversion(
        count: isize,
        ops: *const MlirOperation,
        target: *mut c_void,
        patterns: MlirFrozenRewritePatternSet,
    ) -> MlirLogicalResult;
    fn ppyEraseUnreachableBlocks(op: MlirOperation);
}

/// Erases unreachable blocks of the operations in `module`: a conversion walks by dominance and would leave them.
pub fn erase_unreachable_blocks(module: Op<'_, '_>) {
    unsafe { ppyEraseUnreachableBlocks(module.to_raw()) }
}

/// How a type converts.
pub enum Converted<'t> {
    /// Another rule's business.
    NotMine,
    To(Type<'t>),
    /// There is no machine type for it.
    Never,
}

/// The LLVM type converter with rules of ours on top (a later rule goes first).
pub struct TypeConverter {
    raw: *mut c_void,
}

impl TypeConverter {
    pub fn llvm(context: &Context) -> Self {
        Self { raw: unsafe { ppyLLVMTypeConverterCreate(context.to_raw()) } }
    }
    pub fn add<F>(&mut self, f: F)
    where
        F: for<'t> Fn(Type<'t>) -> Converted<'t> + Send + Sync + 'static,
    {
        unsafe extern "C" fn call<F>(data: *mut c_void, type_: MlirType, out: *mut MlirType) -> i32
        where
            F: for<'t> Fn(Type<'t>) -> Converted<'t>,
        {
            let f = unsafe { &*data.cast::<F>() };
            guard(None, "a type conversion", 2, || match f(unsafe { Type::from_raw(type_) }) {
                Converted::NotMine => 0,
                Converted::To(converted) => {
                    unsafe { *out = converted.to_raw() };
                    1
                }
                Converted::Never => 2,
            })
        }
        unsafe { ppyTypeConverterAddConversion(self.raw, call::<F>, Closure::new(f)) }
    }
    pub fn convert<'c>(&self, type_: Type<'c>) -> Option<Type<'c>> {
        unsafe { Type::from_option_raw(ppyTypeConverterConvert(self.raw, type_.to_raw())) }
    }
}

impl Drop for TypeConverter {
    fn drop(&mut self) {
        unsafe { ppyTypeConverterDestroy(self.raw) }
    }
}

/// What is legal after a conversion.
pub struct ConversionTarget {
    raw: *mut c_void,
}

impl ConversionTarget {
    pub fn new(context: &Context) -> Self {
        Self { raw: unsafe { ppyConversionTargetCreate(context.to_raw()) } }
    }
    pub fn legal_dialect(self, name: &str) -> Self {
        unsafe { ppyConversionTargetAddLegalDialect(self.raw, string_ref(name)) };
        self
    }
    pub fn illegal_dialect(self, name: &str) -> Self {
        unsafe { ppyConversionTargetAddIllegalDialect(self.raw, string_ref(name)) };
        self
    }
}

impl Drop for ConversionTarget {
    fn drop(&mut self) {
        unsafe { ppyConversionTargetDestroy(self.raw) }
    }
}

/// The names of a module while it converts: what a lowering of one operation must know of the others.
#[derive(Debug, Default)]
pub struct Symbols {
    /// The linker's name of a function, where it is another than its symbol in the module.
    renamed: FxHashMap<String, String>,
    /// The address of the type of every function declared by the conversion so far, 0 for what the module defines.
    declared: Mutex<FxHashMap<String, usize>>,
    /// Whether every buffer of the module has a length that memory can have.
    pub lengths_fit: bool,
}

impl Symbols {
    /// Of a module that defines `defined` by their linker's names, after renaming.
    pub fn new(renamed: FxHashMap<String, String>, defined: impl IntoIterator<Item = String>) -> Self {
        Self { renamed, declared: Mutex::new(defined.into_iter().map(|name| (name, 0)).collect()), lengths_fit: false }
    }
    /// Whether the module's own functions or globals have the name, so that the linker finds no other.
    pub fn is_own(&self, name: &str) -> bool {
        let declared = self.declared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        declared.get(name) == Some(&0)
    }
    /// The name the linker sees.
    pub fn linked<'s>(&'s self, name: &'s str) -> &'s str {
        self.renamed.get(name).map_or(name, String::as_str)
    }
    /// Asks for a C function of that type, which `declare` declares when it is new. Answers whether the declaration in
    /// the module has that type; if not, it must be called through its address.
    pub fn declare(&self, name: &str, type_: Type<'_>, declare: impl FnOnce()) -> bool {
        let key = type_.to_raw().ptr as usize;
        let mut declared = self.declared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = declared.get(name) {
            return *known == key;
        }
        declared.insert(name.to_owned(), key);
        declare();
        true
    }
}

/// Operations that are converted together. A conversion holds what it replaced until its end, and ranks the patterns at
/// its beginning, which takes as long as converting a small function.
const AT_ONCE: usize = 64;

/// What a conversion pattern changes the IR through, with the type converter.
pub struct ConversionRewriter<'c, 'a> {
    base: Rewriter<'c, 'a>,
    converter: *const c_void,
    symbols: &'a Symbols,
}

impl<'c: 'a, 'a> ConversionRewriter<'c, 'a> {
    pub fn symbols(&self) -> &'a Symbols {
        self.symbols
    }
    pub fn convert_type(&self, type_: Type<'c>) -> Option<Type<'c>> {
        unsafe { Type::from_option_raw(ppyTypeConverterConvert(self.converter, type_.to_raw())) }
    }
    /// Converts the arguments of every block of region `index` of `op`.
    pub fn convert_region_types(&self, op: Op<'c, 'a>, index: usize) -> bool {
        unsafe {
            let region = mlirOperationGetRegion(op.to_raw(), index as isize);
            ppyConversionRewriterConvertRegionTypes(self.base.raw(), region, self.converter).value != 0
        }
    }
}

impl<'c, 'a> Deref for ConversionRewriter<'c, 'a> {
    type Target = Rewriter<'c, 'a>;
    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

/// Why a pattern does not apply, for an error at the operation; empty where another error says it.
pub type Refusal = String;

/// What a dialect does to a module before its operations are lowered.
pub type Prepare = fn(Op<'_, '_>) -> Result<(), Refusal>;

/// Conversion patterns over one type converter, which they borrow and which must outlive them.
pub struct ConversionPatterns<'t> {
    set: MlirRewritePatternSet,
    converter: &'t TypeConverter,
    symbols: Arc<Symbols>,
    roots: FxHashSet<String>,
    prepared: Vec<Prepare>,
}

impl<'t> ConversionPatterns<'t> {
    pub fn new(context: &Context, converter: &'t TypeConverter, symbols: Symbols) -> Self {
        let set = unsafe { mlirRewritePatternSetCreate(context.to_raw()) };
        Self { set, converter, symbols: Arc::new(symbols), roots: FxHashSet::default(), prepared: Vec::new() }
    }
    /// The operations our patterns root at.
    pub fn roots(&self) -> &FxHashSet<String> {
        &self.roots
    }
    /// Adds what is to be done to the module before its operations are lowered.
    pub fn prepare(&mut self, f: Prepare) {
        self.prepared.push(f);
    }
    /// What [`ConversionPatterns::prepare`] has added, in order.
    pub fn prepared(&self) -> &[Prepare] {
        &self.prepared
    }
    /// Adds a pattern: `f` gets the operation, its converted operands and the rewriter.
    pub fn add<F>(&mut self, root: &str, f: F)
    where
        F: for<'c, 'a> Fn(Op<'c, 'a>, &[Value<'c, 'a>], &ConversionRewriter<'c, 'a>) -> Result<(), Refusal>
            + Send
            + Sync
            + 'static,
    {
        unsafe extern "C" fn call<F>(
            data: *mut c_void,
            op: MlirOperation,
            n: isize,
            operands: *const MlirValue,
            rewriter: MlirRewriterBase,
            converter: *const c_void,
        ) -> MlirLogicalResult
        where
            F: for<'c, 'a> Fn(Op<'c, 'a>, &[Value<'c, 'a>], &ConversionRewriter<'c, 'a>) -> Result<(), Refusal>,
        {
            let (closure, op) = unsafe { (&*data.cast::<(F, Arc<Symbols>)>(), OperationRef::from_raw(op)) };
            let (f, symbols) = closure;
            let location = op.loc();
            guard(Some(location), "a conversion pattern", FAILURE, || {
                let operands: smallvec::SmallVec<[Value; 4]> =
                    (0..n).map(|i| unsafe { Value::from_raw(*operands.offset(i)) }).collect();
                let base = unsafe { Rewriter::from_raw(rewriter) };
                let rewriter = ConversionRewriter { base, converter, symbols };
                match f(op, &operands, &rewriter) {
                    Ok(()) => SUCCESS,
                    Err(why) if why.is_empty() => FAILURE,
                    Err(why) => {
                        // The conversion then fails on this operation; say why where it stands.
                        super::diagnostic::emit(
                            location,
                            super::diagnostic::Severity::Error,
                            &format!("'{}' op cannot be lowered: {why}", op.op_name()),
                            &[],
                        );
                        FAILURE
                    }
                }
            })
        }
        self.roots.insert(root.to_owned());
        let closure = Closure::new((f, Arc::clone(&self.symbols)));
        unsafe { ppyConversionPatternAdd(self.set, self.converter.raw, string_ref(root), 1, call::<F>, closure) }
    }
    /// Adds upstream's conversions of arith, cf, math and vector.
    pub fn add_upstream_to_llvm(&mut self) {
        unsafe { ppyPopulateUpstreamToLLVM(self.converter.raw, self.set) }
    }
    /// Runs the patterns on the operations and what is in them; what the target does not speak of may stay. Whether all
    /// were converted.
    pub fn apply_partial(self, ops: &[Op<'_, '_>], target: &ConversionTarget) -> bool {
        let raw: Vec<MlirOperation> = ops.iter().map(|op| op.to_raw()).collect();
        unsafe {
            let frozen = mlirFreezeRewritePattern(self.set);
            let convert = |ops: &[MlirOperation]| {
                ppyApplyPartialConversion(ops.len() as isize, ops.as_ptr(), target.raw, frozen).value != 0
            };
            // Every chunk is tried, for its errors.
            let converted = raw.chunks(AT_ONCE).filter(|ops| !convert(ops)).count() == 0;
            mlirFrozenRewritePatternSetDestroy(frozen);
            converted
        }
    }
}
