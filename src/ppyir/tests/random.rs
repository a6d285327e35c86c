//! Random modules survive printing and reading, and random text never breaks the reader.

use super::super::ast::*;
use super::super::{parse_bytes, parse_documents, print_documents};
use super::Table;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use smol_str::{SmolStr, format_smolstr};
use std::sync::Arc;

fn word() -> impl Strategy<Value = SmolStr> {
    "[a-z_é][a-z0-9_]{0,6}|[0-9]{1,3}".prop_map(SmolStr::from)
}

fn dotted() -> impl Strategy<Value = SmolStr> {
    "[a-z_][a-z0-9_]{0,6}(\\.[a-z0-9]{1,4}){0,2}".prop_map(SmolStr::from)
}

fn scalar() -> impl Strategy<Value = Type> {
    let int = (prop::sample::select(vec![8u8, 16, 32, 64]), any::<bool>());
    prop_oneof![
        int.prop_map(|(width, signed)| Type::Int { width, signed }),
        prop::sample::select(vec![Type::Bool, Type::F16, Type::F32, Type::F64, Type::Bf16, Type::Index]),
    ]
}

fn ty() -> impl Strategy<Value = Type> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        let space = prop_oneof![Just(SmolStr::new("generic")), Just("stack".into()), Just("gpu.shared".into())];
        let fields = btree_map("[a-z]{1,3}".prop_map(SmolStr::from), inner.clone(), 0..3);
        let arg = prop_oneof![
            inner.clone().prop_map(TypeArg::Type),
            any::<i128>().prop_map(TypeArg::Int),
            "[A-Z][a-z]{0,3}|\\([a-z]( \\* \\(b\\))?\\)".prop_map(|word| TypeArg::Word(word.into())),
        ];
        prop_oneof![
            (inner.clone(), space, any::<bool>()).prop_map(|(pointee, space, constant)| Type::Ptr(Arc::new(PtrType {
                pointee,
                space,
                constant
            }))),
            inner.clone().prop_map(|inner| Type::Buffer(inner.into())),
            inner.clone().prop_map(|inner| Type::Future(inner.into())),
            (scalar(), 1u64..).prop_map(|(element, lanes)| Type::Vector(element.into(), lanes)),
            (scalar(), vec(1u64.., 1..4)).prop_map(|(element, extents)| Type::Array(element.into(), extents.into())),
            vec(inner, 0..4).prop_map(|items| Type::Tuple(items.into())),
            (dotted(), fields).prop_map(|(name, fields)| {
                Type::Struct(Arc::new(StructType { name, fields: fields.into_iter().collect() }))
            }),
            (dotted(), vec(arg, 0..4)).prop_map(|(name, args)| Type::Dialect(Arc::new(DialectType {
                dialect: "tensor".into(),
                name,
                args
            }))),
        ]
    })
}

fn attr() -> impl Strategy<Value = Attr> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Attr::Bool),
        any::<i128>().prop_map(Attr::Int),
        any::<f64>().prop_map(|x| Attr::Float(if x.is_nan() { f64::NAN } else { x })),
        any::<String>().prop_map(|text| Attr::Str(text.into())),
        dotted().prop_map(Attr::Symbol),
        ty().prop_map(Attr::Type),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Attr::List),
            btree_map(dotted(), inner, 0..3).prop_map(|entries| Attr::Dict(Attrs(entries.into_iter().collect()))),
        ]
    })
}

fn attrs() -> impl Strategy<Value = Attrs> {
    btree_map(dotted(), attr(), 0..3).prop_map(|entries| Attrs(entries.into_iter().collect()))
}

fn loc() -> impl Strategy<Value = Option<Loc>> {
    prop::option::of((any::<String>(), any::<u32>(), any::<u32>()).prop_map(|(file, line, column)| Loc {
        file: file.into(),
        line,
        column,
    }))
}

/// The shape of an operation; ids are dealt out when the function is put together.
#[derive(Clone, Debug)]
struct Shape {
    name: usize,
    operands: Vec<u32>,
    results: Vec<Type>,
    attrs: Attrs,
    successors: Vec<(u32, Vec<u32>)>,
    regions: Vec<Vec<BlockShape>>,
    loc: Option<u32>,
}

#[derive(Clone, Debug)]
struct BlockShape {
    args: Vec<Type>,
    ops: Vec<Shape>,
}

fn op_shape() -> BoxedStrategy<Shape> {
    let make = |regions: BoxedStrategy<Vec<Vec<BlockShape>>>| {
        let successor = (any::<u32>(), vec(any::<u32>(), 0..3));
        let parts = (0usize..10, vec(any::<u32>(), 0..4), vec(ty(), 0..3), attrs(), vec(successor, 0..3));
        (parts, regions, prop::option::of(0u32..3)).prop_map(
            |((name, operands, results, attrs, successors), regions, loc)| Shape {
                name,
                operands,
                results,
                attrs,
                successors,
                regions,
                loc,
            },
        )
    };
    make(Just(Vec::new()).boxed())
        .prop_recursive(2, 10, 3, move |inner| {
            let block = (vec(ty(), 0..2), vec(inner, 0..3)).prop_map(|(args, ops)| BlockShape { args, ops });
            make(vec(vec(block, 0..3), 0..2).boxed())
        })
        .boxed()
}

/// Deals out names and ids in the order of the text.
struct Deal {
    values: Vec<ValueDef>,
    total: u32,
}

impl Deal {
    fn value(&mut self, ty: &Type) -> ValueId {
        let id = self.values.len() as u32;
        let name = if id.is_multiple_of(3) { format_smolstr!("v{id}") } else { format_smolstr!("{id}") };
        self.values.push(ValueDef { name, ty: ty.clone() });
        ValueId(id)
    }

    fn pick(&self, seed: u32) -> Option<ValueId> {
        seed.checked_rem(self.total).map(ValueId)
    }

    fn region(&mut self, shapes: &[BlockShape], entry: Option<&[ValueId]>) -> Region {
        let mut region = Region::default();
        for (index, shape) in shapes.iter().enumerate() {
            let args = match entry.filter(|_| index == 0) {
                Some(params) => params.to_vec(),
                None => shape.args.iter().map(|ty| self.value(ty)).collect(),
            };
            let mut running = None;
            let ops = shape.ops.iter().map(|op| self.op(op, shapes.len(), &mut running)).collect();
            region.blocks.push(Block { name: format_smolstr!("b.{index}"), args, ops, span: Span::NONE });
        }
        region
    }

    fn op(&mut self, shape: &Shape, blocks: usize, running: &mut Option<Loc>) -> Operation {
        const NAMES: [&str; 10] = [
            "core.add",
            "core.br",
            "core.call",
            "core.cmp",
            "core.cmp",
            "core.const",
            "core.ret",
            "tensor.fused",
            "tensor.yield",
            "core.const",
        ];
        let mut attrs = shape.attrs.clone();
        match shape.name {
            3 => drop(attrs.insert("predicate".into(), Attr::Str("lt".into()))),
            5 => drop(attrs.insert("value".into(), Attr::Float(-0.0))),
            9 => drop(attrs.insert("value".into(), Attr::Dict(shape.attrs.clone()))),
            _ => {}
        }
        if let Some(line) = shape.loc {
            *running = Some(Loc { file: "p.ppy".into(), line, column: 0 });
        }
        let loc = running.clone();
        let results = shape.results.iter().map(|ty| self.value(ty)).collect();
        let successors = shape.successors.iter().map(|(block, args)| Successor {
            block: BlockId(block % blocks as u32),
            args: args.iter().filter_map(|seed| self.pick(*seed)).collect(),
        });
        Operation {
            name: NAMES[shape.name].into(),
            operands: shape.operands.iter().filter_map(|seed| self.pick(*seed)).collect(),
            results,
            attrs,
            successors: successors.collect(),
            regions: shape.regions.iter().map(|region| self.region(region, None)).collect(),
            loc,
            span: Span::NONE,
        }
    }
}

fn count(blocks: &[BlockShape], entry: bool) -> usize {
    let own = |(index, block): (usize, &BlockShape)| {
        let args = if entry && index == 0 { 0 } else { block.args.len() };
        let ops =
            block.ops.iter().map(|op| op.results.len() + op.regions.iter().map(|r| count(r, false)).sum::<usize>());
        args + ops.sum::<usize>()
    };
    blocks.iter().enumerate().map(own).sum()
}

fn function() -> impl Strategy<Value = Function> {
    let block = (vec(ty(), 0..3), vec(op_shape(), 0..4)).prop_map(|(args, ops)| BlockShape { args, ops });
    let params = vec((ty(), attrs()), 0..3);
    let signature = (any::<bool>(), params, vec(ty(), 0..3), prop::option::of(attrs()), loc());
    (signature, prop::option::of(vec(block, 1..4))).prop_map(|((private, params, results, attrs, loc), blocks)| {
        let total = params.len() + blocks.as_deref().map_or(0, |blocks| count(blocks, true));
        let mut deal = Deal { values: Vec::new(), total: total as u32 };
        let defined = blocks.is_some();
        let params: Vec<Param> = params
            .into_iter()
            .map(|(ty, attrs)| Param { value: defined.then(|| deal.value(&ty)), ty, attrs })
            .collect();
        let entry: Vec<ValueId> = params.iter().filter_map(|param| param.value).collect();
        let body = blocks.map(|blocks| deal.region(&blocks, Some(&entry)));
        let (symbol, values, span) = ("f".into(), deal.values, Span::NONE);
        Function { symbol, private, body, params, results, attrs, loc, values, span }
    })
}

fn global() -> impl Strategy<Value = Global> {
    (any::<bool>(), any::<bool>(), ty(), prop::option::of(attr())).prop_map(|(private, mutable, ty, value)| Global {
        symbol: "g".into(),
        private,
        mutable,
        ty,
        value,
        loc: None,
        span: Span::NONE,
    })
}

fn module() -> impl Strategy<Value = Module> {
    let item = prop_oneof![function().prop_map(Item::Function), global().prop_map(Item::Global)];
    (word(), prop::option::of(attrs()), vec(item, 0..4)).prop_map(|(name, attrs, mut items)| {
        for (index, item) in items.iter_mut().enumerate() {
            let symbol = format_smolstr!("s{index}");
            match item {
                Item::Global(global) => global.symbol = symbol,
                Item::Function(function) => function.symbol = symbol,
            }
        }
        let dialects = vec![("tensor".into(), 2), ("core".into(), 1)];
        Module { name, dialects, attrs, items }
    })
}

/// Text to damage: it holds every construct.
const SEED: &str = "ppyir 1\nmodule @t\ndialect core 1\ndialect tensor 2\nattrs {a = [1, -2.5e-07, \"x\\u00e9\"]}\n\n\
    private global @g : buffer<u8> = \"text\"\n\n\
    func @f(%x: i64 {noalias = true}, %c: bool) -> (i64, f64) attrs {e = []} loc(\"p.ppy\":3:0) {\n^entry:\n    \
    %0 = core.const 0 : i64 loc(\"p.ppy\":4:8)\n    %1 = core.cmp.lt %x, %0 : bool\n    \
    core.cond_br %1, ^neg, ^join(%x, %0)\n^neg:\n    \
    %a, %b = core.call %x {callee = @f} : i64, tensor.t<f64, N, (N * 2)>\n    \
    core.br ^join(%a, %x)\n^join(%y: i64, %z: i64):\n    %r = tensor.fused %y : i64 {\n    ^body(%e: f64):\n        \
    tensor.yield %e\n    }\n    core.ret %r\n}\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_module_survives_its_text(modules in vec(module(), 1..3)) {
        let text = print_documents(&modules, &Table).unwrap_or_else(|error| panic!("{error}"));
        let read = parse_documents(&text, "t", &Table).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        prop_assert_eq!(&read, &modules, "{}", text);
        prop_assert_eq!(print_documents(&read, &Table), Ok(text));
    }

    /// Names and locations of any kind still print as text that prints as itself.
    #[test]
    fn odd_names_and_locations_print_stably(module in module(), names in vec(any::<String>(), 1..9), gaps: u64) {
        let mut module = module;
        for item in &mut module.items {
            let Item::Function(function) = item else { continue };
            for (value, name) in function.values.iter_mut().zip(names.iter().cycle()) {
                value.name = name.into();
            }
            for (index, block) in function.body.iter_mut().flat_map(|body| &mut body.blocks).enumerate() {
                block.name = names[index % names.len()].as_str().into();
                for (index, op) in block.ops.iter_mut().enumerate() {
                    op.loc = op.loc.take().filter(|_| gaps >> (index % 64) & 1 == 0);
                }
            }
        }
        let modules = [module];
        let text = print_documents(&modules, &Table).unwrap_or_else(|error| panic!("{error}"));
        let read = parse_documents(&text, "t", &Table).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        prop_assert_eq!(print_documents(&read, &Table), Ok(text));
    }

    /// Damaged text is read or refused; what is read prints stably.
    #[test]
    fn damaged_text_is_read_or_refused(edits in vec((any::<prop::sample::Index>(), 0usize..6, any::<u8>()), 1..6)) {
        let mut text = SEED.as_bytes().to_vec();
        for (place, kind, byte) in edits {
            const BITS: &[u8] = b"{}()<>[]^%@!\"\\,:=-.\n \t\r/01eE_ax\0\xff";
            let at = place.index(text.len().max(1)).min(text.len());
            let piece = BITS[byte as usize % BITS.len()];
            match kind {
                0 => text.insert(at, piece),
                1 => drop(text.drain(at..(at + 1).min(text.len()))),
                2 => if let Some(old) = text.get_mut(at) { *old = piece },
                3 => drop(text.drain(at..(at + byte as usize).min(text.len()))),
                4 => {
                    let copy = text[at..(at + byte as usize).min(text.len())].to_vec();
                    text.splice(at..at, copy);
                }
                _ => text.truncate(at),
            }
        }
        match parse_bytes(&text, "t", &Table) {
            Ok(modules) => {
                let printed = print_documents(&modules, &Table).unwrap_or_else(|error| panic!("{error}"));
                let again = parse_documents(&printed, "t", &Table);
                prop_assert_eq!(again.as_ref(), Ok(&modules), "{}", printed);
            }
            Err(errors) => prop_assert!(!errors.list.is_empty() && !errors.to_string().is_empty()),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(ppyir 1\nmodule @t\n)?(\\PC|\n){0,200}") {
        let _ = parse_documents(&text, "t", &Table);
    }
}
