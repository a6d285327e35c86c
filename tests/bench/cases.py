"""The kernels' arguments: `case.json` says them shortly, the tools want them written out."""

import ctypes
import hashlib

ELEMENTS = {"q": ctypes.c_int64, "d": ctypes.c_double, "B": ctypes.c_uint8}


def expand(args):
    """`{"repeat": [1, 2], "count": 5, "elem": "q"}` becomes `{"buf": [1, 2, 1, 2, 1], "elem": "q"}`."""
    return [_expand(arg) for arg in args]


def _expand(arg):
    if not isinstance(arg, dict):
        return arg
    pattern, count = arg["repeat"], arg["count"]
    return {"buf": (pattern * (count // len(pattern) + 1))[:count], "elem": arg["elem"]}


def digest(args, buffers):
    """A fingerprint of the buffers' bytes after a call."""
    kinds = [arg["elem"] for arg in args if isinstance(arg, dict)]
    packed = (bytes((ELEMENTS[kind] * len(values))(*values)) for kind, values in zip(kinds, buffers, strict=True))
    return hashlib.sha256(b"".join(packed)).hexdigest()[:16]
