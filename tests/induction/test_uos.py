"""UoS: related words, merged clusters, and the number of senses."""

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.example_graphs import graphs
from induction.corpora import MONEY, RIVER, background, fields, usages
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.induction.uos import UoS, merge_inseparable_clusters
from polyseme.inventory import Inventory, Sense


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return build_index([*usages(), *background()], tmp_path_factory.mktemp("index") / "i", English())


def test_usages_have_the_senses_with_the_highest_overlap() -> None:
    """By the words shared over the root of the sense's: 2/√2, 2/√4, 1/√1, 1/√9; three of these, or all."""
    present = sp.csr_array(np.array([[1, 1, 1, 1, 1, 1] + [0] * 10, [0] * 16]))
    members = sp.csr_array(
        np.array(
            [
                [0.5, 2, *[0] * 14],
                [0, 0, 3, 1, 0, 0, 1, 1, *[0] * 8],
                [*[0] * 4, 7, *[0] * 11],
                [*[0] * 5, *[1] * 9, 0, 0],
            ]
        )
    )
    sizes = np.array([6, 0])
    every = UoS(top="all").weigh(present, members, sizes).toarray()
    assert every[0] == pytest.approx([2 / 2**0.5, 1, 1, 1 / 3])
    assert UoS(top=3).weigh(present, members, sizes).toarray()[0] == pytest.approx([2 / 2**0.5, 1, 1, 0])
    assert UoS(top=2).weigh(present, members, sizes).toarray()[0] == pytest.approx([2 / 2**0.5, 1, 0, 0])
    assert not every[1].any()


def test_all_clusters_are_senses_by_default(index: Index) -> None:
    many, two = (UoS(senses=senses, separable=0.0).fit(index, ["bank.n"], processes=1) for senses in ("all", 2))
    assert len(many.inventory["bank.n"]) > 2 == len(two.inventory["bank.n"])


BANKS = Inventory([Sense(name, name[:-1]) for name in ("bank.n1", "bank.n2", "bank.v1")])


class _WordNetData(NamedTuple):
    """A data set with three senses of *bank*."""

    inventory: Inventory = BANKS


@pytest.mark.parametrize("analyser, senses", [(English(), 2), (Simple(lemmatise=False), 3)], ids=["parts", "none"])
def test_as_many_senses_as_wordnet_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, analyser: Any, senses: int
) -> None:
    """Of *bank.n* two; where the corpus does not know which *bank* is one, those of the verb too. There are more."""
    monkeypatch.setattr("polyseme.corpus.content_words.FREQUENT_WORDS", 5)
    monkeypatch.setattr("polyseme.datasets.load", lambda _: _WordNetData())
    index = build_index([*usages(), *background()], tmp_path / "i", analyser, processes=1)
    model = UoS(senses="wordnet", separable=0.0)
    assert len(model.fit(index, ["bank.n"], processes=1).inventory["bank.n"]) == senses
    assert len(replace(model, senses="all").fit(index, ["bank.n"], processes=1).inventory["bank.n"]) > senses
    assert model._limit_senses(["garden.n", "garden"]) == {"garden.n": 1, "garden": 1}


def test_senses_of_wordnet_are_counted(wordnet_31: Any) -> None:
    """Of the noun *bank* ten, of the verb eight."""
    assert UoS(senses="wordnet")._limit_senses(["bank.n", "bank"]) == {"bank.n": 10, "bank": 18}
    assert wordnet_31


def merge_sets(graph: Any, clusters: list[set[int]], separable: float) -> list[list[int]]:
    """Merge the two least separable clusters again and again, by definition."""

    def mean(pairs: list[tuple[int, int]], possible: int) -> float:
        return float(sum(graph[pair] for pair in pairs)) / max(possible, 1)

    def separability(a: set[int], b: set[int]) -> float:
        inside = [pair for nodes in (a, b) for pair in product(nodes, nodes)]
        within = mean(inside, len(a) * (len(a) - 1) + len(b) * (len(b) - 1))
        across = mean(list(product(a, b)), len(a) * len(b))
        return within / across if across else np.inf

    while len(clusters) > 1:
        value, one, other = min((separability(a, b), i, j) for (i, a), (j, b) in combinations(enumerate(clusters), 2))
        if value >= separable:
            break
        clusters[one] |= clusters.pop(other)
    return [sorted(nodes) for nodes in clusters]


@settings(max_examples=100)
@given(graph=graphs(), seed=st.integers(0, 2**32 - 1), separable=st.sampled_from([0.7, 1.1, 1.3]))
def test_clusters_are_merged_as_sets(graph: Any, seed: int, separable: float) -> None:
    """MaxMax's may overlap: a word that was in two counts once in what they are merged into."""
    rng, size = np.random.default_rng(seed), graph.shape[0]
    weights = graph.toarray() * rng.integers(1, 1024, (size, size))  # whole, so that sums are exact, and ties are ties
    weights = weights + weights.T
    drawn = {tuple(np.sort(rng.choice(size, min(3, size), replace=False)).tolist()) for _ in range(5)}
    clusters = [np.array(nodes) for nodes in sorted(drawn)]
    merged = merge_inseparable_clusters(sp.csr_array(weights), clusters, separable)
    expected = merge_sets(weights, [set(nodes.tolist()) for nodes in clusters], separable)
    assert [nodes.tolist() for nodes in merged] == expected


def conllu(text: str) -> str:
    """Sentences in which all words depend on *bank*, or on the first word where there is none."""
    lines = []
    for sentence in text.rstrip(".").split(". "):
        words = sentence.split()
        head = words.index("bank") + 1 if "bank" in words else 1
        for at, word in enumerate(words, start=1):
            pos = {"The": "DET", "the": "DET", "of": "ADP", "and": "CCONJ", "with": "ADP", "was": "AUX"}.get(
                word, "NOUN"
            )
            arc = "0\troot" if at == head else f"{head}\tdep"
            lines.append(f"{at}\t{word}\t{word.lower()}\t{pos}\t_\t_\t{arc}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


def test_related_words_of_a_parsed_corpus_are_dependents(tmp_path: Path) -> None:
    """On a parsed corpus: what stands nearer, but on another branch, is not related."""
    texts = [usage.text.replace("The bank", "The bank marble") for usage in usages()]
    parsed = [conllu(text) for text in texts]
    hung = [text.replace("marble\tmarble\tNOUN\t_\t_\t2", "marble\tmarble\tNOUN\t_\t_\t1") for text in parsed]
    (tmp_path / "bank.conllu").write_text("".join(hung) + "".join(conllu(usage.text) for usage in background()))
    index = build_index([tmp_path / "bank.conllu"], tmp_path / "i", English(), processes=1)
    model = UoS(senses=2, separable=2.0, minimum=1)
    related = set(model.gather(index, ["bank.n"])["bank.n"].names)
    assert {f"{word}.n" for word in (*RIVER, *MONEY)} == related
    fitted = model.fit(index, ["bank.n"], processes=1)
    assert sorted(sorted(fields(sense)) for sense in fitted.inventory["bank.n"]) == [["money"], ["river"]]
    labels = fitted.label(usages(20, seed=4))
    best = {usage: max(senses, key=senses.__getitem__) for usage, senses in labels.items()}
    assert len({best[f"bank.n.{number}"] for number in range(0, 20, 2)}) == 1
    assert best["bank.n.0"] != best["bank.n.1"]
