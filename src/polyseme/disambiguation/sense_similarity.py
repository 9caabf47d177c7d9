"""The similarity of the senses of a lemma, and of senses and contexts, by the words of glosses."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.disambiguation.sources import Sources
from polyseme.lemma import strip_pos
from polyseme.wordnet.lexicon import WordNet

GLOSS_WORD = re.compile(r"[a-z]{2,}")


class _SenseSignatures(NamedTuple):
    """The senses of a lemma as rows of length 1, with a column for each word of their glosses, and their cosines."""

    columns: Mapping[str, int]
    vectors: Floats
    cosines: Floats


class SenseSimilarity:
    """Compares senses by the words of their extended glosses.

    The extended gloss of a sense is that of its synset and of all related synsets, with their members, without the
    lemma itself. A word weighs log(1 + tf) · log(N / df), with df of the N glosses of the dictionary. (Banerjee &
    Pedersen 2003; Patwardhan & Pedersen 2006)

    Args:
        sources: The dictionary.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._graph = sources.wordnet.graph()
        self._weights = sources.cached("words of glosses", lambda: _gloss_word_weights(sources.wordnet))
        self._signatures: dict[str, _SenseSignatures] = {}

    def __getitem__(self, lemma: str) -> Floats:
        """Return senses × senses of a lemma: the cosine of their extended glosses, from 0 to 1."""
        return self._read(lemma).cosines

    def overlap(self, lemma: str, words: Iterable[str]) -> Floats:
        """Return the cosine of each sense's extended gloss with the words of a context, ``bank.n`` …"""
        columns, vectors, _ = self._read(lemma)
        counts = Counter(word for word in map(strip_pos, words) if word != strip_pos(lemma))
        weights = {word: self._weight(word, count) for word, count in counts.items()}
        context = np.zeros(vectors.shape[1])
        for word in weights.keys() & columns.keys():
            context[columns[word]] = weights[word]
        cosines: Floats = vectors @ context / max(math.hypot(*weights.values()), 1e-12)
        return cosines

    def _read(self, lemma: str) -> _SenseSignatures:
        if lemma not in self._signatures:
            wordnet, word = self._sources.wordnet, strip_pos(lemma)
            excluded = {word, *word.split("_")}
            synsets = wordnet.columns.sense_synset[wordnet.sense_rows(lemma)].tolist()
            bags = [self._bag(synset, excluded) for synset in synsets]
            columns = {word: column for column, word in enumerate(dict.fromkeys(word for bag in bags for word in bag))}
            vectors = np.zeros((len(bags), max(len(columns), 1)))
            for bag, vector in zip(bags, vectors, strict=True):
                vector[[columns[word] for word in bag]] = list(bag.values())
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
            cosines = vectors @ vectors.T
            np.fill_diagonal(cosines, 1.0)
            self._signatures[lemma] = _SenseSignatures(columns, vectors, cosines)
        return self._signatures[lemma]

    def _bag(self, synset: int, excluded: set[str]) -> dict[str, float]:
        """Return the words of an extended gloss with their weights; words of the dictionary are lemmatised."""
        start, end = self._graph.indptr[synset : synset + 2].tolist()
        rows = (synset, *self._graph.indices[start:end].tolist())
        look_up = self._sources.reader.lemma
        forms = (form for row in rows for form in _synset_words(self._sources.wordnet, row))
        counts = Counter(strip_pos(look_up(form)) or form for form in forms)
        return {word: self._weight(word, count) for word, count in counts.items() if word not in excluded}

    def _weight(self, word: str, count: int) -> float:
        """Weigh a word; one that no gloss has in this form counts as one that a single gloss has."""
        return math.log1p(count) * self._weights.get(word, self._weights[""])


def _synset_words(wordnet: WordNet, synset: int) -> list[str]:
    """Return the words of a synset's gloss, and its members."""
    columns = wordnet.columns
    first, last = columns.synset_senses[synset : synset + 2].tolist()
    return GLOSS_WORD.findall(f"{columns.gloss[synset]} {' '.join(columns.word[first:last])}".lower())


def _gloss_word_weights(wordnet: WordNet) -> Mapping[str, float]:
    """Return log(N / df) of each word of glosses; the empty name has that of a word in one gloss."""
    glosses = wordnet.columns.gloss
    counts = Counter(word for gloss in glosses for word in set(GLOSS_WORD.findall(gloss.lower())))
    return {"": math.log(len(glosses)), **{word: math.log(len(glosses) / count) for word, count in counts.items()}}
