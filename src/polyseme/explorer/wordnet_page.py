"""The page on which the senses of a word stand beside those of WordNet."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from polyseme.corpus.vocabulary import POS_LETTERS
from polyseme.datasets import load
from polyseme.errors import PolysemeError
from polyseme.explorer.background_tasks import DISAMBIGUATOR, WORDNET
from polyseme.explorer.views import view_senses
from polyseme.explorer.word_view import open_word_view, render_word_page
from polyseme.inventory import Sense
from polyseme.words.dictionary import compare_descriptions_with_dictionary, make_description_usages


def wordnet_page(request: Request) -> Response:
    """The senses beside WordNet's."""
    looked = open_word_view(request)
    senses, problem = _wordnet_senses(looked.asked.word)
    if not senses:
        return render_word_page(request, looked, "wordnet.html", beside=None, rows=[], problem=problem)
    shown = view_senses(looked.portrait, examples=False)
    named = {each.id for each in shown}
    usages = [usage for usage in make_description_usages(looked.portrait) if usage.id in named]
    beside = compare_descriptions_with_dictionary(
        looked.portrait, looked.here.in_dictionary(looked.asked, usages), senses
    )
    rows = [(sense, beside.matches(sense.id)) for sense in shown]
    return render_word_page(
        request, looked, "wordnet.html", beside=beside, rows=rows, problem="", disambiguator=DISAMBIGUATOR
    )


def _wordnet_senses(word: str) -> tuple[tuple[Sense, ...], str]:
    """WordNet's senses of a word, of all parts of speech if it has none; or none, and why."""
    try:
        dictionary = load(WORDNET).inventory
    except PolysemeError as error:
        return (), f"WordNet is not here: {error}"
    names = [word] if word in dictionary else [f"{word}.{part}" for part in POS_LETTERS]
    senses = tuple(sense for name in names for sense in dictionary.get(name, ()))
    return senses, "" if senses else f"WordNet 3.1 has no entry {word}."
