"""Pages whose right answers are known: those for training, and control pages hidden among the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from polyseme.annotate.items import Answered, Judgement, Page
from polyseme.annotate.making import Drawn, made, no_senses
from polyseme.annotate.passages import WIDER, passage
from polyseme.annotate.sources import Around, Text, texts_of
from polyseme.annotate.study import Controls, Study, Training
from polyseme.annotate.tasks import TASKS
from polyseme.errors import InputError, shown
from polyseme.formats import read_ratings
from polyseme.inventory import Inventory
from polyseme.rating import Rating
from polyseme.usage import Usage

Key = tuple[str, str, str, str]
"""Task, lemma, usage, and the other usage of a pair."""


def pages_with_answers(study: Study, senses: Inventory, drawn: Drawn) -> list[Page]:
    """The training and control pages of a study."""
    wanted: dict[str, Training | Controls | None] = {"training": study.training, "control": study.controls}
    found: list[Page] = []
    for role, options in wanted.items():
        if options is not None:
            known = {(page.task, page.usage, page.other) for page in found}
            pages = _pages(study, role, options, senses, drawn)
            found += [page for page in pages if (page.task, page.usage, page.other) not in known]
    return found


def _pages(study: Study, role: str, options: Training | Controls, senses: Inventory, drawn: Drawn) -> Iterator[Page]:
    where = "[controls]" if role == "control" else f"[{role}]"
    path = study.path(options.answers)
    answers = drawn.attempt(lambda: _right_answers(path), f"{where} answers")
    if answers is None:
        return
    lemmas = tuple(dict.fromkeys(lemma for _, lemma, _, _ in answers))
    source, width = options.usages or study.items.usages, study.items.context + WIDER
    text = drawn.attempt(lambda: texts_of(source, study.folder, lemmas, width), f"{where} usages")
    if text is None:
        return
    of_study = {key: right for key, right in answers.items() if key[0] in study.tasks}
    if not of_study:
        problem = f"{where} answers: there are none for a task of this study ({', '.join(study.tasks)})"
        drawn.problems.append(f"{problem}; the column task of {options.answers} says of which task each is")
    usages = {usage.id: usage for usage in text.usages}
    for key, right in of_study.items():
        page = drawn.attempt(partial(_page, study, key, usages, text, senses), f"{where} answers")
        if page is not None:
            page = replace(page, name=f"{role}/{page.name}", role=role, right=right, tolerance=options.tolerance)
            drawn.problems += [f"{where} answers: {problem}" for problem in _wrong(page)]
            yield page


def _right_answers(path: object) -> dict[Key, dict[str, float | None]]:
    """The right answers of a file of ratings, by page."""
    found: dict[Key, dict[str, float | None]] = {}
    for rating in read_ratings(str(path)):
        values = found.setdefault(_key(rating), {})
        value = None if math.isnan(rating.value) else rating.value
        if values.setdefault(rating.target, value) != value:
            problem = f"{rating.task} of {shown(rating.usage)} and {shown(rating.target)} has two right answers"
            raise InputError(f"{problem}; leave one", path=path)
    return found


def _key(rating: Rating) -> Key:
    pairs = rating.task in TASKS and TASKS[rating.task].pairs
    return rating.task, rating.lemma, rating.usage, rating.target if pairs else ""


def _page(study: Study, key: Key, usages: Mapping[str, Usage], text: Text, senses: Inventory) -> Page:
    task, lemma, *names = key
    shown_ = []
    for name in filter(None, names):
        if name not in usages or usages[name].lemma != lemma:
            raise InputError(f'there is no usage {shown(name)} of {lemma}; usages = "…" says where they are')
        shown_.append(passage(usages[name], study.items.context, text.around.get(name, Around())))
    of_lemma = senses.get(lemma, ())
    if TASKS[task].senses and not of_lemma:
        raise InputError(no_senses(study, lemma, senses))
    return made(study, task, "", lemma, tuple(shown_), of_lemma)


def _wrong(page: Page) -> Iterator[str]:
    """What is wrong with the right answers of a page: that they are not allowed, or not enough."""
    judgements = [Judgement(target, value) for target, value in page.right.items()]
    try:
        page.taken(judgements, Answered())
    except InputError as error:
        yield f"{page.task} of {shown(page.usage)}: {error}"
        return
    if missing := page.missing(Answered(page.right)):
        yield f"{page.task} of {shown(page.usage)} has no full answer: {missing[0]}"
