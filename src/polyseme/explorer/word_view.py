"""The word of a request: its profile by the model, with the user's edits and filter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from polyseme.errors import InputError, PolysemeError
from polyseme.explorer.background import TaskFailed
from polyseme.explorer.explorer import IN_MEMORY, Explorer, edit_profile, filter_profile, fingerprint_senses
from polyseme.explorer.fineness import Fineness, measure_fineness
from polyseme.explorer.lexicon import CountedWord, WordLookup
from polyseme.explorer.models import OfferedModel, build_inducer, model_title
from polyseme.explorer.page_request import PageRequest
from polyseme.parts import short_specification
from polyseme.words.collocates import find_collocates
from polyseme.words.descriptions import name_senses
from polyseme.words.findings import state_main_senses
from polyseme.words.profile import WordProfile
from polyseme.words.views import SenseView, UsageView, view_row, view_senses

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

MAX_SENSES = 12
"""The number of senses that are shown one by one."""
QUOTATION_WIDTH = 800
"""The number of characters of a quotation."""
EXAMPLE_WIDTH = 240
"""The number of characters of an example on a card."""
CANDIDATES = 60
"""An example is chosen among this many of the heaviest usages of a sense."""


OTHER_SENSES = (
    "The names and merges in this address belong to other senses of the word, and are not applied: the texts or the"
    " model have changed since. Rename and merge these senses again."
)


class WordNotFound(Exception):
    """The index does not have the typed word."""

    def __init__(self, query: PageRequest, lookup: WordLookup) -> None:
        super().__init__(query.word)
        self.query, self.lookup = query, lookup


class SensesNotFound(Exception):
    """The model finds no senses of a word, or its task failed."""

    def __init__(self, query: PageRequest, word: CountedWord, error: PolysemeError) -> None:
        super().__init__(str(error))
        self.query, self.word, self.reason, self.failed = query, word, str(error), isinstance(error, TaskFailed)


@dataclass(frozen=True)
class WordView:
    """The word of a request.

    Args:
        explorer: The explorer.
        query: The query.
        word: The word.
        others: Other words that the user may mean.
        whole: The profile by the model.
        edited: The same profile with senses renamed and merged.
        profile: The chosen usages of the edited profile.
        problem: Why the edits could not be made.
        filter_problem: Why the usages could not be filtered.
    """

    explorer: Explorer
    query: PageRequest
    word: CountedWord
    others: tuple[CountedWord, ...]
    whole: WordProfile
    edited: WordProfile
    profile: WordProfile
    problem: str = ""
    filter_problem: str = ""

    @property
    def sense(self) -> str:
        """The chosen sense, if the word has it."""
        return self.query.sense if self.query.sense in {sense.id for sense in self.profile.senses} else ""

    @property
    def finding(self) -> str:
        """The main senses of the chosen usages, as a sentence."""
        shares, names = self.profile.shares.tolist(), name_senses(self.profile.senses)
        ranked = sorted(zip(shares, names, strict=True), key=lambda pair: -pair[0])
        if not ranked or not len(self.profile.labelled):
            return "The model gives these usages no sense."
        return state_main_senses([name for _, name in ranked], [share for share, _ in ranked])

    @property
    def model(self) -> str:
        """The title of the model."""
        return model_title(self.explorer.model_or_default(self.query.model))

    @property
    def specification(self) -> str:
        """The specification of the model."""
        return short_specification(self._inducer)

    @property
    def fineness(self) -> Fineness | None:
        """How fine the senses are, with the models that are coarser and finer, if the model has any."""
        return measure_fineness(self._inducer)

    @property
    def _inducer(self) -> Any:
        return build_inducer(self.explorer.model_or_default(self.query.model))


def view_page_senses(profile: WordProfile, limit: int = MAX_SENSES, examples: int = 1) -> list[SenseView]:
    """The senses of a profile as pages of the explorer show them."""
    collocates = _find_collocates(profile) if examples else None
    return view_senses(
        profile, limit, examples=examples, width=EXAMPLE_WIDTH, candidates=CANDIDATES, collocates=collocates
    )


_find_collocates = lru_cache(maxsize=IN_MEMORY)(find_collocates)


def view_page_usage(profile: WordProfile, row: int) -> UsageView:
    """A usage of a profile as pages of the explorer show it."""
    return view_row(profile, row, QUOTATION_WIDTH)


def get_explorer(request: Request) -> Explorer:
    """The explorer of a request."""
    explorer: Explorer = request.app.state.explorer
    return explorer


def open_word_view(request: Request) -> WordView:
    """The word of a request.

    Raises:
        WordNotFound: The index does not have the word.
        SensesNotFound: The model finds no senses of it.
        NotReady: The senses are being induced.
    """
    explorer, query = get_explorer(request), PageRequest.from_query(request.query_params)
    lookup = explorer.lexicon.look_up(query.word)
    if lookup.word is None:
        raise WordNotFound(query, lookup)
    query = replace(query, word=lookup.word.lemma)
    explorer.check_model(query.model)
    try:
        whole = explorer.profile(query.word, query.model)
    except PolysemeError as error:
        raise SensesNotFound(query, lookup.word, error) from None
    query, stale = _check_edits(query, fingerprint_senses(whole))
    edited, chosen, problem, filter_problem = _edit_and_filter(
        whole, tuple(query.names.items()), tuple(query.into.items()), query.where
    )
    return WordView(
        explorer, query, lookup.word, lookup.others, whole, edited, chosen, stale or problem, filter_problem
    )


def _check_edits(query: PageRequest, fingerprint: str) -> tuple[PageRequest, str]:
    """Drop edits of other senses, with a message unless they are those of another word."""
    if not query.has_edits or query.edited == fingerprint:
        return replace(query, edited=fingerprint), ""
    another_word = query.edited and query.edited.rpartition(":")[0] != query.word
    return replace(query, names={}, into={}, edited=fingerprint), "" if another_word else OTHER_SENSES


@lru_cache(maxsize=IN_MEMORY)
def _edit_and_filter(
    whole: WordProfile, names: tuple[tuple[int, str], ...], into: tuple[tuple[int, int], ...], where: str
) -> tuple[WordProfile, WordProfile, str, str]:
    """The edited profile, the chosen part of it, and why the edits or the filter could not be applied.

    The same request gets the same profiles again, with all that was computed from them.
    """
    edited, problem = _try_change(lambda: edit_profile(whole, PageRequest(names=dict(names), into=dict(into))), whole)
    chosen, filter_problem = _try_change(lambda: filter_profile(edited, where), edited)
    return edited, chosen, problem, filter_problem


def _try_change(change: Callable[[], WordProfile], unchanged: WordProfile) -> tuple[WordProfile, str]:
    """The changed profile, or the unchanged one and the reason."""
    try:
        return change(), ""
    except InputError as error:
        return unchanged, f"{error}."


def render_explorer_page(request: Request, template: str, status: int = 200, /, **context: Any) -> Response:
    """Render a page."""
    explorer = get_explorer(request)
    query = context.get("query") or PageRequest.from_query(request.query_params)
    defaults = {
        "query": query,
        "offered": list_models(explorer.offered, query.model if explorer.can_choose(query.model) else ""),
        "any_model": explorer.any_model,
        "index": explorer.index,
        "tabs": TABS,
        "tab": "",
    }
    response: Response = request.app.state.templates.TemplateResponse(
        request, template, {**defaults, **context}, status_code=status
    )
    return response


def render_word_page(request: Request, view: WordView, template: str, **context: Any) -> Response:
    """Render a page of a word."""
    return render_explorer_page(request, template, query=view.query, view=view, tab=request.url.path, **context)


def list_models(offered: Sequence[OfferedModel], model: str) -> list[OfferedModel]:
    """The offered models, and the chosen one if it is another."""
    specifications = [offer.specification for offer in offered]
    return [*offered] if not model or model in specifications else [*offered, OfferedModel(model, _title(model))]


def _title(model: str) -> str:
    """The title of a model; a wrong specification is its own, because the page of its error lists it, too."""
    try:
        return model_title(model)
    except InputError:
        return model
