"""The requests and replies of the API."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from polyseme.studio.store.records import StudyEvent
from polyseme.studio.store.submissions import MAX_MILLISECONDS, MAX_REQUEST_LENGTH, MAX_TIME_LENGTH
from polyseme.studio.study.pages import MAX_TEXT_LENGTH, Page


class ApiReply(BaseModel):
    """A reply that is built from the attributes of an object."""

    model_config = ConfigDict(from_attributes=True)


def _attribute(*path: str, reply: str | None = None) -> Any:
    """Declare a field that is read from an attribute path; ``reply`` is its name in the reply."""
    return Field(validation_alias=AliasPath(*path), serialization_alias=reply)


class ApiProblem(ApiReply):
    """The problem, in words."""

    message: str = Field(serialization_alias="said")


class ApiStudy(ApiReply):
    """A study. The values of its scale begin with ``lowest``; ``labels`` are their meanings."""

    title: str
    instructions: str
    tasks: list[str]
    lowest: int
    labels: list[str]
    you: str


class ApiSense(ApiReply):
    """A sense as annotators see it."""

    id: str
    gloss: str
    synonyms: list[str]
    examples: list[str]


class ApiPassage(ApiReply):
    """A usage as annotators see it: ``text[start:end]``, counted in characters, is the target."""

    usage: str
    text: str
    start: int
    end: int
    before: str
    after: str


class ApiQuestion(ApiReply):
    """The question of a page: its targets, its scale, and the largest number of choices."""

    task: str
    lemma: str
    passages: list[ApiPassage]
    senses: list[ApiSense]
    targets: list[str]
    lowest: int = _attribute("scale", "lowest")
    labels: list[str] = _attribute("scale", "labels")
    max_choices: int = Field(serialization_alias="most")
    undecided: bool


class ApiItem(ApiReply):
    """A page of the study, as managers see it; ``right`` are the right answers of control and training pages."""

    id: int
    name: str
    round: str
    role: str
    question: ApiQuestion = Field(serialization_alias="asked")
    right: dict[str, float | None]

    @classmethod
    def from_page(cls, id: int, page: Page) -> ApiItem:
        """Return the item of a page."""
        question = ApiQuestion.model_validate(page)
        attributes = {name: getattr(page, name) for name in ("name", "round", "role", "right")}
        return cls(id=id, question=question, **attributes)


class ApiItems(ApiReply):
    """Some of the items; ``next`` is the number to ask for the following ones after."""

    items: list[ApiItem]
    next: int | None


class ApiEvents(ApiReply):
    """Some of the answers; ``last`` is the number of the last of them."""

    answers: list[StudyEvent]
    last: int


class ApiProgress(ApiReply):
    """The progress of an annotator; ``seconds`` is the median time of a page."""

    annotator: str
    group: str
    state: str
    complete: int
    total: int = Field(serialization_alias="of")
    judgements: int
    comments: int
    invalid: int
    started: str
    last: str
    seconds: Annotated[float | None, BeforeValidator(lambda seconds: seconds if math.isfinite(seconds) else None)]


class ApiExport(ApiReply):
    """An export of the study."""

    name: str
    title: str
    media: str


class ApiFeedback(ApiReply):
    """The feedback on one target of a training page."""

    target: str
    answer: float | None = Field(serialization_alias="given")
    right: float | None
    good: bool


class ApiPage(ApiReply):
    """A page as an annotator sees it, with their answers; it does not tell control items and repeats apart."""

    number: int
    total: int = Field(serialization_alias="of")
    question: ApiQuestion = _attribute("page", reply="asked")
    values: dict[str, float | None] = _attribute("answers", "values")
    comment: str = _attribute("answers", "comment")
    invalid: str = _attribute("answers", "invalid")
    complete: bool
    missing: list[str]
    training: Annotated[bool, BeforeValidator(lambda role: role == "training")] = _attribute("role")
    feedback: list[ApiFeedback]


class ApiJudgement(BaseModel):
    """A judgement of one target; the value null means "cannot decide"."""

    model_config = ConfigDict(extra="forbid", strict=True)

    target: Annotated[str, Field(min_length=1, max_length=1000)]
    value: Annotated[float, Field(allow_inf_nan=False)] | None


class ApiSubmission(BaseModel):
    """Answers to a page. ``comment`` and ``invalid`` stay as they are where they are null or missing."""

    model_config = ConfigDict(extra="forbid", strict=True)

    request: Annotated[str, Field(min_length=1, max_length=MAX_REQUEST_LENGTH, description="New with every answer.")]
    judgements: Annotated[list[ApiJudgement], Field(max_length=1000)] = []
    comment: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)] | None = None
    invalid: Annotated[str, Field(max_length=MAX_TEXT_LENGTH, description="Why; empty: the usage is valid.")] | None = (
        None
    )
    milliseconds: Annotated[int, Field(ge=0, le=MAX_MILLISECONDS)] | None = None
    client_time: Annotated[str, Field(max_length=MAX_TIME_LENGTH)] = ""
