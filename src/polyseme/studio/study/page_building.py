"""One page made of what it shows, and the problems that are found while pages are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from polyseme.errors import PolysemeError
from polyseme.inventory import Inventory, Sense
from polyseme.rating import CHOICE
from polyseme.settings import suggest_name
from polyseme.studio.study.pages import Page, Passage
from polyseme.studio.study.settings import Study
from polyseme.studio.study.tasks import TASKS

Value = TypeVar("Value")


@dataclass
class PageDraft:
    """The pages of a study, and what is wrong with it, in words; it is used only if nothing is."""

    pages: list[Page] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def attempt(self, make: Callable[[], Value], where: str) -> Value | None:
        """What is made, or a problem."""
        try:
            return make()
        except PolysemeError as error:
            self.problems.append(f"{where}: {error}")
            return None


def describe_missing_senses(study: Study, lemma: str, senses: Inventory) -> str:
    """What to say where a lemma has no senses."""
    near = suggest_name(lemma, tuple(senses)) if len(senses) < 100_000 else ""
    form = "; a lemma is written with its part of speech, as win.v" if "." not in lemma else ""
    return f"[items] senses: {lemma} has no senses in {study.items.senses}{form}{near}"


def build_page(
    study: Study, task: str, round: str, lemma: str, passages: tuple[Passage, ...], senses: Sequence[Sense]
) -> Page:
    """A page of this task."""
    rules = TASKS[task]
    of_senses = max(1, len(senses)) if study.items.several else 1
    most = 1 if not rules.is_choice else of_senses if rules.senses else study.items.substitutes
    return Page(
        name="/".join([*([round] if round else []), task, *(each.usage for each in passages)]),
        task=task,
        round=round,
        lemma=lemma,
        passages=passages,
        senses=tuple(_strip_sense(sense) for sense in senses) if rules.senses else (),
        scale=CHOICE if rules.is_choice else study.scale,
        max_choices=most,
        undecided=task in study.undecided,
    )


def _strip_sense(sense: Sense) -> Sense:
    """A sense with no more than is shown of it."""
    return Sense(sense.id, sense.lemma, sense.gloss, sense.synonyms, sense.examples)
