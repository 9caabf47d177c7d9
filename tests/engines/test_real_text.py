"""Thirty thousand words of SemCor: every window, on every engine, gives the counts of brute force."""

from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from corpus import brute_force
from corpus.expected import WINDOWS, as_counts
from corpus.tiny_index import Row, rows_of, write_index
from polyseme.corpus.cooccurrence import count_cooccurrences
from polyseme.corpus.counts import CooccurrenceCounts
from polyseme.corpus.engine import Engine
from polyseme.corpus.index import Index
from polyseme.corpus.sparse_counts import CountUnit
from polyseme.corpus.windows import DependencyWindow, Window
from polyseme.datasets import load

TOKENS = 30_000
CASES: list[tuple[Window, CountUnit]] = [
    *((window, "context") for window in WINDOWS),
    *((window, "token") for window in WINDOWS if not isinstance(window, DependencyWindow)),
]
ENGINES = ["native", "duckdb", pytest.param("spark:local", marks=pytest.mark.xdist_group("spark"))]


@cache
def rows(data: Path) -> list[Row]:
    """The first words of SemCor. It has no heads: each word gets a random one."""
    rng = np.random.default_rng(5)
    words = list(islice(rows_of(load("semcor-3.0", data).sentences()), TOKENS))
    sizes = Counter(row[1] for row in words)
    heads = (rng.integers(0, [sizes[row[1]] + 1 for row in words])).tolist()
    relations = rng.choice(["x", "y", "z"], len(words)).tolist()
    return [(*row[:4], head, relation) for row, head, relation in zip(words, heads, relations, strict=True)]


@pytest.fixture(scope="session")
def index(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return write_index(tmp_path_factory.mktemp("semcor"), rows(data), 3)


@cache
def expected(index: Index, data: Path, window: Window, by: CountUnit) -> CooccurrenceCounts:
    counted = brute_force.pairs(rows(data), window, by, {row[3] for row in rows(data)})
    return as_counts(index, counted, symmetric=not isinstance(window, DependencyWindow))


@pytest.mark.parametrize("window, by", CASES, ids=str)
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_a_real_text(index: Index, data: Path, engine: Engine, window: Window, by: CountUnit) -> None:
    assert count_cooccurrences(index, window, by=by, engine=engine) == expected(index, data, window, by)
