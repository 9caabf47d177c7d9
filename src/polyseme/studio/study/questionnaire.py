"""The questions that `polyseme annotate new` asks, and the study file that the answers make."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from polyseme.errors import InputError, quote_value
from polyseme.studio.study.settings import DESIGNS, parse_study
from polyseme.studio.study.tasks import TASKS

Prompt = Callable[[str, str], str]
"""Asks a question that has an answer to be taken if none is given; gives the answer."""

INSTRUCTIONS = """\
# Instructions

You will see a word, marked in a text. Read the text, and answer what is asked of the word as it is used there.

There are no right or wrong answers: we want to know how *you* understand the word. Judge each page by itself, and
do not think too long. You can go back and change your answers, stop at any time, and go on later where you were.

If a usage is not what it should be (another part of speech, part of a fixed expression, unclear), say so on the page.
"""


@dataclass(frozen=True)
class StudyQuestion:
    """One question: the name of its answer, its text, what is answered by default, and when it is asked at all."""

    name: str
    text: str
    default: str = ""
    when: Callable[[Mapping[str, str]], bool] = lambda _: True
    wrong: Callable[[str], str] = lambda _: ""


def _shows_senses(answers: Mapping[str, str]) -> bool:
    return any(TASKS[task].senses for task in _split_list(answers["tasks"]))


def _shows_pairs(answers: Mapping[str, str]) -> bool:
    return any(TASKS[task].pairs for task in _split_list(answers["tasks"]))


def _split_list(answer: str) -> list[str]:
    return answer.replace(",", " ").split()


def _check_tasks(answer: str) -> str:
    unknown = [task for task in _split_list(answer) if task not in TASKS]
    if unknown or not _split_list(answer):
        return f"{quote_value(answer)} are not tasks; allowed are {', '.join(TASKS)}"
    return ""


def _check_number(answer: str) -> str:
    return "" if answer.isascii() and answer.isdigit() else f"{quote_value(answer)} is not a whole number, 0 or more"


def _check_design(answer: str) -> str:
    return "" if answer in DESIGNS else f"{quote_value(answer)} is no design; allowed are {', '.join(DESIGNS)}"


def _check_share(answer: str) -> str:
    try:
        return "" if 0 <= float(answer) <= 0.5 else f"{quote_value(answer)} is not from 0 to 0.5"
    except ValueError:
        return f"{quote_value(answer)} is not a number, as 0.05"


QUESTIONS = (
    StudyQuestion("title", "What is the study called?", "Word meaning in context"),
    StudyQuestion("tasks", f"Which tasks, in their order ({', '.join(TASKS)})?", "WSsim", wrong=_check_tasks),
    StudyQuestion(
        "other_order",
        "Should half of the annotators do the tasks in the reverse order (yes or no)?",
        "yes",
        lambda answers: len(_split_list(answers["tasks"])) > 1,
    ),
    StudyQuestion("usages", "Where are the usages (a file or folder, a data set's name, or an index)?", "usages.jsonl"),
    StudyQuestion("lemmas", "Which lemmas (win.v, paper.n; nothing: all of them)?"),
    StudyQuestion("per_lemma", "How many usages of each (0: all of them)?", "0", wrong=_check_number),
    StudyQuestion(
        "senses", "Where are the senses (wordnet-3.0, wordnet-3.1, or a file)?", "wordnet-3.1", _shows_senses
    ),
    StudyQuestion("pairs", "Which pairs of usages (all, triangle, or how many of each lemma)?", "all", _shows_pairs),
    StudyQuestion("context", "How many sentences are shown on either side?", "1", wrong=_check_number),
    StudyQuestion("annotators", "How many annotators do you expect?", "3", wrong=_check_number),
    StudyQuestion("design", f"Who judges what ({', '.join(DESIGNS)})?", "everyone", wrong=_check_design),
    StudyQuestion(
        "judgements",
        "How many judgements of each item?",
        "3",
        lambda answers: answers["design"] == "per item",
        _check_number,
    ),
    StudyQuestion(
        "share",
        "What share of each lemma has a second judge?",
        "0.1",
        lambda answers: answers["design"] == "second",
        _check_share,
    ),
    StudyQuestion(
        "repeats", "What share of pages is shown twice, to see how steady people are?", "0.05", wrong=_check_share
    ),
    StudyQuestion("seed", "A number that all draws begin with", "1", wrong=_check_number),
)


def ask_questions(ask: Prompt, say: Callable[[str], None]) -> dict[str, str]:
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


def format_study_toml(answers: Mapping[str, str]) -> str:
    """The study file that the answers make.

    >>> print(format_study_toml({"title": "Winning", "tasks": "Usim", "usages": "u.jsonl", "repeats": "0"}))
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
        f"title = {_format_text(answers['title'])}",
        'instructions = "instructions.md"',
        f"seed = {int(answers.get('seed', '1'))}",
        f"annotators = {int(answers.get('annotators', '0'))}",
    ]
    tables = {"items": _format_items(answers), "tasks": _format_tasks(answers), "overlap": _format_overlap(answers)}
    if float(answers.get("repeats", "0")):
        tables["repeats"] = [f"share = {float(answers['repeats'])}"]
    parts = ["\n".join(top), *("\n".join([f"[{name}]", *lines]) for name, lines in tables.items() if lines)]
    source = "\n\n".join(parts) + "\n"
    try:
        parse_study(source)
    except InputError as error:
        raise InputError(f"these answers make no study: {error}") from None
    return source


def _format_items(answers: Mapping[str, str]) -> list[str]:
    lines = [f"usages = {_format_text(answers['usages'])}"]
    if lemmas := _split_list(answers.get("lemmas", "")):
        lines.append(f"lemmas = [{', '.join(map(_format_text, lemmas))}]")
    if int(answers.get("per_lemma", "0")):
        lines.append(f"per_lemma = {int(answers['per_lemma'])}")
    if answers.get("senses"):
        lines.append(f"senses = {_format_text(answers['senses'])}")
    lines.append(f"context = {int(answers.get('context', '1'))}")
    if pairs := answers.get("pairs"):
        lines.append(f"pairs = {int(pairs) if pairs.isdigit() else _format_text(pairs)}")
    return lines


def _format_tasks(answers: Mapping[str, str]) -> list[str]:
    tasks = _split_list(answers["tasks"])
    groups = (
        {"a": tasks, "b": tasks[::-1]} if answers.get("other_order", "no").lower().startswith("y") else {"a": tasks}
    )
    return [f"{name} = [{', '.join(map(_format_text, order))}]" for name, order in groups.items()]


def _format_overlap(answers: Mapping[str, str]) -> list[str]:
    if "design" not in answers:
        return []
    lines = [f"design = {_format_text(answers['design'])}"]
    if "judgements" in answers:
        lines.append(f"judgements = {int(answers['judgements'])}")
    if "share" in answers:
        lines.append(f"share = {float(answers['share'])}")
    return lines


def _format_text(value: str) -> str:
    """Text as TOML writes it, which is as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
