"""The portrait of a word in an index, whose words are known already: nothing is analysed again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polyseme.corpus.concordance import read_usages_at
from polyseme.corpus.context_bags import ContextBags
from polyseme.corpus.cooccurrence import count_contexts_by_word
from polyseme.corpus.index import Index
from polyseme.corpus.passages import Passages, read_passages, replace_lemma
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import InputError, quote_value
from polyseme.induction.fitting import match_lemmas, select_content_words
from polyseme.induction.loading import Model
from polyseme.induction.model import SenseModel, label_lemma
from polyseme.induction.vector_model import VectorModel, grade_usages
from polyseme.labelling import Labelling, LabellingRow
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile, make_profile


def profile_in_index(index: Index, model: Model, lemma: str, *, most: int | None = None, seed: int = 0) -> WordProfile:
    """What a model says of the usages of a lemma in an index, or of ``most`` of them, drawn at random.

    As :func:`~polyseme.words.profile.profile_usages`, but many times as quick; and a model that was learnt from
    passages of several sentences sees these here, not only the sentence that a usage's text is.
    """
    if lemma not in model.inventory:
        raise InputError(f"the model has no senses of {quote_value(lemma)}; it has {', '.join(model.inventory)[:400]}")
    read = _label_by_vectors if isinstance(model, VectorModel) else _label_by_features
    usages, rows = read(index, model, lemma, most, seed)  # type: ignore[arg-type]
    return make_profile(lemma, usages, Labelling(rows), model.inventory[lemma], repr(model.inducer))


def sample_passages(
    index: Index, lemma: str, *, sentences: int = 1, most: int | None = None, seed: int = 0
) -> Passages:
    """The usages of a lemma in an index, or ``most`` of them, drawn at random: those that :func:`portrait_in` draws.

    They are of the lemma as it was asked for, whatever the index, which may have no parts of speech, calls it.
    """
    word = _indexed_word(index, lemma)
    return read_passages(index, [word], sentences=sentences, most=most, seed=seed)[word].with_lemma(lemma)


def _indexed_word(index: Index, lemma: str) -> str:
    """What a lemma is called in an index; an error if it is not there."""
    words, missed = match_lemmas(index, [lemma])
    if missed:
        raise InputError(f"there are no usages of {quote_value(lemma)}: {missed[lemma]}")
    return words[lemma]


def _label_by_vectors(
    index: Index, model: VectorModel, lemma: str, most: int | None, seed: int
) -> tuple[Sequence[Usage], list[LabellingRow]]:
    """The usages with their passages, as the model's pipeline sees them."""
    steps = model.inducer.steps()
    given = sample_passages(index, lemma, sentences=steps.sentences, most=most, seed=seed)
    usages, weights = given.usages, grade_usages(steps, model.learnt[lemma], given)
    names = [sense.id for sense in model.inventory[lemma]]
    rows: list[LabellingRow] = []
    for usage, each in zip(usages, weights, strict=True):
        there = np.flatnonzero(each).tolist()
        rows.append((lemma, usage.id, {names[at]: float(each[at]) for at in there}))
    return usages, rows


def _label_by_features(
    index: Index, model: SenseModel, lemma: str, most: int | None, seed: int
) -> tuple[Sequence[Usage], list[LabellingRow]]:
    """The usages with the words around them, as far as the model's inducer looks."""
    word = _indexed_word(index, lemma)
    window: Window = getattr(model.inducer, "context", SentenceWindow())
    contexts = count_contexts_by_word(index, [word], window, select_content_words(index.vocabulary))[word]
    every = ContextBags.from_contexts(contexts)
    places = list(zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True))
    count = len(places) if most is None else min(most, len(places))
    drawn = np.sort(np.random.default_rng(seed).choice(len(places), count, replace=False)).tolist()
    chosen = ContextBags(
        tuple(every.usages[row] for row in drawn), (lemma,) * len(drawn), every.words, every.matrix[drawn]
    )
    found = label_lemma(model.inducer, model.inventory[lemma], chosen)
    texts = read_usages_at(index, {places[row]: word for row in drawn})
    usages = [replace_lemma(texts[places[row]], lemma) for row in drawn]
    rows: list[LabellingRow] = [
        (lemma, usage.id, found.get(name, {})) for usage, name in zip(usages, chosen.usages, strict=True)
    ]
    return usages, rows
