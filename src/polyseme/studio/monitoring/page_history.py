"""The history of a page: all answers of annotators and decisions of managers, for adjudication."""

from __future__ import annotations

from dataclasses import dataclass

from polyseme.agreement.grouping import group_by
from polyseme.rating import ADJUDICATION
from polyseme.studio.store.records import StudyEvent, select_events
from polyseme.studio.store.schema import EVENT, PAGE
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import replay_events
from polyseme.studio.study.pages import Page, PageAnswers


@dataclass(frozen=True)
class AnnotatorAnswers:
    """The current answers of one annotator on a page.

    Args:
        annotator: The name of the annotator or manager.
        role: The role of the page for this annotator, as ``repeat`` or ``adjudication``.
        page_answers: The answers.
    """

    annotator: str
    role: str
    page_answers: PageAnswers


@dataclass(frozen=True)
class PageHistory:
    """A page with all its answers.

    Args:
        page: The page.
        answers: The current answers of each annotator; twice where a page is repeated.
        decisions: The current decision of each manager.
        events: All events, in order.
    """

    page: Page
    answers: tuple[AnnotatorAnswers, ...]
    decisions: tuple[AnnotatorAnswers, ...]
    events: tuple[StudyEvent, ...]

    def get_decision(self, manager: str) -> PageAnswers:
        """Return the decision of a manager so far."""
        return next((each.page_answers for each in self.decisions if each.annotator == manager), PageAnswers())


def read_page_history(store: Store, name: str) -> PageHistory:
    """Read the history of a page.

    Raises:
        KeyError: No page has this name.
    """
    page = store.page(name)
    with store.database.read() as connection:
        rows = connection.execute(select_events(EVENT).where(PAGE.c.name == name))
        events = [StudyEvent(*row) for row in rows]
    answers = []
    for _, group in sorted(group_by(events, lambda event: event.assignment).items()):
        kind = ADJUDICATION if group[0].role == ADJUDICATION else "rating"
        answers.append(AnnotatorAnswers(group[0].annotator, group[0].role, replay_events(group, kind)))
    return PageHistory(
        page,
        tuple(each for each in answers if each.role != ADJUDICATION),
        tuple(each for each in answers if each.role == ADJUDICATION),
        tuple(events),
    )
