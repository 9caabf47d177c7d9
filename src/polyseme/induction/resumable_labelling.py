"""Labelling many usages so that interrupted work can be resumed."""

from __future__ import annotations

import json
import sys
import warnings
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from polyseme.arrays import expand_runs, run_starts
from polyseme.corpus.concordance import StreamPosition, stream_usages
from polyseme.corpus.index import Index
from polyseme.errors import InputWarning
from polyseme.formats.checkpoint import DAMAGE, Checkpoint, check_checkpoint_folder, compute_fingerprint, last_modified
from polyseme.labelling import Labelling, LabellingRow
from polyseme.progress import is_interactive
from polyseme.usage import Usage
from polyseme.workers import parallel_map

CHECKPOINT_BATCH = 1000
"""How many usages are labelled before the result is stored."""

LabelFunction = Callable[[Sequence[Usage]], Labelling]


class UsageStream(Protocol):
    """Usages to label."""

    def __len__(self) -> int:
        """The number of usages."""
        ...

    @property
    def digest(self) -> object:
        """Facts that are equal only for the same usages."""
        ...

    @property
    def order(self) -> Sequence[str]:
        """The lemmas in the order of the labelling; none if it has the order of the usages."""
        ...

    def after(self, position: StreamPosition) -> Iterator[tuple[StreamPosition, Usage]]:
        """Yield the usages after a position, each with the position after it; (0, 0) is the start."""
        ...


@dataclass(frozen=True)
class UsageList:
    """Usages in memory.

    Args:
        usages: The usages.
        order: The lemmas in the order of the labelling. Default: that of the usages.
    """

    usages: Sequence[Usage]
    order: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.usages)

    @property
    def digest(self) -> object:
        """Everything that a model may read."""
        return [(usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end) for usage in self.usages]

    def after(self, position: StreamPosition) -> Iterator[tuple[StreamPosition, Usage]]:
        """Yield the usages after a position, which is the number of usages before it."""
        start = position[1]
        return (((0, number), usage) for number, usage in enumerate(self.usages[start:], start + 1))


@dataclass(frozen=True)
class IndexedUsages:
    """All usages of lemmas in an index, read as they are needed.

    Args:
        index: The index.
        words: The word of the index for each lemma.
    """

    index: Index
    words: Mapping[str, str]

    def __len__(self) -> int:
        """The number of usages, which the index knows without reading them."""
        vocabulary = self.index.vocabulary
        return int(sum(vocabulary.counts[vocabulary.number(word)] for word in self.words.values()))

    def documents(self) -> Iterator[str]:
        """Yield the names of all documents."""
        for part in self.index.parts("documents", ["name"]):
            yield from map(str, part.column("name").to_pylist())

    @property
    def digest(self) -> object:
        """The index and the words."""
        return [self.index.digest, dict(self.words)]

    @property
    def order(self) -> Sequence[str]:
        """The lemmas; the stream has them in this order only within each part of the index."""
        return tuple(self.words)

    def after(self, position: StreamPosition) -> Iterator[tuple[StreamPosition, Usage]]:
        """Yield the usages after a position, without reading the parts of the index before it."""
        return stream_usages(self.index, self.words, position)


@contextmanager
def label_resumably(
    label: LabelFunction,
    usages: UsageStream,
    out: Path | None,
    model: str,
    *,
    weights: object = None,
    processes: int | None = 1,
    show: Callable[[int], object] = lambda _: None,
) -> Iterator[Labelling]:
    """Label usages in batches of a thousand; the same call with the same usages and model resumes.

    The result of each batch is stored in ``OUT.part`` beside the output, until the block that writes the labelling has
    ended without an error. A checkpoint of another model or of other usages is replaced. Without an output, an
    interruption in a notebook or a Python shell gives the labelling of the batches that are complete, with a warning.

    Args:
        label: Labels usages.
        usages: The usages.
        out: The output; without one, or with few usages, nothing is stored.
        model: The folder of the model.
        weights: Facts about the language models that the model uses.
        processes: How many processes label batches.
        show: Receives the number of usages of each batch, including those stored before.
    """
    columns = _LabellingColumns()
    if out is None or len(usages) <= CHECKPOINT_BATCH:
        done = 0
        try:
            for batch in _label_batches(label, usages, (0, 0), processes):
                columns.add(batch.rows)
                done += batch.usages
                show(batch.usages)
        except KeyboardInterrupt:
            if not (done and is_interactive()):
                raise
            _warn_of_interruption(done, len(usages))
        yield columns.labelling(usages.order)
        return
    check_checkpoint_folder(out)
    facts = [str(Path(model).resolve()), last_modified(model), weights, usages.digest]
    checkpoint = Checkpoint(out, compute_fingerprint(*facts))
    position, number = (0, 0), 0
    while (stored := _read_batch(checkpoint, number)) is not None:
        columns.add(stored.rows)
        show(stored.usages)
        position, number = stored.end, number + 1
    for key, batch in enumerate(_label_batches(label, usages, position, processes), number):
        checkpoint.put(str(key), json.dumps(batch).encode())
        columns.add(batch.rows)
        show(batch.usages)
    yield columns.labelling(usages.order)
    checkpoint.remove()


def _warn_of_interruption(done: int, total: int) -> None:
    problem = f"stopped after {done:,} of {total:,} usages; the labelling has only these"
    advice = (
        "Label the others, and join both: labels | model.label([usage for usage in usages if usage.id not in labels])"
    )
    warnings.warn(f"{problem}. {advice}", InputWarning, stacklevel=4)


class _LabelledBatch(NamedTuple):
    """The position behind a batch, the number of its usages, and their labels."""

    end: StreamPosition
    usages: int
    rows: list[LabellingRow]


def _read_batch(checkpoint: Checkpoint, number: int) -> _LabelledBatch | None:
    """Read a batch that was stored; none if it is missing or damaged."""
    data = checkpoint.get(str(number))
    if data is None:
        return None
    try:
        (part, row), usages, rows = json.loads(data)
    except DAMAGE:
        return None
    return _LabelledBatch((part, row), usages, rows)


def _label_batches(
    label: LabelFunction, usages: UsageStream, position: StreamPosition, processes: int | None
) -> Iterator[_LabelledBatch]:
    """Label the usages after a position."""

    def batches() -> Iterator[Sequence[tuple[StreamPosition, Usage]]]:
        remaining_usages = usages.after(position)
        while batch := list(islice(remaining_usages, CHECKPOINT_BATCH)):
            yield batch

    count = 1 if len(usages) <= CHECKPOINT_BATCH else processes
    return parallel_map(partial(_label_batch, label), batches(), processes=count)


def _label_batch(label: LabelFunction, batch: Sequence[tuple[StreamPosition, Usage]]) -> _LabelledBatch:
    return _LabelledBatch(batch[-1][0], len(batch), list(label([usage for _, usage in batch]).rows()))


class _LabellingColumns:
    """The rows of a labelling while it grows, as columns, which take a fraction of the memory."""

    def __init__(self) -> None:
        self.usages: list[str] = []
        self.lemmas: list[str] = []
        self.sizes = array("q")
        self.senses: list[str] = []
        self.weights = array("d")

    def add(self, rows: Iterable[LabellingRow]) -> None:
        """Append rows: all columns at the end, so that an interruption before leaves them equally long."""
        batch = list(rows)
        lemmas = [sys.intern(lemma) for lemma, _, _ in batch]
        senses = [sys.intern(sense) for _, _, weights in batch for sense in weights]
        values = [weight for _, _, weights in batch for weight in weights.values()]
        self.usages += [usage for _, usage, _ in batch]
        self.lemmas += lemmas
        self.sizes.extend(len(weights) for _, _, weights in batch)
        self.senses += senses
        self.weights.extend(values)

    def labelling(self, order: Sequence[str]) -> Labelling:
        """Return the labelling in the order of these lemmas or, without them, in the order of the rows."""
        sizes, weights = np.array(self.sizes, np.intp), np.array(self.weights, np.float64)
        if not order:
            return Labelling.from_arrays(self.usages, self.lemmas, sizes, self.senses, weights)
        ranks = {lemma: rank for rank, lemma in enumerate(order)}
        rows = np.argsort([ranks[lemma] for lemma in self.lemmas], kind="stable").astype(np.intp)
        entries = expand_runs(run_starts(sizes)[rows], sizes[rows])
        usages, lemmas = ([column[row] for row in rows.tolist()] for column in (self.usages, self.lemmas))
        senses = [self.senses[entry] for entry in entries.tolist()]
        return Labelling.from_arrays(usages, lemmas, sizes[rows], senses, weights[entries])
