"""The XML of SemEval-2013 Task 13: instances with the offsets of their target, and in the trial data with ratings.

::

    <instances lemma="win" partOfSpeech="v">
      <instance id="win.v.1" lemma="win" partOfSpeech="v" token="won" tokenEnd="6" tokenStart="3">We won.<ratings>
          <sense mean="4.5" median="4.5" mode="5.0" name="win%2:33:00::">
            <annotation annotator="ann">5</annotation>
            <annotation annotator="bob">4</annotation>
          </sense>
        </ratings>
      </instance>

The text is exactly what precedes ``<ratings>``; offsets count characters. Ratings are WSsim judgements. The statistics
of a sense are not read. They are computed from its annotations when a file is written; the mode is the highest of
several.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from itertools import takewhile
from statistics import median

from polyseme.errors import InputError, quote_value
from polyseme.formats.files import Source, write_text
from polyseme.formats.registry import FileFormat
from polyseme.formats.tables import format_number
from polyseme.formats.unique_names import UniqueNames
from polyseme.formats.xml import Element, escape_text, format_tag, read_elements, root_tag
from polyseme.formats.xml_instances import (
    XML_DECLARATION,
    check_unique,
    integer_attribute,
    meta_attributes,
    other_attributes,
)
from polyseme.rating import WSSIM, Rating, highest_mode
from polyseme.usage import Usage

RATING_TASK = "WSsim"
"""The task of the annotators of the trial data."""

_USAGE_ATTRIBUTES = ("id", "lemma", "partOfSpeech", "token", "tokenEnd", "tokenStart")

# -- reading -------------------------------------------------------------------------------------------------------


def read_semeval_2013_usages(source: Source) -> Iterator[Usage]:
    """Yield the usages of a file.

    >>> from polyseme.formats.files import Blob
    >>> one = b'<instance id="a.1" lemma="win" partOfSpeech="v" token="won" tokenStart="3" tokenEnd="6">We won.'
    >>> next(read_semeval_2013_usages(Blob("win.v.xml", b"<instances>" + one + b"</instance></instances>"))).lemma
    'win.v'
    """
    return map(_parse_usage, _read_instances(source))


def read_semeval_2013_ratings(source: Source) -> Iterator[Rating]:
    """Yield the judgements of a file in its order; an error if it has none."""
    is_empty = True
    for instance in _read_instances(source):
        for rating in _parse_ratings(instance):
            is_empty = False
            yield rating
    if is_empty:
        raise InputError("no instance has <ratings>; the trial data of Task 13 have them", path=source)


def _read_instances(source: Source) -> Iterator[Element]:
    ids = UniqueNames("usage", source)
    for instance in read_elements(source, 2):
        if instance.tag != "instance":
            raise instance.error(f"<{instance.tag}> where an <instance> must be")
        ids.add(instance.attribute("id"), instance.line)
        yield instance


def _instance_lemma(instance: Element) -> str:
    lemma, pos = instance.attribute("lemma"), instance.attribute("partOfSpeech")
    return f"{lemma}.{pos}" if pos else lemma


def _parse_usage(instance: Element) -> Usage:
    id, token, text = instance.attribute("id"), instance.attribute("token"), _text_before_ratings(instance)
    start, end = integer_attribute(instance, "tokenStart"), integer_attribute(instance, "tokenEnd")
    if not start <= end <= len(text):
        problem = f"the target [{start}:{end}] of {quote_value(id)} lies outside its text of {len(text)} characters"
        raise instance.error(f"{problem}; correct tokenStart and tokenEnd")
    if text[start:end] != token:
        enclosed = f"tokenStart and tokenEnd of {quote_value(id)} enclose {quote_value(text[start:end])}"
        raise instance.error(f"{enclosed}, but token is {quote_value(token)}; they count characters from 0")
    pos, meta = instance.attribute("partOfSpeech"), other_attributes(instance, set(_USAGE_ATTRIBUTES))
    return Usage(id, _instance_lemma(instance), text, start, end, pos, meta)


def _text_before_ratings(instance: Element) -> str:
    """Return the text that precedes the ratings."""
    parts = takewhile(lambda part: isinstance(part, str) or part.tag != "ratings", instance.parts)
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def _parse_ratings(instance: Element) -> Iterator[Rating]:
    lemma, usage = _instance_lemma(instance), instance.attribute("id")
    senses = UniqueNames("sense", instance.source)
    for sense in instance.find_all("sense"):
        name = sense.attribute("name")
        senses.add(name, sense.line)
        annotators = UniqueNames("annotator", instance.source)
        for annotation in sense.find_all("annotation"):
            annotators.add(annotation.attribute("annotator"), annotation.line)
            yield Rating(annotation.attribute("annotator"), RATING_TASK, lemma, usage, name, _parse_value(annotation))


def _parse_value(annotation: Element) -> float:
    try:
        value = float(annotation.text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise annotation.error(f"rating {quote_value(annotation.text)} is not a number")
    if not WSSIM.lowest <= value <= WSSIM.highest:
        raise annotation.error(f"rating {value:g} is not on the scale from {WSSIM.lowest} to {WSSIM.highest}")
    return value


# -- writing -------------------------------------------------------------------------------------------------------

SenseRatings = dict[str, dict[str, float]]
"""Sense → annotator → value."""


def write_semeval_2013_usages(
    usages: Iterable[Usage], path: str | os.PathLike[str], ratings: Iterable[Rating] = ()
) -> None:
    """Write usages with their judgements, which must be WSsim, decided and without comments."""
    write_text(path, format_semeval_2013_usages(usages, ratings))


def format_semeval_2013_usages(usages: Iterable[Usage], ratings: Iterable[Rating] = ()) -> str:
    """Format usages and their judgements as the text of a file.

    >>> print(format_semeval_2013_usages([Usage("win.v.1", "win.v", "We won.", 3, 6, "v")]).split(">", 2)[2].strip())
    <instance id="win.v.1" lemma="win" partOfSpeech="v" token="won" tokenEnd="6" tokenStart="3">We won.</instance>
    </instances>
    """
    usages = list(usages)
    ratings_by_usage = _group_ratings(usages, ratings)
    check_unique("usage", [usage.id for usage in usages])
    lemmas = {_split_usage_lemma(usage) for usage in usages}
    lemma = zip(("lemma", "partOfSpeech"), *lemmas, strict=True) if len(lemmas) == 1 else ()
    parts = [XML_DECLARATION, format_tag("instances", lemma), "\n"]
    for usage in usages:
        parts += ["  ", _format_instance(usage, ratings_by_usage.get(usage.id, {}))]
    return "".join([*parts, "</instances>\n"])


def _split_usage_lemma(usage: Usage) -> tuple[str, str]:
    """Split the lemma of a usage, which must end in its part of speech."""
    if not usage.pos:
        return usage.lemma, ""
    lemma = usage.lemma.removesuffix(f".{usage.pos}")
    if lemma == usage.lemma:
        problem = f"usage {quote_value(usage.id)} has the part of speech {quote_value(usage.pos)}"
        raise InputError(
            f"{problem}, in which its lemma {quote_value(usage.lemma)} does not end; call it word.{usage.pos}"
        )
    return lemma, usage.pos


def _group_ratings(usages: list[Usage], ratings: Iterable[Rating]) -> dict[str, SenseRatings]:
    """Return usage → sense → annotator → value."""
    lemmas = {usage.id: usage.lemma for usage in usages}
    groups: dict[str, SenseRatings] = {}
    for rating in ratings:
        usage, annotator = quote_value(rating.usage), quote_value(rating.annotator)
        if problem := _describe_unwritable(rating, lemmas):
            raise InputError(f"the rating of {usage} by {annotator} {problem}")
        values = groups.setdefault(rating.usage, {}).setdefault(rating.target, {})
        if rating.annotator in values:
            problem = f"annotator {annotator} rates {quote_value(rating.target)} of {usage} twice"
            raise InputError(f"{problem}; give each judgement once")
        values[rating.annotator] = rating.value + 0.0  # turns −0 into 0
    return groups


def _describe_unwritable(rating: Rating, lemmas: dict[str, str]) -> str:
    """Return why this format cannot hold a rating; empty if it can."""
    if rating.usage not in lemmas:
        return "is of a usage that is not written; give that usage too"
    if rating.lemma != lemmas[rating.usage]:
        lemma = quote_value(lemmas[rating.usage])
        return f"names the lemma {quote_value(rating.lemma)}, the usage {lemma}; they must agree"
    if rating.task != RATING_TASK:
        return f"is of the task {quote_value(rating.task)}; only {RATING_TASK} can be written here"
    if not math.isfinite(rating.value):
        return "has no number as its value, which cannot be written here; write CSV, or leave it out"
    if any(value not in ("", None) for value in rating[6:]):
        return "has a comment, a time or the like, which cannot be written here; write CSV, or leave it out"
    return ""


def _format_instance(usage: Usage, sense_ratings: SenseRatings) -> str:
    lemma, pos = _split_usage_lemma(usage)
    values = (usage.id, lemma, pos, usage.target, usage.end, usage.start)
    attributes = [*zip(_USAGE_ATTRIBUTES, values, strict=True), *meta_attributes(usage, _USAGE_ATTRIBUTES)]
    ratings = f"{_format_ratings(sense_ratings)}\n  " if sense_ratings else ""
    return f"{format_tag('instance', attributes)}{escape_text(usage.text)}{ratings}</instance>\n"


def _format_ratings(sense_ratings: SenseRatings) -> str:
    parts = ["<ratings>\n"]
    for sense, values in sense_ratings.items():
        parts.append(f"      {format_tag('sense', [*_statistics(list(values.values())), ('name', sense)])}\n")
        for annotator, value in values.items():
            opening = format_tag("annotation", [("annotator", annotator)])
            parts.append(f"        {opening}{format_number(value)}</annotation>\n")
        parts.append("      </sense>\n")
    return "".join([*parts, "    </ratings>"])


def _statistics(values: list[float]) -> list[tuple[str, float]]:
    """Return mean, median and mode, the highest of several.

    >>> _statistics([5.0, 3.0, 1.0])
    [('mean', 3.0), ('median', 3.0), ('mode', 5.0)]
    """
    figures = {"mean": sum(values) / len(values), "median": median(values), "mode": highest_mode(values)}
    return [(name, float(value)) for name, value in figures.items()]


FORMAT = FileFormat(
    "semeval-2013-task-13",
    "XML of SemEval-2013 Task 13",
    lambda start: root_tag(start) == "instances",
    readers={"usages": read_semeval_2013_usages, "ratings": read_semeval_2013_ratings},
    writers={"usages": write_semeval_2013_usages},
)
