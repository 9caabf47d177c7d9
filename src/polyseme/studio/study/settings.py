"""A study as a file describes it.

::

    title = "How far does each sense apply?"
    instructions = "instructions.md"      # a file beside it, or the Markdown itself
    seed = 1                              # what is drawn, and the order in which each annotator sees it
    annotators = 4                        # how many are expected; only `polyseme annotate check` asks

    [scale]                               # that of WSsim and Usim, if this is left out
    lowest = 1
    labels = ["completely different", "mostly different", "similar", "very similar", "identical"]
    undecided = ["Usim"]                  # the rated tasks in which "cannot decide" is an answer

    [items]
    usages = "usages.jsonl"               # a file or folder in any format, a data set's name, or an index
    lemmas = ["win.v", "paper.n"]         # all of the usages', if this is left out; an index needs them
    per_lemma = 10                        # so many usages of each, drawn at random; all, if this is left out
    by = "genre"                          # the draw takes as many of each genre, a field of the usages' meta
    senses = "wordnet-3.0"                # or a file of senses; for WSsim and WSbest
    context = 1                           # sentences shown on either side; the rest of the text on demand
    pairs = "all"                         # Usim: all pairs of a lemma, so many, or "triangle": those that no two
                                          # others are likely to imply
    several = true                        # WSbest: whether several senses may be chosen
    substitutes = 1                       # SYNbest: how many at most
    order = "random"                      # or "lemma": the pages of one lemma after the other

    [tasks]                               # for each group of annotators, its tasks in their order
    a = ["WSsim", "WSbest"]
    b = ["WSbest", "WSsim"]

    [[rounds]]                            # one after the other; each may have its own tasks, and its own lemmas,
    name = "1"                            # per_lemma, pairs and usages

    [overlap]
    design = "everyone"                   # everyone judges everything
    # design = "per item"                 # judgements = 3: so many of each item, given out on demand
    # design = "second"                   # share = 0.1: one judges all, a second this share of each lemma

    [training]                            # pages with right answers that come first, with feedback
    answers = "training.csv"
    usages = "training.jsonl"             # where their usages are; among those of the items, if this is left out
    pass = 0.8                            # the share of answers that must be right
    tolerance = 1                         # how far from the right answer a rating may be
    attempts = 3                          # who fails so often is paused

    [controls]                            # pages with known answers, hidden among the others
    answers = "controls.csv"
    every = 20                            # one after so many others
    tolerance = 1

    [repeats]                             # pages that are shown once more, much later
    share = 0.05

Paths are those from the folder of the study. There are no secrets in it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from polyseme.errors import InputError, quote_value
from polyseme.rating import WSSIM, Scale
from polyseme.studio.study.tasks import TASKS
from polyseme.studio.study.toml_table import TomlTable

DESIGNS = ("everyone", "per item", "second")
ORDERS = ("random", "lemma")
PAIR_CHOICES = ("all", "triangle")

TasksByGroup = Mapping[str, tuple[str, ...]]
"""Group of annotators → its tasks, in their order."""


@dataclass(frozen=True)
class ItemSettings:
    """What is judged: which usages, with which senses, and how they are shown."""

    usages: str
    lemmas: tuple[str, ...] = ()
    per_lemma: int = 0
    by: str = ""
    senses: str = ""
    context: int = 1
    pairs: str | int = "all"
    several: bool = True
    substitutes: int = 1
    order: str = "random"


@dataclass(frozen=True)
class RoundSettings:
    """A round of the study: its items, and the tasks of each group."""

    name: str
    items: ItemSettings
    groups: TasksByGroup

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that any group does, in the order of :data:`~polyseme.studio.study.tasks.TASKS`."""
        return tuple(task for task in TASKS if any(task in tasks for tasks in self.groups.values()))


@dataclass(frozen=True)
class OverlapSettings:
    """Who judges what.

    ``judgements`` is of the design "per item"; ``share`` and ``first``, who judges all, are of "second".
    """

    design: str = "everyone"
    judgements: int = 3
    share: float = 0.1
    first: str = ""


@dataclass(frozen=True)
class TrainingSettings:
    """Pages with right answers that come first."""

    answers: str
    usages: str = ""
    pass_mark: float = 0.8
    tolerance: float = 1.0
    attempts: int = 3


@dataclass(frozen=True)
class ControlSettings:
    """Pages with known answers, hidden among the others."""

    answers: str
    usages: str = ""
    every: int = 20
    tolerance: float = 1.0


@dataclass(frozen=True)
class Study:
    """What is asked of whom. ``source`` is the file as it was written, ``instructions`` is Markdown."""

    title: str
    items: ItemSettings
    groups: TasksByGroup
    rounds: tuple[RoundSettings, ...]
    instructions: str = ""
    seed: int = 1
    annotators: int = 0
    scale: Scale = WSSIM
    undecided: tuple[str, ...] = ("Usim",)
    overlap: OverlapSettings = OverlapSettings()
    training: TrainingSettings | None = None
    controls: ControlSettings | None = None
    repeats: float = 0.0
    folder: Path = field(default=Path(), compare=False)
    source: str = field(default="", compare=False, repr=False)

    @property
    def tasks(self) -> tuple[str, ...]:
        """All tasks of all rounds."""
        return tuple(task for task in TASKS if any(task in each.tasks for each in self.rounds))

    def path(self, name: str) -> Path:
        """Where a file that the study names lies."""
        return self.folder / Path(name).expanduser()


def read_study(path: str | os.PathLike[str]) -> Study:
    """Read a study, and check what can be checked without its data; :mod:`polyseme.studio.study.checks` has the rest."""
    file = Path(path)
    try:
        source = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("there is no such file. Type: polyseme annotate new", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"this is not UTF-8: {error.reason}", path=path) from None
    study = parse_study(source, path, file.parent)
    return replace(study, instructions=_read_instructions(study, path))


def parse_study(source: str, path: object = None, folder: Path = Path()) -> Study:
    """A study from its text, the instructions as they stand there.

    >>> study = parse_study('title = "Winning"' + chr(10) + 'items.usages = "u.jsonl"' + chr(10) + 'tasks.a = ["Usim"]')
    >>> study.tasks, study.overlap.design
    (('Usim',), 'everyone')
    """
    try:
        given: dict[str, Any] = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}", path=path) from None
    top = TomlTable(given, path)
    items, groups = _parse_items(top, path), _parse_groups(top)
    if not groups:
        allowed = f'write [tasks] and then, for each group, a = ["WSsim"]; tasks are {", ".join(TASKS)}'
        raise InputError(f"no tasks are given; {allowed}", path=path)
    scale, undecided = _parse_scale(top)
    study = Study(
        title=top.text("title"),
        items=items,
        groups=groups,
        rounds=_parse_rounds(top, items, groups, path),
        instructions=top.text("instructions", ""),
        seed=top.whole("seed", 1),
        annotators=top.whole("annotators", 0),
        scale=scale,
        undecided=undecided,
        overlap=_parse_overlap(top),
        training=_parse_training(top),
        controls=_parse_controls(top),
        repeats=_parse_repeats(top),
        folder=folder,
        source=source,
    )
    top.finish()
    return study


def _read_instructions(study: Study, path: object) -> str:
    """The Markdown of the instructions: that of the file of this name, where they are one line that names one."""
    given = study.instructions
    if "\n" in given or not given.lower().endswith((".md", ".markdown", ".txt")):
        return given
    try:
        return study.path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        problem = f"instructions is {quote_value(given)}, and there is no such file of text beside the study"
        raise InputError(f"{problem}; write it, or the instructions themselves", path=path) from None


def _parse_scale(top: TomlTable) -> tuple[Scale, tuple[str, ...]]:
    table = top.table("scale")
    if table is None:
        return WSSIM, ("Usim",)
    labels, lowest = table.texts("labels", WSSIM.labels), table.whole("lowest", WSSIM.lowest)
    if not 2 <= len(labels) <= 9:
        raise table.problem("labels", "a scale has 2 to 9 values, one key each")
    rated = {name: task for name, task in TASKS.items() if not task.is_choice}
    undecided = table.texts("undecided", ("Usim",), rated)
    table.finish()
    return Scale(lowest, labels), undecided


def _parse_items(top: TomlTable, path: object) -> ItemSettings:
    table = top.table("items")
    if table is None:
        raise InputError('[items] is missing; write [items] and then usages = "FILE, DATA SET OR INDEX"', path=path)
    items = ItemSettings(
        usages=table.text("usages"),
        lemmas=table.texts("lemmas"),
        per_lemma=table.whole("per_lemma", 0, least=1 if "per_lemma" in table else 0),
        by=table.text("by", ""),
        senses=table.text("senses", ""),
        context=table.whole("context", 1),
        pairs=_parse_pairs(table, "all"),
        several=table.flag("several", True),
        substitutes=table.whole("substitutes", 1, least=1),
        order=table.text("order", "random", ORDERS),
    )
    table.finish()
    return items


def _parse_pairs(table: TomlTable, default: str | int) -> str | int:
    value: object = table.raw("pairs", default)
    if isinstance(value, str) and value in PAIR_CHOICES:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise table.problem("pairs", f"allowed are {', '.join(PAIR_CHOICES)}, or how many pairs of each lemma, 1 or more")


def _parse_groups(top: TomlTable) -> dict[str, tuple[str, ...]]:
    table = top.table("tasks")
    if table is None:
        return {}
    groups = {name: table.texts(name, (), TASKS) for name in table.names()}
    for name, tasks in groups.items():
        if not tasks:
            raise table.problem(name, f"a group does at least one of {', '.join(TASKS)}")
    return groups


def _parse_rounds(top: TomlTable, items: ItemSettings, groups: TasksByGroup, path: object) -> tuple[RoundSettings, ...]:
    found: list[RoundSettings] = []
    for table in top.tables("rounds"):
        name = table.text("name")
        if any(name == before.name for before in found):
            raise table.problem("name", "another round has this name; give each its own")
        own = replace(
            items,
            usages=table.text("usages", items.usages),
            lemmas=table.texts("lemmas", items.lemmas),
            per_lemma=table.whole("per_lemma", items.per_lemma, least=1 if "per_lemma" in table else 0),
            pairs=_parse_pairs(table, items.pairs),
        )
        found.append(RoundSettings(name, own, _check_groups(_parse_groups(table) or groups, groups, name, path)))
        table.finish()
    return tuple(found) or (RoundSettings("1", items, groups),)


def _check_groups(own: TasksByGroup, groups: TasksByGroup, name: str, path: object) -> TasksByGroup:
    """The groups of a round, which must be those of the study."""
    if own.keys() != groups.keys():
        problem = f"round {quote_value(name)} has tasks for the groups {', '.join(own)}, and the study for {', '.join(groups)}"
        raise InputError(f"{problem}; give tasks for each of them", path=path)
    return own


def _parse_overlap(top: TomlTable) -> OverlapSettings:
    table = top.table("overlap")
    if table is None:
        return OverlapSettings()
    design = table.text("design", "everyone", DESIGNS)
    of_design = {"per item": {"judgements"}, "second": {"share", "first"}}.get(design, set())
    for key in ("judgements", "share", "first"):
        if key in table and key not in of_design:
            raise table.problem(key, f"the design {design!r} has no {key}: leave it out, or choose another design")
    overlap = OverlapSettings(
        design, table.whole("judgements", 3, least=1), table.number("share", 0.1, 1), table.text("first", "")
    )
    table.finish()
    return overlap


def _parse_training(top: TomlTable) -> TrainingSettings | None:
    table = top.table("training")
    if table is None:
        return None
    answers, usages = table.text("answers"), table.text("usages", "")
    mark, tolerance = table.number("pass", 0.8, 1), table.number("tolerance", 1, 100)
    found = TrainingSettings(answers, usages, mark, tolerance, table.whole("attempts", 3, least=1))
    table.finish()
    return found


def _parse_controls(top: TomlTable) -> ControlSettings | None:
    table = top.table("controls")
    if table is None:
        return None
    answers, usages, tolerance = table.text("answers"), table.text("usages", ""), table.number("tolerance", 1, 100)
    found = ControlSettings(answers, usages, table.whole("every", 20, least=2), tolerance)
    table.finish()
    return found


def _parse_repeats(top: TomlTable) -> float:
    table = top.table("repeats")
    if table is None:
        return 0.0
    share = table.number("share", 0.05, 0.5)
    table.finish()
    return share
