"""A page as one annotator sees it."""

from __future__ import annotations

from dataclasses import dataclass

from polyseme.studio.study.pages import Page, PageAnswers, TargetFeedback


@dataclass(frozen=True)
class AssignedPage:
    """An assignment with its page and answers.

    Args:
        assignment: The id of the assignment.
        number: The position in the annotator's order, from 1.
        total: The expected number of pages of this annotator.
        page: The page.
        role: Empty, ``repeat``, ``control`` or ``training``; annotators must not learn of the first two.
        answers: The current answers.
        complete: Whether the page needs no more answers.
    """

    assignment: int
    number: int
    total: int
    page: Page
    role: str
    answers: PageAnswers
    complete: bool

    @property
    def missing(self) -> list[str]:
        """The answers that are missing, in words."""
        return self.page.missing(self.answers)

    @property
    def feedback(self) -> list[TargetFeedback]:
        """The right answers beside the annotator's, on a complete training page; otherwise empty."""
        return self.page.feedback(self.answers) if self.role == "training" and self.complete else []
