"""WordNet as columns: numbers and text in flat arrays, so that loading makes no object for each word or synset."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from numpy.typing import NDArray

from polyseme.packed_strings import PackedStrings

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class WordNetColumns:
    """The content of the database files of a WordNet.

    Synsets are in the order of the files (nouns, verbs, adjectives, adverbs), senses in the order of the synsets and
    of the words in them. A *row* is a position in that order.

    Args:
        synset_offset: The byte offset of each synset in its file, which with its part of speech is its name.
        synset_kind: 1 noun, 2 verb, 3 adjective, 4 adverb, 5 satellite of an adjective, as in sense keys.
        synset_file: The number of the lexicographer's file.
        synset_senses: Synset ``i`` has the senses ``synset_senses[i]:synset_senses[i + 1]``.
        gloss: Definition and examples of each synset, as written.
        sense_synset: The synset of each sense.
        sense_number: The number of each sense among those of its lemma, from 1.
        sense_count: How often the sense is tagged in SemCor.
        word: The word of each sense with underscores, without the marker of the position of an adjective.
        key: The sense key.
        by_key: The senses sorted by key.
        lemma: Every ``word.pos``, sorted.
        lemma_senses: Lemma ``i`` has the senses ``by_lemma[lemma_senses[i]:lemma_senses[i + 1]]``.
        by_lemma: The senses by lemma and sense number.
        pointer_relation: The number of each pointer's relation (see :mod:`polyseme.wordnet.relations`).
        pointer_source: The synset that each pointer starts from; pointers are in this order.
        pointer_target: The synset that it leads to.
        pointer_from: The sense that it starts from; −1 where it holds for the whole synset.
        pointer_to: The sense that it leads to; −1 where it holds for the whole synset.
    """

    synset_offset: Array
    synset_kind: Array
    synset_file: Array
    synset_senses: Array
    gloss: PackedStrings
    sense_synset: Array
    sense_number: Array
    sense_count: Array
    word: PackedStrings
    key: PackedStrings
    by_key: Array
    lemma: PackedStrings
    lemma_senses: Array
    by_lemma: Array
    pointer_relation: Array
    pointer_source: Array
    pointer_target: Array
    pointer_from: Array
    pointer_to: Array

    def arrays(self) -> dict[str, Array]:
        """Return every column as arrays of numbers by name; a column of strings has two."""
        arrays: dict[str, Array] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, PackedStrings):
                arrays |= {f"{field.name}.offsets": value.offsets, f"{field.name}.data": value.data}
            else:
                arrays[field.name] = value
        return arrays

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> WordNetColumns:
        """Build the columns from their arrays, as :meth:`arrays` returns them; ``KeyError`` if one is missing."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            name = field.name
            if field.type == "PackedStrings":
                values[name] = PackedStrings(arrays[f"{name}.offsets"], arrays[f"{name}.data"])
            else:
                values[name] = arrays[name]
        return cls(**values)
