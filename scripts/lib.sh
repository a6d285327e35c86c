# What the commands of ./x share: where LLVM is, what is needed, how to install it.

LLVM=${PPY_LLVM_PREFIX:-/usr/lib/llvm-22}
RUST_NEEDED=1.90
if [ -n "${PPY_LLVM_PREFIX:-}" ]; then
    # The build scripts of mlir-sys, llvm-sys and tblgen read these (.cargo/config.toml has the defaults).
    export PPY_LLVM_PREFIX MLIR_SYS_220_PREFIX=$LLVM LLVM_SYS_221_PREFIX=$LLVM TABLEGEN_220_PREFIX=$LLVM
fi
export PATH=$PATH:$HOME/.cargo/bin

# What the build needs, and with `tests` what the tests need besides, a line each:
# file | Debian package that has it | what it is for
needs() {
    cat <<TEXT
$LLVM/bin/llvm-config|llvm-22-dev|finds LLVM
$LLVM/bin/llvm-tblgen|llvm-22|reads mlir-td/
$LLVM/bin/FileCheck|llvm-22-tools|text tests
$LLVM/bin/lit|llvm-22-tools|text tests
$LLVM/bin/mlir-tblgen|mlir-22-tools|generates C++
$LLVM/bin/mlir-opt|mlir-22-tools|plugin tests
$LLVM/bin/clang++|clang-22|compiles C++
$LLVM/bin/clang-format|clang-format-22|format check
$LLVM/bin/ld.lld|lld-22|links
$LLVM/include/llvm-c/Core.h|llvm-22-dev|LLVM's C API
$LLVM/include/mlir-c/IR.h|libmlir-22-dev|MLIR's C API
$LLVM/include/clang-c/Index.h|libclang-22-dev|bindings of mlir-sys
$LLVM/include/polly/Canonicalization.h|libpolly-22-dev|llvm-config names it
$LLVM/lib/libMLIR.so|libmlir-22-dev|the one shared MLIR
$LLVM/lib/libLLVM-22.so|llvm-22-dev|the one shared LLVM
/usr/include/zstd.h|libzstd-dev|LLVM links it
/usr/include/zlib.h|zlib1g-dev|LLVM links it
/usr/bin/cc|gcc|Rust links with it
/usr/bin/c++|g++|C++ of some crates
/usr/bin/make|make|compiles C++
/usr/bin/cmake|cmake|CMake test
/usr/bin/git|git|lists files
/usr/bin/python3|python3|lit
/usr/lib/python3/dist-packages/psutil/__init__.py|python3-psutil|time limit of lit
/etc/ssl/certs/ca-certificates.crt|ca-certificates|crates.io
TEXT
    [ "${1:-}" = tests ] || return 0
    cat <<TEXT
$LLVM/lib/clang/22/lib/linux/libclang_rt.tsan-$(uname -m).a|libclang-rt-22-dev|thread sanitizer tests
/usr/bin/qemu-aarch64|qemu-user|tests of objects
/usr/bin/aarch64-linux-gnu-gcc|gcc-aarch64-linux-gnu|tests of objects
/usr/aarch64-linux-gnu/include/stdio.h|libc6-dev-arm64-cross|tests of objects
/usr/bin/riscv64-linux-gnu-gcc|gcc-riscv64-linux-gnu|tests of objects
/usr/riscv64-linux-gnu/include/stdio.h|libc6-dev-riscv64-cross|tests of objects
TEXT
}

# The packages whose files are not here, one per line; `tests` as above.
missing_packages() {
    needs "$@" | while IFS='|' read -r file package _; do
        [ -e "$file" ] || echo "$package"
    done | sort -u
}

# Whether `cargo` is here and new enough.
rust_ok() {
    local version
    version=$(cargo --version 2>/dev/null | cut -d' ' -f2) || return 1
    [ -n "$version" ] && [ "$(printf '%s\n' "$RUST_NEEDED" "$version" | sort -V | head -1)" = "$RUST_NEEDED" ]
}

# Whether a program can serve what is asked of it: `cargo clippy` and `cargo fmt` may lack their component.
has_clippy() { cargo clippy --version >/dev/null 2>&1; }
has_rustfmt() { rustfmt --version >/dev/null 2>&1; }

rust_advice() {
    echo "Rust $RUST_NEEDED or newer with rustfmt and clippy: https://rustup.rs (rustup toolchain install stable), or on"
    echo "Debian 12: apt-get install rustc-web cargo-web rustfmt-web"
}

doctor() {
    local file package purpose state bad=0
    printf '%-46s %-16s %-22s %s\n' FILE PACKAGE FOR STATE
    while IFS='|' read -r file package purpose; do
        state=ok
        [ -e "$file" ] || { state=MISSING bad=1; }
        printf '%-46s %-16s %-22s %s\n' "$file" "$package" "$purpose" "$state"
    done < <(needs tests)
    echo
    if rust_ok; then
        echo "rust: $(cargo --version)"
        has_rustfmt || echo "rust: no rustfmt; the format check needs it (rustup component add rustfmt)"
        has_clippy || echo "rust: no clippy; the lint check needs it (rustup component add clippy)"
    else
        bad=1
        echo "rust: MISSING or older than $RUST_NEEDED ($(cargo --version 2>/dev/null || echo 'no cargo'))"
        rust_advice
    fi
    if [ -x "$LLVM/bin/llvm-config" ]; then
        echo "llvm: $("$LLVM/bin/llvm-config" --version) in $LLVM"
    else
        echo "llvm: none in $LLVM; set PPY_LLVM_PREFIX to an LLVM 22 with MLIR, or install the packages"
    fi
    if [ "$bad" = 0 ]; then
        echo "Everything is here: ./x test"
    else
        echo
        echo "To install what is missing: ./x setup (as root), or"
        echo "apt-get install $(missing_packages tests | tr '\n' ' ')"
        return 1
    fi
}

# Runs apt-get as root, without questions.
apt() {
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get -qq -o Dpkg::Use-Pty=0 "$@"
}

# Installs what is missing, with `tests` for them too; says nothing and asks no network when nothing is.
setup() {
    local packages
    packages=$(missing_packages "$@" | tr '\n' ' ')
    rust_ok || command -v cargo >/dev/null || packages+="rustc-web cargo-web rustfmt-web "
    if [ -n "$packages" ]; then
        if ! command -v apt-get >/dev/null; then
            echo "error: missing: $packages(names of Debian 12); install them, then see ./x doctor" >&2
            return 1
        fi
        echo "setup: installing $packages"
        apt update
        # shellcheck disable=SC2086
        apt install -y --no-install-recommends $packages >/dev/null
    fi
    if ! rust_ok; then
        echo "error: this needs Rust $RUST_NEEDED or newer, and there is $(cargo --version 2>/dev/null || echo none)" >&2
        rust_advice >&2
        return 1
    fi
    if [ -n "$(missing_packages "$@")" ]; then
        doctor >&2
        return 1
    fi
}

build() { cargo build; }

# The files of the repository with one of the endings, also those that cargo reaches only through generated code.
sources() {
    # The clone may belong to another user than the one who tests.
    git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard -- "$@" |
        while IFS= read -r -d '' file; do
            [ ! -e "$file" ] || printf '%s\0' "$file"
        done
}
rust_files() { sources '*.rs'; }
cpp_files() { sources '*.cpp' '*.h' '*.inc'; }
