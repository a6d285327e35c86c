#!/usr/bin/env python3
"""Write one big scalar module twice: as `.ppyir` in the shape of ppy's frontend, and as `.mlir` for a stock mlir-opt.

Both have the same functions, blocks and operations, one for one: a stack slot is a `memref` of rank 0, and a
`core.guard` is a call, because `cf.assert` lowers in quadratic time. The same seed and size always give the same
text. Prints a JSON line with the exact counts.
"""

import argparse
import json
import random
from pathlib import Path

GUARD = 'core.guard {0} {{kind = "%s", message = "%s", raises = "%s"}}'
PYTHON = '{{overflow = "python"}}'
FLOOR = '{{overflow = "python", rounding = "floor"}}'

# Every operation in both spellings: {0}, {1}, ... are its operands.
SPELLINGS = {
    "int": ("core.const {0} : i64", "arith.constant {0} : i64"),
    "float": ("core.const {0} : f64", "arith.constant {0} : f64"),
    "slot_int": ("core.alloca : ptr<i64, stack>", "memref.alloca() : memref<i64>"),
    "slot_float": ("core.alloca : ptr<f64, stack>", "memref.alloca() : memref<f64>"),
    "load_int": ("core.load {0} : i64", "memref.load {0}[] : memref<i64>"),
    "load_float": ("core.load {0} : f64", "memref.load {0}[] : memref<f64>"),
    "store_int": ("core.store {0}, {1}", "memref.store {0}, {1}[] : memref<i64>"),
    "store_float": ("core.store {0}, {1}", "memref.store {0}, {1}[] : memref<f64>"),
    "add": (f"core.add {{0}}, {{1}} {PYTHON} : i64", "arith.addi {0}, {1} : i64"),
    "sub": (f"core.sub {{0}}, {{1}} {PYTHON} : i64", "arith.subi {0}, {1} : i64"),
    "mul": (f"core.mul {{0}}, {{1}} {PYTHON} : i64", "arith.muli {0}, {1} : i64"),
    "step": ('core.add {0}, {1} {{overflow = "proven"}} : i64', "arith.addi {0}, {1} overflow<nsw> : i64"),
    "last": ('core.sub {0}, {1} {{overflow = "wrap"}} : i64', "arith.subi {0}, {1} : i64"),
    "div": (f"core.div {{0}}, {{1}} {FLOOR} : i64", "arith.divsi {0}, {1} : i64"),
    "mod": (f"core.mod {{0}}, {{1}} {FLOOR} : i64", "arith.remsi {0}, {1} : i64"),
    "and": ("core.and {0}, {1} : i64", "arith.andi {0}, {1} : i64"),
    "or": ("core.or {0}, {1} : i64", "arith.ori {0}, {1} : i64"),
    "xor": ("core.xor {0}, {1} : i64", "arith.xori {0}, {1} : i64"),
    "both": ("core.and {0}, {1} : bool", "arith.andi {0}, {1} : i1"),
    "addf": ("core.add {0}, {1} : f64", "arith.addf {0}, {1} : f64"),
    "subf": ("core.sub {0}, {1} : f64", "arith.subf {0}, {1} : f64"),
    "mulf": ("core.mul {0}, {1} : f64", "arith.mulf {0}, {1} : f64"),
    "divf": ("core.div {0}, {1} : f64", "arith.divf {0}, {1} : f64"),
    "to_float": ("core.cast {0} : f64", "arith.sitofp {0} : i64 to f64"),
    "lt": ("core.cmp.lt {0}, {1} : bool", "arith.cmpi slt, {0}, {1} : i64"),
    "ge": ("core.cmp.ge {0}, {1} : bool", "arith.cmpi sge, {0}, {1} : i64"),
    "ne": ("core.cmp.ne {0}, {1} : bool", "arith.cmpi ne, {0}, {1} : i64"),
    "ltf": ("core.cmp.lt {0}, {1} : bool", "arith.cmpf olt, {0}, {1} : f64"),
    "nef": ("core.cmp.ne {0}, {1} : bool", "arith.cmpf une, {0}, {1} : f64"),
    "select": ("core.select {0}, {1}, {2} : i64", "arith.select {0}, {1}, {2} : i64"),
    "guard_range": (
        GUARD % ("range", "value out of range", "ValueError: value out of range"),
        "func.call @guard_range({0}) : (i1) -> ()",
    ),
    "guard_zero": (
        GUARD % ("zero_division", "division by zero", "ZeroDivisionError: division by zero"),
        "func.call @guard_zero({0}) : (i1) -> ()",
    ),
    "call": (
        "core.call {1}, {2}, {3}, {4}, {5} {{callee = {0}}} : i64",
        "func.call {0}({1}, {2}, {3}, {4}, {5}) : (i64, i64, i64, f64, f64) -> i64",
    ),
    "br": ("core.br ^{0}", "cf.br ^{0}"),
    "cond_br": ("core.cond_br {0}, ^{1}, ^{2}", "cf.cond_br {0}, ^{1}, ^{2}"),
    "ret": ("core.ret {0}", "func.return {0} : i64"),
}
NO_RESULT = {"store_int", "store_float", "guard_range", "guard_zero", "br", "cond_br", "ret"}
INTS, FLOATS = ["a", "b", "c"], ["x", "y"]
HEADER = """ppyir 1
module @big
dialect core 1
"""
PEER_HEADER = """module @big {
  func.func private @guard_range(i1)
  func.func private @guard_zero(i1)
"""


class Function:
    """One function in both spellings, written statement by statement as the frontend would."""

    def __init__(self, dice, number, line):
        self.dice, self.number, self.line = dice, number, line
        self.ops, self.values, self.labels = 0, 0, 0
        self.place = None
        self.ppyir, self.mlir = [], []
        self.ints, self.floats = list(INTS), list(FLOATS)
        self.loops = 0  # how many loops are open: the frontend makes no slot inside one

    # -- writing ---------------------------------------------------------------------------------------------

    def op(self, name, *operands, result=None):
        """Append one operation; its result is named `result` or numbered."""
        ours, theirs = (spelling.format(*operands) for spelling in SPELLINGS[name])
        value = None
        if name not in NO_RESULT:
            value = f"%{result}" if result else f"%{self.values}"
            self.values += result is None
            ours, theirs = f"{value} = {ours}", f"{value} = {theirs}"
        self.ppyir.append(f"    {ours}{self.place or ''}")
        self.mlir.append(f"    {theirs}")
        self.place = None
        self.ops += 1
        return value

    def block(self, label):
        self.ppyir.append(f"^{label}:")
        self.mlir.append(f"  ^{label}:")

    def label(self, name):
        self.labels += 1
        return f"{name}{self.labels}"

    def statement(self, column=4):
        """A new source line: its first operation carries the location."""
        self.line += 1
        self.place = f' loc("big.ppy":{self.line}:{column})'

    def slot(self, name, kind):
        return self.op(f"slot_{kind}", result=f"{name}_addr")

    # -- expressions -----------------------------------------------------------------------------------------

    def int_leaf(self):
        if self.dice.random() < 0.6:
            return self.op("load_int", f"%{self.dice.choice(self.ints)}_addr")
        return self.op("int", self.dice.randint(-9, 999))

    def int_expression(self, depth):
        pick = self.dice.random()
        if depth == 0 or pick < 0.15:
            return self.int_leaf()
        left = self.int_expression(depth - 1)
        if pick < 0.25:
            divisor = self.op("int", self.dice.choice([2, 3, 7, 8, 10, -5]))
            zero = self.op("int", 0)
            self.op("guard_zero", self.op("ne", divisor, zero))
            return self.op(self.dice.choice(["div", "mod"]), left, divisor)
        right = self.int_expression(depth - 1)
        if pick < 0.33:
            return self.op("select", self.op("lt", left, right), left, right)
        return self.op(self.dice.choice(["add", "add", "add", "sub", "sub", "mul", "and", "or", "xor"]), left, right)

    def float_expression(self, depth):
        pick = self.dice.random()
        if depth == 0 or pick < 0.1:
            if pick < 0.05:
                return self.op("to_float", self.int_leaf())
            if self.dice.random() < 0.7:
                return self.op("load_float", f"%{self.dice.choice(self.floats)}_addr")
            return self.op("float", repr(round(self.dice.uniform(-9, 9), 3)))
        left, right = self.float_expression(depth - 1), self.float_expression(depth - 1)
        if pick > 0.92:
            self.op("guard_zero", self.op("nef", right, self.op("float", "0.0")))
            return self.op("divf", left, right)
        return self.op(self.dice.choice(["addf", "subf", "mulf"]), left, right)

    def condition(self):
        if self.dice.random() < 0.3:
            return self.op("ltf", self.float_expression(1), self.float_expression(1))
        return self.op(self.dice.choice(["lt", "ge", "ne"]), self.int_expression(1), self.int_expression(1))

    # -- statements ------------------------------------------------------------------------------------------

    def assign_int(self):
        self.statement()
        value = self.int_expression(3)
        if self.loops == 0 and self.dice.random() < 0.4:
            name = f"v{self.line}"
            self.op("store_int", value, self.slot(name, "int"))
            self.ints.append(name)
        else:
            self.op("store_int", value, f"%{self.dice.choice(INTS)}_addr")

    def assign_float(self):
        self.statement()
        self.op("store_float", self.float_expression(2), f"%{self.dice.choice(FLOATS)}_addr")

    def check_range(self):
        self.statement()
        value, low, high = self.int_leaf(), self.op("int", -(2**40)), self.op("int", 2**40)
        inside = self.op("both", self.op("ge", value, low), self.op("lt", value, high))
        self.op("guard_range", inside)

    def call(self):
        self.statement()
        numbers = [self.int_leaf() for _ in INTS]
        floats = [self.op("load_float", f"%{name}_addr") for name in FLOATS]
        value = self.op("call", f"@f{self.dice.randrange(self.number)}", *numbers, *floats)
        self.op("store_int", value, f"%{self.dice.choice(INTS)}_addr")

    def branch(self):
        self.statement()
        yes, no, end = self.label("then"), self.label("else"), self.label("endif")
        self.op("cond_br", self.condition(), yes, no)
        for label in (yes, no):
            self.block(label)
            self.statement(8)
            self.op("store_int", self.int_expression(2), f"%{self.dice.choice(INTS)}_addr")
            self.op("br", end)
        self.block(end)

    def loop(self):
        self.statement()
        name = f"i{self.line}"
        names = ["for.guards", "for.setup", "for.head", "for.body", "for.latch", "for.end"]
        guards, setup, head, body, latch, end = [self.label(part) for part in names]
        start, stop, step = self.op("int", 0), self.int_leaf(), self.op("int", 1)
        slot = self.slot(name, "int")
        self.op("br", guards)
        self.block(guards)
        self.op("last", stop, self.op("int", 1))
        self.op("br", setup)
        self.block(setup)
        self.op("store_int", start, slot)
        self.op("br", head)
        self.block(head)
        self.op("cond_br", self.op("lt", self.op("load_int", slot), stop), body, end)
        self.block(body)
        outer = list(self.ints)
        self.ints.append(name)
        self.loops += 1
        for _ in range(self.dice.randint(1, 3)):
            self.dice.choice([self.assign_int, self.assign_int, self.assign_float, self.branch, self.check_range])()
        self.ints = outer
        self.loops -= 1
        self.op("br", latch)
        self.block(latch)
        self.op("store_int", self.op("step", self.op("load_int", slot), step), slot)
        self.op("br", head)
        self.block(end)

    def write(self):
        """The whole function; returns its text in both spellings."""
        self.statement(0)
        for name in INTS + FLOATS:
            kind = "int" if name in INTS else "float"
            self.op(f"store_{kind}", f"%{name}", self.slot(name, kind))
        choices = [self.assign_int] * 4 + [self.assign_float] * 2 + [self.loop] * 3 + [self.branch] * 2
        choices += [self.check_range] + [self.call] * (self.number > 0)
        for _ in range(self.dice.randint(5, 12)):
            self.dice.choice(choices)()
        self.statement()
        self.op("ret", self.int_expression(2))
        return self._ours(), self._theirs()

    def _ours(self):
        name = f"f{self.number}"
        attrs = f'effects = ["may_raise"], ppy.abi = "ppy", ppy.qualname = "big.{name}", ppy.symbol = "ppy_big_{name}"'
        head = f"func @{name}(%a: i64, %b: i64, %c: i64, %x: f64, %y: f64) -> i64 attrs {{{attrs}}} {{\n^entry:\n"
        return "\n" + head + "\n".join(self.ppyir) + "\n}\n"

    def _theirs(self):
        head = f"  func.func @f{self.number}(%a: i64, %b: i64, %c: i64, %x: f64, %y: f64) -> i64 {{\n"
        return head + "\n".join(self.mlir) + "\n  }\n"


def write_modules(ops, seed, ppyir, mlir):
    """Functions until there are `ops` operations; both files get each function as it is made."""
    dice = random.Random(seed)
    written, number, line = 0, 0, 1
    with open(ppyir, "w", encoding="utf-8") as ours, open(mlir, "w", encoding="utf-8") as theirs:
        ours.write(HEADER)
        theirs.write(PEER_HEADER)
        while written < ops:
            function = Function(dice, number, line + 2)
            text, peer = function.write()
            ours.write(text)
            theirs.write(peer)
            written, number, line = written + function.ops, number + 1, function.line
        theirs.write("}\n")
    return {"ops": written, "functions": number}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ppyir", type=Path, required=True)
    parser.add_argument("--mlir", type=Path, required=True)
    o = parser.parse_args()
    print(json.dumps(write_modules(o.ops, o.seed, o.ppyir, o.mlir)))


if __name__ == "__main__":
    main()
