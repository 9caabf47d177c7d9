"""A small corpus with two senses in it."""

from __future__ import annotations

import random

from polyseme.inventory import Sense
from polyseme.usage import Usage

RIVER = ("river", "boat", "water", "fish", "shore", "stream")
MONEY = ("money", "loan", "credit", "cash", "debt", "payment")
OTHERS = ("garden", "house", "letter", "table", "window", "teacher")


def usages(count: int = 240, seed: int = 0) -> list[Usage]:
    """Draw usages of *bank* with words of one of two fields: the first in even usages, the second in odd ones."""
    dice = random.Random(seed)
    drawn = []
    for number in range(count):
        field = (RIVER, MONEY)[number % 2]
        a, b, c = dice.sample(field, 3)
        other = dice.choice(OTHERS)
        text = f"The {other} was old. The bank with the {a} of the {b} and the {c}. The {dice.choice(OTHERS)} was new."
        start = text.index("bank")
        drawn.append(Usage(f"bank.n.{number}", "bank.n", text, start, start + 4, "n"))
    return drawn


def background(count: int = 200, seed: int = 1) -> list[Usage]:
    """Draw usages of other words, so that not every sentence has a bank."""
    dice = random.Random(seed)
    drawn = []
    for number in range(count):
        a, b = dice.sample(OTHERS, 2)
        text = f"The {a} stood by the {b}. Nobody saw the {dice.choice(OTHERS)}."
        drawn.append(Usage(f"{a}.n.b{number}", f"{a}.n", text, 4, 4 + len(a), "n"))
    return drawn


def fields(sense: Sense) -> set[str]:
    """Return the fields that the words of a sense are from."""
    words = {part.partition(".")[0] for name, _ in sense.features for part in name.split(" ")}
    return {name for name, field in (("river", RIVER), ("money", MONEY)) if words & set(field)}
