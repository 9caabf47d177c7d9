"""The questions of ``polyseme annotate new``, and the study file that follows from the answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from polyseme.errors import InputError, quote_value
from polyseme.studio.study.settings import parse_study
from polyseme.studio.study.study_tables import DESIGNS
from polyseme.studio.study.tasks import TASKS

Prompt = Callable[[str, str], str]
"""Asks a question that has a default; returns the answer."""

INSTRUCTIONS = """\
# Instructions

You will see short texts, each with a **marked word**. Read the text, then answer the question about the marked word.

We want to know how *you* understand the word. Judge each page by itself, and trust your first impression.

Your answers are saved as you give them. You can go back and change them, and you can take a break at any time.

If you cannot judge a text, open *Comment or report a problem* on its page, and choose the problem.
"""


# -- answers ---------------------------------------------------------------------------------------------------------


def _parse_list(answer: str) -> list[str]:
    return answer.replace(",", " ").split()


def _parse_tasks(answer: str) -> list[str]:
    tasks = _parse_list(answer)
    if not tasks or any(task not in TASKS for task in tasks):
        raise ValueError(f"{quote_value(answer)} is not a list of tasks; allowed are {', '.join(TASKS)}")
    return tasks


def _parse_number(answer: str) -> int:
    if not (answer.isascii() and answer.isdigit()):
        raise ValueError(f"{quote_value(answer)} is not a whole number, 0 or more")
    return int(answer)


def _parse_text(answer: str) -> str:
    if not answer:
        raise ValueError("this answer is empty; write a text")
    return answer


def _parse_yes(answer: str) -> bool:
    if answer.lower() not in ("yes", "y", "no", "n"):
        raise ValueError(f"{quote_value(answer)} is neither yes nor no")
    return answer.lower().startswith("y")


def _parse_pairs(answer: str) -> int | str:
    if answer in ("all", "triangle"):
        return answer
    if not (answer.isascii() and answer.isdigit() and int(answer)):
        raise ValueError(f"{quote_value(answer)} is neither all nor triangle, nor a whole number, 1 or more")
    return int(answer)


def _parse_design(answer: str) -> str:
    if answer not in DESIGNS:
        raise ValueError(f"{quote_value(answer)} is not a design; allowed are {', '.join(DESIGNS)}")
    return answer


def _parse_share(answer: str) -> float:
    try:
        share = float(answer)
    except ValueError:
        raise ValueError(f"{quote_value(answer)} is not a number such as 0.05") from None
    if not 0 <= share <= 0.5:
        raise ValueError(f"{quote_value(answer)} is not between 0 and 0.5")
    return share


# -- questions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StudyQuestion:
    """A question about a new study.

    Args:
        name: The name of the answer.
        text: The question in words.
        default: The default answer.
        when: Whether to ask, given the earlier answers.
        parse: Returns the value of an answer; raises ``ValueError`` if the answer is not allowed.
    """

    name: str
    text: str
    default: str = ""
    when: Callable[[Mapping[str, str]], bool] = lambda _: True
    parse: Callable[[str], object] = str


def _has_order(answers: Mapping[str, str]) -> bool:
    return len(_parse_list(answers["tasks"])) > 1


def _has_design(design: str) -> Callable[[Mapping[str, str]], bool]:
    return lambda answers: answers["design"] == design


def _shows_senses(answers: Mapping[str, str]) -> bool:
    return any(TASKS[task].senses for task in _parse_list(answers["tasks"]))


def _shows_pairs(answers: Mapping[str, str]) -> bool:
    return any(TASKS[task].pairs for task in _parse_list(answers["tasks"]))


QUESTIONS = (
    StudyQuestion("title", "Title of the study", "Word meaning in context", parse=_parse_text),
    StudyQuestion("tasks", f"Tasks, in their order (any of {', '.join(TASKS)})", "WSsim", parse=_parse_tasks),
    StudyQuestion(
        "other_order", "Reverse the order for half of the annotators (yes or no)", "yes", _has_order, _parse_yes
    ),
    StudyQuestion("usages", "Usages (a file, a folder, a data set or an index)", "usages.jsonl", parse=_parse_text),
    StudyQuestion("lemmas", "Lemmas, such as win.v, paper.n (empty for all)", parse=_parse_list),
    StudyQuestion("per_lemma", "Number of usages of each lemma (0 for all)", "0", parse=_parse_number),
    StudyQuestion("senses", "Senses (wordnet-3.0, wordnet-3.1 or a file)", "wordnet-3.1", _shows_senses, _parse_text),
    StudyQuestion("pairs", "Pairs of each lemma (all, triangle or a number)", "all", _shows_pairs, _parse_pairs),
    StudyQuestion("context", "Sentences of context on either side", "1", parse=_parse_number),
    StudyQuestion("annotators", "Expected number of annotators", "3", parse=_parse_number),
    StudyQuestion("design", f"Who judges which pages ({', '.join(DESIGNS)})", "everyone", parse=_parse_design),
    StudyQuestion("judgements", "Number of judgements of each page", "3", _has_design("per item"), _parse_number),
    StudyQuestion(
        "share", "Share of each lemma that a second annotator judges", "0.1", _has_design("second"), _parse_share
    ),
    StudyQuestion("repeats", "Share of pages that annotators see twice", "0.05", parse=_parse_share),
    StudyQuestion("seed", "Random seed", "1", parse=_parse_number),
)

ITEM_KEYS = ("usages", "lemmas", "per_lemma", "senses", "context", "pairs")
"""The questions whose answers go into the table of items."""


def ask_questions(ask: Prompt, say: Callable[[str], None]) -> dict[str, str]:
    """Ask all questions; repeat a question until its answer is valid.

    Args:
        ask: Asks a question.
        say: Displays the problem of an answer.

    Returns:
        The answers by the name of their question.
    """
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        while question.when(answers) and question.name not in answers:
            answer = ask(question.text, question.default).strip()
            try:
                question.parse(answer)
            except ValueError as error:
                say(str(error))
            else:
                answers[question.name] = answer
    return answers


def format_study_toml(answers: Mapping[str, str]) -> str:
    """Return the study file for a set of answers.

    Raises:
        InputError: The answers do not describe a study.

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
    answered = (question for question in QUESTIONS if question.name in answers)
    values = {"context": 1} | {question.name: question.parse(answers[question.name]) for question in answered}
    top = {"title": values["title"], "instructions": "instructions.md", "seed": 1, "annotators": 0}
    items = {key: value for key in ITEM_KEYS if (value := values.get(key, "")) or key == "context"}
    tasks = _parse_tasks(answers["tasks"])
    groups = {"a": tasks, "b": tasks[::-1]}
    tables: dict[str, Mapping[str, object]] = {
        "": {key: values.get(key, default) for key, default in top.items()},
        "items": items,
        "tasks": groups if values.get("other_order") else {"a": tasks},
        "overlap": {key: values[key] for key in ("design", "judgements", "share") if key in values},
        "repeats": {"share": values["repeats"]} if values.get("repeats") else {},
    }
    source = "\n".join(_format_table(name, table) for name, table in tables.items() if table)
    try:
        parse_study(source)
    except InputError as error:
        raise InputError(f"these answers do not describe a study: {error}") from None
    return source


def _format_table(name: str, table: Mapping[str, object]) -> str:
    """Format a table; texts, numbers and lists of texts look the same in TOML and JSON."""
    values = {key: json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") for key, value in table.items()}
    lines = [*([f"[{name}]"] if name else []), *(f"{key} = {value}" for key, value in values.items())]
    return "\n".join(lines) + "\n"
