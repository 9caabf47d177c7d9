"""The four annotation tasks: which answers they accept, and when a page is complete.

- WSsim (word sense similarity): a page shows a usage and all its senses; annotators rate each sense.
- Usim (usage similarity): a page shows a pair of usages; annotators rate it, or cannot decide.
- WSbest: a page shows a usage and all its senses; annotators choose the best sense, or several if the study allows it.
- SYNbest: a page shows a usage; annotators write the best substitute, or answer that there is none.

Erk, McCarthy & Gaylord (2013), §3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from polyseme.errors import InputError, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.studio.study.pages import Judgement, Page, TargetValues

NO_SUBSTITUTE = "-"
"""The target of SYNbest for "there is no substitute"; its value is ``None``."""

MAX_SUBSTITUTE_LENGTH = 100


@dataclass(frozen=True)
class RatingTask:
    """A task in which every target gets a value on the scale.

    Args:
        name: The name of the task in ratings and study files.
        pairs: Whether annotators judge pairs of usages; otherwise they judge the senses of a usage.
        is_choice: Whether annotators choose instead of rating.
    """

    name: str
    pairs: bool = False
    is_choice: bool = False

    @property
    def senses(self) -> bool:
        """Whether pages show the senses of the lemma."""
        return not self.pairs

    def accept(self, page: Page, judgements: Sequence[Judgement], values: TargetValues) -> list[Judgement]:
        """Check judgements; if a target has several, only the last is recorded.

        Raises:
            InputError: A target is not on the page, or a value is not on the scale.
        """
        for judgement in judgements:
            _check_target(page, judgement.target)
            _check_value(page, judgement.value)
        return list({judgement.target: judgement for judgement in judgements}.values())

    def missing_targets(self, page: Page, values: TargetValues) -> tuple[str, ...]:
        """List the targets without a value."""
        return tuple(target for target in page.targets if target not in values)

    def missing(self, page: Page, values: TargetValues) -> list[str]:
        """List the missing ratings, in words for the annotator."""
        targets = self.missing_targets(page, values)
        if self.pairs:
            return ["Rate how similar the two meanings are."] if targets else []
        return [f"Rate meaning {page.targets.index(target) + 1}." for target in targets]


@dataclass(frozen=True)
class ChoiceTask:
    """A task in which annotators choose a sense on the page, or write a substitute.

    Args:
        name: The name of the task in ratings and study files.
        senses: Whether annotators choose among the senses of the lemma; otherwise they write substitutes.
        pairs: Whether annotators judge pairs of usages.
        is_choice: Whether annotators choose instead of rating.
    """

    name: str
    senses: bool
    pairs: bool = False
    is_choice: bool = True

    def accept(self, page: Page, judgements: Sequence[Judgement], values: TargetValues) -> list[Judgement]:
        """Check choices, each 1 or withdrawn (0), and withdraw the earlier choices that they exclude.

        Raises:
            InputError: A target or a value is not allowed, or too many targets are chosen.
        """
        from polyseme.studio.study.pages import Judgement

        checked = [self._check(page, judgement) for judgement in judgements]
        last = checked[-1].target if checked else ""
        new_values = {**values, **{judgement.target: judgement.value for judgement in checked}}
        chosen = {target for target, value in new_values.items() if value != 0}
        if page.max_choices == 1 or last == NO_SUBSTITUTE:
            excluded = chosen - {last} if last in chosen else set()
        else:
            excluded = chosen & {NO_SUBSTITUTE}
            if (count := len(chosen - excluded)) > page.max_choices:
                raise InputError(f"{count_noun(count, 'answer')} are too many; choose at most {page.max_choices}")
        new = {judgement.target: judgement for judgement in checked if judgement.target not in excluded}
        return [*new.values(), *(Judgement(target, 0.0) for target in sorted(excluded))]

    def _check(self, page: Page, judgement: Judgement) -> Judgement:
        """Check a choice; a substitute is recorded with single blanks."""
        from polyseme.studio.study.pages import check_text

        target, value = judgement.target, judgement.value
        if self.senses:
            _check_target(page, target)
        else:
            target = check_text(" ".join(target.split()), "substitute", MAX_SUBSTITUTE_LENGTH)
        if not target:
            raise InputError(f"the substitute is empty; write a word, or {NO_SUBSTITUTE!r} if no word fits")
        is_none = target == NO_SUBSTITUTE and not self.senses
        if value not in ((None, 0) if is_none else (0, 1)):
            allowed = "null (there is no substitute)" if is_none else "1 (chosen)"
            raise InputError(f"the value {quote_value(value)} is not a choice; allowed are {allowed} and 0 (withdrawn)")
        return replace(judgement, target=target)

    def missing_targets(self, page: Page, values: TargetValues) -> tuple[str, ...]:
        """List all targets, if none is chosen."""
        return () if any(value != 0 for value in values.values()) else page.targets or ("",)

    def missing(self, page: Page, values: TargetValues) -> list[str]:
        """Ask for a choice, in words for the annotator."""
        if not self.missing_targets(page, values):
            return []
        if self.senses:
            return ["Choose the meaning that fits best."]
        return ["Write a word or phrase, or tick “No word fits”."]


def _check_target(page: Page, target: str) -> None:
    if target not in page.targets:
        allowed = ", ".join(page.targets)
        raise InputError(f"{quote_value(target)} is not on this page; allowed are {allowed}")


def _check_value(page: Page, value: float | None) -> None:
    scale = page.scale
    allowed = f"a whole number from {scale.lowest} to {scale.highest}"
    if value is None and not page.undecided:
        raise InputError(f"this task does not accept 'cannot decide'; allowed is {allowed}")
    if value is not None and not (value == value and scale.allows(value)):
        raise InputError(f"the value {quote_value(value)} is not on the scale; allowed is {allowed}")


AnnotationTask = RatingTask | ChoiceTask

TASKS: Mapping[str, AnnotationTask] = {
    task.name: task
    for task in (
        RatingTask("WSsim"),
        RatingTask("Usim", pairs=True),
        ChoiceTask("WSbest", senses=True),
        ChoiceTask("SYNbest", senses=False),
    )
}
"""The tasks by name, in the order in which tables list them."""
