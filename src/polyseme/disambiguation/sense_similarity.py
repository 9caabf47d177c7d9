"""What the words of glosses tell: how alike the senses of a lemma are, and how near each is to a context."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.sources import Sources
from polyseme.wordnet.lexicon import WordNet

GLOSS_WORD = re.compile(r"[a-z]{2,}")


class _SenseSignatures(NamedTuple):
    """The senses of a lemma as rows of length 1, with a column for each word of their glosses."""

    columns: Mapping[str, int]
    vectors: Floats
    alike: Floats


class SenseSimilarity:
    """Senses as the words of their extended glosses.

    The extended gloss of a sense is that of its synset and of all synsets related to it, with their words; the lemma
    itself is left out. A word weighs log(1 + tf) · log(N / df), with df of the N glosses of the dictionary. (Banerjee &
    Pedersen 2003; Patwardhan & Pedersen 2006)
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._graph = sources.wordnet.graph()
        self._weights = _gloss_word_weights(sources)
        self._found: dict[str, _SenseSignatures] = {}

    def __getitem__(self, lemma: str) -> Floats:
        """Senses × senses of a lemma: the cosine of their extended glosses, from 0 to 1."""
        return self._senses(lemma).alike

    def overlap(self, lemma: str, words: Iterable[str]) -> Floats:
        """For each sense of a lemma the cosine of its extended gloss and words of a context, ``bank.n`` …"""
        columns, vectors, _ = self._senses(lemma)
        counts = Counter(word[:-2] for word in words if word[:-2] != lemma[:-2])
        weights = {word: self._weight(word, count) for word, count in counts.items()}
        asked = np.zeros(vectors.shape[1])
        for word in weights.keys() & columns.keys():
            asked[columns[word]] = weights[word]
        found: Floats = vectors @ asked / max(math.hypot(*weights.values()), 1e-12)
        return found

    def _senses(self, lemma: str) -> _SenseSignatures:
        if lemma not in self._found:
            self._found[lemma] = self._read(lemma)
        return self._found[lemma]

    def _read(self, lemma: str) -> _SenseSignatures:
        wordnet = self._sources.wordnet
        own = {lemma[:-2], *lemma[:-2].split("_")}
        bags = [self._bag(row, own) for row in wordnet.columns.sense_synset[wordnet.sense_rows(lemma)].tolist()]
        columns = {word: column for column, word in enumerate(dict.fromkeys(word for bag in bags for word in bag))}
        vectors = np.zeros((len(bags), max(len(columns), 1)))
        for bag, vector in zip(bags, vectors, strict=True):
            for word, weight in bag.items():
                vector[columns[word]] = weight
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
        alike = vectors @ vectors.T
        np.fill_diagonal(alike, 1.0)
        return _SenseSignatures(columns, vectors, alike)

    def _bag(self, synset: int, without: set[str]) -> dict[str, float]:
        """The words of an extended gloss, as the dictionary's own where it has them, with their weights."""
        start, end = self._graph.indptr[synset : synset + 2].tolist()
        rows = (synset, *self._graph.indices[start:end].tolist())
        counts = Counter(self._lemma(word) for row in rows for word in _synset_words(self._sources.wordnet, row))
        return {word: self._weight(word, count) for word, count in counts.items() if word not in without}

    def _lemma(self, form: str) -> str:
        return self._sources.reader.lemma(form)[:-2] or form

    def _weight(self, word: str, count: int) -> float:
        """A word that no gloss has in this form tells as much as one that a single gloss has."""
        return math.log1p(count) * self._weights.get(word, self._weights[""])


def _synset_words(dictionary: WordNet, synset: int) -> list[str]:
    """The words of a synset's gloss, and its own."""
    columns = dictionary.columns
    first, last = columns.synset_senses[synset : synset + 2].tolist()
    own = " ".join(columns.word[first:last]).replace("_", " ")
    return GLOSS_WORD.findall(f"{columns.gloss[synset]} {own}".lower())


def _gloss_word_weights(sources: Sources) -> Mapping[str, float]:
    """How much each word of a gloss tells: log(N / df); under no name, that of a word in one gloss."""
    kept: Mapping[str, float] | None = sources.made.get("words of glosses")
    if kept is None:
        glosses = sources.wordnet.columns.gloss
        counts = Counter(word for gloss in glosses for word in set(GLOSS_WORD.findall(gloss.lower())))
        kept = {"": math.log(len(glosses)), **{word: math.log(len(glosses) / count) for word, count in counts.items()}}
        sources.made["words of glosses"] = kept
    return kept
