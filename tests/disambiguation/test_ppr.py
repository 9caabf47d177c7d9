"""Disambiguation by walks from the words of the context."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disambiguation.shores import FIRM, SHORE, context, shores
from polyseme import build
from polyseme.disambiguation import ppr as module
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import DictionaryModel, SenseWeights
from polyseme.disambiguation.networks import UKBGraph, WordNetGraph
from polyseme.disambiguation.ppr import PPR
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.errors import InputError
from polyseme.graphs.pagerank import RandomWalk, pagerank, rank_nodes
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

PLAIN = PPR(graph=WordNetGraph("none"), strength=1.0, prior=0.0, tolerance=1e-9, iterations=300)
"""UKB's own, on relations alone."""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return shores(tmp_path)


def weights(sources: Sources, part: PPR, *contexts: Context) -> list[SenseWeights]:
    return list(part.prepare(sources, {each.lemma for each in contexts})(contexts))


def normalised(arguments: SenseWeights) -> dict[str, float]:
    return {key: weight / sum(arguments.values()) for key, weight in arguments.items()}


def test_the_context_decides(sources: Sources) -> None:
    firm, shore = weights(sources, PLAIN, context("teller.n", "pay.v"), context("mud.n", "pay.v"))
    assert firm[FIRM] > 0 == firm[SHORE]
    assert shore[SHORE] > 0 == shore[FIRM]


def test_weights_are_ranks_of_the_other_words(sources: Sources) -> None:
    network = PLAIN.graph.build_network(sources)
    starts = np.zeros((len(network.graph), 1))
    for key, part in (("teller%1:18:00::", 1 / 3), ("mud%1:27:00::", 2 / 3)):
        starts[network.node(key)] = part
    expected = pagerank(network.graph, starts, PLAIN.walk)
    (result,) = weights(sources, PLAIN, context("mud.n", "teller.n", "mud.n"))
    ratio = expected[network.node(SHORE), 0] / expected[network.node(FIRM), 0]
    assert result[SHORE] / result[FIRM] == pytest.approx(ratio, rel=1e-4)


def test_without_w2w_the_word_itself_is_in_the_context(sources: Sources) -> None:
    (alone,) = weights(sources, PPR("ppr", PLAIN.graph, strength=1.0, prior=0.0), context("money.n"))
    assert normalised(alone)[SHORE] > 0.7, "20 of 25 tags"
    even = PPR("ppr", PLAIN.graph, counts=False, strength=1.0, prior=0.0)
    (spread,) = weights(sources, even, context("money.n"))
    assert normalised(spread)[SHORE] < 0.6


def test_static_and_degree_know_no_context(sources: Sources) -> None:
    network = WordNetGraph("first").build_network(sources)
    for method, expected in (
        ("degree", network.graph.strength),
        ("static", pagerank(network.graph, np.ones((len(network.graph), 1)))[:, 0]),
    ):
        part = build(f"PPR({method!r}, graph=WordNetGraph('first'), strength=1.0, prior=0.0)")
        one, other = weights(sources, part, context("teller.n"), context("mud.n"))
        assert one == other
        ratio = expected[network.node(SHORE)] / expected[network.node(FIRM)]
        assert one[SHORE] / one[FIRM] == pytest.approx(ratio, rel=1e-4)


def test_the_prior(sources: Sources) -> None:
    arguments = context("teller.n", "mud.n")
    (plain,) = weights(sources, PLAIN, arguments)
    (both,) = weights(
        sources, PPR(graph=PLAIN.graph, strength=0.5, prior=2.0, smoothing=3.0, tolerance=1e-9), arguments
    )
    shares = np.array([23, 8]) / 31
    expected = np.sqrt([plain[SHORE], plain[FIRM]]) * shares**2
    assert both[SHORE] / both[FIRM] == pytest.approx(expected[0] / expected[1], rel=1e-4)


@pytest.mark.parametrize("method", ["ppr_w2w", "ppr", "static", "degree"])
@pytest.mark.parametrize("glosses", ["none", "walked"])
def test_a_word_alone(sources: Sources, method: Any, glosses: Any) -> None:
    """No word around it, none that is known, or one from which no edge leads."""
    part = PPR(method, WordNetGraph(glosses))
    for result in weights(
        sources, part, context(), context("zebra.n"), context("hermit.n"), context(target="hermit.n")
    ):
        assert all(np.isfinite(list(result.values())))
        assert sum(result.values()) > 0
    first, second, *_ = weights(sources, part, context(), context("zebra.n"))
    assert first == second
    assert first[SHORE] > first[FIRM]


def test_a_context_without_words_has_the_static_rank(sources: Sources) -> None:
    graph = WordNetGraph("first")
    (walked,) = weights(sources, PPR(graph=graph, strength=1.0, prior=0.0), context())
    (static,) = weights(sources, PPR("static", graph, strength=1.0, prior=0.0), context())
    assert normalised(walked) == pytest.approx(normalised(static), rel=1e-3)


def test_a_word_that_the_graph_has_not_got(sources: Sources) -> None:
    assert weights(sources, PLAIN, context("mud.n", target="zebra.n")) == [{}]
    assert weights(sources, PLAIN) == []


def test_a_word_of_one_sense_is_not_walked_for(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "rank_nodes", None)
    assert weights(sources, PLAIN, context("mud.n", target="river.n")) == [{"river%1:17:00::": 1.0}]


def test_known_senses_of_the_words_around(sources: Sources) -> None:
    """*bank* twice: the one that is not the target is known to be a firm."""
    arguments = context("bank.n", "mud.n")
    fixed = context("bank.n", "mud.n", fixed={"bank.n": FIRM})
    several = context("bank.n", "mud.n", fixed={"bank.n": [FIRM, SHORE]})
    usual, firm, both = (normalised(each)[FIRM] for each in weights(sources, PLAIN, arguments, fixed, several))
    assert usual < both < firm
    with pytest.raises(
        InputError, match=r"'bank.n' is fixed to 'x%1', which is not one of its senses; the senses of 'bank.n' are"
    ):
        weights(sources, PLAIN, context("bank.n", fixed={"bank.n": "x%1"}))
    with pytest.raises(InputError, match=r"'bank.n' is fixed to 'money%1:21:00::', which is not one of its senses"):
        weights(sources, PLAIN, context("bank.n", fixed={"bank.n": "money%1:21:00::"}))
    (written,) = weights(sources, PLAIN, context("bank.n", "mud.n", fixed={"Bank.N": FIRM}))
    assert normalised(written)[FIRM] == pytest.approx(firm, rel=1e-5)


@pytest.mark.parametrize("fixed", ["bank", {"bank.n": 5}, {"bank.n": [None]}, {"bank": FIRM}, {5: FIRM}])
def test_known_senses_that_are_none(sources: Sources, fixed: object) -> None:
    with pytest.raises(InputError, match=r"'fixed' is .*; write {'river.n': 'river%1:17:00::'}"):
        weights(sources, PLAIN, Context(Usage("u", "bank.n", "", 0, 0, meta={"fixed": fixed}), "bank.n", (), -1))


def test_contexts_in_a_matrix(sources: Sources) -> None:
    network = WordNetGraph("none").build_network(sources)
    arguments = [context("mud.n", "river.n"), context("river.n", "mud.n"), context("river.n", "zebra.n"), context()]
    matrix, column = StartVectors(network).build(arguments, with_target=False)
    assert column.tolist() == [0, 0, 1, 2]
    assert matrix.sum(axis=0) == pytest.approx([1, 1, 1])
    assert matrix[network.node("river%1:17:00::"), 0] == 0.5
    assert float(matrix[0, 2]) == pytest.approx(1 / len(network.graph))
    matrix, _ = StartVectors(network, smoothing=5).build(arguments[:1], with_target=True)
    assert matrix[network.node(SHORE), 0] == pytest.approx(25 / 35 / 3)


def test_usages_in_text(sources: Sources) -> None:
    text = "The teller of the bank takes money."
    model = DictionaryModel(PPR(graph=WordNetGraph("none"), strength=1.0, prior=0.0), sources)
    labelling = model.label([Usage("u1", "bank.n", text, 18, 22)])
    assert labelling["u1"] == {FIRM: 1.0}


def test_a_graph_of_one_s_own(sources: Sources, tmp_path: Path) -> None:
    (tmp_path / "relations.txt").write_text("u:a-n v:b-n\nu:c-n v:d-n\n")
    (tmp_path / "dictionary.txt").write_text("bank a-n:5 c-n:4\nmoney d-n\n")
    graph = UKBGraph(str(tmp_path / "relations.txt"), str(tmp_path / "dictionary.txt"))
    (result,) = weights(sources, PPR(graph=graph), context("money.n"))
    assert result["c-n"] > 0 == result["a-n"]
    assert list(result) == ["a-n", "c-n"]


@pytest.mark.parametrize(
    "options, message",
    [
        ("method='pagerank'", "method is 'pagerank'; allowed are 'ppr_w2w', 'ppr', 'static', 'degree'"),
        ("damping=1.5", "damping is 1.5; it must be a number from 0 to 1"),
        ("iterations=0", "iterations is 0; it must be 1 or more"),
        ("strength=-1.0", "strength is -1.0; it must be 0 or more"),
        ("graph=3", "graph is 3; it must be a graph, such as WordNetGraph"),
        ("graph=PPR()", "it must be a graph, such as WordNetGraph"),
    ],
)
def test_options_are_checked(options: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(f"PPR({options})")


def test_it_is_its_specification() -> None:
    part = PPR("ppr", WordNetGraph("first", weights={"antonym": 0}), damping=0.9)
    assert build(repr(part)) == part


@pytest.fixture(scope="module")
def english(wordnet_30: WordNet) -> Sources:
    return Sources(wordnet_30)


@pytest.mark.parametrize(
    "word, part, sentences",
    [
        (
            "mouse",
            PPR(graph=WordNetGraph("none"), prior=0.0),
            {
                "The mouse and the keyboard of a computer are input devices.": "mouse%1:06:00::",
                "The cat caught the mouse, a small rodent with a tail.": "mouse%1:05:00::",
            },
        ),
        (
            "bank",
            PPR(),
            {
                "He sat on the bank of the river and watched the water.": "bank%1:17:01::",
                "The bank lent money to customers and took deposits of cash.": "bank%1:14:00::",
            },
        ),
    ],
    ids=["relations alone", "as it is"],
)
def test_senses_in_sentences(english: Sources, word: str, part: PPR, sentences: dict[str, str]) -> None:
    usages = [Usage(text, f"{word}.n", text, text.index(word), text.index(word) + len(word)) for text in sentences]
    result = DictionaryModel(part, english).label(usages, processes=1)
    assert {usage: max(senses, key=senses.__getitem__) for _, usage, senses in result.rows()} == sentences


def test_both_ways_agree_on_wordnet(english: Sources) -> None:
    network = WordNetGraph("none").build_network(english)
    words = ["river.n", "money.n", "computer.n", "run.v", "good.a", "quickly.r"]
    arguments, column = StartVectors(network).build([context(*words[:size]) for size in range(1, 7)], with_target=False)
    nodes = np.concatenate([network.senses(lemma).nodes for lemma in ("bank.n", "mouse.n")])
    columns, nodes = np.repeat(column, len(nodes)), np.tile(nodes, len(column))
    one, other = (
        rank_nodes(network.graph, arguments, columns, nodes, RandomWalk(), way=way) for way in ("forwards", "backwards")
    )
    assert np.abs(one - other).max() < 1e-4
    walk = RandomWalk(iterations=100, tolerance=1e-6)
    one, other = (
        rank_nodes(network.graph, arguments, columns, nodes, walk, way=way) for way in ("forwards", "backwards")
    )
    np.testing.assert_allclose(one, other, rtol=1e-2, atol=1e-8)
