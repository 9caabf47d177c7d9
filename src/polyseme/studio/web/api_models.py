"""What the API takes and gives."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.records import StudyEvent
from polyseme.studio.store.submissions import MAX_MILLISECONDS, MAX_REQUEST_LENGTH, MAX_TIME_LENGTH
from polyseme.studio.study.pages import MAX_TEXT_LENGTH, Page


class ApiProblem(BaseModel):
    """What is wrong, in words."""

    said: str


class ApiStudy(BaseModel):
    """A study. The values of its scale begin with ``lowest``; ``labels`` say what they mean."""

    title: str
    instructions: str
    tasks: list[str]
    lowest: int
    labels: list[str]
    you: str


class ApiSense(BaseModel):
    """A sense as it is shown."""

    id: str
    gloss: str
    synonyms: list[str]
    examples: list[str]


class ApiPassage(BaseModel):
    """A usage as it is shown: ``text[start:end]``, counted in characters, is the target."""

    usage: str
    text: str
    start: int
    end: int
    before: str
    after: str


class ApiQuestion(BaseModel):
    """What is asked on a page: of which targets, on which scale, how many at most where something is chosen."""

    task: str
    lemma: str
    passages: list[ApiPassage]
    senses: list[ApiSense]
    targets: list[str]
    lowest: int
    labels: list[str]
    most: int
    undecided: bool

    @classmethod
    def made(cls, page: Page) -> ApiQuestion:
        """What a page asks."""
        senses = [
            ApiSense(id=each.id, gloss=each.gloss, synonyms=list(each.synonyms), examples=list(each.examples))
            for each in page.senses
        ]
        return cls(
            task=page.task,
            lemma=page.lemma,
            passages=[ApiPassage(**asdict(each)) for each in page.passages],
            senses=senses,
            targets=list(page.targets),
            lowest=page.scale.lowest,
            labels=list(page.scale.labels),
            most=page.max_choices,
            undecided=page.undecided,
        )


class ApiItem(BaseModel):
    """A page of the study, as managers see it; ``right`` are the right answers, of control and training pages."""

    id: int
    name: str
    round: str
    role: str
    asked: ApiQuestion
    right: dict[str, float | None]

    @classmethod
    def made(cls, number: int, page: Page) -> ApiItem:
        """An item."""
        return cls(
            id=number,
            name=page.name,
            round=page.round,
            role=page.role,
            asked=ApiQuestion.made(page),
            right=dict(page.right),
        )


class ApiItems(BaseModel):
    """Some items; ``next`` is what to ask for the others with, as ``after``."""

    items: list[ApiItem]
    next: int | None


class ApiEvents(BaseModel):
    """Some of what was said; ``last`` is the number of the last of them."""

    answers: list[StudyEvent]
    last: int


class ApiProgress(BaseModel):
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


class ApiExport(BaseModel):
    """A way to export the study."""

    name: str
    title: str
    media: str


class ApiFeedback(BaseModel):
    """In training: what was right."""

    target: str
    given: float | None
    right: float | None
    good: bool


class ApiPage(BaseModel):
    """A page as an annotator sees it, and what they answered; what is a control item or a repeat is not said."""

    number: int
    of: int
    asked: ApiQuestion
    values: dict[str, float | None]
    comment: str
    invalid: str
    complete: bool
    missing: list[str]
    training: bool
    feedback: list[ApiFeedback]

    @classmethod
    def made(cls, shown: AssignedPage) -> ApiPage:
        """A page."""
        return cls(
            number=shown.number,
            of=shown.of,
            asked=ApiQuestion.made(shown.page),
            values=dict(shown.answered.values),
            comment=shown.answered.comment,
            invalid=shown.answered.invalid,
            complete=shown.complete,
            missing=shown.missing,
            training=shown.role == "training",
            feedback=[ApiFeedback(target=each.target, given=each.answer, right=each.right, good=each.good) for each in shown.feedback],
        )


class ApiJudgement(BaseModel):
    """What is said of one target; the value null says: cannot decide."""

    model_config = ConfigDict(extra="forbid", strict=True)

    target: Annotated[str, Field(min_length=1, max_length=1000)]
    value: Annotated[float, Field(allow_inf_nan=False)] | None


class ApiSubmission(BaseModel):
    """What is said of a page at once. ``comment`` and ``invalid`` stay as they are where they are null or missing."""

    model_config = ConfigDict(extra="forbid", strict=True)

    request: Annotated[str, Field(min_length=1, max_length=MAX_REQUEST_LENGTH, description="New with every answer.")]
    judgements: Annotated[list[ApiJudgement], Field(max_length=1000)] = []
    comment: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)] | None = None
    invalid: (
        Annotated[str, Field(max_length=MAX_TEXT_LENGTH, description="Why; empty: it is valid after all.")] | None
    ) = None
    milliseconds: Annotated[int, Field(ge=0, le=MAX_MILLISECONDS)] | None = None
    client_time: Annotated[str, Field(max_length=MAX_TIME_LENGTH)] = ""
