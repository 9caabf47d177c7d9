"""Pages, which annotators see and judge one at a time, and their answers.

Only this module and :mod:`polyseme.studio.study.tasks` decide which answers a page accepts, what they change, and when
the page is complete. The browser only sends clicks and displays the replies of the server.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from polyseme.errors import InputError, quote_value
from polyseme.inventory import Sense
from polyseme.rating import WSSIM, Scale
from polyseme.studio.study.tasks import TASKS, AnnotationTask

INVALID_REASONS = {
    "wrong part of speech": "Wrong part of speech, such as a verb instead of a noun",
    "fixed expression": "The word is part of a fixed expression",
    "unclear": "I do not understand the text",
    "no sense fits": "No meaning fits",
    "other": "Another problem",
}
"""Reason why a usage is invalid → its words for annotators. Programs can send other reasons."""

MAX_TEXT_LENGTH = 10_000
"""Characters in a comment or a reason."""

TargetValues = Mapping[str, float | None]
"""Target → value; ``None`` where the annotator cannot decide."""


@dataclass(frozen=True)
class Judgement:
    """A client's judgement of one target of a page; the value ``None`` means "cannot decide"."""

    target: str
    value: float | None


@dataclass(frozen=True)
class PageAnswers:
    """The current answers of an annotator on a page.

    Args:
        values: The value of each target; in WSbest and SYNbest 1 if it is chosen, 0 if it was withdrawn.
        comment: The annotator's comment.
        invalid: Why the usage is invalid; empty if it is valid.
    """

    values: TargetValues = field(default_factory=dict)
    comment: str = ""
    invalid: str = ""

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen targets of WSbest and SYNbest: all that are not withdrawn."""
        return tuple(target for target, value in self.values.items() if value != 0)


@dataclass(frozen=True)
class Passage:
    """A usage as a page displays it.

    Args:
        usage: The name of the usage.
        text: The displayed text.
        start: The offset in the text at which the target begins.
        end: The offset at which the target ends.
        before: More context before the text, displayed on demand.
        after: More context after the text, displayed on demand.

    >>> Passage("win.v.1", "We won the cup.", 3, 6).target
    'won'
    """

    usage: str
    text: str
    start: int
    end: int
    before: str = ""
    after: str = ""

    @property
    def target(self) -> str:
        """The target word, which pages highlight."""
        return self.text[self.start : self.end]

    @property
    def left(self) -> str:
        """The displayed text before the target."""
        return self.text[: self.start]

    @property
    def right(self) -> str:
        """The displayed text after the target."""
        return self.text[self.end :]

    def cut_context(self, length: int) -> tuple[str, str, str]:
        """Return a concordance line: the target between this many characters on either side."""
        left = self.left if len(self.left) <= length else f"…{self.left[-length:]}"
        right = self.right if len(self.right) <= length else f"{self.right[:length]}…"
        return left, self.target, right

    @property
    def wider(self) -> bool:
        """Whether there is more context to display on demand."""
        return bool(self.before or self.after)


class TargetFeedback(NamedTuple):
    """Feedback on one target, for annotators in training."""

    target: str
    answer: float | None
    right: float | None
    good: bool


@dataclass(frozen=True)
class Page:
    """A page: a usage with the senses of its lemma, a pair of usages, or a usage alone.

    Annotators must not see ``role`` and ``right``, except on training pages that are complete.

    Args:
        name: The name of the page, unique in its study.
        task: The name of the task.
        round: The name of the round; empty for control and training pages.
        lemma: The lemma of the usages.
        passages: The usage, or both usages of a pair.
        senses: The senses that the page displays.
        scale: The values that ratings can have.
        max_choices: How many senses or substitutes an annotator may choose.
        undecided: Whether "cannot decide" is an answer.
        role: Empty, ``control`` or ``training``.
        right: The right answers of a control or training page.
        tolerance: How far a rating may be from the right answer.
    """

    name: str
    task: str
    round: str
    lemma: str
    passages: tuple[Passage, ...]
    senses: tuple[Sense, ...] = ()
    scale: Scale = WSSIM
    max_choices: int = 1
    undecided: bool = False
    role: str = ""
    right: TargetValues = field(default_factory=dict)
    tolerance: float = 0.0

    @property
    def rules(self) -> AnnotationTask:
        """The rules of the task."""
        return TASKS[self.task]

    @property
    def usage(self) -> str:
        """The name of the judged usage."""
        return self.passages[0].usage

    @property
    def other(self) -> str:
        """The name of the second usage of a pair; empty if there is none."""
        return self.passages[1].usage if len(self.passages) > 1 else ""

    @property
    def several(self) -> bool:
        """Whether annotators may choose several targets."""
        return self.max_choices > 1

    @property
    def targets(self) -> tuple[str, ...]:
        """The senses, or the other usage; empty where annotators write substitutes."""
        return tuple(sense.id for sense in self.senses) or ((self.other,) if self.other else ())

    def accept(self, judgements: Sequence[Judgement], answers: PageAnswers) -> list[Judgement]:
        """Check a client's judgements, and add the withdrawal of earlier choices that they exclude.

        Args:
            judgements: The judgements that a client sends.
            answers: The current answers.

        Returns:
            The judgements to record.

        Raises:
            InputError: A target is not on this page, or a value is not on its scale.
        """
        return self.rules.accept(self, judgements, answers.values)

    def missing_targets(self, answers: PageAnswers) -> tuple[str, ...]:
        """List the targets that still need an answer; in WSbest all senses, if none is chosen."""
        return () if answers.invalid else self.rules.missing_targets(self, answers.values)

    def missing(self, answers: PageAnswers) -> list[str]:
        """List the missing answers, in words for the annotator; empty if the page is complete."""
        return [] if answers.invalid else self.rules.missing(self, answers.values)

    def feedback(self, answers: PageAnswers) -> list[TargetFeedback]:
        """Compare answers with the right ones, on training and control pages."""
        wrong = [target for target in answers.chosen if self.rules.is_choice and target not in self.right]
        return [self._compare(target, answers) for target in (*self.right, *wrong)]

    def _compare(self, target: str, answers: PageAnswers) -> TargetFeedback:
        """Compare the answer for one target with the right one."""
        absent, tolerance = (0.0, 0.0) if self.rules.is_choice else (math.inf, self.tolerance)
        answer, right = answers.values.get(target, absent), self.right.get(target, absent)
        within_tolerance = answer is not None and right is not None and abs(answer - right) <= tolerance
        passed = not answers.invalid and (answer == right or within_tolerance)
        return TargetFeedback(target, None if answer == math.inf else answer, right, passed)

    def content(self) -> dict[str, Any]:
        """Return the content that the store saves as JSON beside its own columns; :meth:`from_content` reads it."""
        senses = [{name: getattr(sense, name) for name in SENSE_FIELDS} for sense in self.senses]
        return {
            "passages": [asdict(passage) for passage in self.passages],
            "senses": senses,
            "scale": asdict(self.scale),
            "most": self.max_choices,
            "undecided": self.undecided,
            "right": dict(self.right),
            "tolerance": self.tolerance,
        }

    @classmethod
    def from_content(cls, name: str, task: str, round: str, lemma: str, role: str, content: Mapping[str, Any]) -> Page:
        """Build the page with this content."""
        scale = content["scale"]
        return cls(
            name,
            task,
            round,
            lemma,
            tuple(Passage(**passage) for passage in content["passages"]),
            tuple(
                Sense(sense["id"], lemma, sense["gloss"], tuple(sense["synonyms"]), tuple(sense["examples"]))
                for sense in content["senses"]
            ),
            Scale(scale["lowest"], tuple(scale["labels"])),
            content["most"],
            content["undecided"],
            role,
            content["right"],
            content["tolerance"],
        )


SENSE_FIELDS = ("id", "gloss", "synonyms", "examples")
"""The fields of a sense that pages display."""


def check_text(text: str, noun: str, limit: int = MAX_TEXT_LENGTH) -> str:
    """Return a text, if the store can save it unchanged.

    Args:
        text: The text.
        noun: A noun for the text in error messages.
        limit: The maximum number of characters.

    Raises:
        InputError: The text is too long, or contains a character that databases cannot store.
    """
    if len(text) > limit:
        raise InputError(f"the {noun} has {len(text):,} characters, and at most {limit:,} fit; shorten it")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"the {noun} {quote_value(text)} contains an invalid character; remove it")
    return text
