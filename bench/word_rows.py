"""The words of ``bench/same_sense.py``: usages with their vectors and senses, asked of the small model once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import polyseme as ps
from choosing import widen_usage
from polyseme.arrays import Floats, Ints
from polyseme.corpus.passages import concatenate_passages, passages_without_words
from polyseme.induction.substitution import Substitution
from polyseme.matrices import dot_products, unit_rows
from polyseme.usage import Usage
from single_sense_words import choose_lemmas, collect_usages, list_single_sense_words, read_documents

SIZES = (25, 50, 100, 200)
"""The numbers of usages of single-sense words."""

SHARES = (0.5, 0.25, 0.1)
"""The shares of the second word of a pseudoword."""

PSEUDOWORD_USAGES, PSEUDOWORDS = 50, 120
SINGLE_SENSE_WORDS = 60


class WordRows(NamedTuple):
    """The usages of a word.

    Args:
        usages: The usages.
        rows: Their vectors.
        senses: The number of the gold sense of each usage.
    """

    usages: tuple[Usage, ...]
    rows: Any
    senses: Ints

    def select(self, rows: Ints) -> WordRows:
        """Return some of the usages."""
        return WordRows(tuple(self.usages[row] for row in rows.tolist()), self.rows[rows], self.senses[rows])

    @property
    def cosines(self) -> Floats:
        """Usages × usages."""
        units = unit_rows(self.rows)
        return np.asarray(dot_products(units, units))

    @property
    def length(self) -> Floats:
        """The logarithm of the number of words of each usage."""
        return np.log([max(len(usage.text.split()), 1) for usage in self.usages])


Words = dict[str, list[WordRows]]
"""Words by set: ``sentences``, ``paragraphs``, ``single``, ``pseudo 0.5`` …"""


def represent(usages: Sequence[Usage], senses: Sequence[Any]) -> WordRows:
    """Return the vectors of usages, as ``Substitution`` computes them."""
    passages = concatenate_passages(list(passages_without_words(usages).values()))
    numbers = {sense: number for number, sense in enumerate(dict.fromkeys(senses))}
    rows = Substitution().representation().fit(passages)(passages)
    return WordRows(passages.usages, rows, np.array([numbers[sense] for sense in senses]))


def ask_for_words(text: Path | None, share: float) -> Words:
    """Ask the small model about all words.

    Args:
        text: A folder of texts; without it there are no single-sense words and no pseudowords.
        share: The share of the lemmas of SemCor-WSI, and of the single-sense words.
    """
    data = ps.load("semcor-wsi")
    lemmas = sorted({usage.lemma for usage in data.usages})[:: round(1 / share)]
    sentences = group_by_lemma(usage for usage in data.usages if usage.lemma in set(lemmas))
    gold = {usage.id: next(iter(data.gold[usage.id])) for usage in data.usages}
    paragraphs = group_by_lemma(extend_to_paragraphs([u for lemma in lemmas[::4] for u in sentences[lemma]]))
    words = {
        name: [represent(own, [gold[usage.id] for usage in own]) for own in usages.values()]
        for name, usages in (("sentences", sentences), ("paragraphs", paragraphs))
    }
    return words | (ask_for_single_senses(text, share) if text else {})


def group_by_lemma(usages: Iterable[Usage]) -> dict[str, tuple[Usage, ...]]:
    """Group usages by their lemma."""
    return {lemma: passages.usages for lemma, passages in passages_without_words(usages).items()}


def extend_to_paragraphs(usages: Sequence[Usage]) -> Iterator[Usage]:
    """Extend usages by the sentences around them in SemCor."""
    texts: dict[str, dict[str, str]] = {}
    places: dict[str, tuple[str, str]] = {}
    for usage in ps.load("semcor-3.0").usages:
        document, name = str(usage.meta["document"]), usage.id.rpartition(".")[0]
        texts.setdefault(document, {})[name] = usage.text
        places.setdefault(_letters(usage.text), (document, name))
    for usage in usages:
        if place := places.get(_letters(usage.text)):
            document, name = place
            wide = widen_usage(replace(usage, id=f"{name}."), texts[document])
            yield replace(wide, id=usage.id)


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def ask_for_single_senses(text: Path, share: float) -> Words:
    """Ask about words with one sense, and about pairs of them."""
    count = max(round(SINGLE_SENSE_WORDS * share), 4)
    lemmas = list_single_sense_words(ps.read_inventory("wordnet-3.1"))
    usages = choose_lemmas(collect_usages(lemmas, read_documents(text), max(SIZES)), count)
    by_lemma, rng = group_by_lemma(usages), np.random.default_rng(0)
    words = {"single": [represent(own, ["one"] * len(own)) for own in by_lemma.values()]}
    for number in range(max(round(PSEUDOWORDS * share), len(SHARES))):
        share_of_second = SHARES[number % len(SHARES)]
        first, second = rng.choice(sorted(by_lemma), 2, replace=False).tolist()
        size = round(share_of_second * PSEUDOWORD_USAGES)
        own = [by_lemma[first][row] for row in rng.permutation(max(SIZES))[: PSEUDOWORD_USAGES - size]]
        own += [by_lemma[second][row] for row in rng.permutation(max(SIZES))[:size]]
        words.setdefault(f"pseudo {share_of_second}", []).append(represent(own, [usage.lemma for usage in own]))
    return words
