"""Pages whose right answers are known: those for training, and control pages hidden among the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from polyseme.errors import InputError, quote_value
from polyseme.formats import read_ratings
from polyseme.inventory import Inventory
from polyseme.rating import Rating
from polyseme.studio.study.page_building import PageDraft, build_page, describe_missing_senses
from polyseme.studio.study.pages import Judgement, Page, PageAnswers
from polyseme.studio.study.passages import EXTRA_SENTENCES, build_passage
from polyseme.studio.study.settings import ControlSettings, Study, TrainingSettings
from polyseme.studio.study.sources import SentenceContext, StudyUsages, load_study_usages
from polyseme.studio.study.tasks import TASKS
from polyseme.usage import Usage

AnswerKey = tuple[str, str, str, str]
"""Task, lemma, usage, and the other usage of a pair."""


def build_pages_with_answers(study: Study, senses: Inventory, drawn: PageDraft) -> list[Page]:
    """The training and control pages of a study."""
    wanted: dict[str, TrainingSettings | ControlSettings | None] = {
        "training": study.training,
        "control": study.controls,
    }
    found: list[Page] = []
    for role, options in wanted.items():
        if options is not None:
            known = {(page.task, page.usage, page.other) for page in found}
            pages = _build_pages(study, role, options, senses, drawn)
            found += [page for page in pages if (page.task, page.usage, page.other) not in known]
    return found


def _build_pages(
    study: Study, role: str, options: TrainingSettings | ControlSettings, senses: Inventory, drawn: PageDraft
) -> Iterator[Page]:
    where = "[controls]" if role == "control" else f"[{role}]"
    path = study.path(options.answers)
    answers = drawn.attempt(lambda: _read_right_answers(path), f"{where} answers")
    if answers is None:
        return
    lemmas = tuple(dict.fromkeys(lemma for _, lemma, _, _ in answers))
    source, width = options.usages or study.items.usages, study.items.context + EXTRA_SENTENCES
    text = drawn.attempt(lambda: load_study_usages(source, study.folder, lemmas, width), f"{where} usages")
    if text is None:
        return
    of_study = {key: right for key, right in answers.items() if key[0] in study.tasks}
    if not of_study:
        problem = f"{where} answers: there are none for a task of this study ({', '.join(study.tasks)})"
        drawn.problems.append(f"{problem}; the column task of {options.answers} says of which task each is")
    usages = {usage.id: usage for usage in text.usages}
    for key, right in of_study.items():
        page = drawn.attempt(partial(_build_answer_page, study, key, usages, text, senses), f"{where} answers")
        if page is not None:
            page = replace(page, name=f"{role}/{page.name}", role=role, right=right, tolerance=options.tolerance)
            drawn.problems += [f"{where} answers: {problem}" for problem in _find_answer_problems(page)]
            yield page


def _read_right_answers(path: object) -> dict[AnswerKey, dict[str, float | None]]:
    """The right answers of a file of ratings, by page."""
    found: dict[AnswerKey, dict[str, float | None]] = {}
    for rating in read_ratings(str(path)):
        values = found.setdefault(_answer_key(rating), {})
        value = None if math.isnan(rating.value) else rating.value
        if values.setdefault(rating.target, value) != value:
            problem = (
                f"{rating.task} of {quote_value(rating.usage)} and {quote_value(rating.target)} has two right answers"
            )
            raise InputError(f"{problem}; leave one", path=path)
    return found


def _answer_key(rating: Rating) -> AnswerKey:
    pairs = rating.task in TASKS and TASKS[rating.task].pairs
    return rating.task, rating.lemma, rating.usage, rating.target if pairs else ""


def _build_answer_page(
    study: Study, key: AnswerKey, usages: Mapping[str, Usage], text: StudyUsages, senses: Inventory
) -> Page:
    task, lemma, *names = key
    shown_ = []
    for name in filter(None, names):
        if name not in usages or usages[name].lemma != lemma:
            raise InputError(f'there is no usage {quote_value(name)} of {lemma}; usages = "…" says where they are')
        shown_.append(build_passage(usages[name], study.items.context, text.around.get(name, SentenceContext())))
    of_lemma = senses.get(lemma, ())
    if TASKS[task].senses and not of_lemma:
        raise InputError(describe_missing_senses(study, lemma, senses))
    return build_page(study, task, "", lemma, tuple(shown_), of_lemma)


def _find_answer_problems(page: Page) -> Iterator[str]:
    """What is wrong with the right answers of a page: that they are not allowed, or not enough."""
    judgements = [Judgement(target, value) for target, value in page.right.items()]
    try:
        page.accept(judgements, PageAnswers())
    except InputError as error:
        yield f"{page.task} of {quote_value(page.usage)}: {error}"
        return
    if missing := page.missing(PageAnswers(page.right)):
        yield f"{page.task} of {quote_value(page.usage)} has no full answer: {missing[0]}"
