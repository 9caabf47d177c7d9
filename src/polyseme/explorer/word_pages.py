"""The pages on which a word is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from polyseme.corpus.concordance import find_usages
from polyseme.errors import PolysemeError
from polyseme.explorer import profile_cache
from polyseme.explorer.explorer import IN_MEMORY, Explorer, NotReady
from polyseme.explorer.facets import facets, list_fields
from polyseme.explorer.models import model_title
from polyseme.explorer.page_request import MAX_NAMED_SENSES, ORDERS
from polyseme.explorer.period_chart import HEIGHT, WIDTH, chart_columns
from polyseme.explorer.views import MAX_SENSES, view_profile_usage, view_senses
from polyseme.explorer.views import view_usage as shown_usage
from polyseme.explorer.word_view import (
    SensesNotFound,
    WordNotFound,
    WordView,
    get_explorer,
    open_word_view,
    render_explorer_page,
    render_word_page,
)
from polyseme.induction.defaults import is_english, missing_small_model
from polyseme.words.examples import UsageOrder, order_usages
from polyseme.words.periods import LEAST_YEARS, choose_period_width, detect_changes, find_time_field, shares_by_period
from polyseme.words.profile import WordProfile
from polyseme.words.similar_usages import find_similar_usages

PER_PAGE = 20
SIMILAR_USAGES = 15
RECENT_WORDS = 12
UNLABELLED_USAGES = 20
"""So many usages of a word without senses are shown."""


def start_page(request: Request) -> Response:
    """The entrance: what to type, and what others have typed."""
    here = get_explorer(request)
    recent = list(islice(_recent_words(here), RECENT_WORDS))
    problem = missing_small_model() if is_english(here.index) else None
    return render_explorer_page(request, "start.html", to_try=here.lexicon.to_try, recent=recent, problem=problem)


def _recent_words(here: Explorer) -> Iterator[tuple[str, str, str]]:
    """Words that were looked at, with their models and what these are called; not by models that are none any more."""
    for lemma, model in profile_cache.recent_profiles(here.folder):
        with suppress(PolysemeError):
            here.check(model)
            yield lemma, model, model_title(model)


def word_page(request: Request) -> Response:
    """A word: its senses, and its usages in some order."""
    looked = open_word_view(request)
    portrait, asked = looked.portrait, looked.asked
    rows = selected_rows(looked)
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(asked.page, pages)
    on_page = rows[(number - 1) * PER_PAGE : number * PER_PAGE]
    return render_word_page(
        request,
        looked,
        "word.html",
        senses=view_senses(portrait),
        others=max(0, len(portrait.senses) - MAX_SENSES),
        others_share=float(portrait.shares[MAX_SENSES:].sum()),
        usages=[view_profile_usage(portrait, row) for row in on_page],
        count=len(rows),
        number=number,
        pages=pages,
        orders=ORDERS,
        facets=facets(portrait.usages, asked.where),
        fields=list_fields(looked.whole.usages),
    )


def selected_rows(looked: WordView) -> list[int]:
    """The rows of the usages that are chosen, in the order that is."""
    return order_usages(looked.portrait, cast(UsageOrder, looked.asked.by or "sense"), looked.sense)


def similar_usages_page(request: Request) -> Response:
    """More usages like one."""
    looked = open_word_view(request)
    portrait = _with_requested_usage(looked)
    row = next((at for at, usage in enumerate(portrait.usages) if usage.id == looked.asked.usage), None)
    if row is None:
        return render_word_page(request, looked, "like.html", usage=None, alike=[])
    place = {usage.id: at for at, usage in enumerate(portrait.usages)}
    alike = [
        (view_profile_usage(portrait, place[usage.id]), likeness)
        for usage, likeness in find_similar_usages(portrait, looked.asked.usage, SIMILAR_USAGES)
    ]
    return render_word_page(request, looked, "like.html", usage=view_profile_usage(portrait, row), alike=alike)


def _with_requested_usage(looked: WordView) -> WordProfile:
    """The usages of which the condition holds, and the one that others are to be like, if it is another."""
    ids = {usage.id for usage in looked.portrait.usages} | {looked.asked.usage}
    usages = tuple(usage for usage in looked.edited.usages if usage.id in ids)
    return replace(
        looked.edited, usages=usages, labelling=looked.edited.labelling.restrict(usage.id for usage in usages)
    )


_cached_changes = lru_cache(maxsize=IN_MEMORY)(detect_changes)
"""They take long; the same request gets the same portrait, so they are computed once while it is in memory."""


def time_page(request: Request) -> Response:
    """How the senses change."""
    looked = open_word_view(request)
    field = find_time_field(looked.portrait.usages)
    width = choose_period_width(looked.portrait) if field else 0
    periods = shares_by_period(looked.portrait, width=width) if field else []
    senses = view_senses(looked.portrait, len(looked.portrait.senses), examples=False)
    found = _cached_changes(looked.portrait) if field else None
    return render_word_page(
        request,
        looked,
        "time.html",
        field=field,
        periods=periods,
        columns=chart_columns(periods),
        size=(WIDTH, HEIGHT),
        senses=senses[:MAX_SENSES],
        shown={sense.id: sense for sense in senses},
        count=len(senses),
        tested=found is not None,
        least_years=LEAST_YEARS,
        significant=any(each.significant for each in found or ()),
        changes=[each for each in found or () if each.clear and f"{each.before:.0%}" != f"{each.after:.0%}"],
    )


def edit_page(request: Request) -> Response:
    """A form in which senses get names, or become one."""
    looked = open_word_view(request)
    senses = view_senses(looked.whole, MAX_NAMED_SENSES)
    return render_word_page(request, looked, "edit.html", senses=senses)


# -- where there is nothing to show ------------------------------------------------------------------------------------


def word_not_found_page(request: Request, error: Exception) -> Response:
    """A page for what is no word of the index."""
    assert isinstance(error, WordNotFound)
    words = {"near": error.meant.near, "to_try": get_explorer(request).lexicon.to_try}
    return render_explorer_page(request, "no_word.html", asked=error.asked, **words)


def senses_not_found_page(request: Request, error: Exception) -> Response:
    """A page for a word that is too rare for its senses, or for the model."""
    assert isinstance(error, SensesNotFound)
    found = find_usages(get_explorer(request).index, error.word.word, sample=UNLABELLED_USAGES)
    usages = [shown_usage(usage, []) for usage in found]
    known = {
        "word": error.word,
        "why": error.why.rstrip("."),
        "failed": error.failed,
        "model": model_title(get_explorer(request).named(error.asked.model)),
    }
    return render_explorer_page(request, "no_senses.html", asked=replace(error.asked, page=1), usages=usages, **known)


def busy_page(request: Request, error: Exception) -> Response:
    """A page that says that there is too much to do at present."""
    said = f"{error}. Words that were looked at before are there at once."
    response = render_explorer_page(request, "failed.html", 503, heading="Too much to do at present", said=said)
    response.headers["Retry-After"] = "30"
    return response


def not_ready_page(request: Request, error: Exception) -> Response:
    """A page that says what is being done, and asks again by itself."""
    assert isinstance(error, NotReady)
    response = render_explorer_page(
        request, "wait.html", 202, what=error.what, again=f"{request.url.path}?{request.url.query}"
    )
    response.headers["Refresh"] = "1"
    return response
