#!/usr/bin/env python3
"""Part (e): what each level of the default pipeline costs, next to ppy-lang's, and how fast the kernels run after it."""

import argparse
import json
import tempfile
from pathlib import Path

from kernels import Kernel, geometric_mean, ratio
from scaling import generate
from tools import HERE, kernel_folders, ours, ppy_python, run, table, verdict

LEVELS = range(4)
GOAL_PPY, GOAL_SLOWER = 30, 1.02  # two runs of one program differ by 2 %


def own_seconds(source, level, repeat, folder):
    """(seconds, problem) of the passes alone, by the report of the tool, with one thread."""
    report = folder / "report.json"
    command = [ours("ppy-opt"), str(source), "-o", str(folder / "out"), "--mlir-disable-threading"]
    times = []
    for _ in range(repeat):
        # The report takes a fingerprint around each pass, outside the time that it says.
        done = run([*command, f"--ppy-pipeline=level={level}", f"--ppy-report={report}"])
        if not done.ok:
            return None, f"level {level}: {done.reason()}"
        times.append(sum(row["seconds"] for row in json.loads(report.read_text())["passes"]))
    return min(times), None


def ppy_seconds(source, repeat):
    """({level: seconds}, problem) of ppy-lang's `default_pipeline`."""
    if not ppy_python():
        return {}, "no ppy-lang (set PPY_PYTHON)"
    done = run([ppy_python(), str(HERE / "ppy_steps.py"), str(source), "--levels", "--repeat", str(repeat)])
    if not done.ok:
        return {}, f"ppy-lang: {done.reason()}"
    return {int(level): seconds for level, seconds in json.loads(done.out)["levels"].items()}, None


def pipelines(sizes, repeat, skip_ppy, folder):
    for ops in sizes:
        exact, source, _ = generate(ops, folder)
        # Its time is linear, and a million operations take it a minute per level.
        theirs, problem = ({}, "ppy-lang is left out") if skip_ppy or ops > 100_000 else ppy_seconds(source, repeat)
        rows, notes = [], [problem] if problem else []
        for level in LEVELS:
            mine, why = own_seconds(source, level, repeat, folder)
            notes += [why] if why else []
            peer, times = theirs.get(level), ratio(theirs.get(level), mine)
            cells = [mine and f"{mine * 1e3:.1f}", mine and mine / exact * 1e9, peer and f"{peer * 1e3:.1f}", times]
            rows.append([f"level {level}", *cells, verdict(times and 1 / times, 1 / GOAL_PPY)])
        header = ["", "ours ms", "ns/op", "ppy-lang ms", "times", f">= {GOAL_PPY}x"]
        table(f"(e) the default pipeline on {exact:,} operations, one thread", header, rows, notes)


def at_level(kernel, level, repeat):
    """(best milliseconds, problem) of a kernel after the passes of a level; LLVM optimizes as much at each."""
    case = kernel.arguments("full")
    command = [ours("ppy-run"), "-O3", f"--passes-level={level}", "--repeat", str(repeat)]
    return kernel.answer(run([*command, str(kernel.path / "kernel.ppyir"), kernel.name, case]), "full")


def kernels(names, rounds, repeat):
    rows, notes, columns = [], [], []
    for kernel in [Kernel(path) for path in kernel_folders() if not names or path.name in names]:
        best = {}
        for _ in range(rounds):
            for level in LEVELS:
                milliseconds, why = at_level(kernel, level, repeat)
                if why or milliseconds is None:
                    notes.append(f"{kernel.name}, level {level}: {why}")
                else:
                    best[level] = min(milliseconds, best.get(level, milliseconds))
        ratios = [ratio(best.get(level), best.get(1)) for level in (0, 2, 3)]
        columns.append(ratios)
        cells = [best.get(level) and f"{best[level]:.1f}" for level in LEVELS]
        rows.append([kernel.name, *cells, *ratios, verdict(ratios[1], GOAL_SLOWER)])
    means = [geometric_mean(column) for column in zip(*columns)]
    rows.append(["geometric mean", *[None] * 4, *means, None])
    header = ["kernel", *[f"level {level} ms" for level in LEVELS], "0/1", "2/1", "3/1", f"2/1 <= {GOAL_SLOWER}"]
    table("(e) run time of the kernels by the level of the passes, LLVM at -O3", header, rows, notes)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, nargs="+", default=[50_000, 1_000_000])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=2, help="how often each level gets its turn")
    parser.add_argument("--kernels", nargs="*", help="names of kernels (default: all)")
    parser.add_argument("--skip-ppy", action="store_true", help="leave ppy-lang out")
    o = parser.parse_args(argv)
    if not (ours("ppy-opt") and ours("ppy-run")):
        print("ppy-opt and ppy-run are not built (cargo build --release)")
        return
    with tempfile.TemporaryDirectory(prefix="ppy-bench-") as name:
        pipelines(o.ops, o.repeat, o.skip_ppy, Path(name))
    kernels(o.kernels, o.rounds, o.repeat)


if __name__ == "__main__":
    main()
