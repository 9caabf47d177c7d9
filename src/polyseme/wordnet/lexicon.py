"""WordNet as an inventory of senses, with its synsets, its relations and its morphology."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Literal, SupportsIndex

import numpy as np

from polyseme import morphology
from polyseme.errors import InputError, quote_value
from polyseme.inventory import Inventory, Sense
from polyseme.wordnet.columns import Array, WordNetColumns
from polyseme.wordnet.database import SYNSET_TYPES
from polyseme.wordnet.exceptions import ExceptionList, read_exception_lists
from polyseme.wordnet.locations import repair_advice
from polyseme.wordnet.morphy import look_up_lemmas
from polyseme.wordnet.relations import relation_numbers, select_pointers, sense_relation_graph, synset_relation_graph
from polyseme.wordnet.synset import Synset, lexicographer_file, replace_underscores, split_gloss

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_LETTERS = {number: letter for letter, number in SYNSET_TYPES.items()}


class WordNet(Inventory):
    """Lemma → its senses by sense number; a lemma is written ``dark.a`` or, as in many data sets, ``dark.j``.

    A sense's id is its sense key, its frequency how often SemCor is tagged with it, its synonyms are the other words of
    its synset, with spaces where WordNet has underscores. Satellites belong to the adjectives. A lemma may be asked for
    in capitals and with spaces; it is given back as it was asked for.

    Made by :func:`polyseme.wordnet.load`.
    """

    def __init__(self, columns: WordNetColumns, version: str | None, folder: Path) -> None:
        self.columns = columns
        self.version = version
        """``"3.0"`` or ``"3.1"``; ``None`` for any other."""
        self.folder = folder
        """Where its database files lie."""

    # -- lemmas and senses -----------------------------------------------------------------------------------------

    def __getitem__(self, lemma: str) -> tuple[Sense, ...]:
        if lemma not in self:
            raise KeyError(lemma)
        return tuple(self._sense(row, lemma) for row in self.sense_rows(lemma).tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns.lemma)

    def __len__(self) -> int:
        return len(self.columns.lemma)

    def __contains__(self, lemma: object) -> bool:
        return isinstance(lemma, str) and self._lemma(lemma) >= 0

    def __repr__(self) -> str:
        name = f"WordNet {self.version}" if self.version else "WordNet of an unknown version"
        return f"<{name}: {len(self.columns.key)} senses of {len(self)} lemmas in {len(self.columns.gloss)} synsets>"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __reduce__(self) -> tuple[object, ...]:
        from polyseme.wordnet import load

        return load, (self.version, self.folder)

    def by_key(self, key: str) -> Sense:
        """The sense of a sense key; ``KeyError`` if there is none."""
        row = self.sense_row(key)
        word, _, rest = key.rpartition("%")
        letter = _LETTERS[int(rest[0])]
        return self._sense(row, f"{word}.{'a' if letter == 's' else letter}")

    def number(self, key: str) -> int:
        """The sense's number among those of its lemma, from 1."""
        return int(self.columns.sense_number[self.sense_row(key)])

    @property
    def sense_keys(self) -> Sequence[str]:
        """All sense keys, in the order of the rows of ``graph(of="senses")``: by synset and its words."""
        return self.columns.key

    def sense_row(self, key: str) -> int:
        """The place of a sense in :attr:`sense_keys`; ``KeyError`` if it is not there."""
        row = self.columns.key.find(key, self.columns.by_key)
        if row < 0:
            raise KeyError(key)
        return row

    def sense_rows(self, lemma: str) -> Array:
        """The places in :attr:`sense_keys` of a lemma's senses, by sense number; none, if it is not there."""
        number = self._lemma(lemma)
        start, end = self.columns.lemma_senses[number : number + 2].tolist() if number >= 0 else (0, 0)
        return self.columns.by_lemma[start:end]

    def _lemma(self, lemma: str) -> int:
        word, _, letter = lemma.rpartition(".")
        written = f"{word.lower().replace(' ', '_')}.{'a' if letter == 'j' else letter}"
        return self.columns.lemma.find(written)

    def _sense(self, row: int, lemma: str) -> Sense:
        columns = self.columns
        synset = columns.sense_synset.item(row)
        definition, examples = split_gloss(columns.gloss[synset])
        words = tuple(replace_underscores(columns.word[other]) for other in self._rows_of(synset) if other != row)
        return Sense(columns.key[row], lemma, definition, words, examples, float(columns.sense_count[row]))

    # -- synsets ---------------------------------------------------------------------------------------------------

    def synset(self, name: str | SupportsIndex) -> Synset:
        """The synset of a sense key, of a synset's id (``02084442-n``), or of a row of :meth:`graph`."""
        row = self._synset_row(name) if isinstance(name, str) else index(name)
        columns = self.columns
        row = range(len(columns.gloss))[row]
        senses = self._rows_of(row)
        definition, examples = split_gloss(columns.gloss[row])
        letter = _LETTERS[columns.synset_kind.item(row)]
        return Synset(
            id=f"{columns.synset_offset.item(row):08}-{letter}",
            row=row,
            pos=letter,
            file=lexicographer_file(columns.synset_file.item(row)),
            words=tuple(replace_underscores(columns.word[sense]) for sense in senses),
            keys=tuple(columns.key[sense] for sense in senses),
            definition=definition,
            examples=examples,
        )

    def _rows_of(self, synset: int) -> range:
        return range(*self.columns.synset_senses[synset : synset + 2].tolist())

    def _synset_row(self, name: str) -> int:
        if "%" in name:
            return int(self.columns.sense_synset[self.sense_row(name)])
        digits, _, letter = name.rpartition("-")
        kinds = [SYNSET_TYPES[kind] for kind in ("as" if letter in ("a", "s") else letter) if kind in SYNSET_TYPES]
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= 9
        rows = np.flatnonzero(self.columns.synset_offset == int(digits)) if is_number else np.zeros(0, np.intp)
        for row in rows.tolist():
            if self.columns.synset_kind.item(row) in kinds:
                return int(row)
        raise KeyError(name)

    def _own_row(self, synset: Synset) -> int:
        """The row of a synset that may be of another WordNet, where rows and ids are others."""
        columns = self.columns
        if synset.row < len(columns.gloss) and self.synset(synset.row) == synset:
            return synset.row
        senses = [row for key in synset.keys if (row := columns.key.find(key, columns.by_key)) >= 0]
        rows = {columns.sense_synset.item(sense) for sense in senses}
        if len(rows) != 1:
            found = f"belong to {len(rows)} synsets" if rows else "are not in it"
            raise InputError(f"{quote_value(synset.id)} is not a synset of this WordNet, and its sense keys {found}")
        return int(rows.pop())

    # -- relations -------------------------------------------------------------------------------------------------

    def graph(
        self, relations: str | Iterable[str] | None = None, *, of: Literal["synsets", "senses"] = "synsets"
    ) -> csr_array:
        """A relation, several or all of them as a sparse matrix: 1 where one leads from the row to the column.

        The rows of synsets are in the order of the database files: nouns, verbs, adjectives, adverbs
        (:meth:`synset` takes a row). What holds between two words counts for their synsets too; for
        ``of="senses"`` it alone counts, and the rows are those of :attr:`sense_keys`.
        """
        if of not in _GRAPHS:
            raise InputError(f"there is no graph of {quote_value(of)}; allowed are {', '.join(_GRAPHS)}")
        return _GRAPHS[of](self.columns, relation_numbers(relations))

    def related(self, synset: Synset | str, relation: str | Iterable[str]) -> tuple[Synset, ...]:
        """The synsets that a relation leads to, in the order of the database.

        The synset may be given by its name, as to :meth:`synset`. One of another WordNet is found by its sense keys.
        """
        row = self._own_row(synset) if isinstance(synset, Synset) else self._synset_row(synset)
        places = select_pointers(self.columns, relation_numbers(relation), row, row + 1)
        return tuple(map(self.synset, dict.fromkeys(self.columns.pointer_target[places].tolist())))

    def related_senses(self, key: str, relation: str | Iterable[str]) -> tuple[Sense, ...]:
        """The senses that a relation between words leads to: antonyms, derivations, pertainyms and some others."""
        row, synset = self.sense_row(key), self._synset_row(key)
        places = select_pointers(self.columns, relation_numbers(relation), synset, synset + 1)
        targets = self.columns.pointer_to[places[self.columns.pointer_from[places] == row]]
        return tuple(self.by_key(self.columns.key[target]) for target in dict.fromkeys(targets.tolist()) if target >= 0)

    # -- morphology ------------------------------------------------------------------------------------------------

    def lemmas(self, form: str, pos: str) -> tuple[str, ...]:
        """The words of WordNet that a form can belong to, in the order in which WordNet's *morphy* finds them.

        A form that stands in the exception lists of WordNet's folder (``noun.exc`` …) has the lemmas given there, then
        itself; nothing is detached from it. Any other has itself, then what the rules of detachment give. Of a phrasal
        verb the first word changes; another form of several words that is not found as a whole is looked up word by
        word. Where the lists are missing, as in many copies, irregular forms and rules are those of
        :func:`polyseme.morphology.possible_lemmas`. The order says nothing of which lemma is likely.
        """
        letter = morphology.normalise_pos(pos)
        word = "_".join(form.lower().split())
        return look_up_lemmas(word, letter, self._exceptions[letter], lambda lemma: f"{lemma}.{letter}" in self)

    @cached_property
    def _exceptions(self) -> dict[str, ExceptionList | None]:
        with repair_advice(self.folder, self.version):
            return read_exception_lists(self.folder)


_GRAPHS = {"synsets": synset_relation_graph, "senses": sense_relation_graph}
