"""What the API takes and gives."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from polyseme.annotate.answers import LONGEST_REQUEST, LONGEST_TIME, MOST_MILLISECONDS
from polyseme.annotate.items import LONGEST, Page
from polyseme.annotate.outcome import Event
from polyseme.annotate.showing import Shown


class Problem(BaseModel):
    """What is wrong, in words."""

    said: str


class AboutStudy(BaseModel):
    """A study. The values of its scale begin with ``lowest``; ``labels`` say what they mean."""

    title: str
    instructions: str
    tasks: list[str]
    lowest: int
    labels: list[str]
    you: str


class AboutSense(BaseModel):
    """A sense as it is shown."""

    id: str
    gloss: str
    synonyms: list[str]
    examples: list[str]


class AboutPassage(BaseModel):
    """A usage as it is shown: ``text[start:end]``, counted in characters, is the target."""

    usage: str
    text: str
    start: int
    end: int
    before: str
    after: str


class Asked(BaseModel):
    """What is asked on a page: of which targets, on which scale, how many at most where something is chosen."""

    task: str
    lemma: str
    passages: list[AboutPassage]
    senses: list[AboutSense]
    targets: list[str]
    lowest: int
    labels: list[str]
    most: int
    undecided: bool

    @classmethod
    def made(cls, page: Page) -> Asked:
        """What a page asks."""
        senses = [
            AboutSense(id=each.id, gloss=each.gloss, synonyms=list(each.synonyms), examples=list(each.examples))
            for each in page.senses
        ]
        return cls(
            task=page.task,
            lemma=page.lemma,
            passages=[AboutPassage(**asdict(each)) for each in page.passages],
            senses=senses,
            targets=list(page.targets),
            lowest=page.scale.lowest,
            labels=list(page.scale.labels),
            most=page.most,
            undecided=page.undecided,
        )


class Item(BaseModel):
    """A page of the study, as managers see it; ``right`` are the right answers, of control and training pages."""

    id: int
    name: str
    round: str
    role: str
    asked: Asked
    right: dict[str, float | None]

    @classmethod
    def made(cls, number: int, page: Page) -> Item:
        """An item."""
        return cls(
            id=number,
            name=page.name,
            round=page.round,
            role=page.role,
            asked=Asked.made(page),
            right=dict(page.right),
        )


class Items(BaseModel):
    """Some items; ``next`` is what to ask for the others with, as ``after``."""

    items: list[Item]
    next: int | None


class Answers(BaseModel):
    """Some of what was said; ``last`` is the number of the last of them."""

    answers: list[Event]
    last: int


class AboutProgress(BaseModel):
    """How far an annotator is; ``seconds`` is the median time of a page."""

    annotator: str
    group: str
    state: str
    complete: int
    of: int
    judgements: int
    comments: int
    invalid: int
    started: str
    last: str
    seconds: float | None


class AboutExport(BaseModel):
    """A way to export the study."""

    name: str
    title: str
    media: str


class AboutFeedback(BaseModel):
    """In training: what was right."""

    target: str
    given: float | None
    right: float | None
    good: bool


class PageShown(BaseModel):
    """A page as an annotator sees it, and what they answered; what is a control item or a repeat is not said."""

    number: int
    of: int
    asked: Asked
    values: dict[str, float | None]
    comment: str
    invalid: str
    complete: bool
    missing: list[str]
    training: bool
    feedback: list[AboutFeedback]

    @classmethod
    def made(cls, shown: Shown) -> PageShown:
        """A page."""
        return cls(
            number=shown.number,
            of=shown.of,
            asked=Asked.made(shown.page),
            values=dict(shown.answered.values),
            comment=shown.answered.comment,
            invalid=shown.answered.invalid,
            complete=shown.complete,
            missing=shown.missing,
            training=shown.role == "training",
            feedback=[AboutFeedback(**each._asdict()) for each in shown.feedback],
        )


class JudgementGiven(BaseModel):
    """What is said of one target; the value null says: cannot decide."""

    model_config = ConfigDict(extra="forbid", strict=True)

    target: Annotated[str, Field(min_length=1, max_length=1000)]
    value: Annotated[float, Field(allow_inf_nan=False)] | None


class AnswersGiven(BaseModel):
    """What is said of a page at once. ``comment`` and ``invalid`` stay as they are where they are null or missing."""

    model_config = ConfigDict(extra="forbid", strict=True)

    request: Annotated[str, Field(min_length=1, max_length=LONGEST_REQUEST, description="New with every answer.")]
    judgements: Annotated[list[JudgementGiven], Field(max_length=1000)] = []
    comment: Annotated[str, Field(max_length=LONGEST)] | None = None
    invalid: Annotated[str, Field(max_length=LONGEST, description="Why; empty: it is valid after all.")] | None = None
    milliseconds: Annotated[int, Field(ge=0, le=MOST_MILLISECONDS)] | None = None
    client_time: Annotated[str, Field(max_length=LONGEST_TIME)] = ""
