#!/usr/bin/env python3
"""What `lower-parallel` gains on two threads, and what it costs on one: ratios of the same loop in the same run.

  parallel.py [--tool target/release/ppy-run] [--n 300000] [--rounds 15]

Prints one line per case: the best time, and the ratio to a direct call of the loop. The processors have to be free:
with others at work two threads gain what is left. `cpu` is the share of a processor that this process got.
"""

import argparse
import json
import os
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "parallel", "loop.ppyir")

CASES = [
    ("direct call", "direct", "threads=1"),
    ("one chunk", "total", "backend=serial"),
    ("2 threads, short range", "total", "threads=2 minimum=1000000000"),
    ("2 threads", "total", "threads=2"),
    ("4 threads", "total", "threads=4"),
]


def measure(tool, function, options, n, repeat):
    """Seconds of the best call, and the processors that the calls kept busy."""
    command = [tool, "-O3", f"--repeat={repeat}", f"--with=lower-parallel{{{options}}}", PROGRAM, function, json.dumps([n])]
    start, before = time.perf_counter(), os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    wall, after = time.perf_counter() - start, os.times()
    answer = json.loads(done.stdout)
    busy = (after.children_user + after.children_system - before.children_user - before.children_system) / wall
    return answer["best_ns"] * 1e-9, busy, answer["results"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=os.path.join(HERE, "../../target/release/ppy-run"))
    parser.add_argument("--n", type=int, default=300000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    best = {name: (float("inf"), 0.0) for name, _, _ in CASES}
    answers = set()
    # In turn, so that what else happens on the machine happens to all.
    for _ in range(3):
        for name, function, passes in CASES:
            seconds, busy, results = measure(options.tool, function, passes, options.n, options.rounds)
            answers.add(json.dumps(results))
            best[name] = min(best[name], (seconds, busy))
    assert len(answers) == 1, f"the cases disagree: {answers}"
    base = best["direct call"][0]
    for name, _, _ in CASES:
        seconds, busy = best[name]
        print(f"{name:24} {seconds * 1e3:8.2f} ms   {base / seconds:5.2f} times   cpu {busy:4.2f}")


if __name__ == "__main__":
    main()
