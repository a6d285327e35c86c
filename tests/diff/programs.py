"""Random typed Python programs: `source(seed, index)` is a module's text, the same for the same arguments.

A program is what ppy's frontend lowers and CPython runs alike. It stays clear of four places where ppy's frontend is
known to depart from Python, so that a difference found is one of the code under test:

* a loop variable is never read after its loop;
* an int is never compared with a float;
* `/` is on floats only;
* `**` is on ints, with a small constant exponent.

Values stay small enough for CPython to finish: inside a loop, a product of two variables is reduced before it is kept.
"""

import random
from dataclasses import dataclass, field, replace

INT, FLOAT, BOOL, INTS, FLOATS = "int", "float", "bool", "Buffer[int]", "Buffer[float]"
SCALARS = (INT, FLOAT, BOOL)
EDGE_INTS = (0, 1, 2, 3, 7, 10, 63, 64, 255, 256, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1)
EDGE_FLOATS = ("0.0", "1.0", "-1.0", "0.5", "2.0", "1e-300", "1e300", "3.25", "100.0", "1e16")
# Functions that ppy lowers to operations, each with an argument that Python takes, and any argument.
MATH_FUNCTIONS = (("sqrt", "abs({})"), ("log", "1.0 + abs({})"), ("log2", "1.0 + abs({})"), ("log10", "0.5 + abs({})"),
                  ("exp", "min({}, 50.0)"), ("sin", "{}"), ("cos", "{}"), ("fabs", "{}"))


@dataclass
class Function:
    """A function that later ones may call."""

    name: str
    params: list[tuple[str, str]]
    result: str
    # About how many statements one call runs.
    cost: int


@dataclass
class Scope:
    """The variables that hold a value here, by type, and where the statement stands."""

    variables: dict[str, str] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)
    # How often the statement runs at most, by the loops around it.
    runs: int = 1
    breakable: bool = False

    @property
    def loops(self):
        return self.runs > 1

    def inner(self, **changes):
        """A copy for a nested block: what the block declares is not known after it."""
        return replace(self, variables=dict(self.variables), fixed=set(self.fixed), **changes)

    def loop(self, names, runs):
        """A copy for a loop's body, where `names` count."""
        made = self.inner(runs=self.runs * runs, breakable=True)
        made.variables.update((name, INT) for name in names)
        made.fixed.update(names)
        return made

    def of(self, kind):
        return [name for name, its in self.variables.items() if its == kind]

    def assignable(self, kind):
        return [name for name in self.of(kind) if name not in self.fixed]


class Program:
    """One module being written."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.functions = []
        self.count = 0
        # The statements that one call of the function being written runs, about.
        self.work = 0

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def chance(self, probability):
        return self.rng.random() < probability

    # ------------------------------------------------------------ expressions

    def expression(self, kind, scope, depth):
        return {INT: self.integer, FLOAT: self.floating, BOOL: self.boolean}[kind](scope, depth)

    def leaf(self, kind, scope):
        names = scope.of(kind)
        if names and self.chance(0.8):
            return self.rng.choice(names)
        if kind == INT:
            value = self.rng.randint(-9, 20) if self.chance(0.8) else self.rng.choice(EDGE_INTS)
            return f"({value})" if value < 0 else str(value)
        if kind == FLOAT:
            if self.chance(0.5):
                text = self.rng.choice(EDGE_FLOATS)
                return f"({text})" if text[0] == "-" else text
            return repr(round(self.rng.uniform(0, 9), 2))
        return self.rng.choice(("True", "False"))

    def integer(self, scope, depth):
        """An int expression. In a loop, variables are multiplied only under a reduction."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(INT, scope)
        a = lambda: self.integer(scope, depth - 1)
        shapes = [
            (22, lambda: f"({a()} {self.rng.choice('+-')} {a()})"),
            (7, lambda: self.product(scope, depth)),
            (6, lambda: f"({a()} // {self.divisor(scope)})"),
            (6, lambda: f"({a()} % {self.divisor(scope)})"),
            (6, lambda: f"({a()} {self.rng.choice('&|^')} {a()})"),
            (4, lambda: f"({a()} >> {self.amount(scope)})"),
            (4, lambda: f"({a()} << {self.rng.randint(0, 3) if scope.loops else self.amount(scope)})"),
            (3, lambda: f"(-{a()})"),
            (2, lambda: f"(~{a()})"),
            (3, lambda: f"{self.rng.choice(('min', 'max'))}({a()}, {a()})"),
            (3, lambda: f"abs({a()})"),
            (4, lambda: f"({a()} if {self.boolean(scope, depth - 1)} else {a()})"),
            (2, lambda: f"int({self.boolean(scope, depth - 1)})"),
            (2, lambda: f"int({self.floating(scope, 1)})"),
        ]
        if not scope.loops:
            shapes.append((2, lambda: f"({self.leaf(INT, scope)} ** {self.rng.randint(2, 3)})"))
        if scope.of(INTS):
            shapes.append((6, lambda: self.element(INTS, scope)))
        if scope.of(INTS) or scope.of(FLOATS):
            shapes.append((2, lambda: f"len({self.rng.choice(scope.of(INTS) + scope.of(FLOATS))})"))
        if self.callees(INT, scope):
            shapes.append((5, lambda: self.call(INT, scope, depth)))
        return self.pick(shapes)

    def product(self, scope, depth):
        a, b = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        if not scope.loops:
            return f"({a} * {b})"
        if self.chance(0.5):
            return f"({a} * {self.rng.randint(-4, 9)})"
        return f"(({a} * {b}) {self.rng.choice(('% 1009', '& 0xFFFF', '% 97', '& 1023'))})"

    def divisor(self, scope):
        if self.chance(0.85):
            return str(self.rng.choice((1, 2, 3, 4, 7, 8, 10, 16, 100, 1009))) if self.chance(0.7) else f"(-{self.rng.choice((1, 2, 3, 8, 10))})"
        return self.leaf(INT, scope)

    def amount(self, scope):
        if self.chance(0.7):
            return str(self.rng.randint(0, 12))
        name = self.leaf(INT, scope)
        return f"({name} & {self.rng.choice((7, 15, 63))})" if self.chance(0.8) else name

    def floating(self, scope, depth):
        if depth <= 0 or self.chance(0.15):
            return self.leaf(FLOAT, scope)
        a = lambda: self.floating(scope, depth - 1)
        shapes = [
            (30, lambda: f"({a()} {self.rng.choice('+-*')} {a()})"),
            (7, lambda: f"({a()} / {a() if self.chance(0.3) else self.rng.choice(('2.0', '3.0', '-7.5', '0.1'))})"),
            (4, lambda: f"(-{a()})"),
            (4, lambda: f"abs({a()})"),
            (4, lambda: f"{self.rng.choice(('min', 'max'))}({a()}, {a()})"),
            (5, lambda: f"({a()} if {self.boolean(scope, depth - 1)} else {a()})"),
            (4, lambda: f"float({self.integer(scope, 1)})"),
            (2, lambda: f"({a()} {self.rng.choice('+-*')} {self.integer(scope, 1)})"),
            (8, lambda: self.math_call(a())),
            (2, lambda: f"math.pow({a()}, {self.rng.choice(('2.0', '0.5', '-1.0', '3.0'))})"),
        ]
        if scope.of(FLOATS):
            shapes.append((7, lambda: self.element(FLOATS, scope)))
        if self.callees(FLOAT, scope):
            shapes.append((5, lambda: self.call(FLOAT, scope, depth)))
        return self.pick(shapes)

    def math_call(self, argument):
        name, safe = self.rng.choice(MATH_FUNCTIONS)
        return f"math.{name}({safe.format(argument) if self.chance(0.8) else argument})"

    def boolean(self, scope, depth):
        if depth <= 0:
            return self.leaf(BOOL, scope) if scope.of(BOOL) and self.chance(0.4) else self.comparison(scope, 0)
        a = lambda: self.boolean(scope, depth - 1)
        shapes = [
            (14, lambda: self.comparison(scope, depth - 1)),
            (4, lambda: f"({a()} and {a()})"),
            (4, lambda: f"({a()} or {a()})"),
            (3, lambda: f"(not {a()})"),
            (2, lambda: f"({a()} {self.rng.choice(('==', '!='))} {a()})"),
            (1, lambda: f"bool({self.integer(scope, depth - 1)})"),
        ]
        if self.callees(BOOL, scope):
            shapes.append((3, lambda: self.call(BOOL, scope, depth)))
        return self.pick(shapes)

    def comparison(self, scope, depth):
        kind = FLOAT if scope.of(FLOAT) and self.chance(0.35) else INT
        operator = lambda: self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        a = self.expression(kind, scope, depth)
        b = next((b for b in (self.expression(kind, scope, depth) for _ in range(4)) if b != a), a)
        if self.chance(0.12):
            return f"({a} {self.rng.choice(('<', '<='))} {b} {self.rng.choice(('<', '<='))} {self.expression(kind, scope, 0)})"
        return f"({a} {operator()} {b})"

    def element(self, kind, scope):
        """An element of a buffer; now and then at an index that may be outside."""
        name = self.rng.choice(scope.of(kind))
        return f"{name}[{self.index(name, scope)}]"

    def index(self, name, scope):
        if self.chance(0.08):
            return self.leaf(INT, scope)
        if self.chance(0.1):
            return str(self.rng.randint(0, 2))
        return f"{self.leaf(INT, scope)} % len({name})"

    def callees(self, kind, scope):
        """Functions that give `kind`, whose buffers this scope can hand on, and that it can afford to call."""
        return [f for f in self.functions if f.result == kind and f.cost * scope.runs <= 2000
                and all(t in SCALARS or scope.of(t) for _, t in f.params)]

    def call(self, kind, scope, depth):
        callee = self.rng.choice(self.callees(kind, scope))
        give = lambda t: self.expression(t, scope, min(depth - 1, 1)) if t in SCALARS else self.rng.choice(scope.of(t))
        self.work += callee.cost * scope.runs
        text = f"{callee.name}({', '.join(give(t) for _, t in callee.params)})"
        return f"({text} % 4099)" if kind == INT and scope.loops else text

    def size(self):
        """How deep an expression is."""
        return self.rng.choice((1, 2, 2, 3))

    def pick(self, shapes):
        return self.rng.choices([s for _, s in shapes], [w for w, _ in shapes])[0]()

    # ------------------------------------------------------------ statements

    def block(self, depth, scope, size, result, nesting):
        for _ in range(size):
            self.statement(depth, scope, result, nesting)

    def statement(self, depth, scope, result, nesting):
        self.work += scope.runs
        shapes = [(8, self.declare), (10, self.assign), (4, self.augment), (2, self.swap)]
        if nesting > 0:
            shapes += [(6, self.branch), (5, self.counted_loop), (2, self.while_loop)]
            if scope.of(INTS) or scope.of(FLOATS):
                shapes.append((4, self.walk_buffer))
        if scope.breakable:
            shapes.append((3, self.leave_loop))
        if scope.of(INTS) or scope.of(FLOATS):
            shapes.append((4, self.store_element))
        if depth > 1:
            shapes.append((1, lambda d, s, r, n: self.early_return(d, s, r)))
        self.rng.choices([s for _, s in shapes], [w for w, _ in shapes])[0](depth, scope, result, nesting)

    def declare(self, depth, scope, _result, _nesting):
        kind = self.rng.choice((INT, INT, FLOAT, BOOL))
        name = self.fresh({INT: "n", FLOAT: "x", BOOL: "p"}[kind])
        self.emit(depth, f"{name}: {kind} = {self.expression(kind, scope, self.size())}")
        scope.variables[name] = kind

    def assign(self, depth, scope, result, nesting):
        kind = self.rng.choice((INT, INT, FLOAT, BOOL))
        names = scope.assignable(kind)
        if not names:
            return self.declare(depth, scope, result, nesting)
        self.emit(depth, f"{self.rng.choice(names)} = {self.expression(kind, scope, self.size())}")

    def augment(self, depth, scope, result, nesting):
        kind = self.rng.choice((INT, FLOAT))
        names = scope.assignable(kind)
        if not names:
            return self.declare(depth, scope, result, nesting)
        operator = self.rng.choice("+-" if kind == INT else "+-*")
        self.emit(depth, f"{self.rng.choice(names)} {operator}= {self.expression(kind, scope, 2)}")

    def swap(self, depth, scope, result, nesting):
        kind = self.rng.choice((INT, FLOAT))
        names = scope.assignable(kind)
        if len(names) < 2:
            return self.assign(depth, scope, result, nesting)
        a, b = self.rng.sample(names, 2)
        self.emit(depth, f"{a}, {b} = {b}, {self.expression(kind, scope, 1)}")

    def branch(self, depth, scope, result, nesting):
        self.emit(depth, f"if {self.boolean(scope, 2)}:")
        self.block(depth + 1, scope.inner(), self.rng.randint(1, 3), result, nesting - 1)
        if self.chance(0.25):
            self.emit(depth, f"elif {self.boolean(scope, 1)}:")
            self.block(depth + 1, scope.inner(), self.rng.randint(1, 2), result, nesting - 1)
        if self.chance(0.6):
            self.emit(depth, "else:")
            self.block(depth + 1, scope.inner(), self.rng.randint(1, 2), result, nesting - 1)

    def counted_loop(self, depth, scope, result, nesting):
        name = self.fresh("i")
        top = 5 if scope.loops else 12
        bound = str(self.rng.randint(1, top)) if self.chance(0.5) else f"{self.leaf(INT, scope)} & {self.rng.choice((3, 7))}"
        if self.chance(0.3):
            bound = f"{self.rng.randint(-3, 3)}, {bound}"
        elif self.chance(0.25):
            bound = f"{self.rng.randint(4, top)}, {self.rng.randint(-3, 1)}, {self.rng.choice((-1, -2, -3))}"
        self.emit(depth, f"for {name} in range({bound}):")
        self.block(depth + 1, scope.loop([name], top), self.rng.randint(1, 3), result, nesting - 1)
        if self.chance(0.1):
            self.emit(depth, "else:")
            self.block(depth + 1, scope.inner(breakable=False), 1, result, 0)

    def walk_buffer(self, depth, scope, result, nesting):
        buffer = self.rng.choice(scope.of(INTS) + scope.of(FLOATS))
        name = self.fresh("i")
        self.emit(depth, f"for {name} in range(len({buffer})):")
        kind = scope.variables[buffer]
        element = INT if kind == INTS else FLOAT
        inner = scope.loop([name], 6)
        value = self.fresh("n" if element == INT else "x")
        self.emit(depth + 1, f"{value}: {element} = {buffer}[{name}]")
        inner.variables[value] = element
        if self.chance(0.4):
            self.emit(depth + 1, f"{buffer}[{name}] = {self.expression(element, inner, 2)}")
        self.block(depth + 1, inner, self.rng.randint(1, 2), result, nesting - 1)

    def while_loop(self, depth, scope, result, nesting):
        name = self.fresh("k")
        self.emit(depth, f"{name}: int = {self.integer(scope, 1)} & {self.rng.choice((3, 7, 15))}")
        condition = f"{name} > 0" if self.chance(0.6) else f"{name} > 0 and {self.boolean(scope, 1)}"
        self.emit(depth, f"while {condition}:")
        self.emit(depth + 1, f"{name} -= {self.rng.randint(1, 2)}")
        self.block(depth + 1, scope.loop([name], 15), self.rng.randint(1, 3), result, nesting - 1)

    def leave_loop(self, depth, scope, _result, _nesting):
        self.emit(depth, f"if {self.boolean(scope, 1)}:")
        self.emit(depth + 1, self.rng.choice(("break", "continue")))

    def store_element(self, depth, scope, _result, _nesting):
        name = self.rng.choice(scope.of(INTS) + scope.of(FLOATS))
        element = INT if scope.variables[name] == INTS else FLOAT
        operator = self.rng.choice(("=", "=", "+="))
        self.emit(depth, f"{name}[{self.index(name, scope)}] {operator} {self.expression(element, scope, 2)}")

    def early_return(self, depth, scope, result):
        self.emit(depth, f"if {self.boolean(scope, 1)}:")
        self.emit(depth + 1, f"return {self.returned(scope, result, 2)}")

    def returned(self, scope, result, depth):
        if not result.startswith("tuple["):
            return self.expression(result, scope, depth)
        kinds = result[len("tuple["):-1].split(", ")
        return ", ".join(self.expression(kind, scope, depth) for kind in kinds)

    # ------------------------------------------------------------ functions

    def function(self):
        self.work = 0
        kinds = [self.rng.choice((INT, INT, FLOAT, FLOAT, BOOL)) for _ in range(self.rng.randint(2, 4))]
        if self.chance(0.4):
            kinds.append(self.rng.choice((INTS, FLOATS)))
        params = [(self.fresh({INT: "a", FLOAT: "u", BOOL: "t", INTS: "ns", FLOATS: "xs"}[k]), k) for k in kinds]
        result = self.rng.choice((INT, INT, FLOAT, FLOAT, BOOL))
        if self.chance(0.2):
            result = f"tuple[{', '.join(self.rng.choice(SCALARS) for _ in range(self.rng.randint(2, 3)))}]"
        name = self.fresh("f")
        self.emit(0, "")
        self.emit(0, "")
        self.emit(0, f"def {name}({', '.join(f'{p}: {t}' for p, t in params)}) -> {result}:")
        scope = Scope(dict(params), {p for p, t in params if t not in SCALARS})
        self.block(1, scope, self.rng.randint(2, 4), result, self.rng.randint(1, 2))
        self.emit(1, f"return {self.returned(scope, result, 2)}")
        self.functions.append(Function(name, params, result, max(self.work, 1)))
        return self.functions[-1]


def source(seed, index):
    """The text of program `index` of `seed`, and its functions."""
    program = Program(random.Random(f"{seed}/{index}"))
    program.lines += ["import math", "", "from ppy import Buffer"]
    functions = [program.function() for _ in range(program.rng.randint(2, 4))]
    return "\n".join(program.lines) + "\n", functions
