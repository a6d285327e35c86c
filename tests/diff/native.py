"""ppy's own native code on generated rows, next to CPython: a check of the generator, not of this project.

A difference is a defect of ppy's frontend or backend, which the programs then have to stay clear of."""

import ctypes
import sys

CTYPES = {"i64": ctypes.c_int64, "f64": ctypes.c_double, "bool": ctypes.c_int8}


def compile_module(module):
    """The module's machine code, by llvmlite."""
    import llvmlite.binding as llvm
    from ppy_compiler.backend.llvm.from_ir import emit_module

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.load_library_permanently("libm.so.6")
    code = llvm.parse_assembly(emit_module(module))
    code.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(code, machine)
    engine.finalize_object()
    return engine


def call(engine, function, arguments):
    """Status, result atoms and buffers of one call by the native ABI."""
    types, values, buffers = [], [], []
    for parameter, argument in zip(function.body.blocks[0].arguments, arguments, strict=True):
        if isinstance(argument, dict):
            element = ctypes.c_int64 if argument["elem"] == "q" else ctypes.c_double
            memory = (element * max(1, len(argument["buf"])))(*map(number, argument["buf"]))
            buffers.append((memory, len(argument["buf"])))
            types += [ctypes.c_void_p, ctypes.c_int64]
            values += [ctypes.addressof(memory), len(argument["buf"])]
        else:
            types.append(CTYPES[str(parameter.type)])
            values.append(number(argument))
    atoms = [atom for result in function.results for atom in getattr(result, "items", (result,))]
    slots = [CTYPES[str(atom)]() for atom in atoms]
    address = engine.get_function_address(function.attributes["ppy.symbol"])
    native = ctypes.CFUNCTYPE(ctypes.c_int32, *types, *[ctypes.c_void_p] * len(slots))(address)
    status = native(*values, *map(ctypes.addressof, slots))
    results = [bool(s.value) if str(a) == "bool" else s.value for a, s in zip(atoms, slots)]
    return status, results, [list(memory)[:length] for memory, length in buffers]


def number(value):
    return float(value) if isinstance(value, str) else value


def check(name, module, rows):
    """The number of rows on which native code answers, and CPython says something else."""
    from generate import spelled

    try:
        engine = compile_module(module)
    except Exception as error:
        print(f"{name}: ppy's own code generation fails: {error}", file=sys.stderr)
        return 0
    by_name = {f.name: f for f in module.functions.values()}
    wrong = 0
    for row in rows:
        status, results, buffers = call(engine, by_name[row["func"]], row["args"])
        if status != 0:
            continue
        said = {"value": [spelled(x) for x in results]}
        if buffers:
            said["buffers"] = [[spelled(x) for x in b] for b in buffers]
        if repr(said) != repr(row["python"]):
            wrong += 1
            print(f"{name} @{row['func']} {row['args']}: native {said}, CPython {row['python']}", file=sys.stderr)
    return wrong
