"""Synsets, and the parts of a gloss."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

LEXICOGRAPHER_FILES: tuple[str, ...] = (
    *("adj.all", "adj.pert", "adv.all"),
    *("noun.Tops", "noun.act", "noun.animal", "noun.artifact", "noun.attribute", "noun.body", "noun.cognition"),
    *("noun.communication", "noun.event", "noun.feeling", "noun.food", "noun.group", "noun.location", "noun.motive"),
    *("noun.object", "noun.person", "noun.phenomenon", "noun.plant", "noun.possession", "noun.process"),
    *("noun.quantity", "noun.relation", "noun.shape", "noun.state", "noun.substance", "noun.time"),
    *("verb.body", "verb.change", "verb.cognition", "verb.communication", "verb.competition", "verb.consumption"),
    *("verb.contact", "verb.creation", "verb.emotion", "verb.motion", "verb.perception", "verb.possession"),
    *("verb.social", "verb.stative", "verb.weather", "adj.ppl"),
)
"""The lexicographer files by number (lexnames(5WN))."""

# A quotation that follows a semicolon, a colon or another quotation, and after which at most its source is named:
# others, as in `"shirtsleeves" means …`, are part of the definition.
_EXAMPLE = re.compile(
    r'(?:^|[;:]|(?<=")|(?<=" )|(?<=",))\s*"([^"]*)(?:"(?=\s*(?:$|[;"(-]|[A-Z]|,\s*"))(?:,(?=\s*")|[^;"]*)|$)'
)
# The only quotation of what is left then, at its end, after a comma or a bracket instead of a semicolon.
_LAST_QUOTATION = re.compile(r'([^"]*(?:(?<!e\.g\.),|\)))\s*"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of words with one meaning.

    Args:
        id: The name, offset and part of speech: ``02084442-n``.
        row: The row of :meth:`WordNet.graph`.
        pos: ``n``, ``v``, ``a``, ``r`` or, for the satellite of an adjective, ``s``.
        file: The lexicographer file.
        words: The words, with spaces.
        keys: Their sense keys.
        definition: The definition.
        examples: The examples.
    """

    id: str
    row: int
    pos: str
    file: str
    words: tuple[str, ...]
    keys: tuple[str, ...]
    definition: str
    examples: tuple[str, ...]


class Gloss(NamedTuple):
    """The two parts of a gloss."""

    definition: str
    examples: tuple[str, ...]


def split_gloss(gloss: str) -> Gloss:
    """Split a gloss into its definition and its examples; the sources of quotations are left out.

    >>> split_gloss('give off light; "the lamp shone"; "Shine, moon!"- a poet')
    Gloss(definition='give off light', examples=('the lamp shone', 'Shine, moon!'))
    >>> split_gloss('without a coat; "in your shirtsleeves" means without a jacket').examples
    ()
    >>> split_gloss('roll around, "pigs were wallowing in the mud"')
    Gloss(definition='roll around', examples=('pigs were wallowing in the mud',))
    """
    definition, examples = _EXAMPLE.sub("", gloss).strip(" ;:"), _EXAMPLE.findall(gloss)
    if last := _LAST_QUOTATION.fullmatch(definition):
        definition, examples = last[1].rstrip(","), [last[2], *examples]
    return Gloss(definition, tuple(examples))


def lexicographer_file(number: int) -> str:
    """Return the name of a lexicographer file.

    >>> lexicographer_file(5), lexicographer_file(99)
    ('noun.animal', '99')
    """
    return LEXICOGRAPHER_FILES[number] if number < len(LEXICOGRAPHER_FILES) else str(number)
