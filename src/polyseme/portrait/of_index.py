"""The portrait of a word in an index, whose words are known already: nothing is analysed again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polyseme.corpus.bags import Bags
from polyseme.corpus.concordance import usages_at
from polyseme.corpus.cooccurrence import contexts_of
from polyseme.corpus.index import Index
from polyseme.corpus.passages import Passages, passages_of, with_lemma
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import InputError, shown
from polyseme.induce.fitting import content_words, words_of
from polyseme.induce.loading import Model
from polyseme.induce.model import SenseModel, labels
from polyseme.induce.vector_model import VectorModel, graded
from polyseme.labelling import Labelling, Row
from polyseme.portrait.portrait import Portrait, pictured
from polyseme.usage import Usage


def portrait_in(index: Index, model: Model, lemma: str, *, most: int | None = None, seed: int = 0) -> Portrait:
    """What a model says of the usages of a lemma in an index, or of ``most`` of them, drawn at random.

    As :func:`~polyseme.portrait.portrait.portrait_of`, but many times as quick; and a model that was learnt from
    passages of several sentences sees these here, not only the sentence that a usage's text is.
    """
    if lemma not in model.inventory:
        raise InputError(f"the model has no senses of {shown(lemma)}; it has {', '.join(model.inventory)[:400]}")
    read = _by_vectors if isinstance(model, VectorModel) else _by_features
    usages, rows = read(index, model, lemma, most, seed)  # type: ignore[arg-type]
    return pictured(lemma, usages, Labelling(rows), model.inventory[lemma], repr(model.inducer))


def passages_in(index: Index, lemma: str, *, sentences: int = 1, most: int | None = None, seed: int = 0) -> Passages:
    """The usages of a lemma in an index, or ``most`` of them, drawn at random: those that :func:`portrait_in` draws.

    They are of the lemma as it was asked for, whatever the index, which may have no parts of speech, calls it.
    """
    word = _word(index, lemma)
    return passages_of(index, [word], sentences=sentences, most=most, seed=seed)[word].with_lemma(lemma)


def _word(index: Index, lemma: str) -> str:
    """What a lemma is called in an index; an error if it is not there."""
    words, missed = words_of(index, [lemma])
    if missed:
        raise InputError(f"there are no usages of {shown(lemma)}: {missed[lemma]}")
    return words[lemma]


def _by_vectors(
    index: Index, model: VectorModel, lemma: str, most: int | None, seed: int
) -> tuple[Sequence[Usage], list[Row]]:
    """The usages with their passages, as the model's pipeline sees them."""
    steps = model.inducer.steps()
    given = passages_in(index, lemma, sentences=steps.sentences, most=most, seed=seed)
    usages, weights = given.usages, graded(steps, model.learnt[lemma], given)
    names = [sense.id for sense in model.inventory[lemma]]
    rows: list[Row] = []
    for usage, each in zip(usages, weights, strict=True):
        there = np.flatnonzero(each).tolist()
        rows.append((lemma, usage.id, {names[at]: float(each[at]) for at in there}))
    return usages, rows


def _by_features(
    index: Index, model: SenseModel, lemma: str, most: int | None, seed: int
) -> tuple[Sequence[Usage], list[Row]]:
    """The usages with the words around them, as far as the model's inducer looks."""
    word = _word(index, lemma)
    window: Window = getattr(model.inducer, "context", SentenceWindow())
    contexts = contexts_of(index, [word], window, content_words(index.vocabulary))[word]
    every = Bags.of_contexts(contexts)
    places = list(zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True))
    count = len(places) if most is None else min(most, len(places))
    drawn = np.sort(np.random.default_rng(seed).choice(len(places), count, replace=False)).tolist()
    chosen = Bags(tuple(every.usages[row] for row in drawn), (lemma,) * len(drawn), every.words, every.matrix[drawn])
    found = labels(model.inducer, model.inventory[lemma], chosen)
    texts = usages_at(index, {places[row]: word for row in drawn})
    usages = [with_lemma(texts[places[row]], lemma) for row in drawn]
    rows: list[Row] = [
        (lemma, usage.id, found.get(name, {})) for usage, name in zip(usages, chosen.usages, strict=True)
    ]
    return usages, rows
