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

from polyseme.corpus.concordance import usages_of
from polyseme.errors import PolysemeError
from polyseme.experiment.usual import is_english, missing
from polyseme.explore import entries
from polyseme.explore.asking import MOST_NAMES, ORDERS
from polyseme.explore.chart import HEIGHT, WIDTH, columns
from polyseme.explore.explorer import IN_MEMORY, Explorer, NotReady
from polyseme.explore.facets import facets, fields_of
from polyseme.explore.looking import Looked, NoSenses, NoWord, explorer, looked_at, page_of, rendered
from polyseme.explore.models import called
from polyseme.explore.shown import SENSES, senses_of, usage_of
from polyseme.explore.shown import shown as shown_usage
from polyseme.portrait.alike import more_like
from polyseme.portrait.examples import Order, order
from polyseme.portrait.periods import LEAST_YEARS, changes, fitting_width, over_time, time_field
from polyseme.portrait.portrait import Portrait

PER_PAGE = 20
LIKE = 15
RECENT = 12
PLAIN = 20
"""So many usages of a word without senses are shown."""


def start(request: Request) -> Response:
    """The entrance: what to type, and what others have typed."""
    here = explorer(request)
    recent = list(islice(_recent(here), RECENT))
    problem = missing() if is_english(here.index) else None
    return rendered(request, "start.html", to_try=here.lexicon.to_try, recent=recent, problem=problem)


def _recent(here: Explorer) -> Iterator[tuple[str, str, str]]:
    """Words that were looked at, with their models and what these are called; not by models that are none any more."""
    for lemma, model in entries.known(here.folder):
        with suppress(PolysemeError):
            here.check(model)
            yield lemma, model, called(model)


def word(request: Request) -> Response:
    """A word: its senses, and its usages in some order."""
    looked = looked_at(request)
    portrait, asked = looked.portrait, looked.asked
    rows = selected(looked)
    pages = max(1, -(-len(rows) // PER_PAGE))
    number = min(asked.page, pages)
    on_page = rows[(number - 1) * PER_PAGE : number * PER_PAGE]
    return page_of(
        request,
        looked,
        "word.html",
        senses=senses_of(portrait),
        others=max(0, len(portrait.senses) - SENSES),
        others_share=float(portrait.shares[SENSES:].sum()),
        usages=[usage_of(portrait, row) for row in on_page],
        count=len(rows),
        number=number,
        pages=pages,
        orders=ORDERS,
        facets=facets(portrait.usages, asked.where),
        fields=fields_of(looked.whole.usages),
    )


def selected(looked: Looked) -> list[int]:
    """The rows of the usages that are chosen, in the order that is."""
    return order(looked.portrait, cast(Order, looked.asked.by or "sense"), looked.sense)


def like(request: Request) -> Response:
    """More usages like one."""
    looked = looked_at(request)
    portrait = _with_chosen(looked)
    row = next((at for at, usage in enumerate(portrait.usages) if usage.id == looked.asked.usage), None)
    if row is None:
        return page_of(request, looked, "like.html", usage=None, alike=[])
    place = {usage.id: at for at, usage in enumerate(portrait.usages)}
    alike = [
        (usage_of(portrait, place[usage.id]), likeness)
        for usage, likeness in more_like(portrait, looked.asked.usage, LIKE)
    ]
    return page_of(request, looked, "like.html", usage=usage_of(portrait, row), alike=alike)


def _with_chosen(looked: Looked) -> Portrait:
    """The usages of which the condition holds, and the one that others are to be like, if it is another."""
    ids = {usage.id for usage in looked.portrait.usages} | {looked.asked.usage}
    usages = tuple(usage for usage in looked.edited.usages if usage.id in ids)
    return replace(
        looked.edited, usages=usages, labelling=looked.edited.labelling.restrict(usage.id for usage in usages)
    )


_changes = lru_cache(maxsize=IN_MEMORY)(changes)
"""They take long; the same request gets the same portrait, so they are computed once while it is in memory."""


def time(request: Request) -> Response:
    """How the senses change."""
    looked = looked_at(request)
    field = time_field(looked.portrait.usages)
    width = fitting_width(looked.portrait) if field else 0
    periods = over_time(looked.portrait, width=width) if field else []
    senses = senses_of(looked.portrait, len(looked.portrait.senses), examples=False)
    found = _changes(looked.portrait) if field else None
    return page_of(
        request,
        looked,
        "time.html",
        field=field,
        periods=periods,
        columns=columns(periods),
        size=(WIDTH, HEIGHT),
        senses=senses[:SENSES],
        shown={sense.id: sense for sense in senses},
        count=len(senses),
        tested=found is not None,
        least_years=LEAST_YEARS,
        significant=any(each.significant for each in found or ()),
        changes=[each for each in found or () if each.clear and f"{each.before:.0%}" != f"{each.after:.0%}"],
    )


def edit(request: Request) -> Response:
    """A form in which senses get names, or become one."""
    looked = looked_at(request)
    senses = senses_of(looked.whole, MOST_NAMES)
    return page_of(request, looked, "edit.html", senses=senses)


# -- where there is nothing to show ------------------------------------------------------------------------------------


def no_word(request: Request, error: Exception) -> Response:
    """A page for what is no word of the index."""
    assert isinstance(error, NoWord)
    words = {"near": error.meant.near, "to_try": explorer(request).lexicon.to_try}
    return rendered(request, "no_word.html", asked=error.asked, **words)


def no_senses(request: Request, error: Exception) -> Response:
    """A page for a word that is too rare for its senses, or for the model."""
    assert isinstance(error, NoSenses)
    found = usages_of(explorer(request).index, error.word.word, sample=PLAIN)
    usages = [shown_usage(usage, []) for usage in found]
    known = {
        "word": error.word,
        "why": error.why.rstrip("."),
        "failed": error.failed,
        "model": called(explorer(request).named(error.asked.model)),
    }
    return rendered(request, "no_senses.html", asked=replace(error.asked, page=1), usages=usages, **known)


def busy(request: Request, error: Exception) -> Response:
    """A page that says that there is too much to do at present."""
    said = f"{error}. Words that were looked at before are there at once."
    response = rendered(request, "failed.html", 503, heading="Too much to do at present", said=said)
    response.headers["Retry-After"] = "30"
    return response


def not_ready(request: Request, error: Exception) -> Response:
    """A page that says what is being done, and asks again by itself."""
    assert isinstance(error, NotReady)
    response = rendered(request, "wait.html", 202, what=error.what, again=f"{request.url.path}?{request.url.query}")
    response.headers["Refresh"] = "1"
    return response
