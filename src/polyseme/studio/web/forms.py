"""The four tasks as forms: what a page asks, and which judgements are in the fields that come back.

A form is filled and sent as a whole without JavaScript, and question by question with it; both are read here, and both
send the names and values that are written here. What is allowed and what is missing is not decided here but in
:mod:`polyseme.studio.study.pages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from polyseme.errors import InputError, quote_value
from polyseme.inventory import Sense
from polyseme.studio.study.pages import Judgement, Page, PageAnswers
from polyseme.studio.study.tasks import NO_SUBSTITUTE

FormFields = Mapping[str, Sequence[str]]
"""The name of a field → its values; one that is not here was not on the form, one without values is left empty."""

UNDECIDED_VALUE = "undecided"
"""The value of the field that says: cannot decide."""

CHOICE_KEYS = "123456789adefghijklmnopqrstuvwxyz"
"""The keys of choices, in their order: digits, and then the letters but b (back) and c (can't decide)."""


@dataclass(frozen=True)
class FormChoice:
    """One of several answers, with the key that gives it."""

    value: str
    label: str = ""
    words: str = ""
    key: str = ""
    checked: bool = False
    sense: Sense | None = None


@dataclass(frozen=True)
class FormQuestion:
    """What is answered at once: the ``name`` is that of its fields, ``missing`` whether it wants an answer."""

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
    """A task's form."""

    def ask(self, page: Page) -> tuple[str, str]:
        """The heading, and what to do, in words."""
        ...

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """Which key does what."""
        ...

    def questions(self, page: Page, answered: PageAnswers) -> tuple[FormQuestion, ...]:
        """The questions as they stand."""
        ...

    def filled(self, page: Page, answered: PageAnswers) -> FormFields:
        """The fields as they are filled in when the page is shown."""
        ...

    def judgements(self, page: Page, fields: FormFields, before: FormFields) -> list[Judgement]:
        """What is said by changing these fields from what they were before.

        It depends on nothing else: what is sent twice says the same twice, whatever was said in between.
        """
        ...


PART_OF_SPEECH_NAMES = {"n": "noun", "v": "verb", "a": "adjective", "j": "adjective", "s": "adjective", "r": "adverb"}


def format_lemma(lemma: str) -> str:
    """A lemma as people write it.

    >>> format_lemma("win.v"), format_lemma("café")
    ('win (verb)', 'café')
    """
    word, _, part = lemma.rpartition(".")
    said = PART_OF_SPEECH_NAMES.get(part)
    return f"{word} ({said})" if word and said else lemma


@dataclass(frozen=True)
class RatingForm:
    """A row of radio buttons for each target: WSsim and Usim."""

    heading: str
    hint: str

    def ask(self, page: Page) -> tuple[str, str]:
        """The heading and the ends of the scale."""
        lowest, highest = page.scale.lowest, page.scale.highest
        ends = f"from {lowest} ({page.scale.labels[0]}) to {highest} ({page.scale.labels[-1]})"
        target = page.passages[0].target
        return self.heading.format(lemma=format_lemma(page.lemma), target=target), self.hint.format(ends=ends)

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """One key a value."""
        keys = _value_keys(page)
        rating = (f"{keys[0]}–{keys[-1]}", "rate and move on")
        return (rating, ("c", "can’t decide")) if page.undecided else (rating,)

    def questions(self, page: Page, answered: PageAnswers) -> tuple[FormQuestion, ...]:
        """One for each target."""
        wanted = page.missing_targets(answered)
        senses: Sequence[Sense | None] = page.senses or (None,) * len(page.targets)
        return tuple(
            FormQuestion(
                f"rating{number}",
                choices=self._choices(page, answered, target),
                undecided=self._undecided(page, answered, target),
                sense=sense,
                missing=target in wanted,
            )
            for number, (target, sense) in enumerate(zip(page.targets, senses, strict=True), start=1)
        )

    def _choices(self, page: Page, answered: PageAnswers, target: str) -> tuple[FormChoice, ...]:
        values = range(page.scale.lowest, page.scale.highest + 1)
        given = answered.values.get(target)
        return tuple(
            FormChoice(str(value), str(value), words, key, given == value)
            for value, words, key in zip(values, page.scale.labels, _value_keys(page), strict=True)
        )

    def _undecided(self, page: Page, answered: PageAnswers, target: str) -> FormChoice | None:
        given = target in answered.values and answered.values[target] is None
        return FormChoice(UNDECIDED_VALUE, words="I can’t decide", key="c", checked=given) if page.undecided else None

    def filled(self, page: Page, answered: PageAnswers) -> FormFields:
        """The ratings as they stand."""
        return {
            f"rating{number}": [_format_rating(answered.values[target])] if target in answered.values else []
            for number, target in enumerate(page.targets, start=1)
        }

    def judgements(self, page: Page, fields: FormFields, before: FormFields) -> list[Judgement]:
        """The ratings that are new or changed."""
        names = {f"rating{number}": target for number, target in enumerate(page.targets, start=1)}
        changed = {name: fields[name] for name in names if fields.get(name) and fields[name] != before.get(name)}
        return [Judgement(names[name], _parse_rating(values[-1])) for name, values in changed.items()]


def _value_keys(page: Page) -> Sequence[str]:
    """The value itself where it is one digit, and else its place."""
    values = [str(value) for value in range(page.scale.lowest, page.scale.highest + 1)]
    return values if all(len(value) == 1 for value in values) else [str(place + 1) for place in range(len(values))]


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
    """The senses as radio buttons, or as boxes where several may be chosen: WSbest."""

    def ask(self, page: Page) -> tuple[str, str]:
        """Which sense fits best."""
        several = "Choose more than one only if they fit equally well." if page.several else "Choose one."
        return f"Which sense of {format_lemma(page.lemma)} fits best?", several

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """One key a sense."""
        keys = _format_key_ranges(CHOICE_KEYS[: len(page.senses)])
        return ((keys, "choose"), ("Enter", "move on")) if page.several else ((keys, "choose and move on"),)

    def questions(self, page: Page, answered: PageAnswers) -> tuple[FormQuestion, ...]:
        """A single one."""
        keys = CHOICE_KEYS.ljust(len(page.senses))
        choices = tuple(
            FormChoice(sense.id, key=key.strip(), checked=sense.id in answered.chosen, sense=sense)
            for sense, key in zip(page.senses, keys, strict=False)
        )
        words = "Senses that fit best" if page.several else "The sense that fits best"
        missing = bool(page.missing_targets(answered))
        return (FormQuestion("best", words, choices, several=page.several, missing=missing),)

    def filled(self, page: Page, answered: PageAnswers) -> FormFields:
        """What is chosen."""
        return {"best": list(answered.chosen)}

    def judgements(self, page: Page, fields: FormFields, before: FormFields) -> list[Judgement]:
        """What is newly chosen; where several may be, what is no longer chosen, too."""
        chosen = dict.fromkeys(before.get("best", ()))
        wanted = dict.fromkeys(fields.get("best", chosen))
        gone = [Judgement(target, 0.0) for target in chosen if target not in wanted and page.several]
        return [*gone, *(Judgement(target, 1.0) for target in wanted if target not in chosen)]


def _format_key_ranges(keys: str) -> str:
    """Keys that follow one another, from the first to the last.

    >>> _format_key_ranges(CHOICE_KEYS[:1]), _format_key_ranges(CHOICE_KEYS[:4]), _format_key_ranges(CHOICE_KEYS[:12])
    ('1', '1–4', '1–9, a–e')
    """
    runs = [run for run in (keys[:9], keys[9:]) if run]
    return ", ".join(run if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


@dataclass(frozen=True)
class WritingForm:
    """A field to write in, and a box that says that there is nothing to write: SYNbest."""

    def ask(self, page: Page) -> tuple[str, str]:
        """Which word could stand instead."""
        hint = "Write the one that changes the meaning least." if page.max_choices == 1 else "The best first."
        return f"Which word could stand here instead of “{page.passages[0].target}”?", hint

    def keys(self, page: Page) -> tuple[tuple[str, str], ...]:
        """As in all text fields."""
        return (("Enter", "save and move on"),)

    def questions(self, page: Page, answered: PageAnswers) -> tuple[FormQuestion, ...]:
        """As many fields as words are allowed."""
        written = [target for target in answered.chosen if target != NO_SUBSTITUTE]
        texts = tuple([*written, *[""] * page.max_choices][: page.max_choices])
        words = "The best substitute" if page.max_choices == 1 else f"Up to {page.max_choices} substitutes"
        nothing = NO_SUBSTITUTE in answered.chosen
        return (
            FormQuestion("substitute", words, texts=texts, nothing=nothing, missing=bool(page.missing_targets(answered))),
        )

    def filled(self, page: Page, answered: PageAnswers) -> FormFields:
        """What is written, or that there is nothing."""
        written = [target for target in answered.chosen if target != NO_SUBSTITUTE]
        return {"substitute": written, "nothing": ["1"] if NO_SUBSTITUTE in answered.chosen else []}

    def judgements(self, page: Page, fields: FormFields, before: FormFields) -> list[Judgement]:
        """What is newly written and what no longer is, or that there is nothing."""
        old, wanted = _substitutes(before), _substitutes({**before, **fields})
        nothing = NO_SUBSTITUTE in wanted and NO_SUBSTITUTE not in old
        new = [word for word in wanted if word not in old and word != NO_SUBSTITUTE]
        if nothing and new:
            raise InputError(f"you wrote {quote_value(new[0])} and say that there is none; leave out one of them")
        kept = {*wanted} - ({NO_SUBSTITUTE} if new else set())
        gone = [Judgement(word, 0.0) for word in old if word not in kept]
        return [*gone, *(Judgement(word, 1.0) for word in new), *([Judgement(NO_SUBSTITUTE, None)] if nothing else [])]


def _substitutes(fields: FormFields) -> dict[str, None]:
    """The words that are written, tidied, in their order; where the box is ticked, that there is nothing."""
    written = [" ".join(text.split()) for text in fields.get("substitute", ())]
    return dict.fromkeys([*filter(None, written), *([NO_SUBSTITUTE] if fields.get("nothing") else [])])


FORMS: Mapping[str, TaskForm] = {
    "WSsim": RatingForm("How well does each sense of {lemma} fit here?", "Rate every one, {ends}."),
    "Usim": RatingForm("Two usages of {lemma}", "Read both, then say how similar the word’s meaning is, {ends}."),
    "WSbest": ChoiceForm(),
    "SYNbest": WritingForm(),
}
"""Task → its form."""
