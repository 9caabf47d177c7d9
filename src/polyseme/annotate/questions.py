"""The questions that `polyseme annotate new` asks, and the study file that the answers make."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from polyseme.annotate.study import DESIGNS, parse_study
from polyseme.annotate.tasks import TASKS
from polyseme.errors import InputError, shown

Ask = Callable[[str, str], str]
"""Asks a question that has an answer to be taken if none is given; gives the answer."""

INSTRUCTIONS = """\
# Instructions

You will see a word, marked in a text. Read the text, and answer what is asked of the word as it is used there.

There are no right or wrong answers: we want to know how *you* understand the word. Judge each page by itself, and
do not think too long. You can go back and change your answers, stop at any time, and go on later where you were.

If a usage is not what it should be (another part of speech, part of a fixed expression, unclear), say so on the page.
"""


@dataclass(frozen=True)
class Question:
    """One question: the name of its answer, its text, what is answered by default, and when it is asked at all."""

    name: str
    text: str
    default: str = ""
    when: Callable[[Mapping[str, str]], bool] = lambda _: True
    wrong: Callable[[str], str] = lambda _: ""


def _shows_senses(answers: Mapping[str, str]) -> bool:
    return any(TASKS[task].senses for task in _listed(answers["tasks"]))


def _pairs(answers: Mapping[str, str]) -> bool:
    return any(TASKS[task].pairs for task in _listed(answers["tasks"]))


def _listed(answer: str) -> list[str]:
    return answer.replace(",", " ").split()


def _no_tasks(answer: str) -> str:
    unknown = [task for task in _listed(answer) if task not in TASKS]
    if unknown or not _listed(answer):
        return f"{shown(answer)} are not tasks; allowed are {', '.join(TASKS)}"
    return ""


def _no_number(answer: str) -> str:
    return "" if answer.isascii() and answer.isdigit() else f"{shown(answer)} is not a whole number, 0 or more"


def _no_design(answer: str) -> str:
    return "" if answer in DESIGNS else f"{shown(answer)} is no design; allowed are {', '.join(DESIGNS)}"


def _no_share(answer: str) -> str:
    try:
        return "" if 0 <= float(answer) <= 0.5 else f"{shown(answer)} is not from 0 to 0.5"
    except ValueError:
        return f"{shown(answer)} is not a number, as 0.05"


QUESTIONS = (
    Question("title", "What is the study called?", "Word meaning in context"),
    Question("tasks", f"Which tasks, in their order ({', '.join(TASKS)})?", "WSsim", wrong=_no_tasks),
    Question(
        "other_order",
        "Should half of the annotators do the tasks in the reverse order (yes or no)?",
        "yes",
        lambda answers: len(_listed(answers["tasks"])) > 1,
    ),
    Question("usages", "Where are the usages (a file or folder, a data set's name, or an index)?", "usages.jsonl"),
    Question("lemmas", "Which lemmas (win.v, paper.n; nothing: all of them)?"),
    Question("per_lemma", "How many usages of each (0: all of them)?", "0", wrong=_no_number),
    Question("senses", "Where are the senses (wordnet-3.0, wordnet-3.1, or a file)?", "wordnet-3.1", _shows_senses),
    Question("pairs", "Which pairs of usages (all, triangle, or how many of each lemma)?", "all", _pairs),
    Question("context", "How many sentences are shown on either side?", "1", wrong=_no_number),
    Question("annotators", "How many annotators do you expect?", "3", wrong=_no_number),
    Question("design", f"Who judges what ({', '.join(DESIGNS)})?", "everyone", wrong=_no_design),
    Question(
        "judgements",
        "How many judgements of each item?",
        "3",
        lambda answers: answers["design"] == "per item",
        _no_number,
    ),
    Question(
        "share",
        "What share of each lemma has a second judge?",
        "0.1",
        lambda answers: answers["design"] == "second",
        _no_share,
    ),
    Question("repeats", "What share of pages is shown twice, to see how steady people are?", "0.05", wrong=_no_share),
    Question("seed", "A number that all draws begin with", "1", wrong=_no_number),
)


def asked(ask: Ask, say: Callable[[str], None]) -> dict[str, str]:
    """The answers to all questions that are asked; what cannot be is asked again."""
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        while question.when(answers):
            given = ask(question.text, question.default).strip()
            if not (problem := question.wrong(given)):
                answers[question.name] = given
                break
            say(problem)
    return answers


def written(answers: Mapping[str, str]) -> str:
    """The study file that the answers make.

    >>> print(written({"title": "Winning", "tasks": "Usim", "usages": "u.jsonl", "repeats": "0"}))
    title = "Winning"
    instructions = "instructions.md"
    seed = 1
    annotators = 0
    <BLANKLINE>
    [items]
    usages = "u.jsonl"
    context = 1
    <BLANKLINE>
    [tasks]
    a = ["Usim"]
    <BLANKLINE>
    """
    top = [
        f"title = {_text(answers['title'])}",
        'instructions = "instructions.md"',
        f"seed = {int(answers.get('seed', '1'))}",
        f"annotators = {int(answers.get('annotators', '0'))}",
    ]
    tables = {"items": _items(answers), "tasks": _tasks(answers), "overlap": _overlap(answers)}
    if float(answers.get("repeats", "0")):
        tables["repeats"] = [f"share = {float(answers['repeats'])}"]
    parts = ["\n".join(top), *("\n".join([f"[{name}]", *lines]) for name, lines in tables.items() if lines)]
    source = "\n\n".join(parts) + "\n"
    try:
        parse_study(source)
    except InputError as error:
        raise InputError(f"these answers make no study: {error}") from None
    return source


def _items(answers: Mapping[str, str]) -> list[str]:
    lines = [f"usages = {_text(answers['usages'])}"]
    if lemmas := _listed(answers.get("lemmas", "")):
        lines.append(f"lemmas = [{', '.join(map(_text, lemmas))}]")
    if int(answers.get("per_lemma", "0")):
        lines.append(f"per_lemma = {int(answers['per_lemma'])}")
    if answers.get("senses"):
        lines.append(f"senses = {_text(answers['senses'])}")
    lines.append(f"context = {int(answers.get('context', '1'))}")
    if pairs := answers.get("pairs"):
        lines.append(f"pairs = {int(pairs) if pairs.isdigit() else _text(pairs)}")
    return lines


def _tasks(answers: Mapping[str, str]) -> list[str]:
    tasks = _listed(answers["tasks"])
    groups = (
        {"a": tasks, "b": tasks[::-1]} if answers.get("other_order", "no").lower().startswith("y") else {"a": tasks}
    )
    return [f"{name} = [{', '.join(map(_text, order))}]" for name, order in groups.items()]


def _overlap(answers: Mapping[str, str]) -> list[str]:
    if "design" not in answers:
        return []
    lines = [f"design = {_text(answers['design'])}"]
    if "judgements" in answers:
        lines.append(f"judgements = {int(answers['judgements'])}")
    if "share" in answers:
        lines.append(f"share = {float(answers['share'])}")
    return lines


def _text(value: str) -> str:
    """Text as TOML writes it, which is as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
