"""Walks on graphs of senses, by WordNet's glosses and relations or by UKB's files, weigh senses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme import wordnet
from polyseme.disambiguate.contexts import Context, contexts
from polyseme.disambiguate.graph import Graph
from polyseme.disambiguate.networks import UKBGraph, WordNetGraph
from polyseme.disambiguate.ppr import PPR
from polyseme.disambiguate.sources import Sources
from polyseme.errors import InputError
from polyseme.usage import Usage
from polyseme.wordnet import WordNet
from wordnet.tiny import write


def solved(graph: Graph, starts: Any, damping: float = 0.85) -> Any:
    """(1 − c)·(I − c·M)⁻¹·v, by elimination."""
    edges = graph.edges.toarray()
    total = edges.sum(axis=1, keepdims=True)
    moves = np.divide(edges, total, out=np.zeros_like(edges), where=total > 0).T
    return (1 - damping) * np.linalg.solve(np.eye(len(edges)) - damping * moves, starts)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """The small WordNet; what is worked out of it is kept elsewhere."""
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return Sources(wordnet.load(None, write(tmp_path / "tiny")))


def row(sources: Sources, key: str) -> int:
    return sources.wordnet.synset(key).row


@pytest.mark.parametrize("how", ["first", "spread", "walked"])
def test_glosses_join_a_synset_to_what_they_speak_of(tiny: Sources, how: Any) -> None:
    """*the cord in a lamp*: the lamp, not the look; read again from the cache, it is the same."""
    wick, lamp, look = (row(tiny, key) for key in ("wick%1:06:00::", "lamp%1:06:00::", "lamp%1:10:00::"))
    without: dict[str, Any] = {"weights": {"part holonym": 0}, "gloss_weight": 1.0}
    edges = WordNetGraph(how, **without).ready(tiny).graph.edges.toarray()
    assert edges[wick, lamp] > 0
    assert (edges[wick, look] > 0) == (how == "spread")
    again = Sources(tiny.wordnet)
    assert (WordNetGraph(how, **without).ready(again).graph.edges.toarray() == edges).all()
    assert WordNetGraph("none", **without).ready(tiny).graph.edges.toarray()[wick, lamp] == 0


def test_a_graph_in_ukbs_format(tiny: Sources, tmp_path: Path) -> None:
    lamp, look, shine = (tiny.wordnet.synset(key).id for key in ("lamp%1:06:00::", "lamp%1:10:00::", "shine%2:43:00::"))
    (tmp_path / "relations.txt").write_text(f"u:{lamp} v:{shine} w:2\nu:{look} v:{shine} d:1\n")
    found = usage("The lamp shines.", "lamp", "lamp.n")
    model = PPR(graph=UKBGraph(str(tmp_path / "relations.txt")), strength=1, prior=0)
    weights = model.ready(tiny, ["lamp.n"])(contexts([found], tiny))[0]
    assert weights["lamp%1:06:00::"] > 0
    assert weights["lamp%1:10:00::"] == 0, "nothing leads there"
    (tmp_path / "bad.txt").write_text("u:1-n v:2-n\nu:1-n w:x\n")
    with pytest.raises(InputError, match=r"bad\.txt:2: v: is missing"):
        UKBGraph(str(tmp_path / "bad.txt")).ready(tiny)
    with pytest.raises(InputError, match="UKBGraph\\(\\) has no file"):
        UKBGraph().ready(tiny)


# -- PPR -----------------------------------------------------------------------------------------------------------


def usage(text: str, target: str, lemma: str, **meta: Any) -> Usage:
    start = text.index(target)
    return Usage("u", lemma, text, start, start + len(target), meta=meta)


def test_ppr_by_hand(tiny: Sources) -> None:
    """The weight is rank ** strength · share ** prior, where the rank is that of a walk from the other words."""
    asked = contexts([usage("A lamp shines.", "lamp", "lamp.n")], tiny)
    network = WordNetGraph("none").ready(tiny)
    start = np.zeros((len(network.graph), 1))
    start[row(tiny, "shine%2:43:00::")] = 1.0
    exact = solved(network.graph, start)[:, 0]
    ratio = exact[row(tiny, "lamp%1:06:00::")] / exact[row(tiny, "lamp%1:10:00::")]
    part = PPR(graph=WordNetGraph("none"), smoothing=3.0, strength=0.5, prior=2.0, iterations=300, tolerance=0)
    weights = part.ready(tiny, ["lamp.n"])(asked)[0]
    found = weights["lamp%1:06:00::"] / weights["lamp%1:10:00::"]
    assert found == pytest.approx(ratio**0.5 * ((7 + 3) / (7 + 3)) ** 2, rel=1e-4)


def test_senses_of_words_around_may_be_fixed(wordnet_31: WordNet) -> None:
    sources = Sources(wordnet_31)
    part = PPR(graph=WordNetGraph("none"), strength=1, prior=0)

    def of(key: str) -> dict[str, float]:
        asked = usage("A bank and a bass.", "bass", "bass.n", fixed={"bank.n": key})
        return dict(part.ready(sources, ["bass.n"])(contexts([asked], sources))[0])

    assert of("bank%1:17:01::") != of("bank%1:14:00::")
    with pytest.raises(InputError, match=r"'bank\.n' is fixed to 'bank%1:99:99::', which is no sense"):
        of("bank%1:99:99::")


def test_without_words_around_there_is_an_answer(tiny: Sources) -> None:
    alone = Context(usage("lamp", "lamp", "lamp.n"), "lamp.n", ("lamp.n",), 0)
    for method in ("ppr_w2w", "ppr", "static", "degree"):
        weights = PPR(method, graph=WordNetGraph("none")).ready(tiny, ["lamp.n"])([alone])[0]
        assert all(np.isfinite(weight) and weight > 0 for weight in weights.values())
