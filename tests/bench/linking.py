#!/usr/bin/env python3
"""Part (g): linking. Many modules, each of which calls the one before it and has a private function of one name."""

import argparse
import re
import sys
import tempfile
from pathlib import Path

import gen_module
from tools import ours, run, table, verdict

GOAL_SECONDS = 2
PARAMETERS = "i64, i64, i64, f64, f64"
HELPER = """
private func @helper(%a: i64) -> i64 {
^entry:
    %0 = core.const 3 : i64
    %1 = core.mul %a, %0 {overflow = "python"} : i64
    core.ret %1
}

func @FIRST(%a: i64, %b: i64, %c: i64, %x: f64, %y: f64) -> i64 {
^entry:
    %0 = core.call %a {callee = @helper} : i64
    %1 = core.call %0, %b, %c, %x, %y {callee = @CALLEE} : i64
    core.ret %1
}
"""


def write(folder, count, ops):
    """The files of a program in link order, and the operations that they have together."""
    files, total = [], 0
    for number in range(count):
        path = folder / f"m{number}.ppyir"
        total += gen_module.write_modules(ops, number + 1, path, folder / "peer.mlir")["ops"] + 6
        text = path.read_text(encoding="utf-8").replace("module @big", f"module @big{number}", 1)
        text = re.sub(r"@f(\d)", rf"@m{number}_f\1", text)
        text = text.replace("big.f", f"big{number}.f").replace("ppy_big_f", f"ppy_big{number}_f")
        callee = f"m{number - 1}_first" if number else "m0_f0"
        head, body = text.split("\n\n", 1)
        declared = f"\n\nextern func @{callee}({PARAMETERS}) -> i64\n\n" if number else "\n\n"
        own = HELPER.replace("FIRST", f"m{number}_first").replace("CALLEE", callee)
        path.write_text(head + declared + body + own, encoding="utf-8")
        files.append(str(path))
    return files, total


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=int, default=200)
    parser.add_argument("--ops", type=int, default=5000, help="operations of each")
    parser.add_argument("--repeat", type=int, default=3)
    o = parser.parse_args(argv)
    translate = ours("ppy-translate")
    if translate is None:
        sys.exit("linking.py: ppy-translate is not built (cargo build --release)")
    rows, problems = [], []
    with tempfile.TemporaryDirectory() as name:
        files, ops = write(Path(name), o.modules, o.ops)
        out = str(Path(name) / "linked.ppyir")
        done = [run([translate, "--link", *files, "-o", out]) for _ in range(o.repeat)]
        problems += sorted({one.reason() for one in done if not one.ok})
        if not problems:
            best = min(done, key=lambda one: one.wall)
            goal = verdict(best.wall, GOAL_SECONDS)
            rows.append([f"{o.modules} of {o.ops}", ops, best.wall, best.wall * 1e9 / ops, best.peak_mib, goal])
    header = ["modules", "ops", "s", "ns/op", "peak MiB", f"<= {GOAL_SECONDS} s"]
    table("(g) read, link and write a program", header, rows, problems)


if __name__ == "__main__":
    main()
