"""Import of judgements into a study, from the long table of an export or of another tool.

The import adds the annotators to the study. The pages that they judged become their assignments. Their judgements
become events in the order of the table, so a later export writes the same table. Authors of decisions become managers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select, update

from polyseme.errors import InputError, count_noun, quote_value
from polyseme.rating import ADJUDICATION, Rating
from polyseme.studio.assignment.slots import find_free_slots
from polyseme.studio.store import annotators
from polyseme.studio.store.database import utc_timestamp
from polyseme.studio.store.schema import ANNOTATOR, ASSIGNMENT, PAGE
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import MAX_MILLISECONDS, MAX_TIME_LENGTH, page_from_row, write_events
from polyseme.studio.study.pages import Judgement, Page, PageAnswers, check_text
from polyseme.studio.study.settings import Study

MAX_NUMBER = 10**7
"""The highest position in an annotator's order."""
PAGE_ROLES = ("control", "training")
"""The roles of pages; a repeat is an ordinary page that an annotator sees again."""

PageIdentity = tuple[str, str, str, str, str]
"""The content of a page: task, round, usage, the other usage of a pair, role."""


class ImportCounts(NamedTuple):
    """The numbers of imported judgements and of their annotators."""

    judgements: int
    annotators: int


@dataclass
class _ImportedPage:
    """A page as one annotator judged it.

    Args:
        id: The id of the page.
        page: The page.
        role: The role in which the annotator judged it.
        number: Its position in the annotator's order; 0 if unknown.
        ratings: The ratings of the annotator on it.
    """

    id: int
    page: Page
    role: str
    number: int
    ratings: list[Rating] = field(default_factory=list)

    @property
    def comment(self) -> str:
        """The comment of the annotator; usually all ratings of a page have the same one."""
        return "\n".join(dict.fromkeys(filter(None, (rating.comment for rating in self.ratings))))

    def check(self) -> None:
        """Check the ratings.

        Raises:
            InputError: The page does not accept them.
        """
        judgements, annotator = [_judgement(rating) for rating in self.ratings], self.ratings[0].annotator
        item = f"{self.page.task} of {quote_value(self.page.usage)}"
        try:
            accepted = self.page.accept(judgements, PageAnswers())
            check_text(self.comment, "comment")
            for rating in self.ratings:
                check_text(rating.time, "time", MAX_TIME_LENGTH)
        except InputError as error:
            raise InputError(f"{annotator} on {item}: {error}") from None
        before, after = (sum(each.value == 0 for each in part) for part in (judgements, accepted))
        if self.page.rules.is_choice and after > before:
            raise InputError(f"{annotator} chose more in {item} than the study allows; remove some choices")


def import_ratings(store: Store, ratings: Iterable[Rating]) -> ImportCounts:
    """Import judgements into a study: all of them, or none.

    Raises:
        InputError: A judgement does not fit a page of the study or its scale, or an annotator has pages already.
    """
    rows, study = list(ratings), store.study
    with store.database.write() as connection:
        pages = {row.id: page_from_row(row) for row in connection.execute(select(PAGE))}
        owners: dict[int, dict[str, int]] = {}  # of each rating, its annotator and its assignment
        comments: list[dict[str, Any]] = []
        by_annotator = _group_by_page(rows, pages)
        for name, imported in by_annotator.items():
            annotator = _add_annotator(connection, study, name, imported)
            for page in imported:
                page.check()
                owner = {"annotator": annotator, "assignment": _assign(connection, study, annotator, page)}
                owners |= {id(rating): owner for rating in page.ratings}
                if page.comment:
                    last = page.ratings[-1]._replace(milliseconds=None)
                    text = {"kind": "comment", "target": "", "value": None, "text": page.comment, "request": "import"}
                    comments.append({**_build_event(last, owner), **text})
        events = [
            {**_build_event(rating, owners[id(rating)]), "request": f"import {number}"}
            for number, rating in enumerate(rows, start=1)
        ]
        write_events(connection, [*events, *comments])
        annotators.write_audit_entry(connection, "", f"imported {count_noun(len(rows), 'judgement')}")
    return ImportCounts(len(rows), len(by_annotator))


def _group_by_page(rows: Iterable[Rating], pages: Mapping[int, Page]) -> dict[str, list[_ImportedPage]]:
    """Group ratings by annotator and page, in the order in which the annotator saw the pages."""
    ids = {(page.task, page.round, page.usage, page.other, page.role): id for id, page in pages.items()}
    rounds = {page.round for page in pages.values() if not page.role}
    groups: dict[str, dict[object, _ImportedPage]] = {}
    for rating in rows:
        id = _find_page(rating, ids, rounds)
        key = (id, rating.role) if rating.order is None else rating.order
        new = _ImportedPage(id, pages[id], rating.role, rating.order or 0)
        page = groups.setdefault(rating.annotator, {}).setdefault(key, new)
        if (page.id, page.role) != (id, rating.role) or not 0 <= page.number < MAX_NUMBER:
            problem = f"{quote_value(rating.annotator)} has {quote_value(rating.usage)} at position {rating.order}"
            raise InputError(f"{problem}, which is invalid or belongs to another page; remove the column order")
        page.ratings.append(rating)
    return {annotator: _number_pages(list(group.values())) for annotator, group in groups.items()}


def _number_pages(imported: list[_ImportedPage]) -> list[_ImportedPage]:
    """Number the pages that have no position, after the others."""
    last = max(page.number for page in imported)
    for page in imported:
        if not page.number:
            last = page.number = last + 1
    return imported


def _find_page(rating: Rating, ids: Mapping[PageIdentity, int], rounds: set[str]) -> int:
    """Find the page of a rating; a rating without a round belongs to the only round."""
    role = rating.role if rating.role in PAGE_ROLES else ""
    other = rating.target if rating.task == "Usim" else ""
    for round_name in [rating.round, *(rounds if not rating.round and len(rounds) == 1 else [])]:
        if (id := ids.get((rating.task, round_name, rating.usage, other, role))) is not None:
            return id
    item = f"{rating.task} of {quote_value(rating.usage)}{f' and {quote_value(other)}' if other else ''}"
    in_round = f" in round {quote_value(rating.round)}" if rating.round or len(rounds) > 1 else ""
    problem = f"no page of the study asks for {item}{in_round}"
    raise InputError(f"{problem}; remove this judgement")


def _add_annotator(connection: Connection, study: Study, name: str, imported: Sequence[_ImportedPage]) -> int:
    """Add an annotator, or the manager of decisions, unless the name exists; return the id."""
    roles = {page.role == ADJUDICATION for page in imported}
    if len(roles) > 1:
        problem = f"{quote_value(name)} has judgements and decisions, but only managers decide, and they do not judge"
        raise InputError(f"{problem}; give the decisions another name")
    decides = roles == {True}
    if connection.execute(select(ANNOTATOR.c.id).where(ANNOTATOR.c.name == name)).first() is None:
        kind, group = ("manager", "") if decides else ("annotator", imported[0].ratings[0].group)
        annotators.insert_annotator(connection, study, name, group, kind, "")
    annotator = annotators.get_annotator(connection, name)
    pages = select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.annotator == annotator.id)
    if annotator.is_manager != decides or connection.execute(pages).first():
        raise InputError(f"{quote_value(name)} already manages this study or has pages in it; rename one of the two")
    if not decides:
        connection.execute(update(ANNOTATOR).where(ANNOTATOR.c.id == annotator.id).values(state="active"))
    return annotator.id


def _assign(connection: Connection, study: Study, annotator: int, imported: _ImportedPage) -> int:
    """Assign a page that an annotator has judged; return the id of the assignment."""
    is_limited = study.overlap.design == "per item" and not imported.role
    slots = find_free_slots(connection, [imported.id], study.overlap.judgements)[imported.id] if is_limited else []
    values = {judgement.target: judgement.value for judgement in map(_judgement, imported.ratings)}
    row = {"annotator": annotator, "page": imported.id, "number": imported.number, "role": imported.role}
    row |= {"slot": slots[0] if slots else None, "complete": not imported.page.missing(PageAnswers(values))}
    return int(connection.execute(insert(ASSIGNMENT).values(row).returning(ASSIGNMENT.c.id)).scalar_one())


def _judgement(rating: Rating) -> Judgement:
    return Judgement(rating.target, None if rating.value != rating.value else rating.value)


def _build_event(rating: Rating, owner: Mapping[str, int]) -> dict[str, Any]:
    """Build the event of a rating."""
    return {
        **owner,
        "kind": ADJUDICATION if rating.role == ADJUDICATION else "rating",
        "target": rating.target,
        "value": _judgement(rating).value,
        "text": "",
        "milliseconds": None if rating.milliseconds is None else min(rating.milliseconds, MAX_MILLISECONDS),
        "client_time": "",
        "time": rating.time or utc_timestamp(),
    }
