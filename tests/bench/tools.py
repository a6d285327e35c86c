"""Where the programs are, and how one run of one of them is measured."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
KERNELS = HERE / "kernels"
LLVM_PLACES = ["/usr/lib/llvm-22", "/usr/local/llvm-22", "/opt/llvm-22", "/opt/homebrew/opt/llvm@22"]


def kernel_folders():
    """The folders of the kernels, by name."""
    return sorted(path for path in KERNELS.iterdir() if (path / "case.json").exists())


def llvm(program):
    """A program of LLVM 22: `PPY_LLVM_PREFIX` first, then the usual places."""
    prefixes = [os.environ["PPY_LLVM_PREFIX"]] if "PPY_LLVM_PREFIX" in os.environ else LLVM_PLACES
    for prefix in prefixes:
        path = Path(prefix) / "bin" / program
        if path.exists():
            return str(path)
    tried = ", ".join(f"{prefix}/bin/{program}" for prefix in prefixes)
    sys.exit(f"bench: no {program} of LLVM 22 (tried {tried}); set PPY_LLVM_PREFIX, or install mlir-22-tools clang-22")


def ours(program):
    """`ppy-opt`, `ppy-translate` or `ppy-run`: `PPY_MLIR_BIN` first, then the release build. None when not built."""
    target = os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")
    folder = Path(os.environ.get("PPY_MLIR_BIN", Path(target) / "release"))
    path = folder / program
    return str(path) if path.exists() else None


def ppy_python():
    """The interpreter that has ppy-lang: `PPY_PYTHON`, or the one beside `ppy` on PATH. None when there is none."""
    if "PPY_PYTHON" in os.environ:
        return os.environ["PPY_PYTHON"] or None
    launcher = shutil.which("ppy")
    python = Path(launcher).resolve().parent / "python" if launcher else None
    return str(python) if python and python.exists() else None


def ppy_command():
    """The `ppy` launcher that belongs to `ppy_python`. None when there is none."""
    python = ppy_python()
    launcher = Path(python).parent / "ppy" if python else None
    return str(launcher) if launcher and launcher.exists() else None


@dataclass
class Run:
    """One finished child: its wall time, its peak memory, and what it said."""

    command: list
    status: int
    wall: float
    peak_mib: float
    out: str
    err: str

    @property
    def ok(self):
        return self.status == 0

    def reason(self):
        """The first line that says why it failed."""
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        return f"exit {self.status}: {lines[0][:200] if lines else 'no message'}"


def run(command, cwd=None, timeout=3600):
    """Run a command to its end. The kernel's own account of the child gives the peak memory."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, cwd=cwd)
        pid, status, usage = _wait(child, timeout)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        unit = 1024 if sys.platform != "darwin" else 1024 * 1024
        return Run(command, child.returncode, wall, usage.ru_maxrss / unit, _text(out), _text(err))


def _wait(child, timeout):
    """wait4 with a limit: a child that runs on is killed and reported as such by its status."""
    import signal

    def stop(_signal, _frame):
        child.kill()

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(timeout)
    try:
        return os.wait4(child.pid, 0)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def _text(file):
    return file.read().decode("utf-8", "replace")


def table(title, header, rows, notes=()):
    """Print one table: the first column to the left, the others to the right."""
    cells = [header, *[[_cell(value) for value in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    print(f"\n## {title}\n")
    for number, row in enumerate(cells):
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip())
        if number == 0:
            print("  ".join("-" * w for w in widths))
    for note in notes:
        print(f"  {note}")
    sys.stdout.flush()


def _cell(value):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if isinstance(value, int) or value >= 100 else f"{value:.2f}"


def verdict(value, limit):
    """`value` against a goal that it should not exceed."""
    return "-" if value is None else "yes" if value <= limit else "NO"
