"""From a request to the word that it is about, as the model sees it, and with what somebody has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from polyseme.errors import InputError, PolysemeError
from polyseme.explorer.background import TaskFailed
from polyseme.explorer.explorer import IN_MEMORY, Explorer, edit_profile, filter_profile
from polyseme.explorer.lexicon import CountedWord, WordLookup
from polyseme.explorer.models import OfferedModel, build_inducer, model_title
from polyseme.explorer.page_request import PageRequest
from polyseme.parts import short_specification
from polyseme.words.profile import WordProfile

TABS = {
    "/word": "Senses and usages",
    "/time": "Over time",
    "/wordnet": "WordNet",
    "/compare": "Compare models",
    "/sentence": "Try a sentence",
    "/edit": "Rename and merge",
    "/export": "Export",
}
"""The pages of a word."""


class WordNotFound(Exception):
    """What was typed is no word of the index."""

    def __init__(self, asked: PageRequest, meant: WordLookup) -> None:
        super().__init__(asked.word)
        self.asked, self.meant = asked, meant


class SensesNotFound(Exception):
    """A word is there, but the model finds no senses of it, or ``failed`` to look for them."""

    def __init__(self, asked: PageRequest, word: CountedWord, error: PolysemeError) -> None:
        super().__init__(str(error))
        self.asked, self.word, self.why, self.failed = asked, word, str(error), isinstance(error, TaskFailed)


@dataclass(frozen=True)
class WordView:
    """A word, and what is asked of it.

    ``whole`` is all that the model says, ``edited`` the same with senses renamed and merged, ``portrait`` the usages of
    that which are chosen; ``problem`` says what of the request could not be done.
    """

    here: Explorer
    asked: PageRequest
    word: CountedWord
    others: tuple[CountedWord, ...]
    whole: WordProfile
    edited: WordProfile
    portrait: WordProfile
    problem: str = ""

    @property
    def sense(self) -> str:
        """The sense that is chosen, if the word has it."""
        return self.asked.sense if self.asked.sense in {sense.id for sense in self.portrait.senses} else ""

    @property
    def model(self) -> str:
        """What the model is called."""
        return model_title(self.here.named(self.asked.model))

    @property
    def specification(self) -> str:
        """The model, in full."""
        return short_specification(build_inducer(self.here.named(self.asked.model)))


def get_explorer(request: Request) -> Explorer:
    """The explorer that a request is for."""
    found: Explorer = request.app.state.explorer
    return found


def open_word_view(request: Request) -> WordView:
    """The word that a request is about; an exception if it is not there, has no senses, or is being worked on."""
    here, asked = get_explorer(request), PageRequest.of(request.query_params)
    meant = here.lexicon.meant(asked.word)
    if meant.word is None:
        raise WordNotFound(asked, meant)
    asked = replace(asked, word=meant.word.word)
    here.check(asked.model)
    try:
        whole = here.portrait(asked.word, asked.model)
    except PolysemeError as error:
        raise SensesNotFound(asked, meant.word, error) from None
    changed, chosen, said = _edit_and_filter(whole, tuple(asked.names.items()), tuple(asked.into.items()), asked.where)
    return WordView(here, asked, meant.word, meant.others, whole, changed, chosen, said)


@lru_cache(maxsize=IN_MEMORY)
def _edit_and_filter(
    whole: WordProfile, names: tuple[tuple[int, str], ...], into: tuple[tuple[int, int], ...], where: str
) -> tuple[WordProfile, WordProfile, str]:
    """The portrait with senses renamed and merged, the part of it that is chosen, and what could not be done.

    The same request gets the same portraits again, with all that was computed of them.
    """
    changed, said = _try_change(lambda: edit_profile(whole, PageRequest(names=dict(names), into=dict(into))), whole)
    chosen, told = _try_change(lambda: filter_profile(changed, where), changed)
    return changed, chosen, " ".join(filter(None, (said, told)))


def _try_change(change: Callable[[], WordProfile], otherwise: WordProfile) -> tuple[WordProfile, str]:
    """What a change gives; if it cannot be made, the same as before, and why."""
    try:
        return change(), ""
    except InputError as error:
        return otherwise, f"{error}."


def render_explorer_page(request: Request, template: str, status: int = 200, /, **context: Any) -> Response:
    """A page."""
    here = get_explorer(request)
    asked = context.get("asked") or PageRequest.of(request.query_params)
    listed = list_models(here.offered, asked.model if here.any_model else "")
    known = {
        "asked": asked,
        "offered": listed,
        "any_model": here.any_model,
        "index": here.index,
        "tabs": TABS,
        "tab": "",
    }
    found: Response = request.app.state.templates.TemplateResponse(
        request, template, {**known, **context}, status_code=status
    )
    return found


def render_word_page(request: Request, looked: WordView, template: str, **context: Any) -> Response:
    """A page of a word."""
    return render_explorer_page(request, template, asked=looked.asked, looked=looked, tab=request.url.path, **context)


def list_models(offered: Sequence[OfferedModel], model: str) -> list[tuple[str, str]]:
    """The models to choose from, with what they do; the one that was chosen is among them, wherever it comes from."""
    known = [(each.specification, each.words) for each in offered]
    return known if not model or model in dict(known) else [*known, (model, model)]
