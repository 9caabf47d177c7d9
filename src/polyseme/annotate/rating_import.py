"""Judgements from a long table, put into a study that has begun: those of an export, or of another tool.

Who judged is added to the study, what was shown to them becomes their pages, and what they said becomes events, in the
order of the table: the long table that is then exported is the one that was imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from polyseme.annotate import people
from polyseme.annotate.answers import MOST_MILLISECONDS, mark, page_of
from polyseme.annotate.database import now
from polyseme.annotate.items import Answered, Judgement, Page, check_text
from polyseme.annotate.schema import ANNOTATOR, ASSIGNMENT, EVENT, PAGE
from polyseme.annotate.store import Store
from polyseme.annotate.study import Study
from polyseme.errors import InputError, counted, shown
from polyseme.rating import Rating

HIGHEST = 10**7
"""The highest place in an annotator's order."""
OF_PAGES = ("control", "training")
"""The roles that are those of pages; a repeat is an ordinary page once more."""

Named = tuple[str, str, str, str, str]
"""A page by what is judged: task, round, usage, the other usage of a pair, role."""


class Added(NamedTuple):
    """What was imported."""

    judgements: int
    annotators: int


@dataclass
class _Given:
    """A page as one annotator had it, and what they said of it."""

    number: int
    page: int
    role: str
    ratings: list[Rating] = field(default_factory=list)

    @property
    def comment(self) -> str:
        """What they remarked: mostly the same in all rows of a page."""
        return "\n".join(dict.fromkeys(filter(None, (rating.comment for rating in self.ratings))))


def add_ratings(store: Store, ratings: Iterable[Rating]) -> Added:
    """Add judgements to a study in which these annotators have answered nothing yet; all of them, or none.

    An ``InputError`` says which judgement is not one of the study: of no page of it, or off its scale.
    """
    rows, study = list(ratings), store.study
    with store.database.write() as connection:
        numbered = {row.id: page_of(row) for row in connection.execute(select(PAGE))}
        places = _places(rows, numbered)
        who = {name: _annotator(connection, study, name, _group(given)) for name, given in places.items()}
        assignments: dict[int, int] = {}
        for name, given in places.items():
            for each in given:
                _check(each, numbered[each.page])
                made = _assign(connection, study, who[name], each)
                assignments |= {id(rating): made for rating in each.ratings}
        _append(connection, rows, who, assignments)
        _comment(connection, places, who, assignments)
        for given in places.values():
            _mark(connection, given, numbered, assignments)
        people.note(connection, "", f"{counted(len(rows), 'judgement')} were imported")
    return Added(len(rows), len(who))


def _places(rows: list[Rating], numbered: Mapping[int, Page]) -> dict[str, list[_Given]]:
    """The pages of each annotator, in the order in which they were shown."""
    pages = {_named(page): number for number, page in numbered.items()}
    rounds = {page.round for page in numbered.values() if not page.role}
    found: dict[str, dict[object, _Given]] = {}
    for rating in rows:
        page = _page(rating, pages, rounds)
        mine = found.setdefault(rating.annotator, {})
        key = (page, rating.role) if rating.order is None else rating.order
        each = mine.setdefault(key, _Given(rating.order or 0, page, rating.role))
        if (each.page, each.role) != (page, rating.role) or not 0 <= each.number < HIGHEST:
            problem = f"{shown(rating.annotator)} was shown {shown(rating.usage)} at place {rating.order}"
            raise InputError(f"{problem}, where there is another, or which is none; leave the column order out")
        each.ratings.append(rating)
    return {name: _in_order(list(given.values())) for name, given in found.items()}


def _in_order(given: list[_Given]) -> list[_Given]:
    """With a place for those that have none: after the others."""
    last = max(each.number for each in given)
    for each in given:
        if not each.number:
            last = each.number = last + 1
    return given


def _named(page: Page) -> Named:
    return page.task, page.round, page.usage, page.other, page.role


def _page(rating: Rating, pages: Mapping[Named, int], rounds: set[str]) -> int:
    """The number of the page that a rating is of; where it names no round, that of the only one."""
    role = rating.role if rating.role in OF_PAGES else ""
    other = rating.target if rating.task == "Usim" else ""
    tried = [rating.round, *(rounds if not rating.round and len(rounds) == 1 else [])]
    for round_ in tried:
        if (number := pages.get((rating.task, round_, rating.usage, other, role))) is not None:
            return number
    what = f"{rating.task} of {shown(rating.usage)}{f' and {shown(other)}' if other else ''}"
    raise InputError(f"no page of the study asks for {what} in round {shown(rating.round)}; leave the judgement out")


def _group(given: list[_Given]) -> str:
    return given[0].ratings[0].group


def _annotator(connection: Connection, study: Study, name: str, group: str) -> int:
    """The number of an annotator, who is added if nobody is called so."""
    if connection.execute(select(ANNOTATOR.c.id).where(ANNOTATOR.c.name == name)).first() is None:
        people.add(connection, study, name, group, "annotator", "")
    found = people.by_name(connection, name)
    if found.manages or connection.execute(select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.annotator == found.id)).first():
        raise InputError(f"{shown(name)} manages this study, or has pages in it already; rename one of the two")
    connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == found.id).values(state="active"))
    return found.id


def _check(given: _Given, page: Page) -> None:
    """An error if the page does not take what is said of it."""
    said = [_judgement(rating) for rating in given.ratings]
    try:
        taken = page.taken(said, Answered())
        check_text(given.comment, "comment")
        for rating in given.ratings:
            check_text(rating.time, "time", 64)
    except InputError as error:
        raise InputError(f"{given.ratings[0].annotator} on {page.task} of {shown(page.usage)}: {error}") from None
    withdrawn = [sum(each.value == 0 for each in judgements) for judgements in (said, taken)]
    if page.rules.chooses and withdrawn[1] > withdrawn[0]:
        raise InputError(f"{given.ratings[0].annotator} chose more for {shown(page.usage)} than the study allows")


def _judgement(rating: Rating) -> Judgement:
    return Judgement(rating.target, None if rating.value != rating.value else rating.value)


def _assign(connection: Connection, study: Study, annotator: int, given: _Given) -> int:
    row = {"annotator": annotator, "page": given.page, "number": given.number, "role": given.role}
    slot = _free_slot(connection, study, given) if not given.role else None
    made = connection.execute(insert(ASSIGNMENT).values(**row, slot=slot).returning(ASSIGNMENT.c.id))
    return int(made.scalar_one())


def _free_slot(connection: Connection, study: Study, given: _Given) -> int | None:
    """Which of the judgements that are wanted of a page this is, where only so many are."""
    if study.overlap.design != "per item":
        return None
    held = select(ASSIGNMENT.c.slot).where(ASSIGNMENT.c.page == given.page, ASSIGNMENT.c.slot.is_not(None))
    taken = set(connection.execute(held).scalars())
    return next((slot for slot in range(1, study.overlap.judgements + 1) if slot not in taken), None)


def _append(connection: Connection, rows: list[Rating], who: Mapping[str, int], assignments: Mapping[int, int]) -> None:
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
            "milliseconds": None if rating.milliseconds is None else min(rating.milliseconds, MOST_MILLISECONDS),
            "client_time": "",
            "time": rating.time or now(),
        }
        for number, rating in enumerate(rows, start=1)
    ]
    if events:
        connection.execute(insert(EVENT), events)


def _comment(
    connection: Connection,
    places: Mapping[str, list[_Given]],
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
            "time": each.ratings[-1].time or now(),
        }
        for name, given in places.items()
        for each in given
        if each.comment
    ]
    if events:
        connection.execute(insert(EVENT), events)


def _mark(
    connection: Connection, given: list[_Given], numbered: Mapping[int, Page], assignments: Mapping[int, int]
) -> None:
    """Note which pages are complete."""
    for each in given:
        values = {rating.target: _judgement(rating).value for rating in each.ratings}
        if not numbered[each.page].missing(Answered(values)):
            mark(connection, assignments[id(each.ratings[0])], complete=True)
