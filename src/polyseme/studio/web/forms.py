"""The form of each task: its questions, and the judgements in the fields that come back.

Without JavaScript a form is sent as a whole, with it question by question. Both use the field names and values that
this module defines. :mod:`polyseme.studio.study.pages` decides which answers are allowed and which are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from polyseme.errors import InputError, quote_value
from polyseme.inventory import Sense
from polyseme.lemma import describe_lemma
from polyseme.studio.store.submissions import Submission
from polyseme.studio.study.pages import Judgement, Page, PageAnswers
from polyseme.studio.study.tasks import NO_SUBSTITUTE

FormFields = Mapping[str, Sequence[str]]
"""Field name → values. A missing name means that the form did not have the field; no values, that it is empty."""

UNDECIDED_VALUE = "undecided"
"""The field value for "cannot decide"."""

CHOICE_KEYS = "123456789adefghijklmnopqrstuvwxyz"
"""The keys of choices: digits, then letters except b (back) and c (can't decide)."""


@dataclass(frozen=True)
class FormChoice:
    """One possible answer to a question.

    Args:
        value: The field value.
        label: A short label, such as the number on a scale.
        words: A description.
        key: The key that selects it.
        checked: Whether it is selected.
        sense: The sense that it stands for.
    """

    value: str
    label: str = ""
    words: str = ""
    key: str = ""
    checked: bool = False
    sense: Sense | None = None


@dataclass(frozen=True)
class FormQuestion:
    """A question of a form.

    Args:
        name: The name of its fields.
        words: The question in words.
        choices: The possible answers.
        undecided: The choice "cannot decide", where it is allowed.
        sense: The sense that is judged.
        several: Whether several choices are allowed.
        texts: The contents of text fields.
        nothing: Whether the annotator says that no substitute exists.
        missing: Whether an answer is missing.
    """

    name: str
    words: str = ""
    choices: tuple[FormChoice, ...] = ()
    undecided: FormChoice | None = None
    sense: Sense | None = None
    several: bool = False
    texts: tuple[str, ...] = ()
    nothing: bool = False
    missing: bool = False


class TaskForm(Protocol):
    """The form of a task."""

    def prompt(self, page: Page) -> tuple[str, str]:
        """Return the heading and the instruction."""
        ...

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """Return pairs of keys and their effects."""
        ...

    def questions(self, page: Page, answers: PageAnswers) -> tuple[FormQuestion, ...]:
        """Return the questions with their current answers."""
        ...

    def fields(self, page: Page, answers: PageAnswers) -> FormFields:
        """Return the fields with their current values."""
        ...

    def judgements(self, page: Page, fields: FormFields, stored_fields: FormFields) -> list[Judgement]:
        """Return the judgements that lead from the stored fields to these fields.

        They depend on nothing else, so a form that is sent twice yields the same judgements twice.
        """
        ...


def build_submission(
    page: Page,
    answers: PageAnswers,
    fields: FormFields,
    stored_fields: FormFields,
    request: str,
    milliseconds: int | None = None,
    client_time: str = "",
) -> Submission | None:
    """Build a submission from the fields that changed.

    Args:
        page: The page.
        answers: Its current answers. A judgement that was never saved is not withdrawn.
        fields: The fields as they are.
        stored_fields: The fields before the change, with ``comment`` and ``invalid``.
        request: The id of the submission.
        milliseconds: The time that the answer took.
        client_time: The time by the clock of the client.

    Returns:
        The submission; ``None`` if nothing changed.
    """
    changes = FORMS[page.task].judgements(page, fields, stored_fields)
    judgements = tuple(change for change in changes if change.value != 0 or change.target in answers.values)
    comment, invalid = (_changed_text(fields, stored_fields, name) for name in ("comment", "invalid"))
    if not judgements and comment is None and invalid is None:
        return None
    return Submission(judgements, request, comment, invalid, milliseconds, client_time)


def _changed_text(fields: FormFields, stored_fields: FormFields, name: str) -> str | None:
    """Return the text of a field if it changed."""
    if not fields.get(name):
        return None
    text = fields[name][0].replace("\r\n", "\n").strip()
    return text if [text] != list(stored_fields.get(name, ())) else None


@dataclass(frozen=True)
class RatingForm:
    """A row of radio buttons for each target, for WSsim and Usim.

    Args:
        heading: The heading, with ``{lemma}``.
        hint: The instruction, with ``{ends}`` for the ends of the scale.
    """

    heading: str
    hint: str

    def prompt(self, page: Page) -> tuple[str, str]:
        """Return the heading and the instruction."""
        scale = page.scale
        ends = f"from {scale.lowest} ({scale.labels[0]}) to {scale.highest} ({scale.labels[-1]})"
        return self.heading.format(lemma=describe_lemma(page.lemma)), self.hint.format(ends=ends)

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """Return one key for each value."""
        keys = _value_keys(page)
        rating = (f"{keys[0]}–{keys[-1]}", "rate and continue")
        return (rating, ("c", "can’t decide")) if page.undecided else (rating,)

    def questions(self, page: Page, answers: PageAnswers) -> tuple[FormQuestion, ...]:
        """Return one question for each target."""
        missing = page.missing_targets(answers)
        senses: Sequence[Sense | None] = page.senses or (None,) * len(page.targets)
        return tuple(
            FormQuestion(
                f"rating{number}",
                choices=self._choices(page, answers, target),
                undecided=self._undecided(page, answers, target),
                sense=sense,
                missing=target in missing,
            )
            for number, (target, sense) in enumerate(zip(page.targets, senses, strict=True), start=1)
        )

    def _choices(self, page: Page, answers: PageAnswers, target: str) -> tuple[FormChoice, ...]:
        values = range(page.scale.lowest, page.scale.highest + 1)
        rating = answers.values.get(target)
        return tuple(
            FormChoice(str(value), str(value), words, key, rating == value)
            for value, words, key in zip(values, page.scale.labels, _value_keys(page), strict=True)
        )

    def _undecided(self, page: Page, answers: PageAnswers, target: str) -> FormChoice | None:
        checked = target in answers.values and answers.values[target] is None
        return FormChoice(UNDECIDED_VALUE, "", "I can’t decide", "c", checked) if page.undecided else None

    def fields(self, page: Page, answers: PageAnswers) -> FormFields:
        """Return the current ratings."""
        return {
            name: [_format_rating(answers.values[target])] if target in answers.values else []
            for name, target in _rating_fields(page).items()
        }

    def judgements(self, page: Page, fields: FormFields, stored_fields: FormFields) -> list[Judgement]:
        """Return the ratings that are new or changed."""
        return [
            Judgement(target, _parse_rating(fields[name][-1]))
            for name, target in _rating_fields(page).items()
            if fields.get(name) and fields[name] != stored_fields.get(name)
        ]


def _rating_fields(page: Page) -> dict[str, str]:
    """Return field name → target."""
    return {f"rating{number}": target for number, target in enumerate(page.targets, start=1)}


def _value_keys(page: Page) -> Sequence[str]:
    """Return the keys of the values: the digits themselves, or else their positions."""
    values = [str(value) for value in range(page.scale.lowest, page.scale.highest + 1)]
    return values if all(len(value) == 1 for value in values) else [str(n) for n in range(1, len(values) + 1)]


def _format_rating(value: float | None) -> str:
    return UNDECIDED_VALUE if value is None else f"{value:g}"


def _parse_rating(text: str) -> float | None:
    if text == UNDECIDED_VALUE:
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"the rating {quote_value(text)} is not a number") from None


@dataclass(frozen=True)
class ChoiceForm:
    """The senses as radio buttons, or as check boxes where several may be chosen, for WSbest."""

    def prompt(self, page: Page) -> tuple[str, str]:
        """Return the heading and the instruction."""
        hint = "Choose several only if they fit equally well." if page.several else "Choose one."
        return f"Which meaning of {describe_lemma(page.lemma)} fits best?", hint

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """Return one key for each sense."""
        keys = _format_key_ranges(CHOICE_KEYS[: len(page.senses)])
        return ((keys, "choose"), ("Enter", "continue")) if page.several else ((keys, "choose and continue"),)

    def questions(self, page: Page, answers: PageAnswers) -> tuple[FormQuestion, ...]:
        """Return a single question."""
        keys = CHOICE_KEYS.ljust(len(page.senses))
        choices = tuple(
            FormChoice(sense.id, key=key.strip(), checked=sense.id in answers.chosen, sense=sense)
            for sense, key in zip(page.senses, keys, strict=False)
        )
        words = "The meanings that fit best" if page.several else "The meaning that fits best"
        missing = bool(page.missing_targets(answers))
        return (FormQuestion("best", words, choices, several=page.several, missing=missing),)

    def fields(self, page: Page, answers: PageAnswers) -> FormFields:
        """Return the chosen senses."""
        return {"best": list(answers.chosen)}

    def judgements(self, page: Page, fields: FormFields, stored_fields: FormFields) -> list[Judgement]:
        """Return new choices and, where several are allowed, withdrawn ones."""
        old = dict.fromkeys(stored_fields.get("best", ()))
        new = dict.fromkeys(fields.get("best", old))
        withdrawn = [Judgement(target, 0.0) for target in old if target not in new and page.several]
        return [*withdrawn, *(Judgement(target, 1.0) for target in new if target not in old)]


def _format_key_ranges(keys: str) -> str:
    """Format keys as ranges.

    >>> _format_key_ranges(CHOICE_KEYS[:1]), _format_key_ranges(CHOICE_KEYS[:4]), _format_key_ranges(CHOICE_KEYS[:12])
    ('1', '1–4', '1–9, a–e')
    """
    runs = [run for run in (keys[:9], keys[9:]) if run]
    return ", ".join(run if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


@dataclass(frozen=True)
class WritingForm:
    """Text fields for substitutes, and a check box for "none", for SYNbest."""

    def prompt(self, page: Page) -> tuple[str, str]:
        """Return the heading and the instruction."""
        hint = "Write the one that changes the meaning least." if page.max_choices == 1 else "Write the best one first."
        return f"Which word or phrase could replace “{page.passages[0].target}” here?", hint

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """Return the key that all text fields have."""
        return (("Enter", "save and continue"),)

    def questions(self, page: Page, answers: PageAnswers) -> tuple[FormQuestion, ...]:
        """Return a question with as many text fields as substitutes are allowed."""
        fields = self.fields(page, answers)
        texts = tuple([*fields["substitute"], *[""] * page.max_choices][: page.max_choices])
        words = "The best word or phrase" if page.max_choices == 1 else f"Up to {page.max_choices} words or phrases"
        missing = bool(page.missing_targets(answers))
        return (FormQuestion("substitute", words, texts=texts, nothing=bool(fields["nothing"]), missing=missing),)

    def fields(self, page: Page, answers: PageAnswers) -> FormFields:
        """Return the substitutes, and whether there is none."""
        substitutes = [target for target in answers.chosen if target != NO_SUBSTITUTE]
        return {"substitute": substitutes, "nothing": ["1"] if NO_SUBSTITUTE in answers.chosen else []}

    def judgements(self, page: Page, fields: FormFields, stored_fields: FormFields) -> list[Judgement]:
        """Return new and withdrawn substitutes, or that there is none."""
        old, current = _substitutes(stored_fields), _substitutes({**stored_fields, **fields})
        nothing = NO_SUBSTITUTE in current and NO_SUBSTITUTE not in old
        new = [word for word in current if word not in old and word != NO_SUBSTITUTE]
        if nothing and new:
            raise InputError(f"you wrote {quote_value(new[0])} and also ticked “No word fits”; keep only one of them")
        remaining = {*current} - ({NO_SUBSTITUTE} if new else set())
        withdrawn = [Judgement(word, 0.0) for word in old if word not in remaining]
        none = [Judgement(NO_SUBSTITUTE, None)] if nothing else []
        return [*withdrawn, *(Judgement(word, 1.0) for word in new), *none]


def _substitutes(fields: FormFields) -> dict[str, None]:
    """Return the substitutes in their order, with normalised blanks, and the mark for "none" if it is ticked."""
    words = [" ".join(text.split()) for text in fields.get("substitute", ())]
    return dict.fromkeys([*filter(None, words), *([NO_SUBSTITUTE] if fields.get("nothing") else [])])


FORMS: Mapping[str, TaskForm] = {
    "WSsim": RatingForm(
        "How well does each meaning of {lemma} fit here?", "Compare each with the marked word, and rate it {ends}."
    ),
    "Usim": RatingForm(
        "How similar is the meaning of {lemma} in these two texts?", "Compare the marked words, and rate them {ends}."
    ),
    "WSbest": ChoiceForm(),
    "SYNbest": WritingForm(),
}
"""Task → its form."""
