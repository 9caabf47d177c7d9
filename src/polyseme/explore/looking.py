"""From a request to the word that it is about, as the model sees it, and with what somebody has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from polyseme.errors import InputError, PolysemeError
from polyseme.explore.asking import Asked
from polyseme.explore.explorer import IN_MEMORY, Explorer, edited, within
from polyseme.explore.models import Offered, called, specified
from polyseme.explore.words import Counted, Meant
from polyseme.explore.working import Failed
from polyseme.parts import brief
from polyseme.portrait.portrait import Portrait

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


class NoWord(Exception):
    """What was typed is no word of the index."""

    def __init__(self, asked: Asked, meant: Meant) -> None:
        super().__init__(asked.word)
        self.asked, self.meant = asked, meant


class NoSenses(Exception):
    """A word is there, but the model finds no senses of it, or ``failed`` to look for them."""

    def __init__(self, asked: Asked, word: Counted, error: PolysemeError) -> None:
        super().__init__(str(error))
        self.asked, self.word, self.why, self.failed = asked, word, str(error), isinstance(error, Failed)


@dataclass(frozen=True)
class Looked:
    """A word, and what is asked of it.

    ``whole`` is all that the model says, ``edited`` the same with senses renamed and merged, ``portrait`` the usages of
    that which are chosen; ``problem`` says what of the request could not be done.
    """

    here: Explorer
    asked: Asked
    word: Counted
    others: tuple[Counted, ...]
    whole: Portrait
    edited: Portrait
    portrait: Portrait
    problem: str = ""

    @property
    def sense(self) -> str:
        """The sense that is chosen, if the word has it."""
        return self.asked.sense if self.asked.sense in {sense.id for sense in self.portrait.senses} else ""

    @property
    def model(self) -> str:
        """What the model is called."""
        return called(self.here.named(self.asked.model))

    @property
    def specification(self) -> str:
        """The model, in full."""
        return brief(specified(self.here.named(self.asked.model)))


def explorer(request: Request) -> Explorer:
    """The explorer that a request is for."""
    found: Explorer = request.app.state.explorer
    return found


def looked_at(request: Request) -> Looked:
    """The word that a request is about; an exception if it is not there, has no senses, or is being worked on."""
    here, asked = explorer(request), Asked.of(request.query_params)
    meant = here.lexicon.meant(asked.word)
    if meant.word is None:
        raise NoWord(asked, meant)
    asked = replace(asked, word=meant.word.word)
    here.check(asked.model)
    try:
        whole = here.portrait(asked.word, asked.model)
    except PolysemeError as error:
        raise NoSenses(asked, meant.word, error) from None
    changed, chosen, said = _changed(whole, tuple(asked.names.items()), tuple(asked.into.items()), asked.where)
    return Looked(here, asked, meant.word, meant.others, whole, changed, chosen, said)


@lru_cache(maxsize=IN_MEMORY)
def _changed(
    whole: Portrait, names: tuple[tuple[int, str], ...], into: tuple[tuple[int, int], ...], where: str
) -> tuple[Portrait, Portrait, str]:
    """The portrait with senses renamed and merged, the part of it that is chosen, and what could not be done.

    The same request gets the same portraits again, with all that was computed of them.
    """
    changed, said = _tried(lambda: edited(whole, Asked(names=dict(names), into=dict(into))), whole)
    chosen, told = _tried(lambda: within(changed, where), changed)
    return changed, chosen, " ".join(filter(None, (said, told)))


def _tried(change: Callable[[], Portrait], otherwise: Portrait) -> tuple[Portrait, str]:
    """What a change gives; if it cannot be made, the same as before, and why."""
    try:
        return change(), ""
    except InputError as error:
        return otherwise, f"{error}."


def rendered(request: Request, template: str, status: int = 200, /, **context: Any) -> Response:
    """A page."""
    here = explorer(request)
    asked = context.get("asked") or Asked.of(request.query_params)
    listed = listed_with(here.offered, asked.model if here.any_model else "")
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


def page_of(request: Request, looked: Looked, template: str, **context: Any) -> Response:
    """A page of a word."""
    return rendered(request, template, asked=looked.asked, looked=looked, tab=request.url.path, **context)


def listed_with(offered: Sequence[Offered], model: str) -> list[tuple[str, str]]:
    """The models to choose from, with what they do; the one that was chosen is among them, wherever it comes from."""
    known = [(each.specification, each.words) for each in offered]
    return known if not model or model in dict(known) else [*known, (model, model)]
