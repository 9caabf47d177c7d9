"""Judgements from a long table, put into a study that has begun: those of an export, or of another tool.

Who judged is added to the study, what was shown to them becomes their pages, and what they said becomes events, in the
order of the table: the long table that is then exported is the one that was imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.rating import Rating
from polyseme.studio.store import annotators
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, EVENT, PAGE
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import MAX_MILLISECONDS, mark_completeness, page_from_row
from polyseme.studio.study.pages import Judgement, Page, PageAnswers, check_text
from polyseme.studio.study.settings import Study

MAX_NUMBER = 10**7
"""The highest place in an annotator's order."""
PAGE_ROLES = ("control", "training")
"""The roles that are those of pages; a repeat is an ordinary page once more."""

PageIdentity = tuple[str, str, str, str, str]
"""A page by what is judged: task, round, usage, the other usage of a pair, role."""


class ImportCounts(NamedTuple):
    """What was imported."""

    judgements: int
    annotators: int


@dataclass
class _ImportedPage:
    """A page as one annotator had it, and what they said of it."""

    number: int
    page: int
    role: str
    ratings: list[Rating] = field(default_factory=list)

    @property
    def comment(self) -> str:
        """What they remarked: mostly the same in all rows of a page."""
        return "\n".join(dict.fromkeys(filter(None, (rating.comment for rating in self.ratings))))


def import_ratings(store: Store, ratings: Iterable[Rating]) -> ImportCounts:
    """Add judgements to a study in which these annotators have answered nothing yet; all of them, or none.

    An ``InputError`` says which judgement is not one of the study: of no page of it, or off its scale.
    """
    rows, study = list(ratings), store.study
    with store.database.write() as connection:
        numbered = {row.id: page_from_row(row) for row in connection.execute(select(PAGE))}
        places = _group_by_page(rows, numbered)
        who = {name: _add_annotator(connection, study, name, _annotator_group(given)) for name, given in places.items()}
        assignments: dict[int, int] = {}
        for name, given in places.items():
            for each in given:
                _check_page(each, numbered[each.page])
                made = _assign(connection, study, who[name], each)
                assignments |= {id(rating): made for rating in each.ratings}
        _append_ratings(connection, rows, who, assignments)
        _append_comments(connection, places, who, assignments)
        for given in places.values():
            _mark_complete_pages(connection, given, numbered, assignments)
        annotators.write_audit_entry(connection, "", f"{count_noun(len(rows), 'judgement')} were imported")
    return ImportCounts(len(rows), len(who))


def _group_by_page(rows: list[Rating], numbered: Mapping[int, Page]) -> dict[str, list[_ImportedPage]]:
    """The pages of each annotator, in the order in which they were shown."""
    pages = {_page_identity(page): number for number, page in numbered.items()}
    rounds = {page.round for page in numbered.values() if not page.role}
    found: dict[str, dict[object, _ImportedPage]] = {}
    for rating in rows:
        page = _find_page(rating, pages, rounds)
        mine = found.setdefault(rating.annotator, {})
        key = (page, rating.role) if rating.order is None else rating.order
        each = mine.setdefault(key, _ImportedPage(rating.order or 0, page, rating.role))
        if (each.page, each.role) != (page, rating.role) or not 0 <= each.number < MAX_NUMBER:
            problem = f"{quote_value(rating.annotator)} was shown {quote_value(rating.usage)} at place {rating.order}"
            raise InputError(f"{problem}, where there is another, or which is none; leave the column order out")
        each.ratings.append(rating)
    return {name: _number_pages(list(given.values())) for name, given in found.items()}


def _number_pages(given: list[_ImportedPage]) -> list[_ImportedPage]:
    """With a place for those that have none: after the others."""
    last = max(each.number for each in given)
    for each in given:
        if not each.number:
            last = each.number = last + 1
    return given


def _page_identity(page: Page) -> PageIdentity:
    return page.task, page.round, page.usage, page.other, page.role


def _find_page(rating: Rating, pages: Mapping[PageIdentity, int], rounds: set[str]) -> int:
    """The number of the page that a rating is of; where it names no round, that of the only one."""
    role = rating.role if rating.role in PAGE_ROLES else ""
    other = rating.target if rating.task == "Usim" else ""
    tried = [rating.round, *(rounds if not rating.round and len(rounds) == 1 else [])]
    for round_ in tried:
        if (number := pages.get((rating.task, round_, rating.usage, other, role))) is not None:
            return number
    what = f"{rating.task} of {quote_value(rating.usage)}{f' and {quote_value(other)}' if other else ''}"
    raise InputError(
        f"no page of the study asks for {what} in round {quote_value(rating.round)}; leave the judgement out"
    )


def _annotator_group(given: list[_ImportedPage]) -> str:
    return given[0].ratings[0].group


def _add_annotator(connection: Connection, study: Study, name: str, group: str) -> int:
    """The number of an annotator, who is added if nobody is called so."""
    if connection.execute(select(ANNOTATOR.c.id).where(ANNOTATOR.c.name == name)).first() is None:
        annotators.insert_annotator(connection, study, name, group, "annotator", "")
    found = annotators.get_annotator(connection, name)
    if (
        found.is_manager
        or connection.execute(select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.annotator == found.id)).first()
    ):
        raise InputError(f"{quote_value(name)} manages this study, or has pages in it already; rename one of the two")
    connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == found.id).values(state="active"))
    return found.id


def _check_page(given: _ImportedPage, page: Page) -> None:
    """An error if the page does not take what is said of it."""
    said = [_judgement(rating) for rating in given.ratings]
    try:
        taken = page.accept(said, PageAnswers())
        check_text(given.comment, "comment")
        for rating in given.ratings:
            check_text(rating.time, "time", 64)
    except InputError as error:
        raise InputError(f"{given.ratings[0].annotator} on {page.task} of {quote_value(page.usage)}: {error}") from None
    withdrawn = [sum(each.value == 0 for each in judgements) for judgements in (said, taken)]
    if page.rules.is_choice and withdrawn[1] > withdrawn[0]:
        raise InputError(f"{given.ratings[0].annotator} chose more for {quote_value(page.usage)} than the study allows")


def _judgement(rating: Rating) -> Judgement:
    return Judgement(rating.target, None if rating.value != rating.value else rating.value)


def _assign(connection: Connection, study: Study, annotator: int, given: _ImportedPage) -> int:
    row = {"annotator": annotator, "page": given.page, "number": given.number, "role": given.role}
    slot = _free_slot(connection, study, given) if not given.role else None
    made = connection.execute(insert(ASSIGNMENT).values(**row, slot=slot).returning(ASSIGNMENT.c.id))
    return int(made.scalar_one())


def _free_slot(connection: Connection, study: Study, given: _ImportedPage) -> int | None:
    """Which of the judgements that are wanted of a page this is, where only so many are."""
    if study.overlap.design != "per item":
        return None
    held = select(ASSIGNMENT.c.slot).where(ASSIGNMENT.c.page == given.page, ASSIGNMENT.c.slot.is_not(None))
    taken = set(connection.execute(held).scalars())
    return next((slot for slot in range(1, study.overlap.judgements + 1) if slot not in taken), None)


def _append_ratings(
    connection: Connection, rows: list[Rating], who: Mapping[str, int], assignments: Mapping[int, int]
) -> None:
    """Append what was said, in the order of the table."""
    events = [
        {
            "annotator": who[rating.annotator],
            "assignment": assignments[id(rating)],
            "kind": "rating",
            "target": rating.target,
            "value": _judgement(rating).value,
            "text": "",
            "request": f"import {number}",
            "milliseconds": None if rating.milliseconds is None else min(rating.milliseconds, MAX_MILLISECONDS),
            "client_time": "",
            "time": rating.time or utc_timestamp(),
        }
        for number, rating in enumerate(rows, start=1)
    ]
    if events:
        connection.execute(insert(EVENT), events)


def _append_comments(
    connection: Connection,
    places: Mapping[str, list[_ImportedPage]],
    who: Mapping[str, int],
    assignments: Mapping[int, int],
) -> None:
    """Append the comments, one for each page that has one."""
    blank = {"kind": "comment", "target": "", "value": None, "request": "import", "milliseconds": None}
    events = [
        {
            **blank,
            "annotator": who[name],
            "assignment": assignments[id(each.ratings[0])],
            "text": each.comment,
            "client_time": "",
            "time": each.ratings[-1].time or utc_timestamp(),
        }
        for name, given in places.items()
        for each in given
        if each.comment
    ]
    if events:
        connection.execute(insert(EVENT), events)


def _mark_complete_pages(
    connection: Connection, given: list[_ImportedPage], numbered: Mapping[int, Page], assignments: Mapping[int, int]
) -> None:
    """Note which pages are complete."""
    for each in given:
        values = {rating.target: _judgement(rating).value for rating in each.ratings}
        if not numbered[each.page].missing(PageAnswers(values)):
            mark_completeness(connection, assignments[id(each.ratings[0])], complete=True)
