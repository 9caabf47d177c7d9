"""The page that compares the senses of a word with those of WordNet."""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request
from starlette.responses import Response

from polyseme import wordnet
from polyseme.datasets import load
from polyseme.disambiguation.definitions import SIMILARITY, Definition, GlossProbability, list_example_usages
from polyseme.errors import PolysemeError
from polyseme.explorer.background_tasks import WORDNET
from polyseme.explorer.word_view import WordView, open_word_view, render_word_page, view_page_senses
from polyseme.induction.defaults import missing_small_model
from polyseme.inventory import Sense
from polyseme.words.dictionary import (
    DISAMBIGUATOR,
    add_examples,
    compare_with_dictionary,
    find_dictionary_senses,
    make_description_usages,
)
from polyseme.words.findings import state_matches

DICTIONARY_NAME = "WordNet 3.1"


def wordnet_page(request: Request) -> Response:
    """The induced senses beside those of WordNet."""
    view = open_word_view(request)
    dictionary_senses, problem = _wordnet_senses(view.query.word)
    if not dictionary_senses:
        return render_word_page(request, view, "wordnet.html", comparison=None, rows=[], problem=problem)
    senses = view_page_senses(view.profile, examples=0)
    ids = {sense.id for sense in senses}
    usages = [usage for usage in make_description_usages(view.profile) if usage.id in ids]
    labelling = view.explorer.dictionary_labels(view.query, usages)
    comparison = compare_with_dictionary(view.profile, labelling, dictionary_senses, _define_senses(view, ids))
    rows = [(sense, comparison.matches(sense.id), comparison.definition(sense.id)) for sense in senses]
    return render_word_page(
        request,
        view,
        "wordnet.html",
        comparison=comparison,
        finding=state_matches(DICTIONARY_NAME, len(comparison.senses), len(comparison.unmatched)),
        rows=rows,
        problem="",
        disambiguator=DISAMBIGUATOR,
    )


def _define_senses(view: WordView, ids: Collection[str]) -> list[Definition]:
    """The definitions of the senses on the page, if the small model is installed."""
    senses = [sense for sense in add_examples(view.profile) if sense.id in ids]
    if missing_small_model() or not senses:
        return []
    cosines = view.explorer.dictionary_labels(view.query, list_example_usages(senses), SIMILARITY)
    return GlossProbability().define(senses, cosines, wordnet.load(WORDNET.removeprefix("wordnet-")))


def _wordnet_senses(word: str) -> tuple[tuple[Sense, ...], str]:
    """The senses of a word in WordNet; or none, and the reason."""
    try:
        inventory = load(WORDNET).inventory
    except PolysemeError as error:
        return (), f"The comparison needs {DICTIONARY_NAME}: {error}"
    senses = find_dictionary_senses(word, inventory)
    return senses, "" if senses else f"{DICTIONARY_NAME} has no entry for {word}."
