#!/usr/bin/env python3
"""Part (c): run time of the kernels, ours against plain C at -O3 and against ppy-lang's native build."""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

from cases import digest, expand
from tools import HERE, kernel_folders, llvm, ours, ppy_command, run, table, verdict

GOAL_C, GOAL_PPY = 1.10, 1.02  # "never slower than ppy": 2 % is what two runs of one program differ by
C_FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]
SAME_ANSWER = "-ffp-contract=off"  # Python rounds every operation; a fused multiply-add does not


class Kernel:
    """One folder under kernels/ with its case."""

    def __init__(self, path):
        self.path, self.name = path, path.name
        self.case = json.loads((path / "case.json").read_text())

    def mistake(self, size, line):
        """Why an answer is not the expected one, or None."""
        expected = self.case[size]
        if line.get("status") != 0:
            return f"status {line.get('status')}"
        if line["results"] != expected["results"]:
            return f"{line['results']} for {expected['results']}"
        after = "digest" if size == "full" else "buffers"
        return None if expected[after] == line.get(after) else "other buffer contents"

    def native(self, library, symbol, abi, size, repeat):
        """Time a function of a shared library in a child process."""
        timer = [sys.executable, str(HERE / "native_time.py"), str(library), symbol, str(self.path / "case.json")]
        return self.answer(run([*timer, "--abi", abi, "--size", size, "--repeat", str(repeat)]), size)

    def by_c(self, folder, size, repeat, flags):
        library = folder / f"{self.name}-c.so"
        built = run([llvm("clang"), *C_FLAGS, *flags, "-o", str(library), str(self.path / "kernel.c"), "-lm"])
        return self.native(library, self.name, "c", size, repeat) if built.ok else (None, built.reason())

    def by_ppy(self, folder, size, repeat):
        place = folder / f"{self.name}-ppy"
        if not place.exists():
            place.mkdir()
            (place / "kernel.ppy").write_text((self.path / "kernel.ppy").read_text())
            built = run([ppy_command(), "-O", "3", "build", "kernel.ppy", "--host-cpu", "-o", "out"], cwd=place)
            if not built.ok:
                return None, built.reason()
        libraries = list((place / "out").glob("libppy_*.so"))
        if not libraries:
            return None, "ppy build made no library"
        return self.native(libraries[0], f"ppy_kernel_{self.name}", "ppy", size, repeat)

    def arguments(self, size):
        """The arguments of a call as ppy-run takes them."""
        return json.dumps(expand(self.case[size]["args"]), separators=(",", ":"))

    def by_ours(self, engine, size, repeat):
        text = self.arguments(size)
        command = [ours("ppy-run"), f"--engine={engine}", str(self.path / "kernel.ppyir"), self.name, text]
        if engine == "jit":
            command[1:1] = ["-O3", "--repeat", str(repeat)]
        return self.answer(run(command), size)

    def answer(self, done, size):
        """(best milliseconds, problem) of a child that prints one JSON line."""
        try:
            line = json.loads(done.out.strip().splitlines()[-1])
        except (ValueError, IndexError):
            return None, done.reason()
        if size == "full" and "digest" not in line:
            line["digest"] = digest(self.case["full"]["args"], line.get("buffers", []))
        mistake = self.mistake(size, line)
        return (line["best_ns"] / 1e6 if "best_ns" in line else None), mistake and f"WRONG: {mistake}"


def geometric_mean(values):
    known = [value for value in values if value]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


def ratio(a, b):
    return a / b if a and b else None


def check(kernels, folder):
    """Every engine on the small arguments, against CPython's answers."""
    engines = {"C": lambda k: k.by_c(folder, "small", 1, [SAME_ANSWER])}
    if ppy_command():
        engines["ppy-lang"] = lambda k: k.by_ppy(folder, "small", 1)
    if ours("ppy-run"):
        engines["ppy-run jit"] = lambda k: k.by_ours("jit", "small", 1)
        engines["ppy-run interp"] = lambda k: k.by_ours("interp", "small", 1)
    rows, problems = [], []
    for kernel in kernels:
        found = {name: engine(kernel)[1] for name, engine in engines.items()}
        problems += [f"{kernel.name}, {name}: {why}" for name, why in found.items() if why]
        rows.append([kernel.name, *["no" if why else "ok" for why in found.values()]])
    table("(c) answers at the small size, against CPython", ["kernel", *engines], rows, problems)


def best_times(kernel, folder, rounds, repeat):
    """Best milliseconds per engine, and what went wrong. The rounds interleave the engines: a slow spell hits all."""
    engines = {
        "C": lambda: kernel.by_c(folder, "full", repeat, [SAME_ANSWER]),
        "C fused": lambda: (kernel.by_c(folder, "full", repeat, [])[0], None),  # may round otherwise: time only
    }
    if ppy_command():
        engines["ppy-lang"] = lambda: kernel.by_ppy(folder, "full", repeat)
    if ours("ppy-run"):
        engines["ppy-run"] = lambda: kernel.by_ours("jit", "full", repeat)
    best, problems = {}, {}
    for _ in range(rounds):
        for name in [name for name in engines if name not in problems]:
            milliseconds, why = engines[name]()
            if why or milliseconds is None:
                problems[name] = why or "no best_ns in the answer"
            else:
                best[name] = min(milliseconds, best.get(name, milliseconds))
    right = [best.get(name) if name not in problems else None for name in ("C", "C fused", "ppy-lang", "ppy-run")]
    return right, [f"{kernel.name}, {name}: {why}" for name, why in problems.items()]


def times(kernels, folder, rounds, repeat):
    rows, problems, columns = [], [], []
    for kernel in kernels:
        (c, fused, ppy, own), why = best_times(kernel, folder, rounds, repeat)
        problems += why
        ratios = [ratio(own, c), ratio(own, fused), ratio(own, ppy), ratio(ppy, c)]
        columns.append(ratios)
        milliseconds = [ms and f"{ms:.1f}" for ms in (c, fused, ppy, own)]
        rows.append([kernel.name, *milliseconds, *ratios, verdict(ratios[2], GOAL_PPY)])
    means = [geometric_mean(column) for column in zip(*columns)]
    rows.append(["geometric mean", *[None] * 4, *means, None])
    header = ["kernel", "C ms", "C fused ms", "ppy ms", "ours ms", "ours/C", "ours/C fused", "ours/ppy", "ppy/C"]
    whole = all(column[0] for column in columns)  # a kernel without a right answer has no time: no verdict then
    notes = [f"goal: geometric mean of ours/C <= {GOAL_C}: {verdict(means[0] if whole else None, GOAL_C)}", *problems]
    table(f"(c) run time, best of {rounds * repeat}", [*header, f"<= {GOAL_PPY:g}x ppy"], rows, notes)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernels", nargs="*", help="names of kernels (default: all)")
    parser.add_argument("--rounds", type=int, default=2, help="how often each engine gets its turn")
    parser.add_argument("--repeat", type=int, default=3, help="calls per turn")
    parser.add_argument("--check", action="store_true", help="only compare the answers at the small size")
    o = parser.parse_args(argv)
    kernels = [Kernel(path) for path in kernel_folders() if not o.kernels or path.name in o.kernels]
    with tempfile.TemporaryDirectory(prefix="ppy-bench-") as name:
        check(kernels, Path(name))
        if not o.check:
            times(kernels, Path(name), o.rounds, o.repeat)


if __name__ == "__main__":
    main()
