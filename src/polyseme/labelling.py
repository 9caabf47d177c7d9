"""The currency of polyseme: which senses each usage has, and how strongly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from polyseme._csr import (
    LabellingFields,
    assemble,
    number_by_first_appearance,
    number_rows,
    order_by_weight,
    rename_row_senses,
    row_bounds,
)
from polyseme.arrays import count_at, expand_runs, normalise_rows
from polyseme.errors import count_noun

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LabellingRow = tuple[str, str, Mapping[str, float]]
SenseRenaming = Mapping[str, str] | Callable[[str], str]


class Labelling(Mapping[str, dict[str, float]]):
    """Usage → {sense: weight ≥ 0}, knowing each usage's lemma.

    Gold annotation, a system's output and mapped output are all labellings. It is immutable and reads like a
    mapping; inside it is a sparse matrix of usages × (lemma, sense), because sense names belong to a lemma.

    * A sense listed with weight 0 is kept: it is not the same as a sense that is not listed.
    * A usage without any sense is not labelled, and so is not in the mapping.
    * Usages, and the senses of a usage, keep the order in which they were given. Equality does not look at order.
    * A usage's single answer is its heaviest sense; in a labelling read from an answer key (``ordered``) it is the
      first on the line, which is SemEval-2010's rule.

    >>> gold = Labelling.from_dict({"win.v.1": {"a": 0.6, "b": 0.4}, "win.v.2": {"b": 1.0}}, lemma="win.v")
    >>> gold["win.v.1"]
    {'a': 0.6, 'b': 0.4}
    >>> gold.lemma("win.v.2"), gold.lemmas, len(gold)
    ('win.v', ('win.v',), 2)
    """

    __slots__ = ("_index", "columns", "indices", "indptr", "lemmas", "ordered", "row_lemmas", "usages", "weights")

    usages: tuple[str, ...]
    """The labelled usages, row by row."""
    lemmas: tuple[str, ...]
    """The distinct lemmas, in order of first appearance."""
    columns: tuple[tuple[str, str], ...]
    """The (lemma, sense) of each column."""
    row_lemmas: NDArray[np.intp]
    """For each row, the position of its lemma in ``lemmas``."""
    indptr: NDArray[np.intp]
    """Row ``i`` holds the entries ``indptr[i]:indptr[i + 1]`` (compressed sparse rows)."""
    indices: NDArray[np.intp]
    """The column of each entry, in the order given."""
    weights: NDArray[np.float64]
    """The weight of each entry."""
    ordered: bool
    """Whether the first sense of a usage is its answer, as on a line of an answer key; otherwise it is the heaviest."""
    _index: dict[str, int]

    def __init__(self, rows: Iterable[LabellingRow] = (), *, ordered: bool = False) -> None:
        given = [row for row in rows if row[2]]
        fields = assemble(
            [usage for _, usage, _ in given],
            [lemma for lemma, _, _ in given],
            [len(senses) for _, _, senses in given],
            [sense for _, _, senses in given for sense in senses],
            [weight for _, _, senses in given for weight in senses.values()],
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
        """From a mapping of usages; ``lemma`` is one for all, a mapping from usages, or a function of the usage.

        >>> Labelling.from_dict({"win.v.1": {"a": 1}}, lemma=lambda usage: usage.rpartition(".")[0]).lemmas
        ('win.v',)
        """
        if isinstance(lemma, str):
            return cls((lemma, usage, given) for usage, given in senses.items())
        name = lemma.__getitem__ if isinstance(lemma, Mapping) else lemma
        return cls((name(usage), usage, given) for usage, given in senses.items())

    @classmethod
    def hard(cls, usages: Sequence[str], labels: Sequence[object] | NDArray[np.generic], *, lemma: str) -> Labelling:
        """One sense per usage, with weight 1: a clustering as scikit-learn gives it. Fast for millions.

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
        sizes: Sequence[int] | NDArray[np.intp],
        senses: Sequence[str],
        weights: Sequence[float] | NDArray[np.float64],
        *,
        ordered: bool = False,
    ) -> Labelling:
        """From flat columns, fast for millions: the senses of all usages one after the other, ``sizes`` of them each.

        There is one lemma for each usage and one weight for each sense. A sense given twice to one usage has its
        weights added; a usage with no sense is left out. If ``ordered``, a usage's first sense is its answer.

        >>> Labelling.from_arrays(["u1", "u2"], ["x", "x"], [2, 1], ["a", "b", "a"], [0.2, 0.8, 1])["u1"]
        {'a': 0.2, 'b': 0.8}
        """
        return cls._make(assemble(usages, lemmas, sizes, senses, weights)._replace(ordered=ordered))

    @classmethod
    def from_entries(
        cls,
        like: Labelling,
        columns: Sequence[tuple[str, str]],
        rows: NDArray[np.intp],
        indices: NDArray[np.intp],
        weights: NDArray[np.float64],
    ) -> Labelling:
        """Other senses for the usages of ``like``: entry ``i`` gives row ``rows[i]`` the column ``indices[i]``.

        Entries are sorted by row, no (row, column) comes twice, and usages without an entry are left out.
        """
        sizes = count_at(rows, len(like))
        kept = np.flatnonzero(sizes)
        lemmas, row_lemmas = number_by_first_appearance(like.row_lemmas[kept])
        return cls._make(
            LabellingFields(
                tuple([like.usages[row] for row in kept.tolist()]),
                tuple(like.lemmas[lemma] for lemma in lemmas.tolist()),
                tuple(columns),
                row_lemmas,
                row_bounds(sizes[kept]),
                indices.copy(),
                weights.copy(),
            )
        )

    @classmethod
    def _make(cls, fields: LabellingFields) -> Labelling:
        made = cls.__new__(cls)
        made._fill(fields)
        return made

    def _fields(self) -> LabellingFields:
        return LabellingFields(*(getattr(self, name) for name in LabellingFields._fields))

    def __reduce__(self) -> tuple[Callable[[LabellingFields], Labelling], tuple[LabellingFields]]:
        return Labelling._make, (self._fields(),)

    # -- reading like a mapping ---------------------------------------------------------------------------------

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

    # -- what it knows -------------------------------------------------------------------------------------------

    @property
    def matrix(self) -> csr_array:
        """The weights as a scipy matrix, usages × columns; listed zeros are stored entries."""
        from scipy.sparse import csr_array

        return csr_array((self.weights, self.indices, self.indptr), shape=(len(self.usages), len(self.columns)))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many senses each usage lists."""
        return np.diff(self.indptr)

    @property
    def entry_rows(self) -> NDArray[np.intp]:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.usages)), self.sizes)

    def lemma(self, usage: str) -> str:
        """The lemma that a usage is an occurrence of."""
        return self.lemmas[int(self.row_lemmas[self._index[usage]])]

    @property
    def usage_lemmas(self) -> tuple[str, ...]:
        """The lemma of each usage, row by row."""
        return tuple([self.lemmas[lemma] for lemma in self.row_lemmas.tolist()])

    def rows_of(self, usages: Iterable[str]) -> NDArray[np.intp]:
        """The row of each of the given usages, −1 for one that is not labelled."""
        row = self._index.get
        return np.array([row(usage, -1) for usage in usages], np.intp)

    def senses(self, lemma: str) -> tuple[str, ...]:
        """The names of the lemma's senses, in order of first appearance.

        >>> Labelling.from_dict({"u1": {"b": 1}, "u2": {"a": 1, "b": 1}}, lemma="x").senses("x")
        ('b', 'a')
        """
        return tuple(sense for of_lemma, sense in self.columns if of_lemma == lemma)

    def column_counts(self) -> NDArray[np.intp]:
        """For each column, how many usages list it."""
        return count_at(self.indices, len(self.columns))

    def rows(self) -> Iterator[tuple[str, str, dict[str, float]]]:
        """(lemma, usage, {sense: weight}) for each usage in order: what the constructor takes."""
        names = [sense for _, sense in self.columns]
        columns, weights = self.indices.tolist(), self.weights.tolist()
        ends = pairwise(self.indptr.tolist())
        for usage, lemma, (start, end) in zip(self.usages, self.row_lemmas.tolist(), ends, strict=True):
            senses = {names[columns[entry]]: weights[entry] for entry in range(start, end)}
            yield self.lemmas[lemma], usage, senses

    def answers(self) -> NDArray[np.intp]:
        """For each row, the entry that is the usage's single answer.

        That is the heaviest sense, of equal ones the first listed; in an ``ordered`` labelling, the first listed.

        >>> Labelling.from_dict({"u1": {"a": 0.4, "b": 0.6, "c": 0.6}}, lemma="x").answers().tolist()
        [1]
        """
        starts = self.indptr[:-1]
        return starts if self.ordered else order_by_weight(self.weights, self.entry_rows)[starts]

    # -- other labellings made from it ---------------------------------------------------------------------------

    def _entries(
        self, rows: NDArray[np.intp] | NDArray[np.bool_], entries: NDArray[np.intp] | NDArray[np.bool_] | None = None
    ) -> Labelling:
        """The given rows (a mask or positions), and of their entries only the given ones."""
        kept = np.arange(len(self.usages))[rows]
        if entries is None:
            sizes = self.sizes[kept]
            entries = expand_runs(self.indptr[kept], sizes)
        else:
            sizes = count_at(self.entry_rows[entries], len(self.usages))[kept]
        lemmas, row_lemmas = number_by_first_appearance(self.row_lemmas[kept])
        columns, indices = number_by_first_appearance(self.indices[entries])
        return Labelling._make(
            LabellingFields(
                tuple([self.usages[row] for row in kept.tolist()]),
                tuple(self.lemmas[lemma] for lemma in lemmas.tolist()),
                tuple(self.columns[column] for column in columns.tolist()),
                row_lemmas,
                row_bounds(sizes),
                indices,
                self.weights[entries],
                self.ordered,
            )
        )

    def with_weights(self, weights: Sequence[float] | NDArray[np.float64]) -> Labelling:
        """The same usages and senses with other weights, one for each entry.

        >>> Labelling.from_dict({"u1": {"a": 0.2, "b": 0.8}}, lemma="x").with_weights([1, 0])["u1"]
        {'a': 1.0, 'b': 0.0}
        """
        values = np.array(weights, np.float64)
        if values.shape != self.weights.shape:
            raise ValueError(f"{len(self.weights)} entries but weights of shape {values.shape}")
        return self._weighted(values)

    def _weighted(self, weights: NDArray[np.float64]) -> Labelling:
        return Labelling._make(self._fields()._replace(weights=weights))

    def of(self, lemma: str) -> Labelling:
        """Only the usages of one lemma.

        >>> both = Labelling([("a.n", "a.n.1", {"x": 1}), ("b.n", "b.n.1", {"x": 1})])
        >>> list(both.of("b.n"))
        ['b.n.1']
        """
        number = self.lemmas.index(lemma) if lemma in self.lemmas else -1
        return self._entries(self.row_lemmas == number)

    def restrict(self, usages: Iterable[str]) -> Labelling:
        """Only the given usages, in this labelling's order; those it does not label are passed over.

        >>> labelling = Labelling.from_dict({"u1": {"a": 1}, "u2": {"b": 1}}, lemma="x")
        >>> list(labelling.restrict(["u2", "u3"]))
        ['u2']
        """
        rows = [row for row in map(self._index.get, usages) if row is not None]
        return self._entries(np.unique(np.array(rows, np.intp)))

    def top(self) -> Labelling:
        """Only each usage's heaviest sense, with its weight; of equal ones the first listed.

        >>> Labelling.from_dict({"u1": {"a": 0.4, "b": 0.6, "c": 0.6}}, lemma="x").top()["u1"]
        {'b': 0.6}
        """
        return self._entries(
            np.arange(len(self.usages)), order_by_weight(self.weights, self.entry_rows)[self.indptr[:-1]]
        )

    def single(self) -> Labelling:
        """Only each usage's answer, with weight 1; see :meth:`answers`.

        >>> Labelling.from_dict({"u1": {"a": 0.4, "b": 0.6}}, lemma="x").single()["u1"]
        {'b': 1.0}
        """
        single = self._entries(np.arange(len(self.usages)), self.answers())
        return single._weighted(np.ones(len(single)))

    def heaviest_first(self) -> Labelling:
        """The senses of each usage by falling weight, equal ones as listed, as files have them.

        An ``ordered`` labelling stays as it is: its order says which sense is the answer.

        >>> list(Labelling.from_dict({"u1": {"a": 0.2, "b": 0.6, "c": 0.2}}, lemma="x").heaviest_first()["u1"])
        ['b', 'a', 'c']
        """
        if self.ordered:
            return self
        return self._entries(np.arange(len(self.usages)), order_by_weight(self.weights, self.entry_rows))

    def normalise(self, by: Literal["sum", "max"]) -> Labelling:
        """Weights divided by the usage's sum, or by its largest; a usage whose weights are all 0 stays as it is.

        >>> labelling = Labelling.from_dict({"u1": {"a": 1, "b": 4}}, lemma="x")
        >>> labelling.normalise("max")["u1"], labelling.normalise("sum")["u1"]
        ({'a': 0.25, 'b': 1.0}, {'a': 0.2, 'b': 0.8})
        """
        if by not in ("sum", "max"):
            raise ValueError(f"normalised by {by!r}: allowed are 'sum' and 'max'")
        return self._weighted(normalise_rows(self.weights, self.indptr, by)) if len(self) else self

    def __or__(self, other: Labelling) -> Labelling:
        """The union: all usages of both; a usage in both is labelled as in ``other``, as with dictionaries.

        >>> a, b = Labelling.from_dict({"u1": {"a": 1}}, lemma="x"), Labelling.from_dict({"u2": {"b": 1}}, lemma="x")
        >>> dict(a | b)
        {'u1': {'a': 1.0}, 'u2': {'b': 1.0}}
        """
        if not isinstance(other, Labelling):
            return NotImplemented
        merged = {usage: (lemma, senses) for lemma, usage, senses in self.rows()}
        for lemma, usage, senses in other.rows():
            known, _ = merged.get(usage, (lemma, None))
            if known != lemma:
                raise ValueError(f"usage {usage!r} belongs to {known!r} in one labelling and to {lemma!r} in the other")
            merged[usage] = (lemma, senses)
        rows = ((lemma, usage, senses) for usage, (lemma, senses) in merged.items())
        return Labelling(rows, ordered=all(part.ordered for part in (self, other) if len(part)))

    def renamed(self, senses: SenseRenaming, *, merge: Callable[[float, float], float] | None = None) -> Labelling:
        """Senses under other names; names not in a mapping stay. ``merge`` joins the weights of senses that become one.

        >>> labelling = Labelling.from_dict({"u1": {"a": 0.2, "b": 0.3}}, lemma="x")
        >>> labelling.renamed({"a": "A"})["u1"]
        {'A': 0.2, 'b': 0.3}
        >>> labelling.renamed(lambda sense: "coarse", merge=max)["u1"]
        {'coarse': 0.3}
        """
        name = (lambda sense: senses.get(sense, sense)) if isinstance(senses, Mapping) else senses
        rows = ((lemma, usage, rename_row_senses(usage, given, name, merge)) for lemma, usage, given in self.rows())
        return Labelling(rows, ordered=self.ordered)
