"""Senses and usages as pages show them: numbered, described, with examples and quotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from polyseme.usage import Usage
from polyseme.words.descriptions import Quotation, cite_source, descriptive_words, name_senses, quote_usage
from polyseme.words.examples import best_examples
from polyseme.words.profile import WordProfile
from polyseme.words.recurrence import explain_unsure, state_recurrence


@dataclass(frozen=True)
class UsageView:
    """A usage with its senses.

    Args:
        usage: The usage.
        weights: The numbers of its senses, from 1, with their weights, heaviest first.
        width: The number of characters of its quotation.
    """

    usage: Usage
    weights: tuple[tuple[int, float], ...] = ()
    width: int = 260

    @property
    def id(self) -> str:
        """The id of the usage."""
        return self.usage.id

    @property
    def quotation(self) -> Quotation:
        """The target with its context."""
        return quote_usage(self.usage, self.width)

    @property
    def source(self) -> str:
        """The author and the year, or the name of the document."""
        return cite_source(self.usage)

    @property
    def document(self) -> str:
        """The document and its metadata, in one line."""
        meta = {name: " ".join(str(value).split()) for name, value in self.usage.meta.items()}
        document = meta.pop("document", "") or self.usage.id
        line = " · ".join([document, *(f"{name} {value}" for name, value in meta.items() if value)])
        return line if len(line) <= 200 else f"{line[:199]}…"


@dataclass(frozen=True)
class SenseView:
    """A sense.

    Args:
        number: Its number, from 1.
        id: Its id.
        title: Its name, or the words that distinguish it.
        share: Its share of the weight.
        usages: The number of usages whose heaviest sense it is.
        words: Its descriptive words.
        examples: Its best examples.
        collocates: Words that occur with it more than with the other senses.
        recurrence: How often it recurs in halves of the usages; empty if that is unknown.
        unsure: Why it is unsure; empty if it is not.
    """

    number: int
    id: str
    title: str
    share: float
    usages: int
    words: tuple[str, ...]
    examples: tuple[UsageView, ...] = ()
    collocates: tuple[str, ...] = ()
    recurrence: str = ""
    unsure: str = ""


def view_usage(usage: Usage, weights: Sequence[float], width: int = 260) -> UsageView:
    """View a usage with the weights of its senses, which are in the order of the senses."""
    order = sorted((number for number, weight in enumerate(weights) if weight > 0), key=lambda number: -weights[number])
    return UsageView(usage, tuple((number + 1, weights[number]) for number in order), width)


def view_row(profile: WordProfile, row: int, width: int = 260) -> UsageView:
    """View a usage of a profile."""
    return view_usage(profile.usages[row], profile.weights[row].tolist(), width)


def view_senses(
    profile: WordProfile,
    limit: int | None = None,
    *,
    examples: int = 3,
    width: int = 260,
    candidates: int | None = None,
    collocates: Mapping[str, Sequence[str]] | None = None,
) -> list[SenseView]:
    """View the senses of a profile.

    Args:
        profile: The word.
        limit: The number of senses; by default, all.
        examples: The number of examples of each sense.
        width: The number of characters of an example.
        candidates: Choose examples among this many of the heaviest usages, to be faster; by default, among all.
        collocates: The collocates of each sense, by its id.
    """
    usages = np.bincount(profile.main[profile.main >= 0], minlength=len(profile.senses)).tolist()
    names, shares = name_senses(profile.senses), profile.shares.tolist()
    views = []
    for number, sense in enumerate(profile.senses[:limit]):
        best = best_examples(profile, sense.id, examples, candidates) if examples else []
        example_views = tuple(view_row(profile, profile.rows[usage.id], width) for usage in best)
        words = tuple(descriptive_words(sense))
        notes = (tuple((collocates or {}).get(sense.id, ())), state_recurrence(sense), explain_unsure(sense))
        title, share, count = names[number], shares[number], usages[number]
        views.append(SenseView(number + 1, sense.id, title, share, count, words, example_views, *notes))
    return views
