"""The page on which the senses of a word stand beside those of WordNet."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from polyseme.corpus.vocabulary import PARTS
from polyseme.datasets import load
from polyseme.errors import PolysemeError
from polyseme.explore.induction import DISAMBIGUATOR, WORDNET
from polyseme.explore.looking import looked_at, page_of
from polyseme.explore.shown import senses_of
from polyseme.inventory import Sense
from polyseme.portrait.dictionary import beside_words, telling_usages


def wordnet(request: Request) -> Response:
    """The senses beside WordNet's."""
    looked = looked_at(request)
    senses, problem = _in_wordnet(looked.asked.word)
    if not senses:
        return page_of(request, looked, "wordnet.html", beside=None, rows=[], problem=problem)
    shown = senses_of(looked.portrait, examples=False)
    named = {each.id for each in shown}
    usages = [usage for usage in telling_usages(looked.portrait) if usage.id in named]
    beside = beside_words(looked.portrait, looked.here.in_dictionary(looked.asked, usages), senses)
    rows = [(sense, beside.matches(sense.id)) for sense in shown]
    return page_of(request, looked, "wordnet.html", beside=beside, rows=rows, problem="", disambiguator=DISAMBIGUATOR)


def _in_wordnet(word: str) -> tuple[tuple[Sense, ...], str]:
    """WordNet's senses of a word, of all parts of speech if it has none; or none, and why."""
    try:
        dictionary = load(WORDNET).inventory
    except PolysemeError as error:
        return (), f"WordNet is not here: {error}"
    names = [word] if word in dictionary else [f"{word}.{part}" for part in PARTS]
    senses = tuple(sense for name in names for sense in dictionary.get(name, ()))
    return senses, "" if senses else f"WordNet 3.1 has no entry {word}."
