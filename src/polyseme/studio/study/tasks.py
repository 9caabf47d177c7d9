"""The four tasks: what an answer is, what it changes, and when there are enough. (Erk, McCarthy & Gaylord 2013, §3)

=======  ============================  ==================================================
WSsim    a usage and all its senses    a rating for each sense
Usim     a pair of usages              a rating, or "cannot decide"
WSbest   a usage and all its senses    the best sense; several only where the study says so
SYNbest  a usage                       the best substitute, or that there is none
=======  ============================  ==================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from polyseme.errors import InputError, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.studio.study.pages import Judgement, Page, TargetValues

NO_SUBSTITUTE = "-"
"""The target of SYNbest that says that no word could stand there: its value is ``None``."""

MAX_SUBSTITUTE_LENGTH = 100


class AnnotationTask(Protocol):
    """What a task asks for; it never changes."""

    @property
    def name(self) -> str:
        """As ratings call it."""
        ...

    @property
    def senses(self) -> bool:
        """Whether the senses of the lemma are shown."""
        ...

    @property
    def pairs(self) -> bool:
        """Whether two usages are shown."""
        ...

    @property
    def is_choice(self) -> bool:
        """Whether something is chosen, and not rated."""
        ...

    def accept(self, page: Page, judgements: Sequence[Judgement], values: TargetValues) -> list[Judgement]:
        """What is to be recorded of what a client sends, beside these current values."""
        ...

    def missing_targets(self, page: Page, values: TargetValues) -> tuple[str, ...]:
        """The targets that still want an answer."""
        ...

    def missing(self, page: Page, values: TargetValues) -> list[str]:
        """What is missing, in words."""
        ...


@dataclass(frozen=True)
class RatingTask:
    """Every target gets a value on the scale."""

    name: str
    pairs: bool = False
    is_choice: bool = False

    @property
    def senses(self) -> bool:
        """Whether the targets are senses."""
        return not self.pairs

    def accept(self, page: Page, judgements: Sequence[Judgement], values: TargetValues) -> list[Judgement]:
        """The judgements as they are, if they are allowed; of several of one target the last."""
        for judgement in judgements:
            _check_target(page, judgement.target)
            self._check_value(page, judgement.value)
        return list({judgement.target: judgement for judgement in judgements}.values())

    def _check_value(self, page: Page, value: float | None) -> None:
        scale = page.scale
        allowed = f"a whole number from {scale.lowest} to {scale.highest}"
        if value is None and not page.undecided:
            raise InputError(f"'cannot decide' is no answer here; allowed is {allowed}")
        if value is not None and not (value == value and scale.allows(value)):
            raise InputError(f"the value {quote_value(value)} is not on the scale; allowed is {allowed}")

    def missing_targets(self, page: Page, values: TargetValues) -> tuple[str, ...]:
        """The targets without a value."""
        return tuple(target for target in page.targets if target not in values)

    def missing(self, page: Page, values: TargetValues) -> list[str]:
        """Which senses are not rated, or that the pair is not."""
        if self.pairs:
            return ["Say how similar in meaning the two are."] if self.missing_targets(page, values) else []
        places = {target: number for number, target in enumerate(page.targets, start=1)}
        return [f"Sense {places[target]} is not rated yet." for target in self.missing_targets(page, values)]


@dataclass(frozen=True)
class ChoiceTask:
    """Something is chosen: a sense that is shown, or a substitute that the annotator writes."""

    name: str
    senses: bool
    pairs: bool = False
    is_choice: bool = True

    def accept(self, page: Page, judgements: Sequence[Judgement], values: TargetValues) -> list[Judgement]:
        """The choices, each 1 or withdrawn (0), and the withdrawal of what cannot stand beside them."""
        given = [self._checked(page, judgement) for judgement in judgements]
        said = {judgement.target: judgement for judgement in given}
        last = given[-1].target if given else ""
        kept = {
            target
            for target, value in (dict(values) | {each.target: each.value for each in given}).items()
            if value != 0
        }
        if page.max_choices == 1 or last == NO_SUBSTITUTE:
            dropped = kept - {last} if last in kept else set()
        else:
            dropped = kept & {NO_SUBSTITUTE}
            if len(kept - dropped) > page.max_choices:
                raise InputError(
                    f"{count_noun(len(kept - dropped), 'answer')} are chosen; allowed are at most {page.max_choices}"
                )
        return self._with(said, dropped)

    def _with(self, said: Mapping[str, Judgement], dropped: set[str]) -> list[Judgement]:
        from polyseme.studio.study.pages import Judgement

        return [
            *(judgement for target, judgement in said.items() if target not in dropped),
            *(Judgement(target, 0.0) for target in sorted(dropped)),
        ]

    def _checked(self, page: Page, judgement: Judgement) -> Judgement:
        from polyseme.studio.study.pages import Judgement, check_text

        target, value = judgement.target, judgement.value
        if self.senses:
            _check_target(page, target)
        else:
            target = check_text(" ".join(target.split()), "substitute", MAX_SUBSTITUTE_LENGTH)
        if not target:
            raise InputError(f"the substitute is empty; write a word, or {NO_SUBSTITUTE!r} if there is none")
        nothing = target == NO_SUBSTITUTE and not self.senses
        if value not in ((None, 0) if nothing else (0, 1)):
            allowed = "null (there is no substitute) or 0" if nothing else "1 (chosen) or 0"
            raise InputError(f"the value {quote_value(value)} is no choice; allowed is {allowed} (withdrawn)")
        return Judgement(target, value)

    def missing_targets(self, page: Page, values: TargetValues) -> tuple[str, ...]:
        """All targets, if none is chosen."""
        return () if any(value != 0 for value in values.values()) else page.targets or ("",)

    def missing(self, page: Page, values: TargetValues) -> list[str]:
        """That nothing is chosen."""
        if not self.missing_targets(page, values):
            return []
        if self.senses:
            return ["Choose the sense that fits best."]
        return ["Write a word that could stand here, or say that there is none."]


def _check_target(page: Page, target: str) -> None:
    if target not in page.targets:
        raise InputError(f"{quote_value(target)} is not judged on this page; allowed are {', '.join(page.targets)}")


TASKS: Mapping[str, AnnotationTask] = {
    task.name: task
    for task in (
        RatingTask("WSsim"),
        RatingTask("Usim", pairs=True),
        ChoiceTask("WSbest", senses=True),
        ChoiceTask("SYNbest", senses=False),
    )
}
"""The tasks by name."""
