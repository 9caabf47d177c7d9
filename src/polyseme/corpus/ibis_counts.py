"""Counts as ibis expressions over the token table, which run on any engine.

The expressions take the token table of an index, ``engine.table(index, "tokens")``, and return tables with the columns
that are named below. :mod:`polyseme.corpus.cooccurrence` turns them into matrices;
:mod:`polyseme.corpus.sparse_counts` has the same counts as sparse products.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from polyseme.arrays import Ints
from polyseme.corpus.windows import DependencyWindow, SlidingWindow

if TYPE_CHECKING:
    import ibis


def word_frequencies_table(tokens: ibis.Table) -> ibis.Table:
    """Count the tokens, sentences and documents of each word."""
    return tokens.group_by("word").agg(
        tokens=tokens.count(), sentences=tokens.sentence.nunique(), documents=tokens.document.nunique()
    )


def filter_words(words: ibis.Table, numbers: Ints | None, column: str = "word") -> ibis.Table:
    """Select the rows whose word is one of these; all rows without numbers."""
    import ibis

    if numbers is None:
        return words
    selected = ibis.memtable({column: numbers.astype("int32")}, schema={column: "int32"})
    return words.semi_join(selected, column)


@dataclass(frozen=True)
class SlidingPairs:
    """The pairs of words in a sliding window; ``counted`` are the numbers of the counted words, by default all."""

    tokens: ibis.Table
    window: SlidingWindow
    counted: Ints | None = None

    @cached_property
    def placed(self) -> ibis.Table:
        """Each token: sentence, position and word, with its unit and its place in the window."""
        import ibis

        columns = self.tokens.select("document", "sentence", "position", "word")
        unit = columns[self.window.unit]
        if self.window.place is not None:
            place = columns[self.window.place]
        else:
            place = ibis.row_number().over(group_by="document", order_by=["sentence", "position"])
        return columns.select("sentence", "position", "word", unit=unit, place=place.cast("int64"))

    @cached_property
    def units(self) -> ibis.Table:
        """Each unit with its first place, and the last place at which a context begins."""
        import ibis

        ends = self.placed.group_by("unit").agg(first=self.placed.place.min(), last=self.placed.place.max())
        return ends.select("unit", "first", last=ibis.greatest(ends.first, ends["last"] - (self.window.span - 1)))

    def total(self) -> ibis.Table:
        """The number of contexts: ``total``."""
        return self.units.agg(total=(self.units["last"] - self.units["first"] + 1).sum().fill_null(0))

    @cached_property
    def contexts(self) -> ibis.Table:
        """The words of each context (its unit and first place), each once."""
        import ibis

        distinct = filter_words(self.placed, self.counted).select("unit", "place", "word").distinct()
        if self.window.span == 1:
            return distinct.select("unit", "word", context=distinct.place)
        positions = distinct.join(self.units, "unit")
        first = ibis.greatest(positions.first, positions.place - (self.window.span - 1))
        last = ibis.least(positions["last"], positions.place)
        return positions.select("unit", "word", context=ibis.range(first, last + 1).unnest()).distinct()

    @cached_property
    def places(self) -> ibis.Table:
        """How often each place has each word: unit, place, word, n."""
        tokens = filter_words(self.placed, self.counted)
        return tokens.group_by("unit", "place", "word").agg(n=tokens.count())

    def pairs_by_context(self, rows: Ints | None) -> ibis.Table:
        """The contexts that two words share: first, second, n.

        With ``rows``, each of them with every other word. Without, each pair once, and each word with itself: the
        contexts that have it.
        """
        left = filter_words(self.contexts, rows).select("unit", "context", first="word")
        right = self.contexts.select("unit", "context", second="word")
        pairs = left.join(right, ["unit", "context"])
        pairs = pairs.filter(pairs.first <= pairs.second if rows is None else pairs.first != pairs.second)
        return pairs.group_by("first", "second").agg(n=pairs.count())

    def pairs_by_token(self, rows: Ints | None) -> ibis.Table:
        """The pairs of tokens of two words, in this order: first, second, n; without ``rows``, in one order only."""
        left = filter_words(self.places, rows).select("unit", "place", first="word", m="n")
        right = _expand_to_neighbours(self.places, self.window.span).select("unit", "place", "at", "n", second="word")
        cells = left.join(right, ["unit", "place"])
        if rows is None:
            cells = cells.filter(cells.first <= cells.second)
        itself = (cells.first == cells.second) & (cells.place == cells["at"])
        pairs = cells.select("first", "second", n=cells.m * cells.n - itself.ifelse(cells.m, 0))
        sums = pairs.group_by("first", "second").agg(n=pairs.n.sum())
        return sums.filter(sums.n > 0)

    def totals_by_context(self) -> ibis.Table:
        """The contexts that have a word: word, n."""
        return self.contexts.group_by("word").agg(n=self.contexts.count())

    def totals_by_token(self) -> ibis.Table:
        """The pairs whose first token has a counted word: word, n."""
        sizes = self.places.group_by("unit", "place").agg(n=self.places.n.sum())
        pairs = _expand_to_neighbours(sizes, self.window.span)
        neighbours = pairs.group_by("unit", "place").agg(neighbours=pairs.n.sum())
        positions = self.places.join(neighbours, ["unit", "place"])
        return positions.group_by("word").agg(n=(positions.n * (positions.neighbours - 1)).sum())

    def neighbours(self, word: int) -> ibis.Table:
        """The tokens that co-occur with each usage of a word: sentence, position, word, n."""
        usages = self.placed.filter(self.placed.word == word).select("sentence", "position", "unit", "place")
        nearby_places = _expand_to_neighbours(self.places, self.window.span)
        cells = usages.join(nearby_places, ["unit", "place"])
        itself = (cells.word == word) & (cells.place == cells["at"])
        counts = cells.select("sentence", "position", "word", n=cells.n - itself.ifelse(1, 0))
        sums = counts.group_by("sentence", "position", "word").agg(n=counts.n.sum())
        return sums.filter(sums.n > 0)


def _expand_to_neighbours(places: ibis.Table, span: int) -> ibis.Table:
    """Repeat each row for every place that it co-occurs with, ``place``; its own place is ``at``."""
    import ibis

    if span == 1:
        return places.mutate(at=places.place)
    return places.mutate(at=places.place, place=ibis.range(places.place - (span - 1), places.place + span).unnest())


@dataclass(frozen=True)
class ArcPairs:
    """Heads and dependents; ``counted`` are the numbers of the counted words, by default all."""

    tokens: ibis.Table
    window: DependencyWindow
    counted: Ints | None = None

    @cached_property
    def arcs(self) -> ibis.Table:
        """Each arc: sentence, first and second (the words of head and dependent), and their positions, at and below."""
        tokens = self.tokens.select("sentence", "position", "word", "head", "relation")
        below = tokens.filter(tokens["head"] > 0)
        if self.window.relation_names:
            below = below.filter(below.relation.isin(self.window.relation_names))
        below = below.select("sentence", at=below["head"] - 1, second=below.word, below=below.position)
        above = tokens.select("sentence", at=tokens.position.cast("int64"), first=tokens.word)
        below = below.mutate(at=below["at"].cast("int64"))
        return below.join(above, ["sentence", "at"])

    def pairs(self, rows: Ints | None) -> ibis.Table:
        """The arcs from a head to a dependent: first, second, n."""
        heads = self.counted if rows is None else rows
        arcs = filter_words(filter_words(self.arcs, heads, "first"), self.counted, "second")
        return arcs.group_by("first", "second").agg(n=arcs.count())

    def totals(self, end: str) -> ibis.Table:
        """The arcs of every word at one end, ``first`` or ``second``: word, n."""
        return self.arcs.group_by(word=self.arcs[end]).agg(n=self.arcs.count())

    def neighbours(self, word: int) -> ibis.Table:
        """The heads and dependents of each usage of a word: sentence, position, word, n."""
        arcs = self.arcs
        down = arcs.filter(arcs.first == word).select("sentence", position=arcs["at"], word=arcs.second)
        up = arcs.filter(arcs.second == word).select("sentence", position=arcs.below.cast("int64"), word=arcs.first)
        both = filter_words(down.union(up), self.counted)
        return both.group_by("sentence", "position", "word").agg(n=both.count())
