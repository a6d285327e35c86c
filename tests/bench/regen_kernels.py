#!/usr/bin/env python3
"""Write the generated part of every kernel: `kernel.ppyir` and the expected results in `case.json`.

`kernel.ppyir` is what ppy-lang's frontend makes of `kernel.ppy` before any pass; small results come from this
Python running `kernel.ppy`, full results from `kernel.c`. Run it after a change to a kernel or its arguments.
"""

import argparse
import json
import sys
import tempfile
import types
from pathlib import Path

from cases import ELEMENTS, expand
from tools import HERE, kernel_folders, llvm, ppy_command, run

CLANG_FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Werror", "-shared", "-fPIC"]


def frontend(kernel):
    """The frontend's module, byte for byte, without the stage banner that `ppy inspect` prints above it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "kernel.ppy"
        copy.write_text((kernel / "kernel.ppy").read_text())
        made = run([ppy_command(), "inspect", "kernel.ppy", "--stage", "ir"], cwd=folder)
    if not made.ok or "ppyir 1\n" not in made.out:
        sys.exit(f"{kernel.name}: the frontend made no module ({made.reason()})")
    return made.out[made.out.index("ppyir 1\n") :]


def stand_in():
    """A module `ppy` with the names that the kernels' annotations use."""

    class Buffer:
        def __class_getitem__(cls, _item):
            return cls

    module = types.ModuleType("ppy")
    module.Buffer, module.u8 = Buffer, int
    return module


def by_cpython(kernel, case):
    """What CPython answers at the small size: the result, and the buffers after the call."""
    sys.modules["ppy"] = stand_in()
    names = {}
    exec(compile((kernel / "kernel.ppy").read_text(), str(kernel / "kernel.ppy"), "exec"), names)
    args = [a["buf"] if isinstance(a, dict) else a for a in expand(case["small"]["args"])]
    for spec, arg in zip(case["small"]["args"], args):
        if isinstance(spec, dict):
            arg[:] = list((ELEMENTS[spec["elem"]] * len(arg))(*arg))
    result = names[case["function"]](*args)
    return {"results": [result], "buffers": [a for a in args if isinstance(a, list)]}


def by_c(kernel, size):
    """What the C kernel answers."""
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/kernel.so"
        built = run([llvm("clang"), *CLANG_FLAGS, "-o", library, str(kernel / "kernel.c"), "-lm"])
        if not built.ok:
            sys.exit(f"{kernel.name}: {built.err}")
        timer = [sys.executable, str(HERE / "native_time.py"), library, kernel.name, str(kernel / "case.json")]
        done = run([*timer, "--abi", "c", "--size", size, "--repeat", "1"])
    if not done.ok:
        sys.exit(f"{kernel.name}: {done.reason()}")
    return json.loads(done.out)


def write(path, case):
    """One line per member, so that a changed answer is one changed line."""

    def member(name, value):
        return f'"{name}": {json.dumps(value)}'

    def size(name):
        inner = ",\n".join("    " + member(k, v) for k, v in case[name].items())
        return f'  "{name}": {{\n{inner}\n  }}'

    head = ["  " + member(name, case[name]) for name in ("function", "result")]
    path.write_text("{\n" + ",\n".join([*head, size("small"), size("full")]) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", help="names of kernels (default: all)")
    names = parser.parse_args().kernels
    if ppy_command() is None:
        sys.exit("regen_kernels: no ppy-lang: set PPY_PYTHON to the interpreter that has it")
    for kernel in (path for path in kernel_folders() if not names or path.name in names):
        path = kernel / "case.json"
        case = json.loads(path.read_text())
        (kernel / "kernel.ppyir").write_text(frontend(kernel))
        python, small, full = by_cpython(kernel, case), by_c(kernel, "small"), by_c(kernel, "full")
        if python["results"] != small["results"] or python["buffers"] != small["buffers"]:
            sys.exit(f"{kernel.name}: CPython and C differ: {python['results']} and {small['results']}")
        case["small"] = {"args": case["small"]["args"], **python}
        case["full"] = {"args": case["full"]["args"], "results": full["results"], "digest": full["digest"]}
        write(path, case)
        print(f"{kernel.name:14} {full['best_ns'] / 1e6:8.1f} ms  {full['results']}")


if __name__ == "__main__":
    main()
