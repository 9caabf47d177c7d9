"""The pages of a word: senses and usages, similar usages, change over time, and editing."""

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
from polyseme.explorer.charts import HEIGHT, WIDTH, chart_columns
from polyseme.explorer.explorer import IN_MEMORY, Explorer, keep_usages
from polyseme.explorer.facets import example_condition, facets, list_fields
from polyseme.explorer.models import model_title
from polyseme.explorer.page_request import MAX_NAMED_SENSES, ORDERS
from polyseme.explorer.profile_cache import recent_profiles
from polyseme.explorer.word_view import (
    MAX_SENSES,
    QUOTATION_WIDTH,
    SensesNotFound,
    WordNotFound,
    WordView,
    get_explorer,
    open_word_view,
    render_explorer_page,
    render_word_page,
    view_page_senses,
    view_page_usage,
)
from polyseme.induction.defaults import is_english, missing_small_model
from polyseme.words.examples import UsageOrder, order_usages
from polyseme.words.findings import format_percent, state_change
from polyseme.words.periods import LEAST_YEARS, choose_period_width, detect_changes, find_time_field, shares_by_period
from polyseme.words.profile import WordProfile
from polyseme.words.similar_usages import find_similar_usages
from polyseme.words.views import view_usage

PER_PAGE = 20
SIMILAR_USAGES = 15
RECENT_WORDS = 12
UNLABELLED_USAGES = 20
"""The number of usages of a word without senses."""


def start_page(request: Request) -> Response:
    """The start page: a form, frequent words and recent words."""
    explorer = get_explorer(request)
    recent = list(islice(_recent_words(explorer), RECENT_WORDS))
    problem = missing_small_model() if is_english(explorer.index) else None
    words = explorer.lexicon.frequent_words
    return render_explorer_page(request, "start.html", frequent_words=words, recent=recent, problem=problem)


def _recent_words(explorer: Explorer) -> Iterator[tuple[str, str, str]]:
    """Recent words with their models and titles, except models that do not exist any more."""
    for lemma, model in recent_profiles(explorer.folder):
        with suppress(PolysemeError):
            explorer.check_model(model)
            yield lemma, model, model_title(model)


def word_page(request: Request) -> Response:
    """The senses of a word, and its usages."""
    view = open_word_view(request)
    rows = selected_rows(view)
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(view.query.page, pages)
    on_page = rows[(number - 1) * PER_PAGE : number * PER_PAGE]
    return render_word_page(
        request,
        view,
        "word.html",
        senses=view_page_senses(view.profile),
        others=max(0, len(view.profile.senses) - MAX_SENSES),
        others_share=float(view.profile.shares[MAX_SENSES:].sum()),
        usages=[view_page_usage(view.profile, row) for row in on_page],
        count=len(rows),
        number=number,
        pages=pages,
        orders=ORDERS,
        facets=facets(view.profile.usages, "" if view.filter_problem else view.query.where),
        fields=list_fields(view.whole.usages),
        example=example_condition(view.whole.usages),
    )


def selected_rows(view: WordView) -> list[int]:
    """The rows of the chosen usages, in the chosen order."""
    return order_usages(view.profile, cast(UsageOrder, view.query.by or "sense"), view.sense)


def similar_usages_page(request: Request) -> Response:
    """Usages that are similar to one."""
    view = open_word_view(request)
    profile = _with_requested_usage(view)
    row = profile.rows.get(view.query.usage)
    if row is None:
        return render_word_page(request, view, "similar.html", usage=None, similar=[])
    similar = find_similar_usages(profile, view.query.usage, SIMILAR_USAGES)
    return render_word_page(
        request,
        view,
        "similar.html",
        usage=view_page_usage(profile, row),
        similar=[view_page_usage(profile, profile.rows[usage.id]) for usage, _ in similar],
    )


def _with_requested_usage(view: WordView) -> WordProfile:
    """The chosen usages and the requested one, which may not be among them."""
    ids = view.profile.rows.keys() | {view.query.usage}
    return keep_usages(view.edited, [usage for usage in view.edited.usages if usage.id in ids])


_cached_changes = lru_cache(maxsize=IN_MEMORY)(detect_changes)
"""The test is slow; the same request gets the same profile, so it runs once while the profile is in memory."""


def time_page(request: Request) -> Response:
    """The change of the senses over time."""
    view = open_word_view(request)
    profile = view.profile
    field = find_time_field(profile.usages)
    periods = shares_by_period(profile, width=choose_period_width(profile)) if field else []
    senses = view_page_senses(profile, len(profile.senses), examples=0)
    changes = _cached_changes(profile) if field else None
    visible = [row for row in changes or () if row.clear and format_percent(row.before) != format_percent(row.after)]
    return render_word_page(
        request,
        view,
        "time.html",
        field=field,
        periods=periods,
        columns=chart_columns(periods),
        size=(WIDTH, HEIGHT),
        senses=senses[:MAX_SENSES],
        senses_by_id={sense.id: sense for sense in senses},
        count=len(senses),
        tested=changes is not None,
        least_years=LEAST_YEARS,
        significant=any(change.significant for change in changes or ()),
        changes=visible,
        state_change=state_change,
    )


def edit_page(request: Request) -> Response:
    """A form for renaming and merging senses."""
    view = open_word_view(request)
    return render_word_page(request, view, "edit.html", senses=view_page_senses(view.whole, MAX_NAMED_SENSES))


# -- pages without results ---------------------------------------------------------------------------------------------


def word_not_found_page(request: Request, error: Exception) -> Response:
    """The page for a word that the index does not have."""
    assert isinstance(error, WordNotFound)
    words = get_explorer(request).lexicon.frequent_words
    return render_explorer_page(
        request, "no_word.html", query=error.query, similar=error.lookup.similar, frequent_words=words
    )


def senses_not_found_page(request: Request, error: Exception) -> Response:
    """The page for a word without senses."""
    assert isinstance(error, SensesNotFound)
    explorer = get_explorer(request)
    usages = find_usages(explorer.index, error.word.lemma, sample=UNLABELLED_USAGES)
    return render_explorer_page(
        request,
        "no_senses.html",
        query=replace(error.query, page=1),
        usages=[view_usage(usage, [], QUOTATION_WIDTH) for usage in usages],
        word=error.word,
        reason=error.reason.rstrip("."),
        failed=error.failed,
        model=model_title(explorer.model_or_default(error.query.model)),
    )


def busy_page(request: Request, error: Exception) -> Response:
    """The page for a request while too many tasks are waiting."""
    message = f"{error}. Words with cached senses open at once."
    response = render_explorer_page(request, "failed.html", 503, heading="The explorer is busy", message=message)
    response.headers["Retry-After"] = "30"
    return response


def not_ready_page(request: Request, error: Exception) -> Response:
    """The page that names a running task and reloads itself."""
    address = f"{request.url.path}?{request.url.query}"
    response = render_explorer_page(request, "wait.html", 202, task=str(error), address=address)
    response.headers["Refresh"] = "1"
    return response
