"""Signatures of senses and contexts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disambiguation.shores import FIRM, SHORE, context, shores
from polyseme import build
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeights
from polyseme.disambiguation.networks import WordNetGraph
from polyseme.disambiguation.sapienza import Sapienza, weighted_overlap
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.errors import InputError
from polyseme.graphs.pagerank import RandomWalk, pagerank

GRAPH = WordNetGraph("first", 1.0)
CONTEXTS = [context("teller.n", "mud.n"), context("teller.n"), context("mud.n", "river.n"), context("pay.v")]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return shores(tmp_path)


def weights(sources: Sources, part: Sapienza, *contexts: Context) -> list[SenseWeights]:
    return list(part.prepare(sources, {row.lemma for row in contexts})(contexts))


def signatures(sources: Sources, arguments: Context) -> tuple[Any, Any]:
    """That of the context, and those of the two senses of *bank*, each in a column."""
    network = GRAPH.build_network(sources)
    matrix, _ = StartVectors(network).build([arguments], with_target=False)
    nodes = network.senses("bank.n").nodes
    walk = RandomWalk(iterations=300, tolerance=1e-8)
    units = np.eye(len(network.graph))[:, nodes]
    return pagerank(network.graph, matrix, walk)[:, 0], pagerank(network.graph, units, walk)


@pytest.mark.parametrize("arguments", CONTEXTS)
def test_cosines_are_those_of_signatures(sources: Sources, arguments: Context) -> None:
    """Though no signature of the context is made."""
    words, senses = signatures(sources, arguments)
    cosines = words @ senses / np.linalg.norm(senses, axis=0)
    (result,) = weights(sources, Sapienza("cosine", GRAPH, iterations=300, tolerance=1e-8), arguments)
    assert result[SHORE] / result[FIRM] == pytest.approx(cosines[0] / cosines[1], rel=1e-3)


@pytest.mark.parametrize("arguments", CONTEXTS)
@pytest.mark.parametrize("top", [3, 6, 5000])
def test_overlaps_are_those_of_ranks(sources: Sources, arguments: Context, top: int) -> None:
    words, senses = signatures(sources, arguments)

    def ranked(values: Any) -> list[int]:
        return [place for place in np.argsort(-values, kind="stable").tolist() if values[place] > 0][:top]

    expected = []
    for sense in senses.T:
        one, other = ranked(words), ranked(sense)
        shared = [1 / (one.index(node) + 1 + other.index(node) + 1) for node in one if node in other]
        expected.append(sum(shared) / max(sum(1 / (2 * place) for place in range(1, len(shared) + 1)), 0.1))
    (result,) = weights(sources, Sapienza("overlap", GRAPH, top=top, iterations=300, tolerance=1e-8), arguments)
    assert [result[SHORE], result[FIRM]] == pytest.approx((np.array(expected) / max(expected)).tolist(), rel=1e-3)


def test_weighted_overlap_of_known_ranks() -> None:
    assert weighted_overlap(np.array([2, 1], np.int32)) == pytest.approx((1 / 3 + 1 / 3) / (1 / 2 + 1 / 4))
    assert weighted_overlap(np.array([0, 5], np.int32)) == pytest.approx((1 / 7) / (1 / 2))


@pytest.mark.parametrize("measure", ["cosine", "overlap"])
def test_the_context_decides(sources: Sources, measure: Any) -> None:
    firm, shore = weights(sources, Sapienza(measure, WordNetGraph(), top=4), context("teller.n"), context("mud.n"))
    assert firm[FIRM] > firm[SHORE]
    assert shore[SHORE] > shore[FIRM]


@pytest.mark.parametrize("measure", ["cosine", "overlap"])
def test_a_word_alone(sources: Sources, measure: Any) -> None:
    part = Sapienza(measure, WordNetGraph("none"))
    arguments = [
        context(),
        context("zebra.n"),
        context("hermit.n"),
        context(target="hermit.n"),
        context(target="zebra.n"),
    ]
    *result, nothing = weights(sources, part, *arguments)
    assert nothing == {}
    for row in result:
        assert all(np.isfinite(list(row.values())))
        assert sum(row.values()) > 0
    assert weights(sources, part) == []


def test_signatures_of_senses_are_kept(sources: Sources) -> None:
    part = Sapienza("overlap", GRAPH)
    first = weights(sources, part, context("teller.n"))
    (name,) = (name for name in sources._cache if name.startswith("signatures"))
    before = dict(sources._cache[name])
    assert len(before) == 2
    assert weights(sources, part, context("teller.n")) == first
    assert all(sources._cache[name][node] is before[node] for node in before)


def test_the_target_may_be_in_the_context_and_counts_may_count(sources: Sources) -> None:
    arguments = context("teller.n")
    without, with_target, counted = (
        result[FIRM] / result[SHORE]
        for part in (Sapienza(graph=GRAPH), Sapienza(graph=GRAPH, with_target=True), Sapienza(graph=GRAPH, prior=1.0))
        for result in weights(sources, part, arguments)
    )
    assert without > with_target
    assert counted == pytest.approx(without * 6 / 21)


def test_options_are_checked() -> None:
    assert build(repr(Sapienza("overlap", GRAPH, top=100))) == Sapienza("overlap", GRAPH, top=100)
    with pytest.raises(InputError, match="measure is 'dice'; allowed are 'cosine', 'overlap'"):
        build("Sapienza('dice')")
    with pytest.raises(InputError, match="top is 0; it must be 1 or more"):
        Sapienza(top=0)
    with pytest.raises(InputError, match="graph is 'wn'; it must be a graph, such as WordNetGraph"):
        Sapienza(graph="wn")
