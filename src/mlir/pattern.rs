//! Rewrite patterns from Rust closures.

use super::{
    attribute::string_ref,
    hooks::{FAILURE, SUCCESS, guard},
    op::{Op, OpExt, context_of},
};
use melior::{
    Context, ContextRef,
    ir::{BlockRef, Operation, OperationRef, Value, ValueLike},
};
use mlir_sys::*;
use std::{ffi::c_void, marker::PhantomData};

unsafe extern "C" {
    fn ppyPatternSetName(pattern: MlirRewritePattern, name: MlirStringRef);
}

/// The rewriter a pattern changes the IR through: the only way it does.
pub struct Rewriter<'c, 'a> {
    raw: MlirRewriterBase,
    _borrow: PhantomData<(&'c Context, &'a ())>,
}

impl<'c: 'a, 'a> Rewriter<'c, 'a> {
    /// # Safety
    /// `raw` must be a rewriter that outlives the answer.
    pub(crate) unsafe fn from_raw(raw: MlirRewriterBase) -> Self {
        Self { raw, _borrow: PhantomData }
    }
    pub(crate) fn raw(&self) -> MlirRewriterBase {
        self.raw
    }
    pub fn context(&self) -> &'c Context {
        context_of(unsafe { ContextRef::from_raw(mlirRewriterBaseGetContext(self.raw)) })
    }
    /// Inserts before `anchor`, and from then on after what was inserted.
    pub fn insert_before(&self, anchor: Op<'c, 'a>, op: Operation<'c>) -> Op<'c, 'a> {
        unsafe { mlirRewriterBaseSetInsertionPointBefore(self.raw, anchor.to_raw()) };
        self.insert(op)
    }
    /// Inserts at the insertion point (a pattern starts before its root).
    pub fn insert(&self, op: Operation<'c>) -> Op<'c, 'a> {
        unsafe { OperationRef::from_raw(mlirRewriterBaseInsert(self.raw, op.into_raw())) }
    }
    pub fn set_insertion_point_before(&self, op: Op<'c, 'a>) {
        unsafe { mlirRewriterBaseSetInsertionPointBefore(self.raw, op.to_raw()) }
    }
    pub fn set_insertion_point_after(&self, op: Op<'c, 'a>) {
        unsafe { mlirRewriterBaseSetInsertionPointAfter(self.raw, op.to_raw()) }
    }
    pub fn set_insertion_point_to_end(&self, block: BlockRef<'c, 'a>) {
        use melior::ir::BlockLike;
        unsafe { mlirRewriterBaseSetInsertionPointToEnd(self.raw, block.to_raw()) }
    }
    pub fn set_insertion_point_to_start(&self, block: BlockRef<'c, 'a>) {
        use melior::ir::BlockLike;
        unsafe { mlirRewriterBaseSetInsertionPointToStart(self.raw, block.to_raw()) }
    }
    /// Replaces the results of `op` and erases it.
    pub fn replace(&self, op: Op<'c, 'a>, values: &[Value<'c, 'a>]) {
        let raw: Vec<MlirValue> = values.iter().map(|v| v.to_raw()).collect();
        unsafe { mlirRewriterBaseReplaceOpWithValues(self.raw, op.to_raw(), raw.len() as isize, raw.as_ptr()) }
    }
    /// Inserts `new` before `op` and replaces `op` by it.
    pub fn replace_with(&self, op: Op<'c, 'a>, new: Operation<'c>) -> Op<'c, 'a> {
        let new = self.insert_before(op, new);
        unsafe { mlirRewriterBaseReplaceOpWithOperation(self.raw, op.to_raw(), new.to_raw()) };
        new
    }
    /// Moves the operations of `block` to the end of `into`, with `arguments` for its arguments, and erases it.
    pub fn merge_block(&self, block: BlockRef<'c, 'a>, into: BlockRef<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        use melior::ir::BlockLike;
        let raw: Vec<MlirValue> = arguments.iter().map(|v| v.to_raw()).collect();
        unsafe {
            mlirRewriterBaseMergeBlocks(self.raw, block.to_raw(), into.to_raw(), raw.len() as isize, raw.as_ptr())
        }
    }
    pub fn erase(&self, op: Op<'c, 'a>) {
        unsafe { mlirRewriterBaseEraseOp(self.raw, op.to_raw()) }
    }
    /// Changes `op` in place, so that the driver looks at it again.
    pub fn modify(&self, op: Op<'c, 'a>, f: impl FnOnce(Op<'c, 'a>)) {
        unsafe {
            mlirRewriterBaseStartOpModification(self.raw, op.to_raw());
            f(op);
            mlirRewriterBaseFinalizeOpModification(self.raw, op.to_raw());
        }
    }
}

/// A pattern set being filled with the patterns of one operation.
pub struct Patterns {
    set: MlirRewritePatternSet,
    context: MlirContext,
    root: &'static str,
}

impl Patterns {
    pub(crate) fn borrowed(set: MlirRewritePatternSet, context: MlirContext, root: &'static str) -> Self {
        Self { set, context, root }
    }
    /// The operation these patterns root at, `ppy_core.add`.
    pub fn root(&self) -> &'static str {
        self.root
    }
    /// Adds a pattern on the root operation. `f` answers whether it changed something, through the rewriter only.
    ///
    /// Unlike melior's `create_op_rewrite_pattern` it demands `Sync`: the threads of a pass manager share the pattern.
    pub fn add<F>(&mut self, name: &'static str, f: F)
    where
        F: for<'c, 'a> Fn(Op<'c, 'a>, &Rewriter<'c, 'a>) -> bool + Send + Sync + 'static,
    {
        self.add_to(self.root, name, f);
    }
    /// Adds a pattern on the operation `root`.
    pub fn add_to<F>(&mut self, root: &str, name: &'static str, f: F)
    where
        F: for<'c, 'a> Fn(Op<'c, 'a>, &Rewriter<'c, 'a>) -> bool + Send + Sync + 'static,
    {
        struct Data<F> {
            name: &'static str,
            f: F,
        }
        unsafe extern "C" fn destruct<F>(data: *mut c_void) {
            drop(unsafe { Box::from_raw(data.cast::<Data<F>>()) });
        }
        unsafe extern "C" fn run<F>(
            _: MlirRewritePattern,
            op: MlirOperation,
            rewriter: MlirPatternRewriter,
            data: *mut c_void,
        ) -> MlirLogicalResult
        where
            F: for<'c, 'a> Fn(Op<'c, 'a>, &Rewriter<'c, 'a>) -> bool,
        {
            let data = unsafe { &*data.cast::<Data<F>>() };
            let op = unsafe { OperationRef::from_raw(op) };
            let rewriter = unsafe { Rewriter::from_raw(mlirPatternRewriterAsBase(rewriter)) };
            let location = op.loc();
            match guard(Some(location), data.name, false, || (data.f)(op, &rewriter)) {
                true => SUCCESS,
                false => FAILURE,
            }
        }
        unsafe {
            let pattern = mlirOpRewritePatternCreate(
                string_ref(root),
                1,
                self.context,
                MlirRewritePatternCallbacks {
                    construct: None,
                    destruct: Some(destruct::<F>),
                    matchAndRewrite: Some(run::<F>),
                },
                Box::into_raw(Box::new(Data { name, f })).cast(),
                0,
                std::ptr::null_mut(),
            );
            ppyPatternSetName(pattern, string_ref(name));
            mlirRewritePatternSetAdd(self.set, pattern);
        }
    }
}
