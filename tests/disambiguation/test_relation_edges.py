"""WordNet's relations as a graph."""

from pathlib import Path

import numpy as np
import pytest

from disambiguation.planted import small
from polyseme.disambiguation.relation_edges import INVERSE_RELATIONS, build_relation_edges
from polyseme.errors import InputError
from polyseme.graphs.transition_graph import TransitionGraph, undirected_edges
from polyseme.wordnet import WordNet
from polyseme.wordnet.relations import RELATIONS


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WordNet:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return small(tmp_path).wordnet


def row(wordnet: WordNet, key: str) -> int:
    return wordnet.synset(key).row


def test_relations_lead_both_ways(tiny: WordNet) -> None:
    edges = build_relation_edges(tiny)
    look, thing = row(tiny, "lamp%1:10:00::"), row(tiny, "thing%1:03:00::")
    assert edges[look, thing] == edges[thing, look] == 1
    assert abs(edges - edges.T).sum() == 0
    expected = tiny.graph()
    assert edges.nnz == ((expected + expected.T) > 0).nnz


def test_a_weight_holds_for_the_way_back(tiny: WordNet) -> None:
    lamp, thing, shine = (row(tiny, key) for key in ("lamp%1:06:00::", "thing%1:03:00::", "shine%2:43:00::"))
    edges = build_relation_edges(tiny, {"hypernym": 0.5, "derivation": 3})
    assert edges[lamp, thing] == edges[thing, lamp] == 0.5
    assert edges[lamp, shine] == edges[shine, lamp] == 3
    assert build_relation_edges(tiny, {"hypernym": 0})[lamp, thing] == 0
    assert build_relation_edges(tiny, {"hypernym": 0, "hyponym": 1})[lamp, thing] == 1


def test_every_relation_is_there_that_leads_back() -> None:
    assert {*INVERSE_RELATIONS} <= {*RELATIONS}
    assert all(INVERSE_RELATIONS[INVERSE_RELATIONS[name]] == name for name in INVERSE_RELATIONS)


def test_weights_that_cannot_be(tiny: WordNet) -> None:
    with pytest.raises(InputError, match="there is no relation 'hypernim'; did you mean 'hypernym'"):
        build_relation_edges(tiny, {"hypernim": 1})
    with pytest.raises(InputError, match="the weight of 'hypernym' is -1; it must be 0 or more"):
        build_relation_edges(tiny, {"hypernym": -1})


def test_transitions_are_probabilities() -> None:
    graph = TransitionGraph(undirected_edges(4, np.array([0, 0]), np.array([1, 2]), np.array([3.0, 1.0])))
    assert graph.transitions.toarray().tolist() == [[0, 1, 1, 0], [0.75, 0, 0, 0], [0.25, 0, 0, 0], [0, 0, 0, 0]]
    assert (graph.backward_transitions.toarray() == graph.transitions.toarray().T).all()
    assert graph.strength.tolist() == [4, 3, 1, 0]


def test_all_of_wordnet(wordnet_30: WordNet) -> None:
    edges = build_relation_edges(wordnet_30)
    plain = wordnet_30.graph()
    together = plain + plain.T
    together.setdiag(0)
    together.eliminate_zeros()
    assert edges.nnz == together.nnz
    dog, canine = row(wordnet_30, "dog%1:05:00::"), row(wordnet_30, "canine%1:05:00::")
    assert edges[dog, canine] == 1
