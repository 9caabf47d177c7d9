"""Graphs of senses as parts."""

import os
from pathlib import Path

import numpy as np
import pytest

from disambiguation.shores import FIRM, SHORE, shores
from polyseme import build
from polyseme.disambiguation.networks import UKBGraph, WordNetGraph
from polyseme.disambiguation.sense_weights import EntrySenses
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.parts import relocate_folders


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return shores(tmp_path)


def weight(sources: Sources, graph: WordNetGraph, one: str, other: str) -> float:
    network = graph.build_network(sources)
    return float(network.graph.edges[network.node(one), network.node(other)])


def test_glosses_join_synsets(sources: Sources) -> None:
    river = "river%1:17:00::"
    for how in ("walked", "first"):
        graph = WordNetGraph(how, gloss_weight=0.5)
        assert weight(sources, graph, river, SHORE) == weight(sources, graph, SHORE, river) == 0.5
    assert weight(sources, WordNetGraph("none"), river, SHORE) == 0
    assert weight(sources, WordNetGraph("spread", 1.0), river, FIRM) == pytest.approx(0.2)


def test_relations_and_glosses_are_added(sources: Sources) -> None:
    money, pay = "money%1:21:00::", "pay%2:40:00::"
    graph = WordNetGraph("first", gloss_weight=0.25, weights={"derivation": 2})
    assert weight(sources, graph, money, pay) == 2.25
    network = graph.build_network(sources)
    assert network is graph.build_network(sources), "it is made once"
    assert network.graph.undirected
    assert network.graph.edges.diagonal().sum() == 0


def test_senses_of_wordnet(sources: Sources) -> None:
    network = WordNetGraph("none").build_network(sources)
    senses = network.senses("bank.n")
    assert senses.keys == (SHORE, FIRM)
    assert senses.nodes.tolist() == [network.node(SHORE), network.node(FIRM)]
    assert senses.counts.tolist() == [20, 5]
    assert network.senses("zebra.n").keys == ()


def test_shares() -> None:
    nodes = np.array([0, 1])
    assert EntrySenses(("a", "b"), nodes, np.array([3.0, 0.0])).shares(1).tolist() == [0.8, 0.2]
    assert EntrySenses(("a", "b"), nodes, np.zeros(2)).shares(0).tolist() == [0.5, 0.5]
    assert EntrySenses((), nodes[:0], np.zeros(0)).shares(1).tolist() == []


def test_weights_are_part_of_the_specification() -> None:
    graph = WordNetGraph(weights={"hypernym": 2, "antonym": 0})
    assert graph.weights == (("antonym", 0.0), ("hypernym", 2.0))
    assert build(repr(graph)) == graph
    assert hash(graph) == hash(WordNetGraph(weights=(("hypernym", 2), ("antonym", 0))))


@pytest.mark.parametrize("graph_of_user", [{"hypernym": "much"}, ("hypernym",), 3, "hypernym", {1: 2}])
def test_weights_that_are_none(graph_of_user: object) -> None:
    with pytest.raises(InputError, match=r"the weights of relations are .*; write {'antonym': 0, 'hypernym': 2}"):
        WordNetGraph(weights=graph_of_user)


def test_options_are_checked(sources: Sources) -> None:
    with pytest.raises(InputError, match="WordNetGraph: glosses is 'last'; allowed are 'walked', 'first'"):
        build("WordNetGraph(glosses='last')")
    with pytest.raises(InputError, match="gloss_weight is -1"):
        WordNetGraph(gloss_weight=-1.0)
    with pytest.raises(InputError, match="there is no relation 'kin'"):
        WordNetGraph("none", weights={"kin": 1}).build_network(sources)


# -- UKB -----------------------------------------------------------------------------------------------------------


def written(folder: Path, relations: str, dictionary: str = "") -> UKBGraph:
    (folder / "relations.txt").write_text(relations)
    if dictionary:
        (folder / "dictionary.txt").write_text(dictionary)
    return UKBGraph(str(folder / "relations.txt"), str(folder / "dictionary.txt") if dictionary else "")


def test_a_graph_of_synsets(sources: Sources, tmp_path: Path) -> None:
    shore, firm, river = (sources.wordnet.synset(key).id for key in (SHORE, FIRM, "river%1:17:00::"))
    network = written(tmp_path, f"u:{shore} v:{river} w:2\nu:{river} v:{firm} d:1\n").build_network(sources)
    assert network.graph.edges.toarray().tolist() == [[0, 2, 0], [2, 0, 1], [0, 0, 0]]
    assert not network.graph.undirected
    assert network.senses("bank.n").keys == (SHORE, FIRM)
    assert network.senses("bank.n").counts.tolist() == [20, 5]
    assert network.senses("money.n").keys == (), "it has no node"
    assert network.node(SHORE) == 0
    with pytest.raises(KeyError):
        network.node("money%1:21:00::")


def test_a_graph_with_a_dictionary_of_its_own(sources: Sources, tmp_path: Path) -> None:
    shore = sources.wordnet.synset(SHORE).id
    graph = written(tmp_path, f"u:{shore} v:c2-n\nu:c2-n v:c3-v\n", f"bank {shore}:3 c2-n:2 c3-v:9 c4-n:1\n")
    network = graph.build_network(sources)
    assert network.graph.undirected
    assert network.senses("bank.n").keys == (SHORE, "c2-n"), "c4-n is in no relation"
    assert network.senses("bank.n").counts.tolist() == [3, 2]
    assert network.senses("bank.v").keys == ("c3-v",)
    assert network.senses("river.n").keys == ()
    assert (network.node("c2-n"), network.node(SHORE)) == (1, 0)


def test_a_graph_of_another_wordnet(sources: Sources, tmp_path: Path) -> None:
    graph = written(tmp_path, "u:1-n v:2-n\n")
    with pytest.raises(InputError, match=r"relations.txt: none of its 2 nodes, such as '1-n', is a synset of WordNet"):
        graph.build_network(sources)


def test_of_several_edges_the_heaviest_counts(sources: Sources, tmp_path: Path) -> None:
    lines = "u:a v:b d:1 w:2\nu:a v:b d:1\nu:b v:b d:1\nu:b v:a w:0.5\n"
    network = written(tmp_path, lines, "bank a b\n").build_network(sources)
    assert network.graph.edges.toarray().tolist() == [[0, 2], [0.5, 0]]


def test_a_graph_without_relations_or_words(sources: Sources, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"relations.txt: this file has no relations; a line reads: u:ID v:ID"):
        written(tmp_path, "# nothing\n").build_network(sources)
    with pytest.raises(InputError, match=r"dictionary.txt: no word has a concept that is a node of .*, such as 'a'"):
        written(tmp_path, "u:a v:b\n", "bank c d\n").build_network(sources)


def test_a_file_that_is_changed_is_read_again(sources: Sources, tmp_path: Path) -> None:
    first = written(tmp_path, "u:a v:b\n", "bank a b\n").build_network(sources)
    graph = written(tmp_path, "u:a v:b\nu:b v:c\n", "bank a b c\n")
    os.utime(graph.relations, ns=(1, 1))
    assert len(graph.build_network(sources).graph) == 3 == len(first.graph) + 1
    assert graph.build_network(sources) is graph.build_network(sources)


def test_a_wrong_line_is_named(sources: Sources, tmp_path: Path) -> None:
    graph = written(tmp_path, "u:1-n v:2-n\nu:1-n w:3\n")
    with pytest.raises(InputError, match=r"relations.txt:2: v: is missing"):
        graph.build_network(sources)


def test_no_file() -> None:
    with pytest.raises(InputError, match=r"UKBGraph\(\) has no file; write UKBGraph\('relations.txt'"):
        UKBGraph().build_network(Sources.__new__(Sources))
    assert relocate_folders(UKBGraph("a.txt", "b.txt"), lambda name: f"x/{name}") == UKBGraph("x/a.txt", "x/b.txt")
