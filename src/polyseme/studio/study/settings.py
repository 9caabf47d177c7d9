"""The settings of a study, as its file contains them.

::

    title = "How far does each sense apply?"
    instructions = "instructions.md"      # a file beside this one, or Markdown text
    seed = 1                              # the random seed of samples and of the order of pages
    annotators = 4                        # the expected number, for `polyseme annotate check`

    [scale]                               # default: the scale of WSsim and Usim
    lowest = 1
    labels = ["completely different", "mostly different", "similar", "very similar", "identical"]
    undecided = ["Usim"]                  # rated tasks that accept "cannot decide"

    [items]
    usages = "usages.jsonl"               # a file, a folder, a data set or an index

    lemmas = ["win.v", "paper.n"]         # default: all lemmas; required for an index
    per_lemma = 10                        # the size of a random sample; default: all usages
    by = "genre"                          # a field of the usages' meta that stratifies the sample

    senses = "wordnet-3.0"                # or a file of senses; for WSsim and WSbest
    context = 1                           # sentences on either side; pages show more on demand
    order = "random"                      # or "lemma": one lemma after the other

    pairs = "all"                         # Usim: all pairs of a lemma, a number, or "triangle"
    several = true                        # WSbest: whether annotators can choose several senses
    substitutes = 1                       # SYNbest: how many substitutes annotators can write

    [tasks]                               # the tasks of each group of annotators, in their order
    a = ["WSsim", "WSbest"]
    b = ["WSbest", "WSsim"]

    [[rounds]]                            # each can have its own tasks, lemmas, per_lemma, pairs and usages
    name = "1"

    [overlap]
    design = "everyone"                   # or "per item" with judgements, or "second" with share

    [training]                            # pages with right answers that come first, with feedback
    answers = "training.csv"
    usages = "training.jsonl"             # default: the usages of the items
    pass = 0.8                            # the share of right answers to pass

    tolerance = 1                         # the accepted distance from the right rating
    attempts = 3                          # failures after which an annotator is paused

    [controls]                            # hidden pages with right answers
    answers = "controls.csv"
    every = 20                            # the number of ordinary pages between two control pages

    [repeats]                             # pages that annotators see a second time, much later
    share = 0.05

Paths are relative to the folder of the study file. The file contains no secrets. ``docs/reference/study-file.md``
describes each setting.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import read_text
from polyseme.rating import WSSIM, Scale
from polyseme.settings import parse_settings
from polyseme.studio.study.study_tables import (
    ControlSettings,
    ItemSettings,
    OverlapSettings,
    RoundTable,
    StudyTable,
    TrainingSettings,
)
from polyseme.studio.study.tasks import TASKS

TasksByGroup = Mapping[str, tuple[str, ...]]
"""Group of annotators → its tasks, in their order."""


@dataclass(frozen=True)
class RoundSettings:
    """A round of the study.

    Args:
        name: Its name.
        items: The items to judge in it.
        groups: The tasks of each group, in their order.
    """

    name: str
    items: ItemSettings
    groups: TasksByGroup

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that any group does, in the order of :data:`~polyseme.studio.study.tasks.TASKS`."""
        return tuple(task for task in TASKS if any(task in tasks for tasks in self.groups.values()))


@dataclass(frozen=True)
class Study:
    """A study: its items, its tasks, and the rules by which annotators get pages.

    Args:
        title: The title.
        items: The items to judge.
        groups: The tasks of each group of annotators, in their order.
        rounds: The rounds, one after the other; there is at least one.
        instructions: The instructions for annotators, in Markdown.
        seed: The random seed of samples and of the order of pages.
        annotators: The expected number of annotators; 0 if unknown.
        scale: The scale of the rated tasks.
        undecided: The rated tasks in which "cannot decide" is an answer.
        overlap: Who judges which page.
        training: The training pages, if there are any.
        controls: The control pages, if there are any.
        repeats: The share of pages that annotators see twice.
        folder: The folder of the file, to which paths are relative.
        source: The text of the file.
    """

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
        """Return the path of a file that the study names."""
        return self.folder / Path(name).expanduser()


def read_study(path: str | os.PathLike[str]) -> Study:
    """Read a study file, and check the settings; :mod:`polyseme.studio.study.checks` checks its data.

    Raises:
        InputError: The file or its instructions cannot be read, or the file does not describe a study.
    """
    file = Path(path)
    try:
        source = read_text(path, "a study in TOML")
    except InputError as error:
        advice = "" if file.exists() else f" Type: polyseme annotate new {file}"
        raise InputError(f"{error}{advice}") from None
    study = parse_study(source, path, file.parent)
    return replace(study, instructions=_read_instructions(study, path))


def parse_study(source: str, path: object = None, folder: Path = Path()) -> Study:
    """Parse the text of a study file; instructions in a file are not read.

    Args:
        source: The text, in TOML.
        path: The file, for error messages.
        folder: The folder to which its paths are relative.

    Raises:
        InputError: The text does not describe a study.

    >>> study = parse_study('title = "Winning"' + chr(10) + 'items.usages = "u.jsonl"' + chr(10) + 'tasks.a = ["Usim"]')
    >>> study.tasks, study.overlap.design
    (('Usim',), 'everyone')
    """
    table = parse_settings(StudyTable, source, path)
    rounds = tuple(_build_round(study_round, table) for study_round in table.rounds)
    return Study(
        title=table.title,
        items=table.items,
        groups=table.tasks,
        rounds=rounds or (RoundSettings("1", table.items, table.tasks),),
        instructions=table.instructions,
        seed=table.seed,
        annotators=table.annotators,
        scale=Scale(table.scale.lowest, table.scale.labels),
        undecided=table.scale.undecided,
        overlap=table.overlap,
        training=table.training,
        controls=table.controls,
        repeats=table.repeats.share,
        folder=folder,
        source=source,
    )


def _build_round(table: RoundTable, study: StudyTable) -> RoundSettings:
    """Build a round; settings that its table omits come from the whole study."""
    changes = table.model_dump(include=table.model_fields_set - {"name", "tasks"})
    return RoundSettings(table.name, study.items.model_copy(update=changes), table.tasks or study.tasks)


def _read_instructions(study: Study, path: object) -> str:
    """Read the instructions from a file if they consist of a file name; otherwise return them."""
    name = study.instructions
    if "\n" in name or not name.lower().endswith((".md", ".markdown", ".txt")):
        return name
    try:
        return read_text(study.path(name))
    except InputError as error:
        reason = str(error).rstrip(".")
        problem = f"the file of instructions, {quote_value(name)}, cannot be used: {reason}"
        raise InputError(f"{problem}; create it, or write the instructions here", path=path) from None
