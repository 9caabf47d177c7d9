"""The tables of a study file, as pydantic validates them; :mod:`polyseme.studio.study.settings` describes the keys."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from polyseme.errors import quote_value
from polyseme.rating import WSSIM
from polyseme.settings import Settings, list_allowed
from polyseme.studio.study.tasks import TASKS

Design = Literal["everyone", "per item", "second"]
DESIGNS: tuple[str, ...] = get_args(Design)


# -- the values of keys ----------------------------------------------------------------------------------------------


def _check_distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Check that no name is listed twice."""
    if len(set(names)) < len(names):
        raise ValueError("list each name only once")
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
    Field(strict=False, description='a list of texts, such as ["a", "b"]'),
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
    Literal["all", "triangle"] | Annotated[int, Field(ge=1)],
    Field(description="all, triangle, or how many pairs of each lemma, 1 or more"),
]


# -- the tables of the file ------------------------------------------------------------------------------------------


class ItemSettings(Settings):
    """The usages to judge, their senses, and how pages show them.

    Args:
        usages: A file or folder in any format, the name of a data set, or an index.
        lemmas: The lemmas to judge; empty for all lemmas of the usages.
        per_lemma: The size of the random sample of each lemma; 0 for all usages.
        by: A field of the usages' ``meta`` whose values stratify the sample.
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
        design: ``everyone``: all annotators judge all pages. ``per item``: pages are assigned on demand until each has
            enough judgements. ``second``: one annotator judges all pages, and a second one a share of each lemma.
        judgements: For ``per item``: the number of judgements of each page.
        share: For ``second``: the share of each lemma that a second annotator judges.
        first: For ``second``: the name of the annotator who judges all pages; empty for the one who was added first.
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
            raise ValueError(f"the design {self.design!r} has no {key}: remove it, or choose another design")
        return self


class AnswerSettings(Settings):
    """Pages with right answers.

    Args:
        answers: A file of ratings with the right answers.
        usages: The source of their usages; empty for the usages of the items.
        tolerance: How far a rating may be from the right answer.
    """

    answers: Name
    usages: Text = ""
    tolerance: float = Field(1.0, ge=0, le=100, description="a number from 0 to 100")


class TrainingSettings(AnswerSettings):
    """Pages with right answers that come first, with feedback.

    Args:
        pass_mark: The share of right answers that is needed (``pass`` in the file).
        attempts: The number of failures after which an annotator is paused.
    """

    pass_mark: Share = Field(0.8, alias="pass")
    attempts: Count = 3


class ControlSettings(AnswerSettings):
    """Pages with right answers, hidden among the others.

    Args:
        every: The number of ordinary pages before each control page.
    """

    every: int = Field(20, ge=2, lt=2**31, description="a whole number, 2 or more")


class ScaleTable(Settings):
    """The scale of the rated tasks in the file."""

    lowest: Whole = WSSIM.lowest
    labels: Labels = WSSIM.labels
    undecided: RatedTaskNames = ("Usim",)


class RoundTable(Settings):
    """A round in the file; settings that it omits come from the whole study."""

    name: Name
    usages: Text = ""
    lemmas: Names = ()
    per_lemma: Count = 0
    pairs: Pairs = "all"
    tasks: GroupTable = Field({})


class RepeatTable(Settings):
    """The pages that annotators see twice, in the file."""

    share: float = Field(0.05, ge=0, le=0.5, description="a number from 0 to 0.5")


class StudyTable(Settings):
    """A whole study file."""

    items: ItemSettings = Field(examples=['[items] and then usages = "FILE, DATA SET OR INDEX"'])
    tasks: GroupTable = Field(
        examples=[f'[tasks] and then, for each group, a = ["WSsim"]; tasks are {", ".join(TASKS)}'], min_length=1
    )
    title: Name
    instructions: Text = ""
    seed: Whole = 1
    annotators: Whole = 0
    scale: ScaleTable = ScaleTable()
    rounds: tuple[RoundTable, ...] = Field((), strict=False, description="one table or several, each after [[rounds]]")
    overlap: OverlapSettings = OverlapSettings()
    training: TrainingSettings | None = None
    controls: ControlSettings | None = None
    repeats: RepeatTable = RepeatTable(share=0)

    @model_validator(mode="after")
    def _check_rounds(self) -> StudyTable:
        """Check that rounds have different names, and tasks for all groups."""
        names = [table.name for table in self.rounds]
        for number, table in enumerate(self.rounds):
            if table.name in names[:number]:
                raise ValueError(f"two rounds have the name {quote_value(table.name)}; give each its own")
            if table.tasks and table.tasks.keys() != self.tasks.keys():
                groups = f"the groups {', '.join(table.tasks)}, but the study has {', '.join(self.tasks)}"
                raise ValueError(f"round {quote_value(table.name)} has tasks for {groups}; name tasks for each group")
        return self
