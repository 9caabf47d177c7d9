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
from polyseme.lemma import POS_LETTERS, SYNSET_TYPES, replace_underscores, split_lemma, wordnet_pos
from polyseme.wordnet.columns import Array, WordNetColumns
from polyseme.wordnet.exceptions import ExceptionList, read_exception_lists
from polyseme.wordnet.locations import repair_advice
from polyseme.wordnet.morphy import look_up_lemmas
from polyseme.wordnet.relations import relation_numbers, select_pointers, sense_relation_graph, synset_relation_graph
from polyseme.wordnet.synset import Synset, lexicographer_file, split_gloss

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_LETTERS = {number: letter for letter, number in SYNSET_TYPES.items()}


class WordNet(Inventory):
    """Lemma → its senses by sense number; a lemma is written ``dark.a`` or, as in many data sets, ``dark.j``.

    The id of a sense is its sense key, and its frequency is the number of its tags in SemCor. Its synonyms are the
    other words of its synset, with spaces for underscores. Satellites belong to the adjectives. A lemma may be looked
    up in upper case and with spaces; its senses then have the lemma so written.

    :func:`polyseme.wordnet.load` loads it.

    Args:
        columns: The content of the database files.
        version: ``3.0`` or ``3.1``; ``None`` for any other.
        folder: The folder of the database files.
    """

    def __init__(self, columns: WordNetColumns, version: str | None, folder: Path) -> None:
        self.columns = columns
        self.version = version
        self.folder = folder

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
        """Return the sense of a sense key; ``KeyError`` if there is none."""
        row = self.sense_row(key)
        word, _, rest = key.rpartition("%")
        return self._sense(row, f"{word}.{wordnet_pos(_LETTERS[int(rest[0])])}")

    def number(self, key: str) -> int:
        """Return the number of a sense among those of its lemma, from 1."""
        return int(self.columns.sense_number[self.sense_row(key)])

    @property
    def sense_keys(self) -> Sequence[str]:
        """All sense keys in the order of the rows of ``graph(nodes="senses")``: by synset and its words."""
        return self.columns.key

    def sense_row(self, key: str) -> int:
        """Return the index of a sense in :attr:`sense_keys`; ``KeyError`` if it is missing."""
        row = self.columns.key.find(key, self.columns.by_key)
        if row < 0:
            raise KeyError(key)
        return row

    def sense_rows(self, lemma: str) -> Array:
        """Return the indices in :attr:`sense_keys` of the senses of a lemma by sense number; none if it is missing."""
        number = self._lemma(lemma)
        start, end = self.columns.lemma_senses[number : number + 2].tolist() if number >= 0 else (0, 0)
        return self.columns.by_lemma[start:end]

    def _lemma(self, lemma: str) -> int:
        word, pos = split_lemma(lemma, (*POS_LETTERS, "j"))
        return self.columns.lemma.find(f"{word.lower().replace(' ', '_')}.{wordnet_pos(pos)}")

    def _sense(self, row: int, lemma: str) -> Sense:
        columns = self.columns
        synset = columns.sense_synset.item(row)
        definition, examples = split_gloss(columns.gloss[synset])
        words = tuple(replace_underscores(columns.word[other]) for other in self._sense_range(synset) if other != row)
        return Sense(columns.key[row], lemma, definition, words, examples, float(columns.sense_count[row]))

    # -- synsets ---------------------------------------------------------------------------------------------------

    def synset(self, name: str | SupportsIndex) -> Synset:
        """Return the synset of a sense key, of the id of a synset (``02084442-n``), or of a row of :meth:`graph`."""
        row = self._synset_row(name) if isinstance(name, str) else index(name)
        columns = self.columns
        row = range(len(columns.gloss))[row]
        senses = self._sense_range(row)
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

    def _sense_range(self, synset: int) -> range:
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
        """Return the row of a synset, which may be of another WordNet with other rows and ids."""
        columns = self.columns
        if synset.row < len(columns.gloss) and self.synset(synset.row) == synset:
            return synset.row
        senses = [row for key in synset.keys if (row := columns.key.find(key, columns.by_key)) >= 0]
        rows = {columns.sense_synset.item(sense) for sense in senses}
        if len(rows) != 1:
            keys = f"belong to {len(rows)} synsets" if rows else "are not in it"
            raise InputError(f"{quote_value(synset.id)} is not a synset of this WordNet, and its sense keys {keys}")
        return int(rows.pop())

    # -- relations -------------------------------------------------------------------------------------------------

    def graph(
        self, relations: str | Iterable[str] | None = None, *, nodes: Literal["synsets", "senses"] = "synsets"
    ) -> csr_array:
        """Return relations as a sparse matrix, 1 where one leads from the row to the column.

        The rows of synsets are in the order of the database files: nouns, verbs, adjectives, adverbs
        (:meth:`synset` takes a row). A relation between two words counts for their synsets too.

        Args:
            relations: The name of a relation, several, or ``None`` for all.
            nodes: ``synsets``, or ``senses`` for the relations between words, with the rows of :attr:`sense_keys`.
        """
        if nodes not in _GRAPHS:
            raise InputError(f"there is no graph of {quote_value(nodes)}; allowed are {', '.join(_GRAPHS)}")
        return _GRAPHS[nodes](self.columns, relation_numbers(relations))

    def related(self, synset: Synset | str, relation: str | Iterable[str]) -> tuple[Synset, ...]:
        """Return the synsets to which a relation leads, in the order of the database.

        Args:
            synset: A synset, or its name as in :meth:`synset`. One of another WordNet is found by its sense keys.
            relation: The name of a relation, or several.
        """
        row = self._own_row(synset) if isinstance(synset, Synset) else self._synset_row(synset)
        pointers = select_pointers(self.columns, relation_numbers(relation), row, row + 1)
        return tuple(map(self.synset, dict.fromkeys(self.columns.pointer_target[pointers].tolist())))

    def related_senses(self, key: str, relation: str | Iterable[str]) -> tuple[Sense, ...]:
        """Return the senses to which a relation between words leads, such as antonyms, derivations or pertainyms."""
        row, synset = self.sense_row(key), self._synset_row(key)
        pointers = select_pointers(self.columns, relation_numbers(relation), synset, synset + 1)
        targets = self.columns.pointer_to[pointers[self.columns.pointer_from[pointers] == row]]
        return tuple(self.by_key(self.columns.key[target]) for target in dict.fromkeys(targets.tolist()) if target >= 0)

    # -- morphology ------------------------------------------------------------------------------------------------

    def lemmas(self, form: str, pos: str) -> tuple[str, ...]:
        """Return the words of WordNet that a form can belong to, in the order of WordNet's *morphy*.

        A form in the exception lists of the folder (``noun.exc`` …) has the lemmas there, then itself; no ending is
        detached from it. Any other form has itself, then the results of the rules of detachment. The first word of a
        phrasal verb changes. Another form of several words that is not found as a whole is looked up word by word.
        Without the lists, which many copies lack, irregular forms and rules are those of
        :func:`polyseme.morphology.possible_lemmas`. The order does not show which lemma is likely.
        """
        letter = morphology.normalise_pos(pos)
        word = "_".join(form.lower().split())
        return look_up_lemmas(word, letter, self._exceptions[letter], lambda lemma: f"{lemma}.{letter}" in self)

    @cached_property
    def _exceptions(self) -> dict[str, ExceptionList | None]:
        with repair_advice(self.folder, self.version):
            return read_exception_lists(self.folder)


_GRAPHS = {"synsets": synset_relation_graph, "senses": sense_relation_graph}
