"""A lemma's two labellings as covers: sets of usages that overlap, with degrees of membership."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from polyseme.arrays import Bools, Floats, Ints, expand_runs, positions_by_value
from polyseme.labelling import Labelling


@dataclass(frozen=True)
class Cover:
    """The memberships of one lemma's usages in its senses, entry by entry, sorted by usage."""

    usage: Ints
    sense: Ints
    weight: Floats
    senses: int

    def keep(self, entries: Bools) -> Cover:
        """The same cover with some of its entries only."""
        return Cover(self.usage[entries], self.sense[entries], self.weight[entries], self.senses)

    def crisp(self) -> Cover:
        """The same cover with its degrees left aside: the memberships above 0, all with weight 1."""
        kept = self.keep(self.weight > 0)
        return Cover(kept.usage, kept.sense, np.ones_like(kept.weight), kept.senses)


@dataclass(frozen=True)
class CoverPair:
    """One lemma: its usages are numbered 0 … usages − 1, those of the gold key first."""

    lemma: str
    gold_usages: int
    usages: int
    gold: Cover
    system: Cover


def cover_pairs(gold: Labelling, system: Labelling, *, keep_outside: bool) -> Iterator[CoverPair]:
    """Each of gold's lemmas; ``keep_outside`` also keeps the system's usages that are not in the gold key."""
    system_lemma = {lemma: number for number, lemma in enumerate(system.lemmas)}
    gold_rows, system_rows = (positions_by_value(each.row_lemmas, len(each.lemmas)) for each in (gold, system))
    for number, lemma in enumerate(gold.lemmas):
        rows = gold_rows[number]
        place = {gold.usages[row]: at for at, row in enumerate(rows.tolist())}
        theirs = system_rows[system_lemma[lemma]] if lemma in system_lemma else np.empty(0, np.intp)
        names = [system.usages[row] for row in theirs.tolist()]
        inside = np.array([keep_outside or name in place for name in names], np.bool_)
        theirs = theirs[inside]
        places = [place.setdefault(name, len(place)) for name, kept in zip(names, inside.tolist(), strict=True) if kept]
        yield CoverPair(
            lemma,
            len(rows),
            len(place),
            _cover(gold, rows, np.arange(len(rows))),
            _cover(system, theirs, np.array(places, np.intp)),
        )


def _cover(labelling: Labelling, rows: Ints, places: Ints) -> Cover:
    order = np.argsort(places, kind="stable")
    rows, places = rows[order], places[order]
    sizes = labelling.sizes[rows]
    entries = expand_runs(labelling.indptr[rows], sizes)
    columns, sense = np.unique(labelling.indices[entries], return_inverse=True)
    return Cover(np.repeat(places, sizes), sense.astype(np.intp), labelling.weights[entries], len(columns))
