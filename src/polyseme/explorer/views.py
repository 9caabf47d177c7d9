"""Senses and usages as pages show them: numbered, coloured, with bars for weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from polyseme.explorer.lexicon import CountedWord
from polyseme.inventory import Sense
from polyseme.usage import Usage
from polyseme.words.examples import best_examples
from polyseme.words.profile import WordProfile

COLOUR_COUNT = 8
"""So many senses have a colour of their own; the others share one."""

MAX_SENSES = 12
"""So many senses are shown one by one."""

MAX_WORDS = 10
"""So many words tell a sense."""

SMALL_WEIGHT = 0.05
"""Weights below that are in the bar, and not in words."""

CANDIDATES = 60
"""Among so many usages with most of a sense its example is looked for."""

CONTEXT_WIDTH = 400
"""So many characters of a text are shown on either side of the target."""


class BarSegment(NamedTuple):
    """A piece of a bar, in hundredths of its length."""

    colour: str
    start: float
    width: float


@dataclass(frozen=True)
class SenseView:
    """A sense: its number, from 1, the words that tell it, and its share of the usages."""

    number: int
    id: str
    name: str
    share: float
    usages: int
    words: tuple[str, ...]
    example: UsageView | None = None

    @property
    def colour(self) -> str:
        """The class of its colour."""
        return colour_class(self.number - 1)

    @property
    def title(self) -> str:
        """What it is called, or the first words that tell it."""
        return self.name or ", ".join(self.words[:3]) or self.id


@dataclass(frozen=True)
class UsageView:
    """A usage with its target, what is known of it, and its senses: number, colour and weight, the heaviest first."""

    id: str
    left: str
    target: str
    right: str
    known: str
    bar: tuple[BarSegment, ...] = ()
    senses: tuple[tuple[int, str, float], ...] = ()

    @property
    def said(self) -> str:
        """The weights in words, for those who do not see the bar."""
        return ", ".join(f"sense {number} {weight:.0%}" for number, _, weight in self.senses) or "no sense"


def colour_class(number: int) -> str:
    """The class of the colour of a sense, by its number from 0.

    >>> colour_class(0), colour_class(20)
    ('c1', 'c0')
    """
    return f"c{number + 1}" if number < COLOUR_COUNT else "c0"


def plain_feature(feature: str) -> str:
    """A feature as a word, without parts of speech.

    >>> plain_feature("loan.n"), plain_feature("world.n cup.n"), plain_feature("u.s.")
    ('loan', 'world cup', 'u.s.')
    """
    return " ".join(CountedWord(word, 0).stem for word in feature.split(" "))


def user_name(sense: Sense) -> str:
    """What somebody has called a sense; nothing if it has the name that the model gave it.

    >>> user_name(Sense("bank.n.s1", "bank.n")), user_name(Sense("money", "bank.n"))
    ('', 'money')
    """
    tail = sense.id.removeprefix(f"{sense.lemma}.s")
    return "" if tail != sense.id and tail.isdigit() else sense.id


def view_senses(portrait: WordProfile, most: int = MAX_SENSES, *, examples: bool = True) -> list[SenseView]:
    """The senses as they are shown, so many at most."""
    heaviest = np.bincount(portrait.main[portrait.main >= 0], minlength=len(portrait.senses)).tolist()
    shares = portrait.shares.tolist()
    found = []
    for at, sense in enumerate(portrait.senses[:most]):
        words = tuple(dict.fromkeys(plain_feature(feature) for feature, _ in sense.features))[:MAX_WORDS]
        example = _example_view(portrait, at) if examples else None
        found.append(SenseView(at + 1, sense.id, user_name(sense), shares[at], heaviest[at], words, example))
    return found


def _example_view(portrait: WordProfile, number: int) -> UsageView | None:
    """The best example of a sense, among the usages that have most of it."""
    rows = np.argsort(-portrait.weights[:, number], kind="stable")[:CANDIDATES]
    some = replace(portrait, usages=tuple(portrait.usages[row] for row in rows.tolist()))
    best = best_examples(some, portrait.senses[number].id, 1)
    return view_profile_usage(some, some.usages.index(best[0])) if best else None


def view_profile_usage(portrait: WordProfile, row: int) -> UsageView:
    """A usage as it is shown."""
    return view_usage(portrait.usages[row], portrait.weights[row].tolist())


def view_usage(usage: Usage, weights: Sequence[float]) -> UsageView:
    """A usage with the weights of its senses, in the order of the senses."""
    order = sorted((at for at, weight in enumerate(weights) if weight > 0), key=lambda at: -weights[at])
    left, right = " ".join(usage.left.split()), " ".join(usage.right.split())
    before, after = usage.left[-1:].isspace(), usage.right[:1].isspace()
    return UsageView(
        usage.id,
        (f"…{left[-CONTEXT_WIDTH:]}" if len(left) > CONTEXT_WIDTH else left) + " " * before,
        usage.target,
        " " * after + (f"{right[:CONTEXT_WIDTH]}…" if len(right) > CONTEXT_WIDTH else right),
        describe_document(usage),
        bar_segments((colour_class(at), weights[at]) for at in range(len(weights))),
        tuple((at + 1, colour_class(at), weights[at]) for at in order if weights[at] >= SMALL_WEIGHT)[:6],
    )


def bar_segments(parts: Iterable[tuple[str, float]]) -> tuple[BarSegment, ...]:
    """A bar whose pieces are as long as their weights.

    >>> bar_segments([("c1", 0.75), ("c2", 0.25)])
    (Piece(colour='c1', start=0.0, width=75.0), Piece(colour='c2', start=75.0, width=25.0))
    """
    found, start = [], 0.0
    for name, weight in parts:
        if weight > 0:
            found.append(BarSegment(name, round(start, 2), round(100 * weight, 2)))
            start += 100 * weight
    return tuple(found)


def describe_document(usage: Usage) -> str:
    """What is known of a usage's document, in a line."""
    said = {name: " ".join(str(value).split()) for name, value in usage.meta.items()}
    document = said.pop("document", "")
    known = [document or usage.id, *(f"{name} {value}" for name, value in said.items() if value)]
    line = " · ".join(known)
    return line if len(line) <= 200 else f"{line[:199]}…"
