"""Definitions of induced senses, in Python as by ``polyseme senses --definitions``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from polyseme.corpus.lemma_search import select_lemmas
from polyseme.disambiguation.definitions import SIMILARITY, Definition, GlossProbability
from polyseme.disambiguation.disambiguated_text import build_disambiguator
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError, quote_value
from polyseme.progress import show_progress_bar

if TYPE_CHECKING:
    from polyseme.induction.model import SenseModel
    from polyseme.wordnet.lexicon import WordNet


def define_senses(
    model: SenseModel,
    lemmas: str | Iterable[str] | None = None,
    *,
    wordnet: str | WordNet = "3.1",
    missing: float = GlossProbability.missing,
    progress: bool | None = None,
) -> list[Definition]:
    """Find the senses of WordNet that induced senses probably are.

    The small language model compares the examples of each induced sense with the glosses and synonyms that WordNet has
    for the word. A calibrated probability says which sense it is, or that none fits: see
    :class:`~polyseme.disambiguation.definitions.GlossProbability`.

    Args:
        model: A model of induced senses.
        lemmas: Words or lemmas of the model, such as ``bank`` or ``bank.n``. Default: all.
        wordnet: A version of WordNet, or a WordNet.
        missing: The share of induced senses that you expect not to be in WordNet, between 0 and 1.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook.

    Returns:
        A definition of each sense that has examples, in the order of the model.

    Raises:
        InputError: The model has no senses of a word, or WordNet is not installed.
        MissingExtra: The small model is not installed.

    >>> from polyseme.interface.senses import induce
    >>> model = induce("my.index", "Pipeline(Bag(minimum=1), number=2)", "bank", processes=1)
    >>> definitions = define_senses(model, "bank")  # doctest: +SKIP
    >>> definitions[0].best.sense.gloss.partition(" that ")[0]  # doctest: +SKIP
    'a financial institution'
    """
    probability = GlossProbability(missing=missing)
    names = list(model.inventory) if lemmas is None else _select_lemmas(model, lemmas)
    senses = [sense for lemma in names for sense in model.inventory[lemma]]
    with show_progress_bar("Defining", progress):
        return probability.define_by(DictionaryModel(build_disambiguator(SIMILARITY), Sources(wordnet)), senses)


def _select_lemmas(model: SenseModel, lemmas: str | Iterable[str]) -> list[str]:
    """Select the lemmas of a model that words stand for."""
    selected: dict[str, None] = {}
    for word in [lemmas] if isinstance(lemmas, str) else lemmas:
        matches = select_lemmas(model.inventory, word)
        if not matches:
            lemmas_text = ", ".join(model.inventory)[:400]
            raise InputError(f"the model has no senses of {quote_value(word)}; it has {lemmas_text}")
        selected |= dict.fromkeys(matches)
    return list(selected)
