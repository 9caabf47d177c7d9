"""A data folder with a data set of our own making: usages of two words with two senses each, and text to learn from."""

from __future__ import annotations

import re
from pathlib import Path

from induce.corpora import MONEY, RIVER, background, usages
from polyseme.formats import write_usages
from polyseme.usage import Usage

INDEX = """
[banks]
title = "Banks and cranes"

[banks.files]
usages = "usages.jsonl"
training = "training/*.jsonl"
gold = "gold.key"
ratings = "ratings.csv"
splits = "splits"
systems = "systems/*.key"

[trees]
title = "Nothing but trees"
files.usages = "usages.jsonl"
"""

MODEL = "Squares(delta=0.2, sigma=0.3)"
TESTED, UNLEARNT = 24, 2
"""How many usages of the data set have text to learn from, and how many have none."""


BIRDS = ("nest", "egg", "feather", "wing", "beak", "marsh")
MACHINES = ("steel", "tower", "cable", "engine", "hook", "driver")
CRANES = dict(zip(("bank", *RIVER, *MONEY), ("crane", *BIRDS, *MACHINES), strict=True))
"""The words around *crane*, for those around *bank*."""


def of_two_words(count: int, seed: int) -> list[Usage]:
    """Usages of *bank* and of *crane*; those with an even number are of one sense, the others of the other."""
    banks = usages(count, seed)
    return [*banks, *map(crane, banks)]


def crane(bank: Usage) -> Usage:
    text = re.sub(r"\w+", lambda word: CRANES.get(word.group(), word.group()), bank.text)
    start = text.index("crane")
    return Usage(bank.id.replace("bank", "crane"), "crane.n", text, start, start + 5, "n")


def trees(count: int) -> list[Usage]:
    return [Usage(f"tree.n.{number}", "tree.n", "The tree by the river.", 4, 8, "n") for number in range(count)]


def sense_of(usage: Usage) -> str:
    return ("shore", "money")[int(usage.id.rpartition(".")[2]) % 2]


def write(folder: Path) -> Path:
    """Make the data folder."""
    tested = [*of_two_words(TESTED // 2, seed=9), *trees(UNLEARNT)]
    files = {
        "index.toml": INDEX,
        "banks/gold.key": key(tested),
        "banks/ratings.csv": ratings(tested),
        "banks/systems/same.v1.key": "".join(f"{usage.lemma} {usage.id} c1\n" for usage in tested)
        + "x.n elsewhere c\n",
        "banks/systems/right.key": key(tested[: TESTED // 2]),
    }
    for setting, share in (("80_20", 5), ("60_40", 3)):
        files[f"banks/splits/{setting}/mapping.1.key"] = key(tested[:TESTED][: -TESTED // share] + tested[TESTED:])
        files[f"banks/splits/{setting}/test.1.key"] = key(tested[:TESTED][-TESTED // share :] + tested[TESTED:])
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "banks" / "training").mkdir()
    write_usages([*of_two_words(80, seed=0), *background(60)], folder / "banks" / "training" / "all.jsonl")
    write_usages(tested, folder / "banks" / "usages.jsonl")
    (folder / "trees").mkdir()
    write_usages(trees(1), folder / "trees" / "usages.jsonl")
    return folder


def key(given: list[Usage], sense: str = "") -> str:
    """With the right senses, or with one for all."""
    return "".join(f"{usage.lemma} {usage.id} {sense or sense_of(usage)}\n" for usage in given)


def ratings(given: list[Usage]) -> str:
    """Two annotators, who give the sense of a usage 5 and 4, and the other one 1."""
    rows = [
        f"{who},wssim,{usage.lemma},{usage.id},{sense},{most if sense == sense_of(usage) else 1}"
        for usage in given
        for who, most in (("ann", 5), ("bob", 4))
        for sense in ("shore", "money")
    ]
    return "\n".join(["annotator,task,lemma,usage,target,value", *rows, ""])


def plan(**changes: str) -> str:
    """A plan as TOML, with lines instead of those that it has."""
    lines = {
        "title": '"Banks"',
        "task": '"semeval-2013"',
        "data": '"banks"',
        "models": f'["{MODEL}"]',
        **changes,
    }
    corpus = {"sources": lines.pop("sources", '["banks:training"]'), "analyser": lines.pop("analyser", '"english"')}
    text = "\n".join(f"{name} = {value}" for name, value in lines.items() if value)
    return text + "\n\n[corpus]\n" + "\n".join(f"{name} = {value}" for name, value in corpus.items() if value) + "\n"
