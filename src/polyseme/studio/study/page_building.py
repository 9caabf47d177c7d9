"""Building of single pages, and the draft that collects the pages and the problems of a study."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from polyseme.errors import InputError, PolysemeError
from polyseme.inventory import Inventory, Sense
from polyseme.rating import CHOICE
from polyseme.settings import suggest_name
from polyseme.studio.study.pages import Page, Passage
from polyseme.studio.study.passages import EXTRA_SENTENCES, NO_CONTEXT, build_passage
from polyseme.studio.study.settings import Study
from polyseme.studio.study.sources import StudyUsages, load_study_inventory, load_study_usages
from polyseme.studio.study.tasks import TASKS
from polyseme.usage import Usage

Value = TypeVar("Value")


@dataclass
class PageDraft:
    """The pages of a study and its problems, while pages are drawn; a study with problems cannot start.

    Args:
        study: The study.
        senses: The senses that its pages display.
        pages: The pages so far.
        problems: The problems of the study, in words.
    """

    study: Study
    senses: Inventory = field(default_factory=lambda: Inventory([]))
    pages: list[Page] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def attempt(self, action: Callable[[], Value], key: str) -> Value | None:
        """Run an action; an error becomes a problem with a key of the study file."""
        try:
            return action()
        except PolysemeError as error:
            self.problems.append(f"{key}: {error}")
            return None

    def load_senses(self) -> None:
        """Load the senses, if a task displays senses."""
        tasks, source = [task for task in self.study.tasks if TASKS[task].senses], self.study.items.senses
        if tasks and not source:
            problem = f"[items] senses is missing, but pages of {' and '.join(tasks)} show senses"
            self.problems.append(f'{problem}; write senses = "wordnet-3.0", or name a file of senses')
        elif tasks:
            senses = self.attempt(lambda: load_study_inventory(source, self.study.folder), "[items] senses")
            self.senses = self.senses if senses is None else senses

    def load_usages(self, source: str, lemmas: tuple[str, ...], key: str) -> StudyUsages | None:
        """Load usages with the context that pages display; ``None`` and a problem if there are none."""
        width = self.study.items.context + EXTRA_SENTENCES
        return self.attempt(lambda: load_study_usages(source, self.study.folder, lemmas, width), key)

    def build_passages(self, loaded: StudyUsages, usages: Iterable[Usage]) -> list[Passage]:
        """Cut the passages of usages out of their context."""
        width = self.study.items.context
        return [build_passage(usage, width, loaded.contexts.get(usage.id, NO_CONTEXT)) for usage in usages]

    def find_senses(self, task: str, lemma: str) -> tuple[Sense, ...]:
        """Return the senses of a lemma as the pages of a task display them.

        Raises:
            InputError: The task displays senses, and the lemma has none.
        """
        if not TASKS[task].senses:
            return ()
        if senses := self.senses.get(lemma, ()):
            return tuple(Sense(each.id, each.lemma, each.gloss, each.synonyms, each.examples) for each in senses)
        suggestion = suggest_name(lemma, tuple(self.senses)) if len(self.senses) < 100_000 else ""
        form = "; write a lemma with its part of speech, as in win.v" if "." not in lemma else ""
        raise InputError(f"{lemma} has no senses in {self.study.items.senses}{form}{suggestion}")

    def build_page(
        self, task: str, round: str, lemma: str, passages: tuple[Passage, ...], senses: tuple[Sense, ...]
    ) -> Page:
        """Build a page of a task."""
        rules, items = TASKS[task], self.study.items
        sense_choices = max(1, len(senses)) if items.several else 1
        return Page(
            name="/".join(filter(None, [round, task, *(passage.usage for passage in passages)])),
            task=task,
            round=round,
            lemma=lemma,
            passages=passages,
            senses=senses,
            scale=CHOICE if rules.is_choice else self.study.scale,
            max_choices=1 if not rules.is_choice else sense_choices if rules.senses else items.substitutes,
            undecided=task in self.study.undecided,
        )


def exclude_pages(pages: Iterable[Page], others: Iterable[Page]) -> list[Page]:
    """Leave out the pages that ask for the same judgements as one of the others."""
    judged = {(page.task, page.usage, page.other) for page in others}
    return [page for page in pages if (page.task, page.usage, page.other) not in judged]
