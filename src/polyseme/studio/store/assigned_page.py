"""A page as one annotator sees it."""

from __future__ import annotations

from dataclasses import dataclass

from polyseme.studio.study.pages import Page, PageAnswers, TargetFeedback


@dataclass(frozen=True)
class AssignedPage:
    """One assignment with its page and what was answered.

    ``number`` is its place in the annotator's order, from 1, ``of`` how many there will be, as far as is known.
    ``role`` is empty, ``repeat``, ``control`` or ``training``; only the last may be shown.
    """

    assignment: int
    number: int
    of: int
    page: Page
    role: str
    answered: PageAnswers
    complete: bool

    @property
    def missing(self) -> list[str]:
        """What is still missing, in words."""
        return self.page.missing(self.answered)

    @property
    def feedback(self) -> list[TargetFeedback]:
        """In training, once the page is complete, the right answers beside those given; else nothing."""
        return self.page.feedback(self.answered) if self.role == "training" and self.complete else []
