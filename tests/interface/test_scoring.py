"""What `polyseme score`, `compare`, `map` and `reproduce` do, in Python: any input, and the same figures."""

import json
from pathlib import Path

import pytest

import polyseme as ps
from cli.conftest import Run, cli

GOLD, KEY, OTHER = "examples/gold.key", "examples/system-a.key", "examples/system-b.key"

__all__ = ["cli"]


def test_a_labelling_scores_the_same_from_every_source(cli: Run) -> None:
    labels = ps.read_labelling(KEY, "semeval-2013")
    command = json.loads(cli("score", "senseval", KEY, "--gold", GOLD, "--json").out)
    for system in (KEY, Path(KEY), labels, labels.to_dict(), labels.to_records(), labels.to_frame()):
        assert ps.score("senseval", system, GOLD).to_dict() == pytest.approx(command)


def test_usages_whose_ids_name_no_lemma_have_the_lemmas_of_gold() -> None:
    gold = ps.Labelling([("note", "n1", {"letter": 1}), ("line", "l1", {"border": 1}), ("note", "n2", {"money": 1})])
    answers = {"n1": {"a": 1.0}, "n2": {"b": 1.0}, "l1": {"a": 1.0}}
    by_lemma = ps.Labelling([(gold.lemma(usage), usage, senses) for usage, senses in answers.items()])
    assert (
        ps.score("semeval-2013", answers, gold).to_frame().equals(ps.score("semeval-2013", by_lemma, gold).to_frame())
    )
    assert ps.map_senses(answers, gold, folds=1) == ps.map_senses(by_lemma, gold, folds=1)
    assert (
        ps.score("semeval-2013", by_lemma, gold.to_dict()).figures()
        == ps.score("semeval-2013", by_lemma, gold).figures()
    )


def test_tasks_are_named_in_every_way(cli: Run) -> None:
    command = json.loads(cli("score", "semeval-2013", KEY, "--gold", GOLD, "--variant", "paper", "--json").out)
    specification = "SemEval2013(variant='paper')"
    results = [ps.score(task, KEY, GOLD) for task in (ps.SemEval2013(variant="paper"), specification)]
    results.append(ps.score("semeval-2013", KEY, GOLD, variant="paper"))
    assert all(result.to_dict() == command for result in results)
    with pytest.raises(ps.InputError, match="senseval has no option 'variant'; its options are granularity"):
        ps.score("senseval", KEY, GOLD, variant="paper")
    with pytest.raises(ps.InputError, match="lexsub has no data set of its own; name the gold standard"):
        ps.score("lexsub", KEY)
    with pytest.raises(ps.InputError, match="is not a task"):
        ps.score(ps.Jaccard(), KEY, GOLD)


@pytest.mark.usefixtures("cli")
def test_results_have_figures_of_lemmas() -> None:
    result = ps.score("semeval-2013", KEY, GOLD)
    assert isinstance(result, ps.TaskResult)
    frame = result.to_frame()
    assert list(frame["lemma"]) == ["all", *result.per_lemma()]
    assert frame.loc[0, "jaccard.f1"] == result.figures()["jaccard.f1"]
    assert repr(result).startswith("<TaskResult of semeval-2013: jaccard.precision 0.")


def test_comparisons_are_the_same_by_both_roads(cli: Run) -> None:
    command = json.loads(cli("compare", KEY, OTHER, "--gold", GOLD, "--samples", 100, "--json").out)
    comparison = ps.compare(ps.read_labelling(KEY, "semeval-2013"), OTHER, GOLD, samples=100)
    assert json.loads(json.dumps(comparison.to_dict())) == command
    assert (comparison.first, comparison.second) == ("A", "system-b.key")
    assert {"figure", "interval_low", "interval_high"} <= set(comparison.to_frame().columns)
    pairs = [ps.UsagePair("x", "x.1", "x.2", 1.0), ps.UsagePair("x", "x.1", "x.3", 0.5)]
    labels = {"x.1": "a", "x.2": "a", "x.3": "b"}
    with pytest.raises(ps.InputError, match="results of usim cannot be compared"):
        ps.compare(labels, labels, pairs, "usim")


def test_a_model_labels_the_usages_that_are_scored(cli: Run, tmp_path: Path) -> None:
    usages, gold = "examples/two-words.jsonl", "examples/two-words-gold.key"
    inducer: ps.Pipeline = ps.build("Pipeline(Bag(minimum=1, stop=0), number=2)")
    inducer.fit(ps.read_usages(usages)).save(tmp_path / "model")
    arguments = ("score", "semeval-2013", tmp_path / "model", "--gold", gold, "--usages", usages, "--json")
    command = json.loads(cli(*arguments).out)
    model = ps.load_model(tmp_path / "model")
    labels = model.label(ps.read_usages(usages))
    results = [ps.score("semeval-2013", system, gold, usages=usages) for system in (model, tmp_path / "model", labels)]
    assert [result.to_dict() for result in results] == [command] * 3
    with pytest.raises(ps.InputError, match="a model labels usages, and senseval has none"):
        ps.score("senseval", model, gold)


@pytest.mark.filterwarnings("ignore:.* usages? of the system", "ignore:.* names no sense")
def test_data_sets_are_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    result = ps.score("semeval-2013", "semeval-2013-task-13:AI-KU")
    gold = ps.load("semeval-2013-task-13").gold
    assert (
        result.to_dict() == ps.score("semeval-2013", ps.load("semeval-2013-task-13").systems["AI-KU"], gold).to_dict()
    )
    assert isinstance(ps.score("usim", {"bright.a.1": "a", "bright.a.2": "b"}, "usim").to_dict(), dict)
    name = "UoS (top-3)"  # a key with lines that name no sense
    (path,) = ps.load("semeval-2013-task-13").named_sources("systems")[name][0]
    by_name, by_file = (ps.score("semeval-2013", key) for key in (f"semeval-2013-task-13:{name}", str(path)))
    assert by_name.to_dict() == by_file.to_dict()
    with pytest.raises(ps.InputError, match="has no labelling 'AIKU'; it has AI-KU"):
        ps.read_labelling("semeval-2013-task-13:AIKU")
