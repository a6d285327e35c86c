"""Time one native function of a shared library inside this process, and print one JSON line.

Buffers are rebuilt before every call, outside the timed span. Run as a child process so that a crash of the
measured code is an exit status and not the end of the benchmark.
"""

import argparse
import ctypes
import hashlib
import json
import sys
import time
from pathlib import Path

from cases import ELEMENTS, expand

RETURNS = {"q": ctypes.c_int64, "d": ctypes.c_double}


class Buffer:
    """A C array that can be put back to its first content."""

    def __init__(self, values, elem):
        self.pristine = (ELEMENTS[elem] * len(values))(*values)
        self.live = (ELEMENTS[elem] * len(values))()

    def reset(self):
        ctypes.memmove(self.live, self.pristine, ctypes.sizeof(self.live))


def flatten(args):
    """The call's machine atoms (type, value) and its buffers: a buffer is a pointer and a length."""
    atoms, buffers = [], []
    for arg in args:
        if isinstance(arg, dict):
            buffer = Buffer(arg["buf"], arg["elem"])
            buffers.append(buffer)
            atoms += [(ctypes.c_void_p, ctypes.addressof(buffer.live)), (ctypes.c_int64, len(arg["buf"]))]
        else:
            atoms.append((ctypes.c_double if isinstance(arg, float) else ctypes.c_int64, arg))
    return atoms, buffers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("symbol")
    parser.add_argument("case", type=Path)
    parser.add_argument("--abi", choices=["c", "ppy"], required=True)
    parser.add_argument("--size", choices=["small", "full"], default="full")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()

    case = json.loads(options.case.read_text())
    atoms, buffers = flatten(expand(case[options.size]["args"]))
    result_type = RETURNS[case["result"]]
    slot = result_type()
    function = getattr(ctypes.CDLL(str(Path(options.library).resolve())), options.symbol)
    function.argtypes = [kind for kind, _ in atoms]
    values = [value for _, value in atoms]
    if options.abi == "c":
        function.restype = result_type
    else:  # the native ABI of ppy: a status back, one pointer per result at the end
        function.restype = ctypes.c_int32
        function.argtypes = [*function.argtypes, ctypes.c_void_p]
        values.append(ctypes.addressof(slot))

    times, status = [], 0
    for _ in range(options.repeat):
        for buffer in buffers:
            buffer.reset()
        start = time.perf_counter_ns()
        answer = function(*values)
        times.append(time.perf_counter_ns() - start)
        status, result = (0, answer) if options.abi == "c" else (answer, slot.value)
    line = {"status": status, "results": [result] if status == 0 else [], "best_ns": min(times), "all_ns": times}
    line["digest"] = hashlib.sha256(b"".join(bytes(b.live) for b in buffers)).hexdigest()[:16]
    if options.size == "small":
        line["buffers"] = [list(b.live) for b in buffers]
    print(json.dumps(line))


if __name__ == "__main__":
    sys.exit(main())
