#!/usr/bin/env python3
"""Part (f): what a profile is worth: a machine whose programs use few of its operations, without and with one."""

import argparse
import json
import tempfile
from pathlib import Path

from tools import HERE, ours, run, table

MODULE = str(HERE / "pgo" / "machine.ppyir")
FUNCTION = "machine.machine"
STEPS = 300_000
# The operations that a program repeats, and what the machine answers.
PROGRAMS = [([0, 1, 0, 1], 869306), ([13, 0, 13, 1], -7), ([12, 1, 12, 0], 938874)]


def call(program, options):
    """The parsed line of one `ppy-run`, or the reason there is none."""
    arguments = json.dumps([{"buf": program, "elem": "q"}, STEPS])
    done = run([ours("ppy-run"), *options, MODULE, FUNCTION, arguments])
    return (json.loads(done.out), None) if done.ok else (None, done.reason())


def measure(program, expected, profile, rounds, repeat):
    """Best milliseconds without and with a profile; the two take turns."""
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
        for program, expected in PROGRAMS:
            name = " ".join(map(str, program))
            profile = Path(folder) / f"{name.replace(' ', '-')}.ppyprof"
            best, why = measure(program, expected, profile, o.rounds, o.repeat)
            if why:
                problems.append(f"{name}: {why}")
            else:
                rows.append([name, f"{best[0]:.3f}", f"{best[1]:.3f}", best[0] / best[1]])
    table("(f) a profile's worth", ["operations", "without ms", "with ms", "times faster"], rows, problems)


if __name__ == "__main__":
    main()
