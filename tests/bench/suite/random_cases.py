"""Random cases, measured instead of the suite's: cases that were never tuned for."""

import random

from cases import Case

_DTYPES = (("u8", 1), ("u8", 1), ("i16", 2), ("f32", 4), ("f32", 4), ("f32", 4), ("f64", 8))
_PARTS = (2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16)
_NATURAL = 7, 22  # the bytes of the full tensor are between these powers of two


def _equal(dice, parts):
    return [dice.choice((1, 1, 2, 3))] * parts


def _narrow(dice, parts):
    return [dice.randint(1, 4) for _ in range(parts)]


def _medium(dice, parts):
    return [dice.randint(4, 40) for _ in range(parts)]


def _one_wide(dice, parts):
    lengths = [dice.randint(1, 5) for _ in range(parts - 1)] + [dice.randint(20, 200)]
    dice.shuffle(lengths)
    return lengths


def _wide(dice, parts):
    return [dice.randint(64, 512) for _ in range(parts)]


_KINDS = (_equal, _narrow, _medium, _one_wide, _wide)


def random_cases(count, seed):
    """`count` cases, the same for the same seed."""
    dice, found = random.Random(seed), []
    for index in range(1, count + 1):
        (dtype, size), parts = dice.choice(_DTYPES), dice.choice(_PARTS)
        kind = dice.choice(_KINDS)
        lengths = kind(dice, parts)
        rows = max(2, int(2 ** dice.uniform(*_NATURAL)) // (sum(lengths) * size))
        text = f"{dtype}[{{rows}},{sum(lengths)}] @1 -> {' '.join(map(str, lengths))}"
        found.append(Case(f"R{index}", f"random_{seed}_{index}", kind.__name__[1:].replace("_", " "),
                          notation=text, rows=rows))
    return found
