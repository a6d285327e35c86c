"""`%roundtrip FILE`: the file is what ppy-opt prints for it, and every other form leads back to it.

Comment lines and blank lines aside, print(parse(t)) = t for the file's own text; then generic form, bytecode and, with
`--ppyir` (or a `.ppyir` file), the other of the two languages, each read back and printed again. PPY_BLESS=1 rewrites the
file's text below its leading comments.
"""

import difflib
import os
import subprocess
import sys


def run(tool, *arguments, data):
    done = subprocess.run([tool, *arguments], input=data, capture_output=True)
    if done.returncode != 0:
        sys.stderr.write(f"roundtrip: {' '.join([tool, *arguments])} failed\n{done.stderr.decode()}")
        sys.exit(1)
    return done.stdout


def bare(text):
    """The lines that mean something."""
    lines = text.decode().splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.lstrip().startswith(("//", "#"))]


def same(what, expected, got):
    if bare(expected) != bare(got):
        sys.stderr.write(f"roundtrip: {what}\n")
        sys.stderr.writelines(line + "\n" for line in difflib.unified_diff(bare(expected), bare(got), "expected", "got", lineterm=""))
        sys.exit(1)


def main():
    tool, path = sys.argv[1], sys.argv[-1]
    with open(path, "rb") as file:
        source = file.read()
    ppyir = path.endswith(".ppyir")
    own = "--emit=ppyir" if ppyir else "--emit=mlir"
    printed = run(tool, own, data=source)
    if os.environ.get("PPY_BLESS") and bare(source) != bare(printed):
        head = []
        for line in source.decode().splitlines():
            if line.strip() and not line.startswith(("//", "#")):
                break
            head.append(line)
        with open(path, "wb") as file:
            file.write(("\n".join(head).rstrip() + "\n\n").encode() + printed)
        source = printed
    same("the file is not what is printed for it (PPY_BLESS=1 rewrites it)", source, printed)

    # Names and positions ride along, so that the way back is exact.
    full = printed if ppyir else run(tool, "--mlir-print-debuginfo", data=printed)
    back = [own] if ppyir else ["--emit=mlir", "--mlir-print-debuginfo"]
    same("printing is not stable", full, run(tool, *back, data=full))
    generic = run(tool, "--emit=mlir", "--mlir-print-op-generic", "--mlir-print-debuginfo", data=full)
    same("the generic form reads back differently", full, run(tool, *back, data=generic))
    bytecode = run(tool, "--emit=bytecode", data=full)
    same("bytecode reads back differently", full, run(tool, *back, data=bytecode))
    if ppyir:
        custom = run(tool, "--emit=mlir", "--mlir-print-debuginfo", data=full)
        same("MLIR text reads back differently", full, run(tool, *back, data=custom))
    elif "--ppyir" in sys.argv:
        text = run(tool, "--emit=ppyir", data=full)
        same(".ppyir is not stable", text, run(tool, "--emit=ppyir", data=run(tool, "--emit=mlir", "--mlir-print-debuginfo", data=text)))
    sys.stdout.buffer.write(printed)


main()
