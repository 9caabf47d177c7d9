"""The central value of polyseme: the senses of each usage, with their weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from polyseme._csr import (
    LabellingFields,
    assemble,
    number_rows,
    order_by_weight,
    rename_row_senses,
    row_bounds,
)
from polyseme._labelling_table import LabellingTable
from polyseme.arrays import Bools, Floats, Ints, count_at, expand_runs, normalise_rows, number_by_first_appearance
from polyseme.errors import count_noun

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LabellingRow = tuple[str, str, Mapping[str, float]]
SenseRenaming = Mapping[str, str] | Callable[[str], str]


class Labelling(LabellingTable, Mapping[str, dict[str, float]]):
    """Usage → {sense: weight ≥ 0}, with the lemma of each usage.

    Gold annotation, the output of a system and mapped output are all labellings. A labelling is immutable and reads
    like a mapping. Inside it is a sparse matrix of usages × (lemma, sense), because sense names belong to a lemma.

    * A listed sense may have weight 0; an unlisted sense has none.
    * A usage without any sense is unlabelled and not in the mapping.
    * Usages and their senses keep the order of the input. Equality ignores order.
    * The single answer of a usage is its heaviest sense. In a labelling read from an answer key (``ordered``) it is the
      first sense on the line, the rule of SemEval-2010.

    Args:
        rows: The lemma, the usage and {sense: weight} of each usage.

    Attributes:
        usages: The labelled usages, row by row.
        lemmas: The distinct lemmas, in order of first appearance.
        columns: The (lemma, sense) of each column.
        row_lemmas: For each row, the position of its lemma in ``lemmas``.
        indptr: Row ``i`` holds the entries ``indptr[i]:indptr[i + 1]`` (compressed sparse rows).
        indices: The column of each entry, in the order of the input.
        weights: The weight of each entry.
        ordered: Whether the first sense of a usage is its answer; otherwise it is the heaviest.

    >>> gold = Labelling.from_dict({"win.v.1": {"a": 0.6, "b": 0.4}, "win.v.2": {"b": 1.0}}, lemma="win.v")
    >>> gold["win.v.1"]
    {'a': 0.6, 'b': 0.4}
    >>> gold.lemma("win.v.2"), gold.lemmas, len(gold)
    ('win.v', ('win.v',), 2)
    """

    __slots__ = ("_index", "columns", "indices", "indptr", "lemmas", "ordered", "row_lemmas", "usages", "weights")

    usages: tuple[str, ...]
    lemmas: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    row_lemmas: Ints
    indptr: Ints
    indices: Ints
    weights: Floats
    ordered: bool
    _index: dict[str, int]

    def __init__(self, rows: Iterable[LabellingRow] = (), *, ordered: bool = False) -> None:
        labelled = [row for row in rows if row[2]]
        fields = assemble(
            [usage for _, usage, _ in labelled],
            [lemma for lemma, _, _ in labelled],
            [len(senses) for _, _, senses in labelled],
            [sense for _, _, senses in labelled for sense in senses],
            [weight for _, _, senses in labelled for weight in senses.values()],
        )
        self._fill(fields._replace(ordered=ordered))

    def _fill(self, fields: LabellingFields) -> None:
        index = number_rows(fields)
        for array in (fields.row_lemmas, fields.indptr, fields.indices, fields.weights):
            array.setflags(write=False)
        for name, value in (*fields._asdict().items(), ("_index", index)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Labelling cannot be changed; its methods return new ones")

    @classmethod
    def from_dict(
        cls, senses: Mapping[str, Mapping[str, float]], *, lemma: str | Mapping[str, str] | Callable[[str], str]
    ) -> Labelling:
        """Build a labelling from usage → {sense: weight} and a lemma for all usages, a mapping, or a function.

        >>> Labelling.from_dict({"win.v.1": {"a": 1}}, lemma=lambda usage: usage.rpartition(".")[0]).lemmas
        ('win.v',)
        """
        if isinstance(lemma, str):
            return cls((lemma, usage, weights) for usage, weights in senses.items())
        get_lemma = lemma.__getitem__ if isinstance(lemma, Mapping) else lemma
        return cls((get_lemma(usage), usage, weights) for usage, weights in senses.items())

    @classmethod
    def hard(cls, usages: Sequence[str], labels: Sequence[object] | NDArray[np.generic], *, lemma: str) -> Labelling:
        """Build a labelling with one sense per usage, weight 1, from cluster labels as scikit-learn gives them.

        >>> Labelling.hard(["u1", "u2"], [7, 7], lemma="win.v")["u2"]
        {'7': 1.0}
        """
        names = list(map(str, labels.tolist() if isinstance(labels, np.ndarray) else labels))
        if len(names) != len(usages):
            raise ValueError(f"{len(usages)} usages but {len(names)} labels")
        return cls.from_arrays(usages, [lemma] * len(names), np.ones(len(names), np.intp), names, np.ones(len(names)))

    @classmethod
    def from_arrays(
        cls,
        usages: Sequence[str],
        lemmas: Sequence[str],
        sizes: Sequence[int] | Ints,
        senses: Sequence[str],
        weights: Sequence[float] | Floats,
        *,
        ordered: bool = False,
    ) -> Labelling:
        """Build a labelling from flat columns; this is fast for millions of usages.

        ``sizes`` holds the number of senses of each usage, ``senses`` and ``weights`` those of all usages in turn. The
        weights of a sense that a usage lists twice are added. A usage without a sense is left out.

        >>> Labelling.from_arrays(["u1", "u2"], ["x", "x"], [2, 1], ["a", "b", "a"], [0.2, 0.8, 1])["u1"]
        {'a': 0.2, 'b': 0.8}
        """
        return cls._make(assemble(usages, lemmas, sizes, senses, weights)._replace(ordered=ordered))

    @classmethod
    def from_entries(
        cls,
        like: Labelling,
        columns: Sequence[tuple[str, str]],
        rows: Ints,
        indices: Ints,
        weights: Floats,
    ) -> Labelling:
        """Give the usages of ``like`` other senses; usages without an entry are left out.

        Entry ``i`` gives row ``rows[i]`` the column ``indices[i]``. Rows rise, and no (row, column) comes twice.
        """
        sizes = count_at(rows, len(like))
        labelled = np.flatnonzero(sizes)
        usages, lemmas, row_lemmas = like._select_usages(labelled)
        bounds = row_bounds(sizes[labelled])
        return cls._make(
            LabellingFields(usages, lemmas, tuple(columns), row_lemmas, bounds, indices.copy(), weights.copy())
        )

    @classmethod
    def _make(cls, fields: LabellingFields) -> Labelling:
        labelling = cls.__new__(cls)
        labelling._fill(fields)
        return labelling

    def _fields(self) -> LabellingFields:
        return LabellingFields(*(getattr(self, name) for name in LabellingFields._fields))

    def __reduce__(self) -> tuple[Callable[[LabellingFields], Labelling], tuple[LabellingFields]]:
        return Labelling._make, (self._fields(),)

    def __getitem__(self, usage: str) -> dict[str, float]:
        row = self._index[usage]
        entries = slice(self.indptr[row], self.indptr[row + 1])
        return {
            self.columns[column][1]: weight
            for column, weight in zip(self.indices[entries].tolist(), self.weights[entries].tolist(), strict=True)
        }

    def __iter__(self) -> Iterator[str]:
        return iter(self.usages)

    def __len__(self) -> int:
        return len(self.usages)

    def __contains__(self, usage: object) -> bool:
        return usage in self._index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Labelling):
            return NotImplemented
        mine, others = ({row[1]: row for row in labelling.rows()} for labelling in (self, other))
        return mine == others

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        size = f"{count_noun(len(self), 'usage')} of {count_noun(len(self.lemmas), 'lemma')}"
        return f"<Labelling of {size} with {count_noun(len(self.columns), 'sense')}>"

    # -- properties -------------------------------------------------------------------------------------------

    @property
    def matrix(self) -> csr_array:
        """The weights as a scipy matrix, usages × columns; listed zeros are stored entries."""
        from scipy.sparse import csr_array

        return csr_array((self.weights, self.indices, self.indptr), shape=(len(self.usages), len(self.columns)))

    @property
    def sizes(self) -> Ints:
        """How many senses each usage lists."""
        return np.diff(self.indptr)

    @property
    def entry_rows(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.usages)), self.sizes)

    def lemma(self, usage: str) -> str:
        """Return the lemma of a usage."""
        return self.lemmas[int(self.row_lemmas[self._index[usage]])]

    @property
    def usage_lemmas(self) -> tuple[str, ...]:
        """The lemma of each usage, row by row."""
        return tuple([self.lemmas[lemma] for lemma in self.row_lemmas.tolist()])

    def row_numbers(self, usages: Iterable[str]) -> Ints:
        """Return the row of each of these usages, −1 where one is unlabelled."""
        row = self._index.get
        return np.array([row(usage, -1) for usage in usages], np.intp)

    def senses(self, lemma: str) -> tuple[str, ...]:
        """Return the names of a lemma's senses, in order of first appearance.

        >>> Labelling.from_dict({"u1": {"b": 1}, "u2": {"a": 1, "b": 1}}, lemma="x").senses("x")
        ('b', 'a')
        """
        return tuple(sense for sense_lemma, sense in self.columns if sense_lemma == lemma)

    def column_counts(self) -> Ints:
        """Count the usages that list each column."""
        return count_at(self.indices, len(self.columns))

    def rows(self) -> Iterator[tuple[str, str, dict[str, float]]]:
        """Yield (lemma, usage, {sense: weight}) of each usage in order, as the constructor takes them."""
        names = [sense for _, sense in self.columns]
        columns, weights = self.indices.tolist(), self.weights.tolist()
        ends = pairwise(self.indptr.tolist())
        for usage, lemma, (start, end) in zip(self.usages, self.row_lemmas.tolist(), ends, strict=True):
            senses = {names[columns[entry]]: weights[entry] for entry in range(start, end)}
            yield self.lemmas[lemma], usage, senses

    def answer_entries(self) -> Ints:
        """Return for each row the entry that is the single answer of its usage.

        It is the heaviest sense, and the first of several equal ones; in an ``ordered`` labelling, the first listed.

        >>> Labelling.from_dict({"u1": {"a": 0.4, "b": 0.6, "c": 0.6}}, lemma="x").answer_entries().tolist()
        [1]
        """
        starts = self.indptr[:-1]
        return starts if self.ordered else order_by_weight(self.weights, self.entry_rows)[starts]

    # -- derived labellings ---------------------------------------------------------------------------

    def _entries(self, rows: Ints | Bools, entries: Ints | Bools | None = None) -> Labelling:
        """Select rows (a mask or positions) and, if given, some of their entries."""
        selected = np.arange(len(self.usages))[rows]
        if entries is None:
            sizes = self.sizes[selected]
            entries = expand_runs(self.indptr[selected], sizes)
        else:
            sizes = count_at(self.entry_rows[entries], len(self.usages))[selected]
        usages, lemmas, row_lemmas = self._select_usages(selected)
        columns, indices = number_by_first_appearance(self.indices[entries])
        names, bounds = tuple(self.columns[column] for column in columns.tolist()), row_bounds(sizes)
        fields = (usages, lemmas, names, row_lemmas, bounds, indices, self.weights[entries], self.ordered)
        return Labelling._make(LabellingFields(*fields))

    def _select_usages(self, rows: Ints) -> tuple[tuple[str, ...], tuple[str, ...], Ints]:
        """Return the usages of these rows, their distinct lemmas, and the number of the lemma of each."""
        lemmas, row_lemmas = number_by_first_appearance(self.row_lemmas[rows])
        usages = tuple([self.usages[row] for row in rows.tolist()])
        return usages, tuple(self.lemmas[lemma] for lemma in lemmas.tolist()), row_lemmas

    def with_weights(self, weights: Sequence[float] | Floats) -> Labelling:
        """Return the same usages and senses with other weights, one for each entry.

        >>> Labelling.from_dict({"u1": {"a": 0.2, "b": 0.8}}, lemma="x").with_weights([1, 0])["u1"]
        {'a': 1.0, 'b': 0.0}
        """
        values = np.array(weights, np.float64)
        if values.shape != self.weights.shape:
            raise ValueError(f"{len(self.weights)} entries but weights of shape {values.shape}")
        return self._weighted(values)

    def _weighted(self, weights: Floats) -> Labelling:
        return Labelling._make(self._fields()._replace(weights=weights))

    def for_lemma(self, lemma: str) -> Labelling:
        """Return the usages of one lemma only.

        >>> both = Labelling([("a.n", "a.n.1", {"x": 1}), ("b.n", "b.n.1", {"x": 1})])
        >>> list(both.for_lemma("b.n"))
        ['b.n.1']
        """
        number = self.lemmas.index(lemma) if lemma in self.lemmas else -1
        return self._entries(self.row_lemmas == number)

    def restrict(self, usages: Iterable[str]) -> Labelling:
        """Return these usages only, in the order of this labelling; unlabelled ones are skipped.

        >>> labelling = Labelling.from_dict({"u1": {"a": 1}, "u2": {"b": 1}}, lemma="x")
        >>> list(labelling.restrict(["u2", "u3"]))
        ['u2']
        """
        rows = [row for row in map(self._index.get, usages) if row is not None]
        return self._entries(np.unique(np.array(rows, np.intp)))

    def top(self) -> Labelling:
        """Keep the heaviest sense of each usage, with its weight; of equal ones the first listed.

        >>> Labelling.from_dict({"u1": {"a": 0.4, "b": 0.6, "c": 0.6}}, lemma="x").top()["u1"]
        {'b': 0.6}
        """
        return self._entries(
            np.arange(len(self.usages)), order_by_weight(self.weights, self.entry_rows)[self.indptr[:-1]]
        )

    def single(self) -> Labelling:
        """Keep the single answer of each usage, with weight 1; see :meth:`answer_entries`.

        >>> Labelling.from_dict({"u1": {"a": 0.4, "b": 0.6}}, lemma="x").single()["u1"]
        {'b': 1.0}
        """
        single = self._entries(np.arange(len(self.usages)), self.answer_entries())
        return single._weighted(np.ones(len(single)))

    def heaviest_first(self) -> Labelling:
        """Sort the senses of each usage by falling weight, as files list them; ties keep their order.

        An ``ordered`` labelling stays as it is, because its order says which sense is the answer.

        >>> list(Labelling.from_dict({"u1": {"a": 0.2, "b": 0.6, "c": 0.2}}, lemma="x").heaviest_first()["u1"])
        ['b', 'a', 'c']
        """
        if self.ordered:
            return self
        return self._entries(np.arange(len(self.usages)), order_by_weight(self.weights, self.entry_rows))

    def normalise(self, by: Literal["sum", "max"]) -> Labelling:
        """Divide the weights of each usage by their sum or their maximum; weights that are all 0 stay.

        >>> labelling = Labelling.from_dict({"u1": {"a": 1, "b": 4}}, lemma="x")
        >>> labelling.normalise("max")["u1"], labelling.normalise("sum")["u1"]
        ({'a': 0.25, 'b': 1.0}, {'a': 0.2, 'b': 0.8})
        """
        if by not in ("sum", "max"):
            raise ValueError(f"cannot normalise by {by!r}: allowed are 'sum' and 'max'")
        return self._weighted(normalise_rows(self.weights, self.indptr, by)) if len(self) else self

    def __or__(self, other: Labelling) -> Labelling:
        """Return the union; a usage in both is labelled as in ``other``, as with dictionaries.

        >>> a, b = Labelling.from_dict({"u1": {"a": 1}}, lemma="x"), Labelling.from_dict({"u2": {"b": 1}}, lemma="x")
        >>> dict(a | b)
        {'u1': {'a': 1.0}, 'u2': {'b': 1.0}}
        """
        if not isinstance(other, Labelling):
            return NotImplemented
        merged = {usage: (lemma, senses) for lemma, usage, senses in self.rows()}
        for lemma, usage, senses in other.rows():
            first, _ = merged.get(usage, (lemma, None))
            if first != lemma:
                raise ValueError(f"usage {usage!r} belongs to {first!r} in one labelling and to {lemma!r} in the other")
            merged[usage] = (lemma, senses)
        rows = ((lemma, usage, senses) for usage, (lemma, senses) in merged.items())
        return Labelling(rows, ordered=all(part.ordered for part in (self, other) if len(part)))

    def rename_senses(
        self, senses: SenseRenaming, *, merge: Callable[[float, float], float] | None = None
    ) -> Labelling:
        """Give senses other names; ``merge`` joins the weights of two senses of a usage that get the same name.

        >>> labelling = Labelling.from_dict({"u1": {"a": 0.2, "b": 0.3}}, lemma="x")
        >>> labelling.rename_senses({"a": "A"})["u1"]
        {'A': 0.2, 'b': 0.3}
        >>> labelling.rename_senses(lambda sense: "coarse", merge=max)["u1"]
        {'coarse': 0.3}
        """
        name = (lambda sense: senses.get(sense, sense)) if isinstance(senses, Mapping) else senses
        rows = ((lemma, usage, rename_row_senses(usage, weights, name, merge)) for lemma, usage, weights in self.rows())
        return Labelling(rows, ordered=self.ordered)
