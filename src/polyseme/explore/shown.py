"""Senses and usages as pages show them: numbered, coloured, with bars for weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from polyseme.explore.words import Counted
from polyseme.inventory import Sense
from polyseme.portrait.examples import purest
from polyseme.portrait.portrait import Portrait
from polyseme.usage import Usage

COLOURS = 8
"""So many senses have a colour of their own; the others share one."""

SENSES = 12
"""So many senses are shown one by one."""

WORDS = 10
"""So many words tell a sense."""

LITTLE = 0.05
"""Weights below that are in the bar, and not in words."""

CANDIDATES = 60
"""Among so many usages with most of a sense its example is looked for."""

CUT = 400
"""So many characters of a text are shown on either side of the target."""


class Piece(NamedTuple):
    """A piece of a bar, in hundredths of its length."""

    colour: str
    start: float
    width: float


@dataclass(frozen=True)
class ShownSense:
    """A sense: its number, from 1, the words that tell it, and its share of the usages."""

    number: int
    id: str
    name: str
    share: float
    usages: int
    words: tuple[str, ...]
    example: ShownUsage | None = None

    @property
    def colour(self) -> str:
        """The class of its colour."""
        return colour(self.number - 1)

    @property
    def title(self) -> str:
        """What it is called, or the first words that tell it."""
        return self.name or ", ".join(self.words[:3]) or self.id


@dataclass(frozen=True)
class ShownUsage:
    """A usage with its target, what is known of it, and its senses: number, colour and weight, the heaviest first."""

    id: str
    left: str
    target: str
    right: str
    known: str
    bar: tuple[Piece, ...] = ()
    senses: tuple[tuple[int, str, float], ...] = ()

    @property
    def said(self) -> str:
        """The weights in words, for those who do not see the bar."""
        return ", ".join(f"sense {number} {weight:.0%}" for number, _, weight in self.senses) or "no sense"


def colour(number: int) -> str:
    """The class of the colour of a sense, by its number from 0.

    >>> colour(0), colour(20)
    ('c1', 'c0')
    """
    return f"c{number + 1}" if number < COLOURS else "c0"


def plain(feature: str) -> str:
    """A feature as a word, without parts of speech.

    >>> plain("loan.n"), plain("world.n cup.n"), plain("u.s.")
    ('loan', 'world cup', 'u.s.')
    """
    return " ".join(Counted(word, 0).stem for word in feature.split(" "))


def name_of(sense: Sense) -> str:
    """What somebody has called a sense; nothing if it has the name that the model gave it.

    >>> name_of(Sense("bank.n.s1", "bank.n")), name_of(Sense("money", "bank.n"))
    ('', 'money')
    """
    tail = sense.id.removeprefix(f"{sense.lemma}.s")
    return "" if tail != sense.id and tail.isdigit() else sense.id


def senses_of(portrait: Portrait, most: int = SENSES, *, examples: bool = True) -> list[ShownSense]:
    """The senses as they are shown, so many at most."""
    heaviest = np.bincount(portrait.main[portrait.main >= 0], minlength=len(portrait.senses)).tolist()
    shares = portrait.shares.tolist()
    found = []
    for at, sense in enumerate(portrait.senses[:most]):
        words = tuple(dict.fromkeys(plain(feature) for feature, _ in sense.features))[:WORDS]
        example = _example(portrait, at) if examples else None
        found.append(ShownSense(at + 1, sense.id, name_of(sense), shares[at], heaviest[at], words, example))
    return found


def _example(portrait: Portrait, number: int) -> ShownUsage | None:
    """The best example of a sense, among the usages that have most of it."""
    rows = np.argsort(-portrait.weights[:, number], kind="stable")[:CANDIDATES]
    some = replace(portrait, usages=tuple(portrait.usages[row] for row in rows.tolist()))
    best = purest(some, portrait.senses[number].id, 1)
    return usage_of(some, some.usages.index(best[0])) if best else None


def usage_of(portrait: Portrait, row: int) -> ShownUsage:
    """A usage as it is shown."""
    return shown(portrait.usages[row], portrait.weights[row].tolist())


def shown(usage: Usage, weights: Sequence[float]) -> ShownUsage:
    """A usage with the weights of its senses, in the order of the senses."""
    order = sorted((at for at, weight in enumerate(weights) if weight > 0), key=lambda at: -weights[at])
    left, right = " ".join(usage.left.split()), " ".join(usage.right.split())
    before, after = usage.left[-1:].isspace(), usage.right[:1].isspace()
    return ShownUsage(
        usage.id,
        (f"…{left[-CUT:]}" if len(left) > CUT else left) + " " * before,
        usage.target,
        " " * after + (f"{right[:CUT]}…" if len(right) > CUT else right),
        about(usage),
        bar((colour(at), weights[at]) for at in range(len(weights))),
        tuple((at + 1, colour(at), weights[at]) for at in order if weights[at] >= LITTLE)[:6],
    )


def bar(parts: Iterable[tuple[str, float]]) -> tuple[Piece, ...]:
    """A bar whose pieces are as long as their weights.

    >>> bar([("c1", 0.75), ("c2", 0.25)])
    (Piece(colour='c1', start=0.0, width=75.0), Piece(colour='c2', start=75.0, width=25.0))
    """
    found, start = [], 0.0
    for name, weight in parts:
        if weight > 0:
            found.append(Piece(name, round(start, 2), round(100 * weight, 2)))
            start += 100 * weight
    return tuple(found)


def about(usage: Usage) -> str:
    """What is known of a usage's document, in a line."""
    said = {name: " ".join(str(value).split()) for name, value in usage.meta.items()}
    document = said.pop("document", "")
    known = [document or usage.id, *(f"{name} {value}" for name, value in said.items() if value)]
    line = " · ".join(known)
    return line if len(line) <= 200 else f"{line[:199]}…"
