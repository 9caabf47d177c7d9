"""What is shown and judged at once: a page, and the answers that belong to it.

Which answers a page takes, what they change and when it is complete is decided here and in
:mod:`polyseme.studio.study.tasks`, and nowhere else: the browser only sends clicks and shows what the server says.
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

INVALID_REASONS = ("wrong part of speech", "fixed expression", "unclear", "no sense fits")
"""Why a usage may be invalid; other words are allowed, too."""

MAX_TEXT_LENGTH = 10_000
"""Characters in a comment or a reason."""

TargetValues = Mapping[str, float | None]
"""Target → value; ``None`` where the annotator could not decide."""


@dataclass(frozen=True)
class Judgement:
    """What a client sends for one target of a page; the value ``None`` says: cannot decide."""

    target: str
    value: float | None


@dataclass(frozen=True)
class PageAnswers:
    """The current state of a page for an annotator.

    Of WSbest and SYNbest, what is chosen has the value 1, what was withdrawn 0. ``invalid`` is why the usage is
    invalid, empty if it is not.
    """

    values: TargetValues = field(default_factory=dict)
    comment: str = ""
    invalid: str = ""

    @property
    def chosen(self) -> tuple[str, ...]:
        """What is chosen, of WSbest and SYNbest: all but what was withdrawn."""
        return tuple(target for target, value in self.values.items() if value != 0)


@dataclass(frozen=True)
class Passage:
    """A usage as it is shown: ``text[start:end]`` is the target; ``before`` and ``after`` are shown on demand.

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
        """The word itself, which is highlighted."""
        return self.text[self.start : self.end]

    @property
    def left(self) -> str:
        """What is shown before the target."""
        return self.text[: self.start]

    @property
    def right(self) -> str:
        """What is shown after the target."""
        return self.text[self.end :]

    @property
    def wider(self) -> bool:
        """Whether there is more context to be shown on demand."""
        return bool(self.before or self.after)


class TargetFeedback(NamedTuple):
    """What an annotator in training is told of one target."""

    target: str
    answer: float | None
    right: float | None
    good: bool


@dataclass(frozen=True)
class Page:
    """What is shown and judged at once: a usage with the senses of its lemma, a pair of usages, or a usage alone.

    ``most`` is how many senses or substitutes may be chosen, ``undecided`` whether "cannot decide" is an answer;
    ``role`` is that of the page itself: empty, ``control`` or ``training``, and then ``right`` has the right answers
    and ``tolerance`` says how far from these a rating may be. Annotators must not see ``role`` and ``right``, but in
    training, when the page is complete.
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
        """What the task asks for."""
        return TASKS[self.task]

    @property
    def usage(self) -> str:
        """The usage that is judged."""
        return self.passages[0].usage

    @property
    def other(self) -> str:
        """The second usage of a pair; empty if there is none."""
        return self.passages[1].usage if len(self.passages) > 1 else ""

    @property
    def several(self) -> bool:
        """Whether several may be chosen."""
        return self.max_choices > 1

    @property
    def targets(self) -> tuple[str, ...]:
        """What is judged: the senses, or the other usage; nothing where the annotator writes a substitute."""
        return tuple(sense.id for sense in self.senses) or ((self.other,) if self.other else ())

    def accept(self, judgements: Sequence[Judgement], answered: PageAnswers) -> list[Judgement]:
        """What is to be recorded of what a client sends: checked, tidied, and with what it withdraws.

        A target that is not of this page, or a value off the scale, is an :class:`~polyseme.errors.InputError`.
        """
        return self.rules.accept(self, judgements, answered.values)

    def missing_targets(self, answered: PageAnswers) -> tuple[str, ...]:
        """The targets that still want an answer; of WSbest all senses, if none is chosen."""
        return () if answered.invalid else self.rules.missing_targets(self, answered.values)

    def missing(self, answered: PageAnswers) -> list[str]:
        """What is still missing, in words for the annotator; nothing if the page is complete."""
        return [] if answered.invalid else self.rules.missing(self, answered.values)

    def feedback(self, answered: PageAnswers) -> list[TargetFeedback]:
        """The right answers beside those that were given, for training and control pages."""
        wanted = [
            *self.right,
            *(target for target in answered.chosen if self.rules.is_choice and target not in self.right),
        ]
        return [self._feedback(target, answered) for target in wanted]

    def _feedback(self, target: str, answered: PageAnswers) -> TargetFeedback:
        absent = 0.0 if self.rules.is_choice else math.inf
        given, right = answered.values.get(target, absent), self.right.get(target, absent)
        tolerance = 0.0 if self.rules.is_choice else self.tolerance
        near = given is not None and right is not None and abs(given - right) <= tolerance
        good = not answered.invalid and (given == right or near)
        return TargetFeedback(target, None if given == math.inf else given, right, good)

    def content(self) -> dict[str, Any]:
        """What the store keeps as JSON, besides its own columns; :meth:`from_content` reads it back."""
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
        """The page that gave this content."""
        return cls(
            name,
            task,
            round,
            lemma,
            tuple(Passage(**each) for each in content["passages"]),
            tuple(_sense_from_content(each, lemma) for each in content["senses"]),
            Scale(content["scale"]["lowest"], tuple(content["scale"]["labels"])),
            content["most"],
            content["undecided"],
            role,
            content["right"],
            content["tolerance"],
        )


SENSE_FIELDS = ("id", "gloss", "synonyms", "examples")
"""What is shown of a sense."""


def _sense_from_content(given: Mapping[str, Any], lemma: str) -> Sense:
    return Sense(given["id"], lemma, given["gloss"], tuple(given["synonyms"]), tuple(given["examples"]))


def check_text(text: str, what: str, longest: int = MAX_TEXT_LENGTH) -> str:
    """The text, if it can be stored as it is; an error if it is too long or holds what no database can."""
    if len(text) > longest:
        raise InputError(f"the {what} has {len(text):,} characters; at most {longest:,} can be saved. Shorten it")
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"the {what} {quote_value(text)} holds a character that is none; leave it out")
    return text
