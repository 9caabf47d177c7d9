"""Word profiles from an index, whose text is analysed already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polyseme.corpus.concordance import read_usages_at
from polyseme.corpus.content_words import select_content_words
from polyseme.corpus.context_bags import ContextBags
from polyseme.corpus.cooccurrence import count_contexts_by_word
from polyseme.corpus.index import Index
from polyseme.corpus.passages import Passages, draw_rows, read_passages, replace_lemma
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import InputError, quote_value
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.model import SenseModel
from polyseme.induction.usage_sources import match_lemmas
from polyseme.labelling import Labelling, LabellingRow
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile, check_lemma, make_profile


def profile_in_index(
    index: Index, model: SenseModel, lemma: str, *, limit: int | None = None, seed: int = 0
) -> WordProfile:
    """Label the usages of a lemma in an index.

    This does the same as :func:`~polyseme.words.profile.profile_usages`, but many times faster. A model that was fitted
    on passages of several sentences gets these passages, not only the sentence of a usage.

    Args:
        index: The index.
        model: A fitted model.
        lemma: The lemma.
        limit: Label a random sample of this size; by default, all usages.
        seed: The random seed of the sample.

    Raises:
        InputError: The model has no senses of the lemma, or the index has no usages of it.
    """
    check_lemma(model, lemma)
    label = _label_by_vectors if isinstance(model.inducer, VectorInducer) else _label_by_features
    usages, rows = label(index, model, lemma, limit, seed)
    return make_profile(lemma, usages, Labelling(rows), model.inventory[lemma], repr(model.inducer))


def sample_passages(
    index: Index, lemma: str, *, sentences: int = 1, limit: int | None = None, seed: int = 0
) -> Passages:
    """Read the usages that :func:`profile_in_index` labels, with their passages.

    Their lemma is the requested one, even if the index has no parts of speech.

    Args:
        index: The index.
        lemma: The lemma.
        sentences: The number of sentences of a passage.
        limit: Read a random sample of this size; by default, all usages.
        seed: The random seed of the sample.
    """
    word = _indexed_word(index, lemma)
    return read_passages(index, [word], sentences=sentences, most=limit, seed=seed)[word].with_lemma(lemma)


def lemma_frequency(index: Index, lemma: str) -> int:
    """How often a lemma occurs in an index."""
    return int(index.vocabulary.counts[index.vocabulary.number(_indexed_word(index, lemma))])


def _indexed_word(index: Index, lemma: str) -> str:
    """The word of an index that a lemma stands for."""
    words, reasons = match_lemmas(index, [lemma])
    if lemma in reasons:
        raise InputError(f"there are no usages of {quote_value(lemma)}: {reasons[lemma]}")
    return words[lemma]


def _label_by_vectors(
    index: Index, model: SenseModel, lemma: str, limit: int | None, seed: int
) -> tuple[Sequence[Usage], list[LabellingRow]]:
    """Label usages by the vectors of their passages."""
    assert isinstance(model.inducer, VectorInducer)
    sentences = model.inducer.steps().sentences
    passages = sample_passages(index, lemma, sentences=sentences, limit=limit, seed=seed)
    labels = model.label_contexts(lemma, passages)
    rows: list[LabellingRow] = [(lemma, usage.id, labels.get(usage.id, {})) for usage in passages.usages]
    return passages.usages, rows


def _label_by_features(
    index: Index, model: SenseModel, lemma: str, limit: int | None, seed: int
) -> tuple[Sequence[Usage], list[LabellingRow]]:
    """Label usages by the words in the window of the model's inducer."""
    word = _indexed_word(index, lemma)
    window: Window = getattr(model.inducer, "context", SentenceWindow())
    contexts = count_contexts_by_word(index, [word], window, select_content_words(index.vocabulary))[word]
    bags = ContextBags.from_contexts(contexts)
    positions = list(zip(contexts.sentence.tolist(), contexts.position.tolist(), strict=True))
    sample = draw_rows(np.arange(len(positions)), limit, seed=seed).tolist()
    ids = tuple(bags.usages[row] for row in sample)
    bags = ContextBags(ids, (lemma,) * len(sample), bags.words, bags.matrix[sample])
    labelling = model.label_contexts(lemma, bags)
    texts = read_usages_at(index, {positions[row]: word for row in sample})
    usages = [replace_lemma(texts[positions[row]], lemma) for row in sample]
    rows: list[LabellingRow] = [
        (lemma, usage.id, labelling.get(name, {})) for usage, name in zip(usages, ids, strict=True)
    ]
    return usages, rows
