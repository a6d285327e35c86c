"""ppy-lang's own time for each step on one `.ppyir`, as JSON. Run by the interpreter that has ppy-lang.

Its reader takes time quadratic in the file, so the module is read in pieces of whole functions that are put together
afterwards, unless `--decode` asks for the time of one real read. Both give the same module (`--check` proves it).
"""

import argparse
import gc
import json
import resource
import time
from importlib.metadata import version
from pathlib import Path

import llvmlite.binding as llvm
from ppy_compiler.backend.llvm.from_ir import emit_module
from ppy_compiler.ir import PassContext, decode, encode, verify
from ppy_compiler.ir.transforms import LowerParallel, default_pipeline

PIECE = 60_000  # characters: where the reader's quadratic part is still small


def pieces(text):
    """The module's text as several small modules with the same header."""
    head, *functions = text.split("\nfunc ")
    group = []
    for function in functions:
        group.append("\nfunc " + function)
        if sum(map(len, group)) > PIECE:
            yield head + "".join(group)
            group = []
    if group:
        yield head + "".join(group)


def read_in_pieces(text):
    module, *rest = [decode(piece) for piece in pieces(text)]
    for other in rest:
        module.functions.update(other.functions)
    return module


def count(module):
    return sum(len(block.operations) for f in module.functions.values() if f.body for block in f.body.blocks)


def optimize(module, level=2):
    default_pipeline(level, PassContext(None), LowerParallel("threads", threads=2)).run(module)


def machine_code(text):
    """LLVM IR text to the bytes of an object, as `-O2 --host-cpu` would have it."""
    module = llvm.parse_assembly(text)
    target = llvm.Target.from_default_triple()
    host = {"cpu": llvm.get_host_cpu_name(), "features": llvm.get_host_cpu_features().flatten()}
    machine = target.create_target_machine(opt=2, reloc="pic", **host)
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


def main():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--decode", action="store_true", help="time one read of the whole file (minutes)")
    parser.add_argument("--check", action="store_true", help="compare the put-together module's text with the file")
    parser.add_argument("--levels", action="store_true", help="only time the pipeline, at each of its levels")
    parser.add_argument("--object", action="store_true", help="also compile the LLVM IR to an object")
    o = parser.parse_args()
    text = o.file.read_text()
    best = {}

    def timed(name, action, *args):
        gc.collect()
        start = time.perf_counter()
        result = action(*args)
        spent = time.perf_counter() - start
        best[name] = min(spent, best.get(name, spent))
        return result

    report = {"version": version("ppy-lang")}
    if o.levels:
        for level in range(4):
            for _ in range(o.repeat):
                timed(level, optimize, read_in_pieces(text), level)
        print(json.dumps({**report, "levels": best}))
        return
    if o.decode:
        timed("decode", decode, text)
    for _ in range(o.repeat):
        module = read_in_pieces(text)
        report["ops"] = count(module)
        if o.check:
            report["same_text"] = encode(module) == text
        errors = timed("verify", verify, module)
        if errors:
            raise SystemExit(f"ppy-lang refuses the module: {errors[0]}")
        timed("pipeline", optimize, module)
        report["ops_after"] = count(module)
        lowered = timed("llvm text", emit_module, module)
        timed("encode", encode, module)
        if o.object:
            report["object_bytes"] = len(timed("object", machine_code, lowered))
    report["seconds"] = best
    report["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(report))


if __name__ == "__main__":
    main()
