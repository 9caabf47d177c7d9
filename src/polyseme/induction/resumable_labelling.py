"""Labelling many usages so that what was done is kept, whatever stops it."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from polyseme.arrays import expand_runs, run_starts
from polyseme.corpus.concordance import StreamPosition, stream_usages
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.formats.checkpoint import last_modified
from polyseme.labelling import Labelling, LabellingRow
from polyseme.usage import Usage
from polyseme.workers import parallel_map

CHECKPOINT_BATCH = 1000
"""How many usages are labelled before what was found is written down."""

CHECKPOINT_START = b'{"of": '
"""How a file of ours begins."""

LabelFunction = Callable[[Sequence[Usage]], Labelling]


class UsageStream(Protocol):
    """Usages that are to be labelled."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    @property
    def digest(self) -> object:
        """What is the same only for the same usages."""
        ...

    @property
    def order(self) -> Sequence[str]:
        """The lemmas in whose order the labelling is to be; none, if it is to be in that of the usages."""
        ...

    def after(self, place: StreamPosition) -> Iterator[tuple[StreamPosition, Usage]]:
        """Those behind a place, each with the place behind it; (0, 0) is before the first."""
        ...


@dataclass(frozen=True)
class UsageList:
    """Usages in memory."""

    usages: Sequence[Usage]
    order: Sequence[str] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.usages)

    @property
    def digest(self) -> object:
        """All that a model may look at."""
        return [(usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end) for usage in self.usages]

    def after(self, place: StreamPosition) -> Iterator[tuple[StreamPosition, Usage]]:
        """The place is how many usages were before."""
        start = place[1]
        return (((0, number), usage) for number, usage in enumerate(self.usages[start:], start + 1))


@dataclass(frozen=True)
class IndexedUsages:
    """All usages of lemmas in an index, read as they are needed; ``words`` is what each lemma is called there."""

    index: Index
    words: Mapping[str, str]

    def __len__(self) -> int:
        """How many there are, which the index knows without reading them."""
        vocabulary = self.index.vocabulary
        return int(sum(vocabulary.counts[vocabulary.number(word)] for word in self.words.values()))

    def documents(self) -> Iterator[str]:
        """The names of all documents."""
        for part in self.index.parts("documents", ["name"]):
            yield from map(str, part.column("name").to_pylist())

    @property
    def digest(self) -> object:
        """The index, and the words."""
        return [self.index.digest, dict(self.words)]

    @property
    def order(self) -> Sequence[str]:
        """Lemma by lemma: the stream is so in each part of the index alone."""
        return tuple(self.words)

    def after(self, place: StreamPosition) -> Iterator[tuple[StreamPosition, Usage]]:
        """From a place on, without reading the parts of the index before it."""
        return stream_usages(self.index, self.words, place)


@contextmanager
def label_resumably(
    label: LabelFunction,
    given: UsageStream,
    out: Path | None,
    model: str,
    *,
    weights: object = None,
    processes: int | None = 1,
    show: Callable[[int], object] = lambda _: None,
) -> Iterator[Labelling]:
    """Label usages, a thousand at a time; begun again with the same ones and the same model, it goes on.

    ``model`` is the model's folder, ``weights`` what is known of the language models that it asks. Until the
    block has ended well, in which the labelling is to be written, what was found is in a file beside the output,
    ``OUT.part``, a line for each part; one that another model or other usages have left there is written anew.
    Several ``processes`` label a thousand each. ``show`` is told how many more are labelled, those of before too.
    """
    work = _Work(label, given, processes)
    if out is None or len(given) <= CHECKPOINT_BATCH:
        columns = _Columns()
        for _, count, rows in work.after((0, 0)):
            columns.add(rows)
            show(count)
        yield columns.labelling(given.order)
        return
    _check(labelling_checkpoint_path(out))
    yield _kept(
        work,
        labelling_checkpoint_path(out),
        _name(given, [str(Path(model).resolve()), last_modified(model), weights]),
        show,
    )
    labelling_checkpoint_path(out).unlink(missing_ok=True)


def _check(part: Path) -> None:
    """An error if something else is where what was found is kept, as that would be lost."""
    begins = b"" if not part.exists() else b"-" if part.is_dir() else part.read_bytes()[: len(CHECKPOINT_START)]
    if begins and not CHECKPOINT_START.startswith(begins):
        problem = "this is where what was found is kept until all is done, and something else is there"
        raise InputError(f"{problem}: move it away, or give the output another name", path=part)


def _name(given: UsageStream, model: Sequence[object]) -> str:
    """What is the same only for the same usages, model and version of polyseme."""
    known = [version("polyseme"), model, given.digest]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()


Batch = Sequence[tuple[StreamPosition, Usage]]


class _Work(NamedTuple):
    """What labels which usages, and by how many processes."""

    label: LabelFunction
    given: UsageStream
    processes: int | None

    def after(self, place: StreamPosition) -> Iterator[tuple[StreamPosition, int, list[LabellingRow]]]:
        """What is found behind a place, part by part: the place behind it, how many usages it is of, and the rows."""
        count = 1 if len(self.given) <= CHECKPOINT_BATCH else self.processes
        return parallel_map(partial(_labelled, self.label), self._batches(place), processes=count)

    def _batches(self, place: StreamPosition) -> Iterator[Batch]:
        waiting = self.given.after(place)
        while some := list(islice(waiting, CHECKPOINT_BATCH)):
            yield some


def _labelled(label: LabelFunction, some: Batch) -> tuple[StreamPosition, int, list[LabellingRow]]:
    return some[-1][0], len(some), list(label([usage for _, usage in some]).rows())


def _kept(work: _Work, part: Path, name: str, show: Callable[[int], object]) -> Labelling:
    columns = _Columns()
    done = _found_before(part, name, columns, show)
    with part.open("w" if done is None else "a", encoding="utf-8") as file:
        if done is None:
            file.write(json.dumps({"of": name}) + "\n")
        for place, count, rows in work.after(done or (0, 0)):
            file.write(json.dumps({"to": place, "usages": count, "rows": rows}) + "\n")
            file.flush()
            columns.add(rows)
            show(count)
    return columns.labelling(work.given.order)


class _Columns:
    """The rows of a labelling while it grows; as columns, which take a fraction of the room."""

    def __init__(self) -> None:
        self.usages: list[str] = []
        self.lemmas: list[str] = []
        self.sizes = array("q")
        self.senses: list[str] = []
        self.weights = array("d")

    def add(self, rows: Iterable[LabellingRow]) -> None:
        """More rows, below the others."""
        for lemma, usage, senses in rows:
            self.usages.append(usage)
            self.lemmas.append(sys.intern(lemma))
            self.sizes.append(len(senses))
            self.senses += map(sys.intern, senses)
            self.weights.extend(senses.values())

    def labelling(self, order: Sequence[str]) -> Labelling:
        """All of them, in the order of these lemmas, and of each lemma in their own; as they are, if there are none."""
        sizes, weights = np.array(self.sizes, np.intp), np.array(self.weights, np.float64)
        if not order:
            return Labelling.from_arrays(self.usages, self.lemmas, sizes, self.senses, weights)
        ranks = {lemma: rank for rank, lemma in enumerate(order)}
        rows = np.argsort([ranks[lemma] for lemma in self.lemmas], kind="stable").astype(np.intp)
        entries = expand_runs(run_starts(sizes)[rows], sizes[rows])
        usages, lemmas = ([column[row] for row in rows.tolist()] for column in (self.usages, self.lemmas))
        senses = [self.senses[entry] for entry in entries.tolist()]
        return Labelling.from_arrays(usages, lemmas, sizes[rows], senses, weights[entries])


def labelling_checkpoint_path(out: Path) -> Path:
    """Where what was found so far is kept."""
    return out.with_name(f"{out.name}.part")


def _found_before(part: Path, name: str, columns: _Columns, show: Callable[[int], object]) -> StreamPosition | None:
    """Take the rows that are there, and say behind which place; what was cut off in the middle is taken away.

    Nothing, if there is no such file, or another model or other usages have left it.
    """
    lines = _whole(part)
    end, first = next(lines, (0, {}))
    if first.get("of") != name:
        return None
    place = (0, 0)
    for so_far, line in lines:
        columns.add(line["rows"])
        show(line["usages"])
        end, place = so_far, (line["to"][0], line["to"][1])
    with part.open("r+b") as file:
        file.truncate(end)
    return place


def _whole(part: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file up to the first that is not whole, with where each ends."""
    if not part.is_file():
        return
    end = 0
    with part.open("rb") as file:
        for line in file:
            end += len(line)
            try:
                found = json.loads(line)
            except ValueError:
                return
            if not (line.endswith(b"\n") and isinstance(found, dict)):
                return
            yield end, found
