"""Writes table.json: special functions at points where they are hard, to 60 digits by mpmath, rounded to doubles.

    pip install mpmath && python tests/special/generate.py

A row is [x, value] or [order, x, value], every float as its bits.
"""

import json
import math
import pathlib
import random
import struct

import mpmath

mpmath.mp.dps = 60
random.seed(1)


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def spread(low, high, count):
    """Points between, evenly and by magnitude."""
    points = [random.uniform(low, high) for _ in range(count)]
    points += [math.copysign(10.0 ** random.uniform(-9, 0), high) for _ in range(count // 4)]
    return points


def ndtr(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def gammaln(x):
    return mpmath.log(abs(mpmath.gamma(x)))


FUNCTIONS = {
    "erf": (mpmath.erf, spread(-6, 6, 80)),
    "erfc": (mpmath.erfc, spread(-6, 26, 80)),
    "gamma": (mpmath.gamma, spread(0.01, 170, 80) + [random.uniform(-20, 0) for _ in range(40)]),
    "gammaln": (gammaln, spread(0.01, 1e6, 60) + [random.uniform(0.5, 2.5) for _ in range(30)]
                + [random.uniform(-8, 0) for _ in range(30)]),
    "ndtr": (ndtr, spread(-37, 8, 80)),
    "logit": (lambda p: mpmath.log(p / (1 - p)), [random.random() for _ in range(60)]
              + [10.0 ** random.uniform(-300, -1) for _ in range(20)] + [0.5 + random.uniform(-1e-6, 1e-6) for _ in range(20)]),
    "bessel_j0": (lambda x: mpmath.besselj(0, x), spread(-50, 50, 80) + [random.uniform(50, 1e4) for _ in range(20)]),
    "bessel_j1": (lambda x: mpmath.besselj(1, x), spread(-50, 50, 80) + [random.uniform(50, 1e4) for _ in range(20)]),
    "bessel_y0": (lambda x: mpmath.bessely(0, x), spread(1e-3, 50, 80) + [random.uniform(50, 1e4) for _ in range(20)]),
    "bessel_y1": (lambda x: mpmath.bessely(1, x), spread(1e-3, 50, 80) + [random.uniform(50, 1e4) for _ in range(20)]),
}
ORDERS = [-5, -2, -1, 0, 1, 2, 3, 7, 20, 60]
OF_ORDER = {
    "bessel_jn": (mpmath.besselj, [random.uniform(-40, 40) for _ in range(12)] + [0.5, 100.25]),
    "bessel_yn": (mpmath.bessely, [random.uniform(0.5, 40) for _ in range(12)] + [100.25]),
}

table = {}
for name, (function, points) in FUNCTIONS.items():
    table[name] = [[bits(x), bits(function(mpmath.mpf(x)))] for x in points]
for name, (function, points) in OF_ORDER.items():
    table[name] = [[n, bits(x), bits(function(n, mpmath.mpf(x)))] for n in ORDERS for x in points]
lines = (f' "{name}": [\n  ' + ",\n  ".join(json.dumps(row) for row in rows) + "\n ]" for name, rows in table.items())
pathlib.Path(__file__).with_name("table.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
