//! Building operations of the LLVM dialect inside a conversion pattern, safe over `cpp/llvm_ops.cpp`.
//!
//! **A pattern never splits a block**: where the function may fail it leaves a [`Llvm::fail_if`], and one linear sweep
//! after the conversion ([`split_checks`]) makes the edges.

use super::{
    attribute::{i64_attribute, integer_attribute, string_ref},
    builder::Parts,
    conversion::ConversionRewriter,
    op::{Op, OpExt, ValueExt},
};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockLike, BlockRef, Location, OperationRef, Region, RegionLike, RegionRef, Type,
        TypeLike, Value, ValueLike,
        attribute::{DenseI32ArrayAttribute, StringAttribute, TypeAttribute},
        r#type::IntegerType,
    },
};
use mlir_sys::*;

unsafe extern "C" {
    fn ppyLLVMConstant(r: MlirRewriterBase, l: MlirLocation, type_: MlirType, value: MlirAttribute) -> MlirValue;
    fn ppyLLVMInteger(r: MlirRewriterBase, l: MlirLocation, type_: MlirType, value: i64) -> MlirValue;
    fn ppyLLVMArith(
        r: MlirRewriterBase,
        l: MlirLocation,
        op: i32,
        lhs: MlirValue,
        rhs: MlirValue,
        flags: i32,
    ) -> MlirValue;
    fn ppyLLVMFloatArith(
        r: MlirRewriterBase,
        l: MlirLocation,
        op: i32,
        lhs: MlirValue,
        rhs: MlirValue,
        fast: bool,
    ) -> MlirValue;
    fn ppyLLVMCompare(
        r: MlirRewriterBase,
        l: MlirLocation,
        is_float: bool,
        predicate: i32,
        lhs: MlirValue,
        rhs: MlirValue,
    ) -> MlirValue;
    fn ppyLLVMSelect(
        r: MlirRewriterBase,
        l: MlirLocation,
        condition: MlirValue,
        yes: MlirValue,
        no: MlirValue,
    ) -> MlirValue;
    fn ppyLLVMWithOverflow(
        r: MlirRewriterBase,
        l: MlirLocation,
        op: i32,
        signed: bool,
        pair: MlirType,
        lhs: MlirValue,
        rhs: MlirValue,
        value: *mut MlirValue,
    ) -> MlirValue;
    fn ppyLLVMExtract(
        r: MlirRewriterBase,
        l: MlirLocation,
        aggregate: MlirValue,
        n: isize,
        position: *const i64,
    ) -> MlirValue;
    fn ppyLLVMInsert(
        r: MlirRewriterBase,
        l: MlirLocation,
        aggregate: MlirValue,
        value: MlirValue,
        n: isize,
        position: *const i64,
    ) -> MlirValue;
    fn ppyLLVMGep(
        r: MlirRewriterBase,
        l: MlirLocation,
        element: MlirType,
        base: MlirValue,
        index: MlirValue,
        constant: i32,
        flags: i32,
    ) -> MlirValue;
    fn ppyLLVMLoad(r: MlirRewriterBase, l: MlirLocation, type_: MlirType, pointer: MlirValue, align: u32) -> MlirValue;
    fn ppyLLVMStore(r: MlirRewriterBase, l: MlirLocation, value: MlirValue, pointer: MlirValue, align: u32);
    fn ppyLLVMAlloca(
        r: MlirRewriterBase,
        l: MlirLocation,
        entry: MlirBlock,
        element: MlirType,
        count: i64,
        align: u32,
    ) -> MlirValue;
    fn ppyLLVMZeroMemory(r: MlirRewriterBase, l: MlirLocation, pointer: MlirValue, bytes: i64);
    fn ppyLLVMBr(r: MlirRewriterBase, l: MlirLocation, block: MlirBlock, n: isize, values: *const MlirValue);
    fn ppyLLVMCondBr(
        r: MlirRewriterBase,
        l: MlirLocation,
        condition: MlirValue,
        yes: MlirBlock,
        n: isize,
        yes_values: *const MlirValue,
        no: MlirBlock,
        m: isize,
        no_values: *const MlirValue,
    ) -> MlirOperation;
    fn ppyLLVMReturn(r: MlirRewriterBase, l: MlirLocation, value: MlirValue);
    fn ppyLLVMCall(
        r: MlirRewriterBase,
        l: MlirLocation,
        function: MlirType,
        callee: MlirStringRef,
        n: isize,
        values: *const MlirValue,
    ) -> MlirValue;
    fn ppyLLVMCheck(r: MlirRewriterBase, l: MlirLocation, condition: MlirValue, sense: bool, status: i32);
    fn ppyLLVMSplitChecks(function: MlirOperation);
    fn ppyLLVMMergeEntry(function: MlirOperation);
    fn ppyLLVMFunc(
        r: MlirRewriterBase,
        l: MlirLocation,
        name: MlirStringRef,
        type_: MlirType,
        internal: bool,
    ) -> MlirOperation;
    fn ppyLLVMSetArgumentAttribute(function: MlirOperation, index: u32, name: MlirStringRef, value: MlirAttribute);
    fn ppyLLVMNameArgument(argument: MlirValue, name: MlirStringRef);
    fn ppyLLVMCreateBlock(
        r: MlirRewriterBase,
        function: MlirOperation,
        before: MlirBlock,
        n: isize,
        types: *const MlirType,
        l: MlirLocation,
    ) -> MlirBlock;
    fn ppyLLVMMoveBody(r: MlirRewriterBase, from: MlirRegion, to: MlirRegion);
}

/// Integer operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Shl,
    AShr,
    LShr,
    And,
    Or,
    Xor,
    SDiv,
    UDiv,
    SRem,
    URem,
}

/// Float operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum FloatArith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// What is known of an integer operation's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Wraps {
    Maybe = 0,
    NotSigned = 1,
    NotUnsigned = 2,
}

/// What is known of an address computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Inside {
    /// It wraps as an integer does.
    Unknown = 0,
    /// It stays in its object, or nobody may use it.
    Bounds = 3,
    /// And the offset is not negative.
    After = 7,
}

/// Integer comparisons, by the LLVM dialect's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ICmp {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
    Ule = 7,
    Ugt = 8,
    Uge = 9,
}

/// Float comparisons, by the LLVM dialect's numbers: all but `Une` are false on a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum FCmp {
    Oeq = 1,
    Ogt = 2,
    Oge = 3,
    Olt = 4,
    Ole = 5,
    Une = 13,
}

/// Builds at the rewriter's insertion point, at one location.
#[derive(Clone, Copy)]
pub struct Llvm<'r, 'c, 'a> {
    rewriter: &'r ConversionRewriter<'c, 'a>,
    location: Location<'c>,
}

const NULL_VALUE: MlirValue = MlirValue { ptr: std::ptr::null() };

fn raw_values(values: &[Value<'_, '_>]) -> smallvec::SmallVec<[MlirValue; 8]> {
    values.iter().map(|v| v.to_raw()).collect()
}

impl<'r, 'c: 'a, 'a> Llvm<'r, 'c, 'a> {
    /// Builds before `op`, which the pattern is lowering.
    pub fn before(rewriter: &'r ConversionRewriter<'c, 'a>, op: Op<'c, 'a>) -> Self {
        rewriter.set_insertion_point_before(op);
        Self { rewriter, location: op.loc() }
    }
    pub fn rewriter(&self) -> &'r ConversionRewriter<'c, 'a> {
        self.rewriter
    }
    pub fn context(&self) -> &'c Context {
        self.rewriter.context()
    }
    fn raw(&self) -> MlirRewriterBase {
        self.rewriter.raw()
    }
    fn at(&self) -> MlirLocation {
        self.location.to_raw()
    }
    // ---------------------------------------------------------------- types
    pub fn int(&self, width: u32) -> Type<'c> {
        IntegerType::new(self.context(), width).into()
    }
    pub fn ptr(&self) -> Type<'c> {
        unsafe { Type::from_raw(mlirLLVMPointerTypeGet(self.context().to_raw(), 0)) }
    }
    pub fn struct_of(&self, fields: &[Type<'c>]) -> Type<'c> {
        let raw: Vec<MlirType> = fields.iter().map(|t| t.to_raw()).collect();
        unsafe {
            Type::from_raw(mlirLLVMStructTypeLiteralGet(
                self.context().to_raw(),
                raw.len() as isize,
                raw.as_ptr(),
                false,
            ))
        }
    }
    pub fn function(&self, result: Option<Type<'c>>, inputs: &[Type<'c>]) -> Type<'c> {
        let raw: Vec<MlirType> = inputs.iter().map(|t| t.to_raw()).collect();
        unsafe {
            let result = result.map_or_else(|| mlirLLVMVoidTypeGet(self.context().to_raw()), |t| t.to_raw());
            Type::from_raw(mlirLLVMFunctionTypeGet(result, raw.len() as isize, raw.as_ptr(), false))
        }
    }
    // ---------------------------------------------------------------- values
    pub fn constant(&self, type_: Type<'c>, value: Attribute<'c>) -> Value<'c, 'a> {
        unsafe { Value::from_raw(ppyLLVMConstant(self.raw(), self.at(), type_.to_raw(), value.to_raw())) }
    }
    /// The integer in every lane; `type_` is an integer type or a vector of them.
    pub fn integer(&self, type_: Type<'c>, value: i64) -> Value<'c, 'a> {
        unsafe { Value::from_raw(ppyLLVMInteger(self.raw(), self.at(), type_.to_raw(), value)) }
    }
    pub fn arith(&self, op: Arith, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.arith_with(op, lhs, rhs, Wraps::Maybe)
    }
    pub fn arith_with(&self, op: Arith, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>, wraps: Wraps) -> Value<'c, 'a> {
        let (lhs, rhs) = (lhs.to_raw(), rhs.to_raw());
        unsafe { Value::from_raw(ppyLLVMArith(self.raw(), self.at(), op as i32, lhs, rhs, wraps as i32)) }
    }
    pub fn float_arith(&self, op: FloatArith, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>, fast: bool) -> Value<'c, 'a> {
        let (lhs, rhs) = (lhs.to_raw(), rhs.to_raw());
        unsafe { Value::from_raw(ppyLLVMFloatArith(self.raw(), self.at(), op as i32, lhs, rhs, fast)) }
    }
    pub fn icmp(&self, predicate: ICmp, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        let (lhs, rhs) = (lhs.to_raw(), rhs.to_raw());
        unsafe { Value::from_raw(ppyLLVMCompare(self.raw(), self.at(), false, predicate as i32, lhs, rhs)) }
    }
    pub fn fcmp(&self, predicate: FCmp, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        let (lhs, rhs) = (lhs.to_raw(), rhs.to_raw());
        unsafe { Value::from_raw(ppyLLVMCompare(self.raw(), self.at(), true, predicate as i32, lhs, rhs)) }
    }
    pub fn select(&self, condition: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Value<'c, 'a> {
        let (condition, yes, no) = (condition.to_raw(), yes.to_raw(), no.to_raw());
        unsafe { Value::from_raw(ppyLLVMSelect(self.raw(), self.at(), condition, yes, no)) }
    }
    /// The wrapped result of `Add`, `Sub` or `Mul`, and whether it is not the exact one.
    pub fn with_overflow(
        &self,
        op: Arith,
        signed: bool,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
    ) -> (Value<'c, 'a>, Value<'c, 'a>) {
        let pair = self.struct_of(&[lhs.r#type(), self.int(1)]);
        let mut value = NULL_VALUE;
        unsafe {
            let over = ppyLLVMWithOverflow(
                self.raw(),
                self.at(),
                op as i32,
                signed,
                pair.to_raw(),
                lhs.to_raw(),
                rhs.to_raw(),
                &mut value,
            );
            (Value::from_raw(value), Value::from_raw(over))
        }
    }
    pub fn extract(&self, aggregate: Value<'c, 'a>, path: &[i64]) -> Value<'c, 'a> {
        let n = path.len() as isize;
        unsafe { Value::from_raw(ppyLLVMExtract(self.raw(), self.at(), aggregate.to_raw(), n, path.as_ptr())) }
    }
    pub fn insert(&self, aggregate: Value<'c, 'a>, value: Value<'c, 'a>, path: &[i64]) -> Value<'c, 'a> {
        let (n, position) = (path.len() as isize, path.as_ptr());
        let (aggregate, value) = (aggregate.to_raw(), value.to_raw());
        unsafe { Value::from_raw(ppyLLVMInsert(self.raw(), self.at(), aggregate, value, n, position)) }
    }
    /// An operation of the LLVM dialect by its name, of one result.
    pub fn op(&self, name: &str, operands: &[Value<'c, 'a>], result: Type<'c>) -> Value<'c, 'a> {
        self.op_with(name, operands, Some(result), &[]).result_value()
    }
    pub fn op_with(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Op<'c, 'a> {
        let mut parts = Parts::new(self.context());
        operands.iter().for_each(|v| parts.operand(*v));
        result.into_iter().for_each(|t| parts.result(t));
        attributes.iter().for_each(|(name, value)| parts.attribute(name, *value));
        self.rewriter.insert(parts.create(name, self.location))
    }
    /// A call of an LLVM intrinsic that has no operation of its own, by its overloaded name.
    pub fn intrinsic(&self, name: &str, operands: &[Value<'c, 'a>], result: Type<'c>) -> Value<'c, 'a> {
        self.call_intrinsic(name, operands, Some(result)).result_value()
    }
    /// The same of one without a result.
    pub fn effect(&self, name: &str, operands: &[Value<'c, 'a>]) {
        self.call_intrinsic(name, operands, None);
    }
    fn call_intrinsic(&self, name: &str, operands: &[Value<'c, 'a>], result: Option<Type<'c>>) -> Op<'c, 'a> {
        let segments = DenseI32ArrayAttribute::new(self.context(), &[operands.len() as i32, 0]).into();
        let bundles = DenseI32ArrayAttribute::new(self.context(), &[]).into();
        let name = StringAttribute::new(self.context(), name).into();
        let attributes = [("intrin", name), ("op_bundle_sizes", bundles), ("operandSegmentSizes", segments)];
        self.op_with("llvm.call_intrinsic", operands, result, &attributes)
    }
    /// Null, 0 or an aggregate of them.
    pub fn zero(&self, type_: Type<'c>) -> Value<'c, 'a> {
        self.op("llvm.mlir.zero", &[], type_)
    }
    pub fn poison(&self, type_: Type<'c>) -> Value<'c, 'a> {
        self.op("llvm.mlir.poison", &[], type_)
    }
    // ---------------------------------------------------------------- memory
    /// `base` moved by `index` elements of type `element`.
    pub fn offset(
        &self,
        element: Type<'c>,
        base: Value<'c, 'a>,
        index: Value<'c, 'a>,
        inside: Inside,
    ) -> Value<'c, 'a> {
        let (element, base, index) = (element.to_raw(), base.to_raw(), index.to_raw());
        unsafe { Value::from_raw(ppyLLVMGep(self.raw(), self.at(), element, base, index, 0, inside as i32)) }
    }
    /// The address `bytes` after `base`, in the same object.
    pub fn field(&self, base: Value<'c, 'a>, bytes: u64) -> Value<'c, 'a> {
        match i32::try_from(bytes) {
            Ok(0) => base,
            Ok(bytes) => unsafe {
                let (element, inside) = (self.int(8).to_raw(), Inside::After as i32);
                Value::from_raw(ppyLLVMGep(self.raw(), self.at(), element, base.to_raw(), NULL_VALUE, bytes, inside))
            },
            Err(_) => self.offset(self.int(8), base, self.integer(self.int(64), bytes as i64), Inside::After),
        }
    }
    /// `align` 0 is the type's own alignment.
    pub fn load(&self, type_: Type<'c>, pointer: Value<'c, 'a>, align: u32) -> Value<'c, 'a> {
        unsafe { Value::from_raw(ppyLLVMLoad(self.raw(), self.at(), type_.to_raw(), pointer.to_raw(), align)) }
    }
    pub fn store(&self, value: Value<'c, 'a>, pointer: Value<'c, 'a>, align: u32) {
        unsafe { ppyLLVMStore(self.raw(), self.at(), value.to_raw(), pointer.to_raw(), align) }
    }
    /// Stack memory of the function, its contents undefined, allocated once per call of the function.
    pub fn stack(&self, entry: BlockRef<'c, 'a>, element: Type<'c>, count: i64, align: u32) -> Value<'c, 'a> {
        let (entry, element) = (entry.to_raw(), element.to_raw());
        unsafe { Value::from_raw(ppyLLVMAlloca(self.raw(), self.at(), entry, element, count, align)) }
    }
    pub fn zero_memory(&self, pointer: Value<'c, 'a>, bytes: i64) {
        unsafe { ppyLLVMZeroMemory(self.raw(), self.at(), pointer.to_raw(), bytes) }
    }
    // ---------------------------------------------------------------- control
    /// The function fails here with `status` where `condition` is `sense`.
    pub fn fail_if(&self, condition: Value<'c, 'a>, sense: bool, status: i32) {
        unsafe { ppyLLVMCheck(self.raw(), self.at(), condition.to_raw(), sense, status) }
    }
    pub fn br(&self, block: BlockRef<'c, 'a>, values: &[Value<'c, 'a>]) {
        let raw = raw_values(values);
        unsafe { ppyLLVMBr(self.raw(), self.at(), block.to_raw(), raw.len() as isize, raw.as_ptr()) }
    }
    pub fn cond_br(
        &self,
        condition: Value<'c, 'a>,
        (yes, yes_values): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
        (no, no_values): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    ) -> Op<'c, 'a> {
        let (yes_raw, no_raw) = (raw_values(yes_values), raw_values(no_values));
        unsafe {
            OperationRef::from_raw(ppyLLVMCondBr(
                self.raw(),
                self.at(),
                condition.to_raw(),
                yes.to_raw(),
                yes_raw.len() as isize,
                yes_raw.as_ptr(),
                no.to_raw(),
                no_raw.len() as isize,
                no_raw.as_ptr(),
            ))
        }
    }
    pub fn ret(&self, value: Option<Value<'c, 'a>>) {
        unsafe { ppyLLVMReturn(self.raw(), self.at(), value.map_or(NULL_VALUE, |v| v.to_raw())) }
    }
    /// A call of the named function; `None` for one that returns nothing.
    pub fn call(&self, function: Type<'c>, callee: &str, values: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        let raw = raw_values(values);
        let (function, callee, n) = (function.to_raw(), string_ref(callee), raw.len() as isize);
        unsafe {
            let answer = ppyLLVMCall(self.raw(), self.at(), function, callee, n, raw.as_ptr());
            (!answer.ptr.is_null()).then(|| Value::from_raw(answer))
        }
    }
    /// A call through a pointer, the first of `values`.
    pub fn call_pointer(&self, function: Type<'c>, values: &[Value<'c, 'a>]) -> Option<Value<'c, 'a>> {
        self.call(function, "", values)
    }
    // ---------------------------------------------------------------- functions
    /// An `llvm.func` without a body.
    pub fn func(&self, name: &str, type_: Type<'c>, internal: bool) -> Op<'c, 'a> {
        unsafe {
            OperationRef::from_raw(ppyLLVMFunc(self.raw(), self.at(), string_ref(name), type_.to_raw(), internal))
        }
    }
    /// An `llvm.mlir.global`.
    pub fn global(
        &self,
        name: &str,
        type_: Type<'c>,
        initial: Attribute<'c>,
        constant: bool,
        internal: bool,
        align: u64,
    ) {
        let mut parts = Parts::new(self.context());
        parts.attribute("sym_name", StringAttribute::new(self.context(), name).into());
        parts.attribute("global_type", TypeAttribute::new(type_).into());
        parts.attribute("value", initial);
        parts.attribute("linkage", linkage(self.context(), internal));
        parts.attribute("addr_space", integer_attribute(self.int(32), 0));
        if constant {
            parts.attribute("constant", Attribute::unit(self.context()));
        }
        if align > 1 {
            parts.attribute("alignment", i64_attribute(self.context(), align as i64));
        }
        parts.region(Region::new());
        self.rewriter.insert(parts.create("llvm.mlir.global", self.location));
    }
    /// A new block before `before` or last in the function's body; building goes on at its end.
    pub fn block(
        &self,
        function: Op<'c, 'a>,
        before: Option<BlockRef<'c, 'a>>,
        arguments: &[Type<'c>],
    ) -> BlockRef<'c, 'a> {
        let raw: Vec<MlirType> = arguments.iter().map(|t| t.to_raw()).collect();
        let before = before.map_or(MlirBlock { ptr: std::ptr::null_mut() }, |b| b.to_raw());
        unsafe {
            BlockRef::from_raw(ppyLLVMCreateBlock(
                self.raw(),
                function.to_raw(),
                before,
                raw.len() as isize,
                raw.as_ptr(),
                self.at(),
            ))
        }
    }
    /// Moves the blocks of `from` into the empty body of `to`.
    pub fn move_body(&self, from: Op<'c, 'a>, to: Op<'c, 'a>) {
        unsafe {
            let (from, to) = (mlirOperationGetRegion(from.to_raw(), 0), mlirOperationGetRegion(to.to_raw(), 0));
            ppyLLVMMoveBody(self.raw(), from, to);
        }
    }
}

/// The linkage of a global.
pub fn linkage(context: &Context, internal: bool) -> Attribute<'_> {
    let linkage =
        if internal { MlirLLVMLinkage_MlirLLVMLinkageInternal } else { MlirLLVMLinkage_MlirLLVMLinkageExternal };
    unsafe { Attribute::from_raw(mlirLLVMLinkageAttrGet(context.to_raw(), linkage)) }
}

/// Sets an attribute of an argument of an `llvm.func`.
pub fn set_argument_attribute(function: Op<'_, '_>, index: usize, name: &str, value: Attribute<'_>) {
    unsafe { ppyLLVMSetArgumentAttribute(function.to_raw(), index as u32, string_ref(name), value.to_raw()) }
}

/// The entry block of the `llvm.func` around `op`.
pub fn entry_block<'c: 'a, 'a>(op: Op<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    let func = op.ancestor("llvm.func")?;
    let region: RegionRef<'c, 'a> = unsafe { RegionRef::from_raw(mlirOperationGetRegion(func.to_raw(), 0)) };
    region.first_block()
}

/// Names a block argument in its location, for whoever reads the code; an operation's result stays as it is.
pub fn name_argument(argument: Value<'_, '_>, name: &str) {
    if argument.block_argument().is_some() {
        unsafe { ppyLLVMNameArgument(argument.to_raw(), string_ref(name)) }
    }
}

/// An argument of a block, if it has so many.
pub fn block_argument<'c: 'a, 'a>(block: BlockRef<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    block.argument(index).ok().map(Into::into)
}

/// The integer an `llvm.mlir.constant` gives.
pub fn known_integer(value: Value<'_, '_>) -> Option<i64> {
    let attribute = value.defined_by("llvm.mlir.constant")?.inherent("value")?;
    super::attribute::integer_bits(attribute)
}

/// Turns the checks of an `llvm.func` into edges to one cold block per status.
pub fn split_checks(function: Op<'_, '_>) {
    unsafe { ppyLLVMSplitChecks(function.to_raw()) }
}

/// Merges the block after the entry block into it where only the entry jumps there.
pub fn merge_entry(function: Op<'_, '_>) {
    unsafe { ppyLLVMMergeEntry(function.to_raw()) }
}
