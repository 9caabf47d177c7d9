"""Small studies with made-up usages, for tests of the studio."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from polyseme.inventory import Sense
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page, Passage
from polyseme.studio.study.settings import Study, parse_study

INSTRUCTIONS = """
# What to do

Read each sentence, and think about what the **marked word** means *there*.

- Rate every meaning, even if it does not fit.
- Trust your first impression.

If you do not understand a sentence, report the problem below it.
"""

SENSES = (
    Sense(
        "bank%1",
        "bank.n",
        "a business that keeps people's money and lends it",
        ("bank", "banking house"),
        ("she carried the cheque to the bank", "that bank holds the mortgage on our house"),
    ),
    Sense("bank%2", "bank.n", "sloping land beside water", ("bank",), ("they pulled the canoe up on the bank",)),
    Sense("bank%3", "bank.n", "a supply held in reserve for later use", ("bank", "store"), ("a bank of questions",)),
    Sense("bank%4", "bank.n", "a row of similar things", ("bank",)),
)

SENTENCES = (
    ("We had our lunch on the grassy", "bank", "above the river, and watched the boats go by."),
    ("He keeps all he earns at the", "bank", "round the corner, which closes at four."),
    ("Behind her desk stood a", "bank", "of screens, each with another view of the harbour."),
    ("Nobody knows how the village", "bank", "came through that winter without a loss."),
)

TITLE = "What does “bank” mean here?"


def passages() -> list[Passage]:
    """Build the usages, with context before and after."""
    return [
        Passage(
            f"bank.n.{number}",
            f"{before} {target} {after}",
            len(before) + 1,
            len(before) + 1 + len(target),
            "It was the first warm day of the year.",
            "Nobody wanted to go home.",
        )
        for number, (before, target, after) in enumerate(SENTENCES, start=1)
    ]


def make_pages(task: str, count: int = 3, several: bool = True) -> list[Page]:
    """Build pages of a task."""
    usages = passages()
    displayed = [(usages[at], usages[at + 1]) if task == "Usim" else (usages[at],) for at in range(count)]
    return [
        Page(
            f"{task}/1/{group[0].usage}",
            task,
            "1",
            "bank.n",
            group,
            SENSES if task in ("WSsim", "WSbest") else (),
            max_choices=len(SENSES) if task == "WSbest" and several else 1,
            undecided=task == "Usim",
        )
        for group in displayed
    ]


def make_study(*tasks: str, more: str = "", instructions: str = INSTRUCTIONS) -> Study:
    """Parse a study of these tasks, one after the other."""
    listed = ", ".join(f'"{task}"' for task in tasks)
    return parse_study(
        f"title = '{TITLE}'\ninstructions = '''{instructions}'''\n{more}\n[items]\nusages = 'u.jsonl'\n"
        f"senses = 's.json'\norder = 'lemma'\n[tasks]\na = [{listed}]\n"
    )


def begin(folder: Path, study: Study, pages: Sequence[Page]) -> Store:
    """Begin a study in a new store."""
    store = Store.open(f"sqlite:///{folder / 'study.db'}", create=True)
    store.begin(study, pages)
    return store
