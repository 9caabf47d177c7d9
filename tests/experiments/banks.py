"""A data folder with an invented data set: usages of two words with two senses each, and text to learn from."""

from __future__ import annotations

import re
from pathlib import Path

from induction.corpora import MONEY, RIVER, background
from induction.corpora import usages as make_banks
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


def make_usages(count: int, seed: int) -> list[Usage]:
    """Return usages of *bank* and of *crane*; even numbers have one sense, odd numbers the other."""
    banks = make_banks(count, seed)
    return [*banks, *map(to_crane, banks)]


def to_crane(bank: Usage) -> Usage:
    text = re.sub(r"\w+", lambda word: CRANES.get(word.group(), word.group()), bank.text)
    start = text.index("crane")
    return Usage(bank.id.replace("bank", "crane"), "crane.n", text, start, start + 5, "n")


def make_trees(count: int) -> list[Usage]:
    return [Usage(f"tree.n.{number}", "tree.n", "The tree by the river.", 4, 8, "n") for number in range(count)]


def get_sense(usage: Usage) -> str:
    return ("shore", "money")[int(usage.id.rpartition(".")[2]) % 2]


def write_data(folder: Path) -> Path:
    """Write the data folder."""
    tested = [*make_usages(TESTED // 2, seed=9), *make_trees(UNLEARNT)]
    files = {
        "index.toml": INDEX,
        "banks/gold.key": format_key(tested),
        "banks/ratings.csv": format_ratings(tested),
        "banks/systems/same.v1.key": "".join(f"{usage.lemma} {usage.id} c1\n" for usage in tested)
        + "x.n elsewhere c\n",
        "banks/systems/right.key": format_key(tested[: TESTED // 2]),
    }
    for setting, share in (("80_20", 5), ("60_40", 3)):
        files[f"banks/splits/{setting}/mapping.1.key"] = format_key(
            tested[:TESTED][: -TESTED // share] + tested[TESTED:]
        )
        files[f"banks/splits/{setting}/test.1.key"] = format_key(tested[:TESTED][-TESTED // share :] + tested[TESTED:])
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "banks" / "training").mkdir()
    write_usages([*make_usages(80, seed=0), *background(60)], folder / "banks" / "training" / "all.jsonl")
    write_usages(tested, folder / "banks" / "usages.jsonl")
    (folder / "trees").mkdir()
    write_usages(make_trees(1), folder / "trees" / "usages.jsonl")
    return folder


def format_key(usages: list[Usage], sense: str = "") -> str:
    """Return a key with the right senses, or with one for all."""
    return "".join(f"{usage.lemma} {usage.id} {sense or get_sense(usage)}\n" for usage in usages)


def format_ratings(usages: list[Usage]) -> str:
    """Return ratings of two annotators: 5 and 4 for the sense of a usage, 1 for the other."""
    rows = [
        f"{annotator},wssim,{usage.lemma},{usage.id},{sense},{most if sense == get_sense(usage) else 1}"
        for usage in usages
        for annotator, most in (("ann", 5), ("bob", 4))
        for sense in ("shore", "money")
    ]
    return "\n".join(["annotator,task,lemma,usage,target,value", *rows, ""])


def plan(**changes: str) -> str:
    """Return a plan as TOML; changes replace its lines."""
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
