"""The settings of a study, as its file has them.

::

    title = "How far does each sense apply?"
    instructions = "instructions.md"      # a file beside this one, or the Markdown itself
    seed = 1                              # the random seed of samples and of the order of pages
    annotators = 4                        # how many you expect; only `polyseme annotate check` uses it

    [scale]                               # default: the scale of WSsim and Usim
    lowest = 1
    labels = ["completely different", "mostly different", "similar", "very similar", "identical"]
    undecided = ["Usim"]                  # the rated tasks in which "cannot decide" is an answer

    [items]
    usages = "usages.jsonl"               # a file or folder in any format, a data set's name, or an index
    lemmas = ["win.v", "paper.n"]         # default: all lemmas of the usages; an index needs them
    per_lemma = 10                        # the size of a random sample of each lemma; default: all usages
    by = "genre"                          # a field of the usages' meta, by which the sample is stratified
    senses = "wordnet-3.0"                # or a file of senses; for WSsim and WSbest
    context = 1                           # sentences on either side; pages show more on demand
    pairs = "all"                         # Usim: all pairs of a lemma, a number of them, or "triangle": those that
                                          # two other pairs are unlikely to imply
    several = true                        # WSbest: whether annotators may choose several senses
    substitutes = 1                       # SYNbest: how many substitutes annotators may write
    order = "random"                      # or "lemma": the pages of one lemma after the other

    [tasks]                               # the tasks of each group of annotators, in their order
    a = ["WSsim", "WSbest"]
    b = ["WSbest", "WSsim"]

    [[rounds]]                            # one after the other; each can have its own tasks, lemmas, per_lemma,
    name = "1"                            # pairs and usages

    [overlap]
    design = "everyone"                   # all annotators judge all pages
    # design = "per item"                 # judgements = 3: so many of each page, which is assigned on demand
    # design = "second"                   # share = 0.1: one judges all pages, a second one a share of each lemma

    [training]                            # pages with right answers that come first, with feedback
    answers = "training.csv"
    usages = "training.jsonl"             # where their usages are; default: among those of the items
    pass = 0.8                            # the share of answers that must be right
    tolerance = 1                         # how far a rating may be from the right answer
    attempts = 3                          # annotators who fail as often are paused

    [controls]                            # pages with right answers, hidden among the others
    answers = "controls.csv"
    every = 20                            # one control page follows so many other pages
    tolerance = 1

    [repeats]                             # pages that annotators see a second time, much later
    share = 0.05

Paths start from the folder of the study file. The file contains no secrets.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from polyseme.errors import InputError, quote_value
from polyseme.rating import WSSIM, Scale
from polyseme.settings import Settings, list_allowed, parse_settings
from polyseme.studio.study.tasks import TASKS

Design = Literal["everyone", "per item", "second"]
DESIGNS: tuple[str, ...] = get_args(Design)

TasksByGroup = Mapping[str, tuple[str, ...]]
"""Group of annotators → its tasks, in their order."""


# -- the values of keys ----------------------------------------------------------------------------------------------


def _check_distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Check that no name is listed twice."""
    if len(set(names)) < len(names):
        raise ValueError("nothing may be named twice")
    return names


def _allow_names(allowed: Collection[str]) -> AfterValidator:
    """Build a check that all names of a list are allowed."""

    def check(names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in allowed:
                raise ValueError(f"{quote_value(name)} is not known; {list_allowed(name, allowed)}")
        return names

    return AfterValidator(check)


Text = Annotated[str, Field(description="text in quotes")]
Name = Annotated[str, Field(min_length=1, description="text in quotes")]
Names = Annotated[
    tuple[Name, ...],
    Field(strict=False, description='a list of texts, as ["a", "b"]'),
    AfterValidator(_check_distinct),
]
Labels = Annotated[Names, Field(min_length=2, max_length=9, description="a list of 2 to 9 texts, one key each")]
TaskNames = Annotated[Names, Field(min_length=1), _allow_names(TASKS)]
RatedTaskNames = Annotated[Names, _allow_names([name for name, task in TASKS.items() if not task.is_choice])]
GroupTable = Annotated[
    dict[str, TaskNames], Field(description=f"a list of at least one of {', '.join(TASKS)} for each group")
]
Whole = Annotated[int, Field(ge=0, lt=2**31, description="a whole number, 0 or more")]
Count = Annotated[int, Field(ge=1, lt=2**31, description="a whole number, 1 or more")]
Share = Annotated[float, Field(ge=0, le=1, description="a number from 0 to 1")]
Pairs = Annotated[
    Literal["all", "triangle"] | Count, Field(description="all, triangle, or how many pairs of each lemma, 1 or more")
]


# -- the tables of the file ------------------------------------------------------------------------------------------


class ItemSettings(Settings):
    """Which usages are judged, with which senses, and how pages show them.

    Args:
        usages: A file or folder in any format, the name of a data set, or an index.
        lemmas: The lemmas to judge; empty for all lemmas of the usages.
        per_lemma: How many usages of each lemma to draw at random; 0 for all.
        by: A field of the usages' ``meta``, of each value of which the draw takes as many usages.
        senses: The name of a data set with senses, or a file of senses.
        context: How many sentences a page shows on either side.
        pairs: Which pairs of usages Usim asks for: ``all``, ``triangle``, or how many of each lemma.
        several: Whether annotators may choose several senses in WSbest.
        substitutes: How many substitutes annotators may write in SYNbest.
        order: The order of pages: ``random``, or ``lemma`` for one lemma after the other.
    """

    usages: Name = Field(examples=['usages = "FILE, DATA SET OR INDEX"'])
    lemmas: Names = ()
    per_lemma: Count = 0
    by: Text = ""
    senses: Text = ""
    context: Whole = 1
    pairs: Pairs = "all"
    several: bool = Field(True, description="true or false")
    substitutes: Count = 1
    order: Literal["random", "lemma"] = "random"


class OverlapSettings(Settings):
    """Who judges which page.

    Args:
        design: ``everyone`` judges everything; ``per item``: pages are assigned on demand until each has enough
            judgements; ``second``: one annotator judges everything, and a second one a share of each lemma.
        judgements: How many judgements of each page the design ``per item`` collects.
        share: The share of each lemma that a second annotator judges in the design ``second``.
        first: The name of the annotator who judges everything in the design ``second``; empty for the first added.
    """

    design: Design = "everyone"
    judgements: Count = 3
    share: Share = 0.1
    first: Text = ""

    @model_validator(mode="after")
    def _check_design(self) -> OverlapSettings:
        """Check that no key belongs to another design."""
        keys = {"per item": {"judgements"}, "second": {"share", "first"}}.get(self.design, set())
        for key in sorted(self.model_fields_set - keys - {"design"}):
            advice = "leave it out, or choose another design"
            raise ValueError(f"the design {self.design!r} has no {key}: {advice}")
        return self


class AnswerSettings(Settings):
    """Pages with right answers.

    Args:
        answers: A file of ratings with the right answers.
        usages: Where the usages of these pages are; empty for those of the items.
        tolerance: How far a rating may be from the right answer.
    """

    answers: Name
    usages: Text = ""
    tolerance: float = Field(1.0, ge=0, le=100, description="a number from 0 to 100")


class TrainingSettings(AnswerSettings):
    """Pages with right answers that come first, with feedback.

    Args:
        pass_mark: The share of answers that must be right (``pass`` in the file).
        attempts: After how many failures an annotator is paused.
    """

    pass_mark: Share = Field(0.8, alias="pass")
    attempts: Count = 3


class ControlSettings(AnswerSettings):
    """Pages with right answers, hidden among the others.

    Args:
        every: A control page follows this many other pages.
    """

    every: int = Field(20, ge=2, lt=2**31, description="a whole number, 2 or more")


class ScaleTable(Settings):
    """The scale of the rated tasks, as the file has it."""

    lowest: Whole = WSSIM.lowest
    labels: Labels = WSSIM.labels
    undecided: RatedTaskNames = ("Usim",)


class RoundTable(Settings):
    """A round, as the file has it: what it leaves out is as in the whole study."""

    name: Name
    usages: Text = ""
    lemmas: Names = ()
    per_lemma: Count = 0
    pairs: Pairs = "all"
    tasks: GroupTable = Field({})


class RepeatTable(Settings):
    """Pages that annotators see twice, as the file has it."""

    share: float = Field(0.05, ge=0, le=0.5, description="a number from 0 to 0.5")


class StudyTable(Settings):
    """A whole study file."""

    items: ItemSettings = Field(
        description="a table: [items]", examples=['[items] and then usages = "FILE, DATA SET OR INDEX"']
    )
    tasks: GroupTable = Field(
        examples=[f'[tasks] and then, for each group, a = ["WSsim"]; tasks are {", ".join(TASKS)}'], min_length=1
    )
    title: Name
    instructions: Text = ""
    seed: Whole = 1
    annotators: Whole = 0
    scale: ScaleTable = Field(ScaleTable(), description="a table: [scale]")
    rounds: tuple[RoundTable, ...] = Field((), strict=False, description="one table or several, each after [[rounds]]")
    overlap: OverlapSettings = Field(OverlapSettings(), description="a table: [overlap]")
    training: TrainingSettings | None = Field(None, description="a table: [training]")
    controls: ControlSettings | None = Field(None, description="a table: [controls]")
    repeats: RepeatTable = Field(RepeatTable(share=0), description="a table: [repeats]")

    @model_validator(mode="after")
    def _check_rounds(self) -> StudyTable:
        """Check that rounds have different names, and tasks for all groups."""
        names = [table.name for table in self.rounds]
        for number, table in enumerate(self.rounds):
            if table.name in names[:number]:
                raise ValueError(f"two rounds have the name {quote_value(table.name)}; give each its own")
            if table.tasks and table.tasks.keys() != self.tasks.keys():
                groups = f"the groups {', '.join(table.tasks)}, and the study for {', '.join(self.tasks)}"
                raise ValueError(f"round {quote_value(table.name)} has tasks for {groups}; give tasks for each of them")
        return self


# -- the study -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundSettings:
    """A round of the study.

    Args:
        name: Its name.
        items: What is judged in it.
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
    """What a study asks, and of whom.

    Args:
        title: What the study is called.
        items: What is judged.
        groups: The tasks of each group of annotators, in their order.
        rounds: The rounds, one after the other; there is at least one.
        instructions: What annotators read first, in Markdown.
        seed: The random seed of all draws.
        annotators: How many annotators are expected; 0 if unknown.
        scale: The scale of the rated tasks.
        undecided: The rated tasks in which "cannot decide" is an answer.
        overlap: Who judges which page.
        training: The training pages, if there are any.
        controls: The control pages, if there are any.
        repeats: The share of pages that annotators see twice.
        folder: The folder of the file; paths start from it.
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
    """Read a study file, and check what can be checked without its data.

    :mod:`polyseme.studio.study.checks` checks the rest.

    Raises:
        InputError: The file or its instructions cannot be read, or the file describes no study.
    """
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
    """Parse the text of a study file; the instructions stay as they stand there.

    Args:
        source: The text, in TOML.
        path: The file, for error messages.
        folder: The folder from which the paths in it start.

    Raises:
        InputError: The text describes no study.

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
    """Build a round; what its table leaves out is as in the whole study."""
    changes = table.model_dump(include=table.model_fields_set - {"name", "tasks"})
    return RoundSettings(table.name, study.items.model_copy(update=changes), table.tasks or study.tasks)


def _read_instructions(study: Study, path: object) -> str:
    """Read the instructions from a file, if they are one line that names a file; otherwise return them."""
    name = study.instructions
    if "\n" in name or not name.lower().endswith((".md", ".markdown", ".txt")):
        return name
    try:
        return study.path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        problem = f"instructions is {quote_value(name)}, and there is no such text file beside the study"
        raise InputError(f"{problem}; write it, or the instructions themselves", path=path) from None
