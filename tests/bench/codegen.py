#!/usr/bin/env python3
"""Part (d): the time from `.ppyir` to machine code, ours against ppy-lang's own road, with clang -O2 for scale."""

import argparse
import json
import tempfile
from pathlib import Path

from kernels import geometric_mean, ratio
from scaling import generate
from tools import HERE, kernel_folders, llvm, ours, ppy_command, ppy_python, run, table


def best_wall(command, repeat, cwd=None):
    """(seconds, problem) of the fastest of some runs."""
    walls = []
    for _ in range(repeat):
        done = run(command, cwd=cwd)
        if not done.ok:
            return None, f"{command[0].rsplit('/', 1)[-1]}: {done.reason()}"
        walls.append(done.wall)
    return min(walls), None


def ppy_inside(source, repeat, decode):
    """(seconds, problem) of ppy-lang's steps in a process that already runs: no interpreter start, no imports."""
    extra = ["--decode"] if decode else []
    done = run([ppy_python(), str(HERE / "ppy_steps.py"), str(source), "--object", "--repeat", str(repeat), *extra])
    if not done.ok:
        return None, f"ppy_steps.py: {done.reason()}"
    seconds = json.loads(done.out)["seconds"]
    return sum(value for name, value in seconds.items() if name != "encode"), None


def one(label, source, c_source, repeat, folder, slow):
    """A row: our wall, ppy's wall, ppy's steps alone, clang's wall."""
    problems = []

    def keep(pair):
        problems.extend(f"{label}, {pair[1]}" for _ in [0] if pair[1])
        return pair[0]

    own = clang = wall = inside = None
    output = str(folder / "out.o")
    if ours("ppy-translate"):
        own = keep(best_wall([ours("ppy-translate"), "--ppy-to-object", "-O2", str(source), "-o", output], repeat))
    if c_source:
        clang = keep(best_wall([llvm("clang"), "-O2", "-march=native", "-c", str(c_source), "-o", output], repeat))
    if ppy_command():
        build = [ppy_command(), "-O", "2", "build", str(source), "--host-cpu", "-o", str(folder / "out")]
        wall = keep(best_wall(build, 1, folder)) if slow else keep(best_wall(build, repeat, folder))
        inside = keep(ppy_inside(source, 1 if slow else repeat, decode=True))
    ratios = [ratio(wall, own), ratio(inside, own)]
    row = [label, *[value and f"{value * 1000:,.1f}" for value in (own, wall, inside, clang)], *ratios]
    return row, ratios, problems


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--ops", type=int, default=50_000, help="size of the big module; 0 leaves it out")
    o = parser.parse_args(argv)
    rows, columns, problems = [], [], []
    with tempfile.TemporaryDirectory(prefix="ppy-bench-") as name:
        folder = Path(name)
        for kernel in kernel_folders():
            row, ratios, why = one(kernel.name, kernel / "kernel.ppyir", kernel / "kernel.c", o.repeat, folder, False)
            rows.append(row)
            columns.append(ratios)
            problems += why
        rows.append(["geometric mean", *[None] * 4, *map(geometric_mean, zip(*columns))])
        if o.ops:
            exact, ppyir, _ = generate(o.ops, folder)
            row, _, why = one(f"{exact:,} operations", ppyir, None, o.repeat, folder, True)
            rows.append(row)
            problems += why
    header = ["module", "ours ms", "ppy build ms", "ppy inside ms", "clang -O2 ms", "build/ours", "inside/ours"]
    table("(d) .ppyir to an object at -O2, wall time", header, rows, problems)


if __name__ == "__main__":
    main()
