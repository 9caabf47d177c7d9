"""Text as plain words, in small letters and without inflection.

Glosses, tagged sentences and the contexts of usages are read the same way, quickly and without an analyser: two million
words in some seconds. Words have no part of speech here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from polyseme import morphology
from polyseme.corpus.passages import Passages
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.sources import Sources
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag, FittedBag
from polyseme.wordnet.lexicon import WordNet

WORD_FORM = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

STOP_WORD_COUNT = 50
"""How many of the most frequent words of glosses say nothing."""

NO_USAGE = Usage("", "", "", 0, 0)
"""Whose passage a gloss is."""


class PlainWords(dict[str, str]):
    """Forms in small letters → words of the dictionary, of any part of speech; a form that is none is itself."""

    def __init__(self, wordnet: WordNet) -> None:
        super().__init__()
        self._words = {lemma[:-2] for lemma in wordnet}

    def __missing__(self, form: str) -> str:
        word = self[form] = next((word for word in _candidate_lemmas(form) if word in self._words), form)
        return word

    def words(self, text: str) -> list[str]:
        """The words of a text."""
        return [self[form] for form in WORD_FORM.findall(text.lower())]


def _candidate_lemmas(form: str) -> Iterator[str]:
    """What a form may be an inflection of: singulars first, since WordNet has names such as *Banks*."""
    yield from reversed(morphology.wordnet_candidates(form, "n"))
    yield from chain.from_iterable(morphology.wordnet_candidates(form, pos) for pos in "va")
    yield from chain.from_iterable(morphology.possible_lemmas(form, pos) for pos in "nva")


def get_plain_words(sources: Sources) -> PlainWords:
    """What makes words of forms; it remembers them."""
    if "plain words" not in sources.made:
        sources.made["plain words"] = PlainWords(sources.wordnet)
    found: PlainWords = sources.made["plain words"]
    return found


# -- passages ------------------------------------------------------------------------------------------------------


def usage_passages(usages: Sequence[Usage], sources: Sources) -> Passages:
    """The words of the texts of usages, and where the target is among them."""
    words = get_plain_words(sources)
    rows, targets = [], []
    for usage in usages:
        forms = list(WORD_FORM.finditer(usage.text))
        rows.append([words[form[0].lower()] for form in forms])
        inside = (at for at, form in enumerate(forms) if form.start() < usage.end and form.end() > usage.start)
        targets.append(next(inside, -1))
    return build_passages(rows, targets, usages)


def context_passages(contexts: Sequence[Context], sources: Sources) -> Passages:
    """The words around usages that the dictionary has, those of neighbouring sentences too; not the target."""
    words = get_plain_words(sources)
    rows = [[words[part] for word in each.others for part in word[:-2].split("_")] for each in contexts]
    return build_passages(rows)


def gloss_passages(sources: Sources) -> Passages:
    """Each synset of the dictionary: its gloss with its examples, and its words."""
    kept = sources.made.get("words of synsets")
    if kept is None:
        columns, words = sources.wordnet.columns, get_plain_words(sources)
        own = [each.replace("_", " ") for each in columns.word]
        ends = columns.synset_senses.tolist()
        rows = [words.words(" ".join([gloss, *own[ends[at] : ends[at + 1]]])) for at, gloss in enumerate(columns.gloss)]
        kept = sources.made["words of synsets"] = build_passages(rows)
    found: Passages = kept
    return found


def build_passages(
    rows: Sequence[Sequence[str]], targets: Sequence[int] | None = None, usages: Sequence[Usage] | None = None
) -> Passages:
    """Lists of words as passages; ``targets`` are places in the lists.

    >>> found = build_passages([["the", "bank"], ["the"]], targets=[1, -1])
    >>> found.words, found.tokens.tolist(), found.starts.tolist(), found.targets.tolist()
    (('the', 'bank'), [0, 1, 0], [0, 2, 3], [1, -1])
    """
    numbers: dict[str, int] = {}
    tokens = np.array([numbers.setdefault(word, len(numbers)) for row in rows for word in row], np.intp)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.intp)
    within = np.full(len(rows), -1) if targets is None else np.array(targets, np.intp)
    placed = np.where(within < 0, -1, starts[:-1] + within)
    whose = tuple(usages) if usages is not None else (NO_USAGE,) * len(rows)
    return Passages(whose, tuple(numbers), tokens, starts, placed)


def fit_gloss_bag(sources: Sources) -> FittedBag:
    """The bag of words of glosses, each weighing log(glosses / glosses with it)."""
    kept = sources.made.get("bag of glosses")
    if kept is None:
        kept = Bag(minimum=1, weighting="tfidf", stop=STOP_WORD_COUNT).fit(gloss_passages(sources))
        sources.made["bag of glosses"] = kept
    found: FittedBag = kept
    return found
