"""Usages of words with one sense in WordNet, from texts: free pairs with the same sense, as many as one likes."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from polyseme.corpus.tokenisation import find_sentences
from polyseme.inventory import Inventory
from polyseme.lemma import pos_of_lemma, split_lemma
from polyseme.morphology import possible_forms, possible_lemmas
from polyseme.usage import Usage

LEAST_WORDS = 6
"""A usage has this many words at least."""

CHARACTERS = 6_000_000
"""How much of a file of texts is read."""

FORMS_ONLY = ("ing", "ed")
"""Words with these endings are forms of other words too often."""


def list_single_sense_words(wordnet: Inventory) -> dict[str, str]:
    """Return the words with one sense in all parts of speech, by form; no form belongs to another word.

    Args:
        wordnet: The senses of WordNet.

    Returns:
        The lemma of each form.
    """
    counts: dict[str, int] = {}
    for lemma in wordnet:
        counts[split_lemma(lemma)[0]] = counts.get(split_lemma(lemma)[0], 0) + len(wordnet[lemma])
    lemmas = {}
    for lemma in wordnet:
        word, pos = split_lemma(lemma)
        if counts[word] == 1 and re.fullmatch("[a-z]{4,}", word) and not word.endswith(FORMS_ONLY):
            is_form = any(other != word and other in counts for tag in "nvar" for other in possible_lemmas(word, tag))
            if not is_form and pos:
                forms = {form for form in possible_forms(word, pos) if form == word or form not in counts}
                lemmas.update(dict.fromkeys(forms, lemma))
    return lemmas


def read_documents(folder: Path) -> Iterator[str]:
    """Yield the first documents of each file of texts, one document a line."""
    for path in sorted(folder.glob("*.txt.xz")):
        size = 0
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                size += len(line)
                if size > CHARACTERS:
                    break
                yield line


def collect_usages(lemmas: Mapping[str, str], documents: Iterator[str], most: int, seed: int = 0) -> list[Usage]:
    """Collect the sentences with a form of a lemma, at random, for lemmas with enough of them.

    Args:
        lemmas: The lemma of each form.
        documents: The texts.
        most: How many usages each lemma has.
        seed: The random seed.
    """
    rng, places = np.random.default_rng(seed), dict[str, list[tuple[str, int, int]]]()
    for text in documents:
        for match in re.finditer("[A-Za-z]+", text):
            lemma = lemmas.get(match[0])
            if lemma and len(own := places.setdefault(lemma, [])) < 4 * most and rng.random() < 0.5:
                own.append((text, *match.span()))
    usages = []
    for lemma in sorted(places):
        own = [places[lemma][row] for row in rng.permutation(len(places[lemma]))]
        sentences = [usage for number, place in enumerate(own) if (usage := _cut_sentence(lemma, number, *place))]
        usages += sentences[:most] if len(sentences) >= most else []
    return usages


def _cut_sentence(lemma: str, number: int, text: str, start: int, end: int) -> Usage | None:
    """Return the usage in its sentence; nothing if that is too short."""
    for spans in find_sentences(text):
        first, last = spans[0][0], spans[-1][1]
        if first <= start and end <= last:
            sentence = text[first:last]
            enough = len(sentence.split()) >= LEAST_WORDS
            name, pos = f"{lemma}.{number}", pos_of_lemma(lemma)
            return Usage(name, lemma, sentence, start - first, end - first, pos) if enough else None
    return None


def choose_lemmas(usages: Sequence[Usage], count: int, seed: int = 0) -> list[Usage]:
    """Choose this many lemmas at random, half of them nouns, and return their usages."""
    rng, lemmas = np.random.default_rng(seed), sorted({usage.lemma for usage in usages})
    nouns = [lemma for lemma in lemmas if lemma.endswith(".n")]
    others = [lemma for lemma in lemmas if not lemma.endswith(".n")]
    half = min(count // 2, len(others))
    chosen = {*rng.permutation(nouns)[: count - half].tolist(), *rng.permutation(others)[:half].tolist()}
    return [usage for usage in usages if usage.lemma in chosen]
