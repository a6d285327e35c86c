#!/usr/bin/env python3
"""Part (b): start-up. Each tool on a file of 10 lines, by hyperfine."""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from tools import HERE, llvm, ours, run, table, verdict

GOAL_MS = 60
OURS = str(HERE / "startup" / "small.ppyir")
PEER = str(HERE / "startup" / "small.mlir")


def commands():
    """(label, command, has the goal) of what is built."""
    stock = llvm("mlir-opt")
    found = [("mlir-opt", [stock, PEER], False), ("mlir-opt --version", [stock, "--version"], False)]
    own = [
        ("ppy-opt", ["ppy-opt", OURS], True),
        ("ppy-opt --canonicalize", ["ppy-opt", OURS, "--canonicalize"], True),
        ("ppy-opt --version", ["ppy-opt", "--version"], True),
        ("ppy-translate --ppy-to-llvmir", ["ppy-translate", "--ppy-to-llvmir", OURS], False),
        ("ppy-run --engine=interp", ["ppy-run", "--engine=interp", OURS, "twice", "[21]"], False),
        ("ppy-run --engine=jit", ["ppy-run", "--engine=jit", OURS, "twice", "[21]"], False),
    ]
    return found + [(label, [ours(c[0]), *c[1:]], goal) for label, c, goal in own if ours(c[0])]


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    o = parser.parse_args(argv)
    if shutil.which("hyperfine") is None:
        sys.exit("startup.py: hyperfine is not installed (apt install hyperfine)")
    rows, problems, base = [], [], None
    with tempfile.TemporaryDirectory() as folder:
        for label, command, has_goal in commands():
            report = Path(folder) / "report.json"
            words = " ".join(command) if not any(" " in word for word in command) else None
            if words is None:
                sys.exit(f"startup.py: a path with a space: {command}")
            done = run(["hyperfine", "-N", "--warmup", "5", "--runs", str(o.runs), "--export-json", str(report), words])
            if not done.ok:
                problems.append(f"{label}: {run(command).reason()}")
                continue
            times = json.loads(report.read_text())["results"][0]
            mean, low = times["mean"] * 1000, times["min"] * 1000
            base = base or mean
            row = [label, f"{mean:.1f}", f"{low:.1f}", f"{times['stddev'] * 1000:.1f}", mean / base]
            rows.append([*row, verdict(mean, GOAL_MS) if has_goal else None])
    header = ["command", "mean ms", "min ms", "sigma", "of mlir-opt", f"<= {GOAL_MS} ms"]
    table("(b) start-up on a file of 10 lines", header, rows, problems)


if __name__ == "__main__":
    main()
