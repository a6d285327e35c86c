#!/usr/bin/env bash
# Every check and test of the repository. The last line is `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh

passed=0 failed=0
log=target/test.log
mkdir -p target
export CARGO_TERM_COLOR=never

# check NAME COMMAND...: one check, counted as one test.
check() {
    local name=$1 start=$SECONDS
    shift
    echo "== $name"
    if "$@"; then
        passed=$((passed + 1))
        echo "   ok ($((SECONDS - start)) s)"
    else
        failed=$((failed + 1))
        echo "   FAILED: $name"
    fi
}

repair() { echo "   ./x format repairs it" && false; }
rust_format() { rust_files | xargs -0 rustfmt --check -l --edition 2024 || repair; }
cpp_format() {
    local file wrong=0
    while IFS= read -r -d '' file; do
        "$LLVM/bin/clang-format" "$file" | cmp -s - "$file" || { echo "$file" && wrong=1; }
    done < <(cpp_files)
    [ "$wrong" = 0 ] || repair
}

if has_rustfmt; then check "rustfmt" rust_format; else echo "== rustfmt: not installed, not run"; fi
check "clang-format" cpp_format
# The build before the lints: a broken build is reported once.
check "build" cargo build --workspace --all-targets
if has_clippy; then
    check "clippy" cargo clippy --quiet --workspace --all-targets -- -D warnings
else
    echo "== clippy: not installed (rustup component add clippy), not run"
fi

echo "== cargo test"
start=$SECONDS
cargo test --workspace --no-fail-fast 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
echo "   ($((SECONDS - start)) s)"
read -r ok bad < <(awk '/^test result:/ { ok += $4; bad += $6 } END { print ok + 0, bad + 0 }' "$log")
passed=$((passed + ok)) failed=$((failed + bad))
# A test program that died or did not build has no result line, and still is a failure.
if [ "$status" != 0 ] && [ "$bad" = 0 ]; then
    failed=$((failed + 1))
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
