#!/usr/bin/env python3
"""Part (f): what a profile is worth: programs that use few of their branches and calls, without and with one."""

import argparse
import json
import tempfile
from pathlib import Path

from tools import HERE, ours, run, table

FOLDER = HERE / "pgo"
STEPS = 300_000
ROUNDS = 500
LIMIT = 2_000
# Few samples are out of range, and the calls for them hardly run.
SIGNAL = [(i * 7919 + 13) % 3000 - 1500 for i in range(256)]
SIGNAL[77], SIGNAL[200] = 5000, -5001


def machine(operations, answer):
    """The machine with the operations that a program repeats, and what it answers."""
    name = f"machine {' '.join(map(str, operations))}"
    return name, "machine", "machine.machine", [{"buf": operations, "elem": "q"}, STEPS], answer


# Name, module, function, arguments, answer.
PROGRAMS = [
    machine([0, 1, 0, 1], 869306),
    machine([13, 0, 13, 1], -7),
    machine([12, 1, 12, 0], 938874),
    ("filter", "filter", "filter.smooth", [{"buf": SIGNAL, "elem": "q"}, LIMIT, ROUNDS], 2566000),
]


def call(program, options):
    """The parsed line of one `ppy-run`, or the reason there is none."""
    _, module, function, arguments, _ = program
    done = run([ours("ppy-run"), *options, str(FOLDER / f"{module}.ppyir"), function, json.dumps(arguments)])
    return (json.loads(done.out), None) if done.ok else (None, done.reason())


def measure(program, profile, rounds, repeat):
    """Best milliseconds without and with a profile; the two take turns."""
    expected = program[-1]
    answer, why = call(program, [f"--profile={profile}"])
    if why or answer["results"] != [expected]:
        return None, why or f"{answer} for {expected}"
    best = [None, None]
    for _ in range(rounds):
        for which, options in enumerate([[], [f"--use-profile={profile}"]]):
            answer, why = call(program, ["-O3", f"--repeat={repeat}", *options])
            if why or answer["results"] != [expected]:
                return None, why or f"{answer} for {expected}"
            time = answer["best_ns"] / 1e6
            best[which] = min(best[which] or time, time)
    return best, None


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=300)
    o = parser.parse_args(argv)
    if not ours("ppy-run"):
        return table("(f) profiles", ["program"], [], ["ppy-run is not built (cargo build --release)"])
    rows, problems = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(PROGRAMS):
            name = program[0]
            best, why = measure(program, Path(folder) / f"{number}.ppyprof", o.rounds, o.repeat)
            if why:
                problems.append(f"{name}: {why}")
            else:
                rows.append([name, f"{best[0]:.3f}", f"{best[1]:.3f}", best[0] / best[1]])
    table("(f) a profile's worth", ["program", "without ms", "with ms", "times faster"], rows, problems)


if __name__ == "__main__":
    main()
