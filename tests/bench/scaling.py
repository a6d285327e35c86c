#!/usr/bin/env python3
"""Part (a): every step on modules of 50k, 250k and 1M operations, next to stock mlir-opt and to ppy-lang."""

import argparse
import hashlib
import json
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tools import HERE, llvm, ours, ppy_python, run, table, verdict

STEPS = ["parse", "verify", "canonicalize", "mem2reg", "cse", "to LLVM", "print"]
PASSES = STEPS[2:6]
TIMER_NAMES = {
    "parse": r"Parser",
    "canonicalize": r"Canonicalizer(Pass)?",
    "mem2reg": r"Mem2Reg(Pass)?",
    "cse": r"CSE(Pass)?",
    "to LLVM": r"Convert\w*ToLLVM\w*",
    "print": r"Output",
}
GOAL_PER_OP, GOAL_LINEAR, GOAL_PPY, GOAL_PPY_DECODE = 1.3, 1.3, 50, 500
NO_VERIFIER = "--mlir-very-unsafe-disable-verifier-on-parsing"
TIMING = ["--mlir-timing", "--mlir-timing-display=list"]


@dataclass
class Tool:
    """An opt tool with the spelling of its function passes and its conversion."""

    name: str
    program: str
    function: str
    conversion: str
    emit: list

    def pipeline(self, passes):
        """The pass pipeline of a prefix of PASSES."""
        inner = ",".join(name for name in passes if name != "to LLVM")
        parts = ([f"{self.function}({inner})"] if inner else []) + [self.conversion] * ("to LLVM" in passes)
        return f"--pass-pipeline=builtin.module({','.join(parts)})"


def peer():
    return Tool("mlir-opt", llvm("mlir-opt"), "func.func", "convert-to-llvm", [])


def own():
    program = ours("ppy-opt")
    return Tool("ppy-opt", program, "ppy_core.func", "convert-ppy-to-llvm", ["--emit=mlir"]) if program else None


@dataclass
class Measured:
    """A tool's best seconds per step at one size, operations at the entry of each step, peak memory and wall."""

    seconds: dict = field(default_factory=dict)
    ops: dict = field(default_factory=dict)
    peak_mib: float = 0.0
    wall: float = 0.0
    problem: str = ""

    def per_op(self, step):
        """Nanoseconds per operation that the step started from."""
        if step not in self.seconds or not self.ops.get(step):
            return None
        return self.seconds[step] / self.ops[step] * 1e9


def timers(text):
    """`{name: wall seconds}` of a `--mlir-timing-display=list` report; the last time column is the wall clock's."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"\s*((?:[\d.]+ \(\s*[\d.]+%\)\s+)+)(\S.*?)\s*$", line)
        if match:
            seconds = float(re.findall(r"([\d.]+) \(", match[1])[-1])
            found[match[2]] = found.get(match[2], 0.0) + seconds
    return found


def step_seconds(report, step):
    hits = [seconds for name, seconds in report.items() if re.fullmatch(TIMER_NAMES[step], name)]
    return sum(hits) if hits else None


def count_ops(path):
    """Operations in printed MLIR: every line but labels, braces, aliases and function headers."""
    skip = ("^", "}", "module", "//", "#", "!", "{-#")
    with open(path, encoding="utf-8") as lines:
        stripped = (line.strip() for line in lines)
        return sum(1 for line in stripped if line and not line.startswith(skip) and not line.endswith("{"))


def measure(tool, source, ops, repeat, folder, threads):
    """Three runs per repeat: read and write; read without the verifier; the pipeline."""
    result = Measured()
    output = folder / "out"
    base = [tool.program, str(source), "-o", str(output), *TIMING]
    base += [] if threads else ["--mlir-disable-threading"]

    def best(step, seconds):
        if seconds is not None:
            result.seconds[step] = min(seconds, result.seconds.get(step, seconds))

    def go(*extra):
        done = run([*base, *extra])
        if not done.ok:
            result.problem = f"{tool.name} {' '.join(extra)}: {done.reason()}"
        result.peak_mib = max(result.peak_mib, done.peak_mib)
        return timers(done.err) if done.ok else {}, done

    verified = None
    for _ in range(repeat):
        whole, _ = go()
        bare, _ = go(NO_VERIFIER)
        passes, done = go("--verify-each=0", *tool.emit, tool.pipeline(PASSES))
        if result.problem:
            return result
        with_verifier = step_seconds(whole, "parse")
        verified = min(with_verifier, verified or with_verifier)
        best("parse", step_seconds(bare, "parse"))
        best("print", step_seconds(whole, "print"))
        for step in PASSES:
            best(step, step_seconds(passes, step))
        result.wall = min(done.wall, result.wall or done.wall)
    result.seconds["verify"] = max(verified - result.seconds["parse"], 0.0)
    result.ops = dict.fromkeys(["parse", "verify", "canonicalize", "print"], ops)
    for number, step in enumerate(PASSES[1:], 1):  # the module as each later pass finds it
        done = run([tool.program, str(source), "-o", str(output), *tool.emit, tool.pipeline(PASSES[:number])])
        result.ops[step] = count_ops(output) if done.ok else None
    return result


def size_table(ops, theirs, mine, threads):
    rows = []
    for step in STEPS:
        a, b = theirs.per_op(step), mine.per_op(step) if mine else None
        ratio = b / a if a and b is not None else None
        own_cells = [mine.ops.get(step), _ms(mine, step), b] if mine else [None] * 3
        rows.append([step, theirs.ops.get(step), _ms(theirs, step), a, *own_cells, ratio, verdict(ratio, GOAL_PER_OP)])
    header = ["step", "mlir-opt ops", "ms", "ns/op", "ppy-opt ops", "ms", "ns/op", "ratio", f"<= {GOAL_PER_OP}"]
    notes = [f"{m.problem}" for m in (theirs, mine) if m and m.problem]
    peaks = {"mlir-opt": theirs, "ppy-opt": mine}
    notes.append("peak memory: " + ", ".join(f"{name} {m.peak_mib:.0f} MiB" for name, m in peaks.items() if m))
    table(f"(a) {ops:,} operations, {'all threads' if threads else 'one thread'}", header, rows, notes)


def _ms(measured, step):
    seconds = measured.seconds.get(step)
    return None if seconds is None else f"{seconds * 1000:.1f}"


def linearity_table(name, sizes):
    """Each size's time and memory over the smallest's, scaled by the number of operations: 1 is linear."""
    (base_ops, base), *others = sizes
    rows = []
    for step in [*STEPS, "wall of the pipeline", "peak memory"]:
        values = []
        for ops, measured in others:
            before, after = (_quantity(m, step) for m in (base, measured))
            values.append(after / before / (ops / base_ops) if before and after else None)
        rows.append([step, *values, verdict(values[-1], GOAL_LINEAR)])
    header = ["step", *[f"{ops:,} over {base_ops:,}" for ops, _ in others], f"<= {GOAL_LINEAR}"]
    table(f"(a) linearity of {name}: growth of the cost over growth of the module", header, rows)


def _quantity(measured, step):
    if step == "peak memory":
        return measured.peak_mib
    return measured.wall if step == "wall of the pipeline" else measured.seconds.get(step)


def ppy_report(source, repeat, decode):
    """ppy-lang's steps. The quadratic read takes a minute, so its time is kept by the module's hash."""
    command = [ppy_python(), str(HERE / "ppy_steps.py"), str(source)]
    done = run([*command, "--repeat", str(repeat)])
    if not done.ok:
        return None, done.reason()
    report = json.loads(done.out)
    cache = HERE / ".cache" / "ppy-decode.json"
    known = json.loads(cache.read_text()) if cache.exists() else {}
    key = hashlib.sha256(source.read_bytes() + report["version"].encode()).hexdigest()[:16]
    if decode and key not in known:
        real = run([*command, "--repeat", "1", "--decode"])
        if real.ok:
            known[key] = json.loads(real.out)["seconds"]["decode"]
            cache.parent.mkdir(exist_ok=True)
            cache.write_text(json.dumps(known))
    if key in known:
        report["seconds"]["decode"] = known[key]
    return report, ""


def own_total(source, repeat, folder):
    """Our road over the same module: optimize and write `.ppyir`, then lower and write LLVM IR. Best seconds."""
    pipeline = "builtin.module(ppy_core.func(canonicalize,mem2reg,simplify-cfg,cse),dce)"
    optimized, output = folder / "optimized.ppyir", folder / "out.ll"
    commands = [
        [ours("ppy-opt"), str(source), f"--pass-pipeline={pipeline}", "-o", str(optimized), *TIMING],
        [ours("ppy-translate"), "--ppy-to-llvmir", str(optimized), "-o", str(output), "-O0"],
    ]
    totals, reads, peak = [], [], 0.0
    for _ in range(repeat):
        done = [run(command) for command in commands]
        for one in done:
            if not one.ok:
                return None, f"{' '.join(one.command)}: {one.reason()}"
        totals.append(sum(one.wall for one in done))
        reads.append(step_seconds(timers(done[0].err), "parse") or 0.0)
        peak = max(peak, *(one.peak_mib for one in done))
    return (min(totals), min(reads), peak), ""


def ppy_table(source, ops, repeat, decode, folder):
    report, problem = ppy_report(source, repeat, decode)
    if report is None:
        print(f"\nppy-lang: {problem}")
        return
    seconds = report["seconds"]
    rest = sum(value for name, value in seconds.items() if name != "decode")
    rows = [[name, f"{seconds[name] * 1000:.0f}", seconds[name] / ops * 1e9] for name in seconds]
    rows.append(["sum without decode", f"{rest * 1000:.0f}", rest / ops * 1e9])
    notes = [f"peak memory {report['peak_mib']:.0f} MiB; {report['ops_after']:,} operations after its pipeline"]
    table(f"(a) ppy-lang {report['version']} on {ops:,} operations", ["step", "ms", "ns/op"], rows, notes)
    if not (ours("ppy-opt") and ours("ppy-translate")):
        return
    mine, problem = own_total(source, repeat, folder)
    if mine is None:
        print(f"\nours: {problem}")
        return
    total, read, peak = mine
    rows = [_times("without reading", rest, total - read, GOAL_PPY)]
    if "decode" in seconds:
        rows.append(_times("with reading", rest + seconds["decode"], total, GOAL_PPY_DECODE))
    rows.append(["peak MiB", f"{report['peak_mib']:.0f}", f"{peak:.0f}", report["peak_mib"] / peak, "-"])
    table("(a) the whole road: ppy-lang over ours", ["", "ppy-lang", "ours", "times", "goal"], rows)


def _times(label, theirs, mine, goal):
    return [label, f"{theirs * 1000:.0f}", f"{mine * 1000:.0f}", theirs / mine, f"{goal}x"]


def generate(ops, folder):
    """The two spellings of one module, made by a child so that this process stays small."""
    paths = folder / f"big{ops}.ppyir", folder / f"big{ops}.mlir"
    outputs = ["--ppyir", str(paths[0]), "--mlir", str(paths[1])]
    done = run([sys.executable, str(HERE / "gen_module.py"), "--ops", str(ops), *outputs])
    if not done.ok:
        sys.exit(f"gen_module.py: {done.reason()}")
    return json.loads(done.out)["ops"], *paths


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, nargs="+", default=[50_000, 250_000, 1_000_000])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", action="store_true", help="let both tools use their threads")
    parser.add_argument("--skip-ppy", action="store_true", help="leave ppy-lang out")
    parser.add_argument("--skip-decode", action="store_true", help="leave out ppy-lang's read, which takes a minute")
    o = parser.parse_args(argv)
    theirs, mine = peer(), own()
    if mine is None:
        print("ppy-opt is not built (cargo build --release): only the peers are measured")
    sizes = []
    with tempfile.TemporaryDirectory(prefix="ppy-bench-") as name:
        folder = Path(name)
        for ops in sorted(o.ops):
            exact, ppyir, mlir = generate(ops, folder)
            a = measure(theirs, mlir, exact, o.repeat, folder, o.threads)
            b = measure(mine, ppyir, exact, o.repeat, folder, o.threads) if mine else None
            sizes.append((exact, a, b))
            size_table(exact, a, b, o.threads)
            if ops == min(o.ops) and not o.skip_ppy:
                if ppy_python():
                    ppy_table(ppyir, exact, o.repeat, not o.skip_decode, folder)
                else:
                    print("\nno ppy-lang (set PPY_PYTHON to the interpreter that has it): its table is left out")
    if len(sizes) > 1:
        linearity_table("mlir-opt", [(ops, a) for ops, a, _ in sizes])
        if mine:
            linearity_table("ppy-opt", [(ops, b) for ops, _, b in sizes])


if __name__ == "__main__":
    main()
