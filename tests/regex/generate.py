#!/usr/bin/env python3
"""Random patterns and texts with the answers of this Python's `re`, as JSON lines.

    generate.py SEED PATTERNS TEXTS [PADDING [large]]

Texts get up to PADDING bytes that few patterns match before and behind. A match that takes this Python too long is left
out. Large patterns have hundreds of words or counted repeats.

A line is {"pattern", "flags", "groups", "op", "cases"}, or {"pattern", "flags", "error", "position"} where `re` refuses.
Bytes are Latin-1 text. A case is {"text", "pos", "endpos", "spans"}: the ends of the match and of every group, or null.
"""

import json
import random
import re
import signal
import sys
import warnings

warnings.simplefilter("ignore")

LETTERS = "aabbc"
CLASSES = ["[ab]", "[^a]", "[a-c]", "[^\\w]", "\\w", "\\W", "\\d", "\\s", "\\S", "\\D", ".", "[b-z0-9]", "[A-Z_]",
           "[^\\n]", "[\\x80-\\xff]", "[]a]", "[a-]", "[\\s\\d]", "\\x62", "\\n", "\\x00", "\xe9", "[^\\x00-\\xff]"]
ANCHORS = ["^", "$", "\\b", "\\B", "\\A", "\\Z"]
FLAGS = [0, 0, 0, 0, re.I, re.M, re.S, re.I | re.M, re.M | re.S, re.A]
ODD = ["{", "}", "{,", "{1", "{a}", "]", "a{,}", "x{,2}", "(?#note)", "(?i:A)", "(?-i:a)", "(?s:.)", "(?m:^)",
       "(?m:$)", "(?x: a b # c\n)", "\\.", "\\041", "\\101", "\\0", "-", "\\-"]


class Maker:
    """Makes one pattern."""

    def __init__(self, dice):
        self.dice = dice
        self.names = 0

    def atom(self, depth):
        roll = self.dice.random()
        if roll < 0.45 or depth <= 0:
            return self.dice.choice(LETTERS)
        if roll < 0.62:
            return self.dice.choice(CLASSES)
        if roll < 0.70:
            return self.dice.choice(ANCHORS)
        if roll < 0.74:
            return self.dice.choice(ODD)
        body = self.branches(depth - 1)
        kind = self.dice.random()
        if kind < 0.5:
            return f"({body})"
        if kind < 0.9:
            return f"(?:{body})"
        if kind < 0.95:
            self.names += 1
            return f"(?P<n{self.names}>{body})"
        return f"(?{self.dice.choice(['i', 's', 'm', 'im', 'a'])}:{body})"

    def piece(self, depth):
        atom = self.atom(depth)
        if atom in ANCHORS and self.dice.random() < 0.95 or self.dice.random() < 0.5:
            return atom
        repeat = self.dice.choice(["*", "+", "?", "*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{,2}", "{1,3}",
                                   "{0}", "{3}"])
        return atom + repeat + self.dice.choice(["", "", "?"])

    def sequence(self, depth):
        return "".join(self.piece(depth) for _ in range(self.dice.choice([0, 1, 1, 1, 2, 2, 3])))

    def branches(self, depth):
        return "|".join(self.sequence(depth) for _ in range(self.dice.choice([1, 1, 1, 2, 2, 3])))


def damaged(dice, pattern):
    """The pattern with a character taken away, put in or doubled."""
    at = dice.randrange(len(pattern) + 1)
    extra = dice.choice(["(", ")", "[", "]", "*", "+", "?", "{", "\\", "|", "(?", "(?P<", "(?P<n1>", "(?z", "(?i)",
                         "\\x4", "\\q", "[b-a]", "[\\d-z]", "{3,2}", "(?-", "(?i-i:", "(?:", "(?P=", "(?Pz", "\\777",
                         "(?#", "(?au:", "[a", "\\9", "(?i", "(?ix", "(?-L:a)", "a{99999999999}"])
    return pattern[:at] + extra + pattern[at + dice.randrange(2):]


def text(dice):
    pool = dice.choice(["ab", "abc", "aab", "abc \n", "aAbB_1\n", "ab1 \x00\xe9\xff.", "a\n"])
    return "".join(dice.choice(pool) for _ in range(dice.choice([0, 1, 3, 5, 8, 12, 16])))


def answer(pattern, op, subject, pos, endpos):
    match = getattr(pattern, op)(subject, pos, endpos)
    return match and [end for group in range(pattern.groups + 1) for end in match.span(group)]


def keyword(dice):
    return "".join(dice.choice("abcdefgh") for _ in range(dice.randrange(2, 9)))


def large(dice):
    """A pattern that many states belong to, and pieces of texts that nearly match it."""
    words = [keyword(dice) for _ in range(dice.choice([40, 120, 300]))]
    # Some begin as others do, or are all that another begins with.
    words += [word[:dice.randrange(1, len(word) + 1)] + dice.choice(["", keyword(dice)]) for word in words[::4]]
    dice.shuffle(words)
    low, high = dice.randrange(1, 4), dice.choice([20, 40])
    forms = ["({words})", "({words})=({words})", "(?i:{words})[a-h]*", r"\b(?:{words})\b",
             "({words}|(a|b[c-h])*)@?", "(?P<word>{words})|(?P<other>[a-h]+?)(?:@|$)", "(?m:^(?:{words})$)",
             "[a-z]{{{low},{high}}}@[a-z]{{{low},{high}}}", "([a-h]{{{low},{high}}}?)@(a|[b-h]{{1,{high}}})",
             "(a|b)*a(a|b){{{low},9}}", "(?:{words}){{{low},3}}", "([^@=]{{{low},{high}}})[@=]([a-z]+)"]
    source = dice.choice(forms).format(words="|".join(words), low=low, high=high)
    return source, words[:20] + ["@", "=", " ", "\n", "a", "ab", "b" * high, "\xe9"]


class TooLong(Exception):
    """Backtracking takes exponentially many steps in some patterns."""


def stop(*_):
    raise TooLong


def case(dice, pattern, op, padding, pieces=()):
    subject = "".join(dice.choices(pieces, k=dice.randrange(1, 9))) if pieces else text(dice)
    if padding:
        subject = dice.choice("-z") * dice.randrange(padding) + subject + dice.choice("-z\n") * dice.randrange(padding)
    pos, endpos = 0, 1 << 40
    if dice.random() < 0.3:
        pos = dice.choice([-1, 0, 1, 2, dice.randrange(len(subject) + 2)])
        endpos = dice.choice([-1, 0, len(subject), len(subject) + 3, max(0, len(subject) - 1), pos + 1])
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        spans = answer(pattern, op, subject.encode("latin-1"), pos, endpos)
    except TooLong:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return {"text": subject, "pos": pos, "endpos": endpos, "spans": spans}


def main():
    seed, patterns, texts = map(int, sys.argv[1:4])
    padding = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    are_large = sys.argv[5:] == ["large"]
    signal.signal(signal.SIGALRM, stop)
    dice = random.Random(seed)
    for _ in range(patterns):
        source, pieces = large(dice) if are_large else (Maker(dice).branches(dice.choice([0, 1, 1, 2, 2, 3])), ())
        if not are_large and dice.random() < 0.15:
            source = damaged(dice, source)
        if not are_large and dice.random() < 0.05:
            source = dice.choice(["(?i)", "(?s)", "(?m)", "(?x)", "(?im)"]) + source
        flags = int(dice.choice(FLAGS))
        line = {"pattern": source, "flags": flags}
        try:
            pattern = re.compile(source.encode("latin-1"), flags)
        except re.error as error:
            line.update(error=error.msg, position=error.pos)
        except (OverflowError, ValueError) as error:
            line.update(error=str(error), position=None)
        else:
            op = dice.choice(["search", "search", "search", "match", "fullmatch"])
            cases = [case(dice, pattern, op, padding, pieces) for _ in range(texts)]
            line.update(groups=pattern.groups, op=op, cases=[case for case in cases if case])
        print(json.dumps(line))


if __name__ == "__main__":
    main()
