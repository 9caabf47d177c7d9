"""Pages with right answers: training pages, and control pages hidden among the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats import read_ratings
from polyseme.rating import Rating
from polyseme.studio.study.page_building import PageDraft, exclude_pages
from polyseme.studio.study.pages import Judgement, Page, PageAnswers
from polyseme.studio.study.sources import StudyUsages
from polyseme.studio.study.study_tables import AnswerSettings
from polyseme.studio.study.tasks import TASKS
from polyseme.usage import Usage

AnswerKey = tuple[str, str, str, str]
"""Task, lemma, usage, and the other usage of a pair."""


def build_pages_with_answers(draft: PageDraft) -> list[Page]:
    """Build the training and control pages of a study."""
    pages: list[Page] = []
    if draft.study.training is not None:
        pages += _build_pages(draft, "training", "[training]", draft.study.training)
    if draft.study.controls is not None:
        pages += exclude_pages(_build_pages(draft, "control", "[controls]", draft.study.controls), pages)
    return pages


def _build_pages(draft: PageDraft, role: str, table: str, settings: AnswerSettings) -> Iterator[Page]:
    """Build the pages that a table of the study file describes."""
    study, path = draft.study, draft.study.path(settings.answers)
    answers = draft.attempt(lambda: _read_right_answers(path), f"{table} answers")
    if answers is None:
        return
    lemmas = tuple(dict.fromkeys(lemma for _, lemma, _, _ in answers))
    loaded = draft.load_usages(settings.usages or study.items.usages, lemmas, f"{table} usages")
    if loaded is None:
        return
    answers = {key: right for key, right in answers.items() if key[0] in study.tasks}
    if not answers:
        problem = f"{table} answers: no answer is for a task of this study ({', '.join(study.tasks)})"
        draft.problems.append(f"{problem}; check the column task of {settings.answers}")
    usages = {usage.id: usage for usage in loaded.usages}
    for key, right in answers.items():
        page = draft.attempt(partial(_build_page, draft, key, usages, loaded), f"{table} answers")
        if page is not None:
            page = replace(page, name=f"{role}/{page.name}", role=role, right=right, tolerance=settings.tolerance)
            draft.problems += [f"{table} answers: {problem}" for problem in _find_answer_problems(page)]
            yield page


def _read_right_answers(path: Path) -> dict[AnswerKey, dict[str, float | None]]:
    """Read right answers from a file of ratings, by page."""
    answers: dict[AnswerKey, dict[str, float | None]] = {}
    for rating in read_ratings(path):
        values = answers.setdefault(_answer_key(rating), {})
        value = None if math.isnan(rating.value) else rating.value
        if values.setdefault(rating.target, value) != value:
            item = f"{rating.task} of {quote_value(rating.usage)} and {quote_value(rating.target)}"
            raise InputError(f"{item} has two right answers; keep one", path=path)
    return answers


def _answer_key(rating: Rating) -> AnswerKey:
    pairs = rating.task in TASKS and TASKS[rating.task].pairs
    return rating.task, rating.lemma, rating.usage, rating.target if pairs else ""


def _build_page(draft: PageDraft, key: AnswerKey, usages: Mapping[str, Usage], loaded: StudyUsages) -> Page:
    """Build the page of a key."""
    task, lemma, *names = key
    names = list(filter(None, names))
    for name in names:
        if name not in usages or usages[name].lemma != lemma:
            raise InputError(
                f'there is no usage {quote_value(name)} of {lemma}; name the file that has it: usages = "…"'
            )
    passages = draft.build_passages(loaded, [usages[name] for name in names])
    return draft.build_page(task, "", lemma, tuple(passages), draft.find_senses(task, lemma))


def _find_answer_problems(page: Page) -> Iterator[str]:
    """Find right answers that the page refuses, or that leave it incomplete."""
    item = f"{page.task} of {quote_value(page.usage)}"
    try:
        page.accept([Judgement(target, value) for target, value in page.right.items()], PageAnswers())
    except InputError as error:
        yield f"{item}: {error}"
        return
    if missing := page.missing(PageAnswers(page.right)):
        yield f"{item} has an incomplete answer: {missing[0]}"
