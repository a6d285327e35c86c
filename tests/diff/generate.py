#!/usr/bin/env python3
"""Write random programs as `.ppyir` with CPython's answers.

    generate.py [--seed S] [--count N] [--first I] [--check] OUTDIR

For each program: `progNNN.ppy` (the source), `progNNN.ppyir` (what ppy's frontend makes of it, before any pass) and
`progNNN.json` (rows of a function, its arguments and CPython's answer; README.md has the format). The same seed, count
and ppy version give the same files. `--check` also runs ppy's own native code on the rows and lists where it differs
from CPython: a difference there is the frontend's, and the generator has to stay clear of it.

Needs Python 3.12 or newer and `pip install -r requirements.txt`."""

import argparse
import array
import json
import math
import random
import re
import sys
import types
from pathlib import Path

import programs
from programs import BOOL, FLOAT, FLOATS, INT, INTS

ROWS = 10
INT_EDGES = (0, 1, -1, 2, -2, 63, 64, 2**31, -(2**31), 2**32, 2**53 + 1, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1)
FLOAT_EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 1e-310, 2.0**53, 9.3e18, math.inf, -math.inf, math.nan)


def argument(rng, kind):
    """A random argument: mostly small, sometimes an edge."""
    if kind == INT:
        return rng.choice(INT_EDGES) if rng.random() < 0.2 else rng.randint(-12, 40) if rng.random() < 0.8 else rng.randint(-10**6, 10**6)
    if kind == FLOAT:
        return rng.choice(FLOAT_EDGES) if rng.random() < 0.2 else round(rng.uniform(-20, 20), rng.randint(0, 6))
    if kind == BOOL:
        return rng.random() < 0.5
    element, code = (INT, "q") if kind == INTS else (FLOAT, "d")
    return array.array(code, [argument(rng, element) for _ in range(0 if rng.random() < 0.08 else rng.randint(1, 6))])


def spelled(value):
    """A value as JSON holds it."""
    if isinstance(value, array.array):
        return {"buf": [spelled(x) for x in value], "elem": value.typecode}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, int) and value.bit_length() > 128:
        return "big"
    return value


def answer(function, arguments):
    """What CPython says, and the buffers afterwards."""
    try:
        value = function(*arguments)
    except Exception as error:  # whatever the program raises is its answer
        return {"raises": type(error).__name__}
    atoms = list(value) if isinstance(value, tuple) else [value]
    said = {"value": [spelled(atom) for atom in atoms]}
    buffers = [[spelled(x) for x in a] for a in arguments if isinstance(a, array.array)]
    if buffers:
        said["buffers"] = buffers
    return said


def rows_of(seed, index, name, text, functions, lowered):
    """Rows for every function that the frontend lowered."""
    rng = random.Random(f"{seed}/{index}/arguments")
    module = types.ModuleType(name)
    exec(compile(text, f"{name}.ppy", "exec"), module.__dict__)
    rows = []
    for function in functions:
        for _ in range(ROWS):
            arguments = [argument(rng, kind) for _, kind in function.params]
            given = [spelled(a) for a in arguments]
            if function.name in lowered:
                python = answer(getattr(module, function.name), arguments)
                rows.append({"func": lowered[function.name], "args": given, "python": python})
    return rows


def lower(paths):
    """ppy's frontend on all files at once: the modules before any pass, and why a function was refused."""
    import dataclasses

    import ppy_compiler.lowering as lowering
    from ppy_compiler.driver.ir_pipeline import canonical_ir_modules
    from ppy_compiler.driver.pipeline import analyze_paths, open_project

    refused = {}
    inner = lowering.lower_module_to_ir

    def watched(*args, **kwargs):
        result = inner(*args, **kwargs)
        refused.update(result.rejected)
        return result

    lowering.lower_module_to_ir = watched
    try:
        project = open_project(paths[0])
        project.config = dataclasses.replace(project.config, opt_level=2)
        bundle = analyze_paths(project, paths)
        errors = [d for d in bundle.diagnostics if "error" in str(getattr(d, "severity", "")).lower()]
        return canonical_ir_modules(bundle, launches=True, until="none"), refused, errors
    finally:
        lowering.lower_module_to_ir = inner


def lowered_names(module):
    """Python name -> symbol of the functions with a body."""
    return {f.attributes["ppy.qualname"].split(".", 1)[1]: f.name for f in module.functions.values()
            if not f.is_declaration and "ppy.qualname" in f.attributes}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if sys.version_info < (3, 12):
        parser.error(f"ppy-lang needs Python 3.12 or newer, this is {sys.version.split()[0]}; the stored programs in frozen/ need no Python")
    from ppy_compiler.ir import encode

    out = options.outdir.resolve()
    out.mkdir(parents=True, exist_ok=True)
    (out / "pyproject.toml").write_text("[tool.ppy]\n")
    made = {}
    for index in range(options.first, options.first + options.count):
        text, functions = programs.source(options.seed, index)
        made[f"prog{index:03d}"] = (index, text, functions)
        (out / f"prog{index:03d}.ppy").write_text(text)
    modules, refused, errors = lower([out / f"{name}.ppy" for name in made])
    for error in errors:
        print(f"the frontend reports an error: {error}", file=sys.stderr)
    total = raised = differences = 0
    for name, (index, text, functions) in made.items():
        if name not in modules:
            print(f"{name}: nothing lowered", file=sys.stderr)
            continue
        (out / f"{name}.ppyir").write_text(encode(modules[name]))
        rows = rows_of(options.seed, index, name, text, functions, lowered_names(modules[name]))
        body = ",\n".join(" " + json.dumps(row) for row in rows)
        (out / f"{name}.json").write_text(f'{{"rows": [\n{body}\n]}}\n')
        total += len(rows)
        raised += sum("raises" in row["python"] for row in rows)
        if options.check:
            import native

            differences += native.check(name, modules[name], rows)
    (out / "pyproject.toml").unlink()
    reasons = {}
    for reason in refused.values():
        key = re.sub(r"`[^`]*`", "`...`", str(reason))
        reasons[key] = reasons.get(key, 0) + 1
    print(f"{len(made)} programs, {sum(len(m[2]) for m in made.values())} functions, {total} rows, {raised} raise in CPython, {len(refused)} functions not lowered")
    for reason, count in sorted(reasons.items()):
        print(f"  not lowered, {count}: {reason}")
    return 1 if errors or differences else 0


if __name__ == "__main__":
    sys.exit(main())
