"""Repeated runs of a model on one word."""

from typing import Any

import pytest

from polyseme.corpus.index import Index
from polyseme.induction.pipeline import Pipeline
from polyseme.parts import build
from polyseme.words.runs import (
    DETERMINISTIC,
    ON_HALVES,
    ONE_SEED,
    TOO_FEW_USAGES,
    describe_runs,
    profile_runs,
)
from word_profiles import PIPELINE, USAGE_CLUSTERS


def test_a_fitted_model_is_run_with_other_seeds(bank_index: Index) -> None:
    model = build(PIPELINE).fit(bank_index, ["bank"], processes=1)
    profiles = profile_runs(bank_index, "bank", model, seeds=3)
    assert len(profiles) == 3
    assert profiles[0].model == repr(model.inducer)
    assert [f"seed={seed}" in profile.model for seed, profile in enumerate(profiles)] == [True] * 3
    assert len(profile_runs(bank_index, "bank", model, seeds=1)) == 1


def test_a_deterministic_model_is_run_once(bank_index: Index) -> None:
    inducer = build("Pipeline(represent=Bag(minimum=2, stop=0), cluster=Agglomerative(), number=2, sentences=1)")
    assert len(profile_runs(bank_index, "bank", inducer)) == 1
    assert describe_runs(inducer, 3, 60) == describe_runs(inducer, 1, 60) == DETERMINISTIC


def test_a_deterministic_model_that_clusters_labelled_usages_is_run_on_halves(bank_index: Index) -> None:
    profiles = profile_runs(bank_index, "bank", build(USAGE_CLUSTERS), seeds=3, limit=40)
    assert [len(profile.usages) for profile in profiles] == [40] * 3
    assert describe_runs(build(USAGE_CLUSTERS), 3, 40) == ON_HALVES
    assert describe_runs(build(USAGE_CLUSTERS), 1, 40) == DETERMINISTIC


def test_a_stochastic_model_that_clusters_labelled_usages_is_run_on_halves(bank_index: Index) -> None:
    inducer = build(USAGE_CLUSTERS.replace("Agglomerative()", "KMeans()"))
    assert inducer != build(USAGE_CLUSTERS)
    assert describe_runs(inducer, 3, 40) == ON_HALVES
    assert describe_runs(inducer, 3, 10) == TOO_FEW_USAGES
    assert describe_runs(inducer, 1, 40) == ONE_SEED
    profiles = profile_runs(bank_index, "bank", inducer, seeds=3, limit=40)
    assert [profile.model for profile in profiles] == [repr(inducer)] * 3
    model = inducer.fit(bank_index, ["bank"], processes=1)
    assert describe_runs(model, 3, 40) == ON_HALVES
    assert [len(profile.usages) for profile in profile_runs(bank_index, "bank", model, seeds=3, limit=40)] == [40] * 3
    assert len(profile_runs(bank_index, "bank", model, seeds=1, limit=40)) == 1


def test_the_usages_that_are_clustered_are_those_that_are_reported(
    bank_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    clustered: list[set[str]] = []
    original = Pipeline.fit

    def fit(self: Pipeline, *arguments: Any, usages: Any = (), **options: Any) -> Any:
        clustered.append({usage.id for usage in usages})
        return original(self, *arguments, usages=usages, **options)

    monkeypatch.setattr(Pipeline, "fit", fit)
    profiles = profile_runs(bank_index, "bank.n", build(USAGE_CLUSTERS), seeds=3, limit=40)
    reported = {usage.id for usage in profiles[0].usages}
    assert clustered[0] == reported
    assert [len(usages) for usages in clustered] == [40, 20, 20]
    assert all(half < reported for half in clustered[1:])
    assert [{usage.id for usage in profile.usages} for profile in profiles] == [reported] * 3
    model = build(USAGE_CLUSTERS).fit(bank_index, ["bank.n"], processes=1)
    assert {usage.id for usage in profile_runs(bank_index, "bank.n", model, limit=40)[0].usages} == reported
