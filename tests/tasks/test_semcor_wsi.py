"""SemCor-WSI: B-Cubed F lemma by lemma, and its figures for one cluster per lemma."""

from pathlib import Path

import pytest

from polyseme.baselines import OneCluster
from polyseme.datasets import load
from polyseme.labelling import Labelling
from polyseme.tasks.semcor_wsi import SemCorWSI


def label_usages(senses: dict[str, str]) -> Labelling:
    """A labelling from the sense of each usage; the first letter of a usage is its lemma."""
    return Labelling((usage[0], usage, {sense: 1.0}) for usage, sense in senses.items())


def test_the_mean_of_lemmas_counts_each_lemma_once_and_the_weighted_mean_each_usage() -> None:
    gold = label_usages({"a1": "x", "a2": "x", "a3": "x", "a4": "x", "b1": "y", "b2": "z"})
    system = label_usages(dict.fromkeys(["a1", "a2", "a3", "a4", "b1", "b2"], "one"))
    figures = SemCorWSI().score(gold, system).figures()
    assert figures["bcubed.f1"] == pytest.approx((1 + 2 / 3) / 2)
    assert figures["weighted"] == pytest.approx((4 * 1 + 2 * 2 / 3) / 6)
    assert figures["clusters"] == 1


def test_the_heaviest_sense_of_a_usage_counts() -> None:
    gold = label_usages({"a1": "x", "a2": "y"})
    system = Labelling([("a", "a1", {"one": 0.6, "two": 0.4}), ("a", "a2", {"one": 0.1, "two": 0.9})])
    assert SemCorWSI().score(gold, system).figures()["bcubed.f1"] == 1


def test_one_cluster_per_lemma_has_the_published_figures(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    benchmark = load("semcor-wsi")
    figures = SemCorWSI().score(benchmark.gold, OneCluster()(benchmark.gold)).figures()
    assert (round(figures["bcubed.f1"], 3), round(figures["weighted"], 3)) == (0.852, 0.736)
