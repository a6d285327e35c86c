#!/usr/bin/env bash
# The main job on the examples: run, optimize, translate. `./x demo` builds first.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/target/debug:$PATH

title() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() {
    printf '$ %s\n' "$*"
    bash -c "$*"
}

title "Run functions that ppy's frontend compiled from examples/*.ppy"
for engine in interp jit; do
    show "ppy-run --engine=$engine examples/collatz.ppyir collatz.steps '[27]'"
    show "ppy-run --engine=$engine examples/dot.ppyir dot.dot '[{\"buf\": [1.0, 2.0, 3.0]}, {\"buf\": [4.0, 5.0, 6.0]}]'"
    show "ppy-run --engine=$engine examples/newton.ppyir newton.cubic_root '[-2.0, -5.0, 2.0]'"
    show "ppy-run --engine=$engine examples/points.ppyir points.area '[[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]'"
done

title "An answer that 64 bits do not hold: status 1, the caller goes on in Python"
show "ppy-run examples/collatz.ppyir collatz.steps '[4611686018427387905]'"

title "Optimize with MLIR's passes and the dialect's own patterns"
show "ppy-opt examples/points.ppyir --pass-pipeline='builtin.module(ppy_core.func(mem2reg,canonicalize,cse))'"

title "Machine code"
show "ppy-translate --ppy-to-object -O2 examples/collatz.ppyir -o target/collatz.o && ls -l target/collatz.o"
