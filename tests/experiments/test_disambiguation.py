"""Plans of models that label with the senses of WordNet: no corpus, no mapping."""

import csv
import json
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import ClassVar

import pytest

from cli.conftest import Run
from experiments.runs import fail_if_called, get_row
from polyseme import parts
from polyseme.datasets import load
from polyseme.disambiguation.contexts import Context
from polyseme.disambiguation.model import SenseWeigher, SenseWeights
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.experiments.plan import DISAMBIGUATORS, INDUCERS, Plan, read_plan
from polyseme.experiments.results import RunResults
from polyseme.experiments.run import run_plan
from polyseme.formats import read_labelling, write_usages
from polyseme.reports.experiment_tables import experiment_table
from polyseme.tasks.all_words import AllWords
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

PAIRS = "annotators, mean of pairs"
BANKS = ["bank%1:17:01::", "bank%1:14:00::", "bank%1:17:00::"]
"""The first senses of the noun in WordNet 3.1: by the river, of money, a ridge."""
TEXTS = {
    "u1": ("He sat on the bank of the river.", {BANKS[0]: 1.0}),
    "u2": ("The bank lends money.", {BANKS[1]: 1.0}),
    "u3": ("The banks failed.", {BANKS[1]: 0.75, BANKS[0]: 0.25}),
    "u4": ("A bank of earth.", {BANKS[2]: 1.0, BANKS[0]: 0.5}),
}


@dataclass(frozen=True)
class Halving:
    """Each sense half as heavy as the one before, from the first; or, where there is money, from the second."""

    kind: ClassVar[str] = "disambiguator"
    seed: int = 0

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        keys = {lemma: [sense.id for sense in sources.wordnet[lemma]] for lemma in lemmas}

        def weigh(contexts: Sequence[Context]) -> Sequence[SenseWeights]:
            return [self.weights(keys[context.lemma], context) for context in contexts]

        return weigh

    def weights(self, keys: list[str], context: Context) -> SenseWeights:
        first = "money.n" in context.others
        return {key: 0.5 ** ((number - first - self.seed) % len(keys)) for number, key in enumerate(keys)}


@pytest.fixture(autouse=True)
def _with_a_part_of_our_own(monkeypatch: pytest.MonkeyPatch, wordnet_31: WordNet) -> None:  # noqa: ARG001 - skips
    by_name = {**parts.parts_by_name(), "Halving": Halving}
    monkeypatch.setattr("polyseme.parts.parts_by_name", lambda: by_name)


def make_usages() -> list[Usage]:
    usages = []
    for id, (text, _) in TEXTS.items():
        start = text.lower().index("bank")
        usages.append(Usage(id, "bank.n", text, start, start + (5 if "banks" in text else 4), "n"))
    return usages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with usages, gold and ratings."""
    write_usages(make_usages(), tmp_path / "my.jsonl")
    lines = [f"bank.n {id} " + " ".join(f"{s}/{w}" for s, w in senses.items()) for id, (_, senses) in TEXTS.items()]
    (tmp_path / "my.key").write_text("\n".join(lines) + "\n")
    rows = [
        f"{annotator},WSsim,bank.n,{id},{sense},{round(1 + 4 * weight) - less}"
        for annotator, less in (("ann", 0), ("bob", 1))
        for id, (_, senses) in TEXTS.items()
        for sense, weight in senses.items()
    ]
    (tmp_path / "my.csv").write_text("\n".join(["annotator,task,lemma,usage,target,value", *rows, ""]))
    return tmp_path


def plan(**changes: str) -> str:
    lines = {
        "title": '"Banks"',
        "task": '"semeval-2013"',
        "usages": '"my.jsonl"',
        "gold": '"my.key"',
        "models": '["Halving", "SemCorMFS"]',
        **changes,
    }
    return "\n".join(f"{name} = {value}" for name, value in lines.items() if value) + "\n"


def read(folder: Path, **changes: str) -> Plan:
    (folder / "plan.toml").write_text(plan(**changes))
    return read_plan(folder / "plan.toml")


def run(folder: Path, **changes: str) -> RunResults:
    return run_plan(read(folder, **changes), folder / "results", load)


# -- runs ----------------------------------------------------------------------------------------------------------


def test_models_are_scored_by_name_and_by_number_of_senses(folder: Path) -> None:
    results = run(folder)
    assert [(row.name, row.kind) for row in results.rows] == [("Halving()", "model"), ("SemCorMFS()", "baseline")]
    first = get_row(results, "SemCorMFS()")
    assert first.figures["jaccard.f1"] == pytest.approx((1 + 0 + 0.5 + 0.5) / 4)
    assert first.figures["single.jaccard.f1"] == pytest.approx(0.5), "of the usages with one sense"
    assert first.figures["several.jaccard.f1"] == pytest.approx(0.5)
    assert first.facts["labelled"] == first.facts["senses per usage"] == 1.0
    row = get_row(results, "Halving()")
    assert row.facts["senses per usage"] == 10.0, "all of WordNet 3.1"
    assert row.figures["jaccard.f1"] == pytest.approx((0.1 + 0.1 + 0.2 + 0.2) / 4)
    assert row.figures["single.jaccard.f1"] == 1.0, "the heaviest sense is right for both"
    assert results.missed == {"WordNet 3.1": {}}


def test_the_figures_are_those_of_the_key(folder: Path) -> None:
    row = get_row(run(folder, models='["Halving"]'), "Halving()")
    (key,) = (folder / "results" / "keys").iterdir()
    labelling = read_labelling(key)
    assert sum(labelling["u2"].values()) == pytest.approx(1.0)
    gold = read_labelling(folder / "my.key")
    expected = SemEval2013(mapping=False).score(gold, labelling).figures()
    assert {name: row.figures[name] for name in expected} == expected


def test_weak_senses_are_left_out_of_models_but_not_of_baselines(folder: Path) -> None:
    """Senses below a share of the greatest weight are left out."""
    results = run(folder, keep="[0, 0.4, 1]", models='["Halving", "AllSenses"]')
    assert [row.name for row in results.rows] == [
        "Halving()",
        "Halving(), keep 0.4",
        "Halving(), keep 1",
        "AllSenses()",
    ]
    assert [row.facts["senses per usage"] for row in results.rows] == [10.0, 2.0, 1.0, 10.0]
    assert len(list((folder / "results" / "keys").iterdir())) == 2, "what was labelled once serves for all"
    alone = run(folder, keep="0.4", models='["Halving"]')
    assert alone.rows == (get_row(results, "Halving(), keep 0.4"),)


def test_nothing_is_labelled_twice(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run(folder).rows

    with monkeypatch.context() as patched:
        patched.setattr("polyseme.disambiguation.model.DictionaryModel.label", fail_if_called)
        assert run(folder).rows == before
        with pytest.raises(AssertionError):
            run(folder, wordnet='"3.0"')
    write_usages([*make_usages()[:3], Usage("u4", "bank.n", "A bank of sand.", 2, 6, "n")], folder / "my.jsonl")
    run(folder)
    assert len(list((folder / "results" / "keys").iterdir())) == 4


def test_stochastic_models_and_baselines_have_a_spread(folder: Path) -> None:
    results = run(folder, seeds="3", models='["SemCorMFS", "RS", "Halving"]')
    assert [(row.name, row.kind) for row in results.rows] == [
        ("Halving()", "model"),
        ("Halving()", "spread"),
        ("SemCorMFS()", "baseline"),
        ("RS()", "baseline"),
        ("RS()", "spread"),
    ]
    alone = [run(folder, models=f'["Halving(seed={seed})"]').rows[0].figures["wndcg.f1"] for seed in range(3)]
    assert get_row(results, "Halving()", "model").figures["wndcg.f1"] == pytest.approx(fmean(alone))
    assert get_row(results, "Halving()", "spread").figures["wndcg.f1"] == pytest.approx(stdev(alone))
    table = experiment_table("", results.plan.protocol, results.rows)
    assert [row[0] for row in table.rows] == ["Halving()", "±", "SemCorMFS()", "RS()", "±"]
    assert table.rules == (2,)


def test_all_words_are_scored_by_part_of_speech(folder: Path) -> None:
    results = run(folder, task='"all-words"')
    assert get_row(results, "SemCorMFS()").figures == {"precision": 0.75, "recall": 0.75, "f1": 0.75, "pos.n": 0.75}
    assert get_row(results, "Halving()").figures["f1"] == 1.0
    table = experiment_table("", results.plan.protocol, results.rows)
    assert table.columns[:5] == ("System", "Precision", "Recall", "F1", "Nouns")


def test_all_words_of_several_texts_are_scored_by_text(folder: Path) -> None:
    of_texts = [
        Usage(usage.id, usage.lemma, usage.text, usage.start, usage.end, "n", {"source": "AB"[number % 2]})
        for number, usage in enumerate(make_usages())
    ]
    write_usages(of_texts, folder / "my.jsonl")
    row = run(folder, task='"all-words"', models='["SemCorMFS"]').rows[0]
    assert (row.figures["sets.A"], row.figures["sets.B"]) == (1.0, 0.5)
    table = experiment_table("", AllWords(), [row])
    assert table.columns[4:7] == ("Nouns", "A", "B")
    assert experiment_table("", AllWords(), [row], ["f1", "sets.*"]).columns[1:4] == ("F1", "A", "B")


def test_annotators_stand_between_models_and_baselines(folder: Path) -> None:
    results = run(folder, task='"wssim"', gold='"my.csv"', models='["Halving", "AllSenses"]')
    assert [(row.name, row.kind) for row in results.rows] == [
        ("Halving()", "model"),
        ("annotator ann, against the others", "annotator"),
        ("annotator bob, against the others", "annotator"),
        (PAIRS, "annotator"),
        ("AllSenses()", "baseline"),
    ]
    assert get_row(results, PAIRS).figures["pooled"] > get_row(results, "Halving()").figures["pooled"] > 0.3
    table = experiment_table("", results.plan.protocol, results.rows)
    assert table.columns[1] == "ρ pooled"
    assert "bank.n" in table.columns
    assert table.rules == (1, 4)


def test_lemmas_missing_from_wordnet_are_reported(folder: Path) -> None:
    write_usages([*make_usages(), Usage("u5", "blork.n", "A blork.", 2, 7, "n")], folder / "my.jsonl")
    with (folder / "my.key").open("a") as key:
        key.write("blork.n u5 blork%1:00:00::\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = run(folder)
    assert results.missed == {"WordNet 3.1": {"blork.n": "it is not in WordNet 3.1"}}
    assert results.rows[0].facts["labelled"] == 0.8


def test_the_command_writes_tables(folder: Path, cli: Run) -> None:
    (folder / "plan.toml").write_text(plan(keep="[0, 0.5]"))
    command = cli("run", str(folder / "plan.toml"), "-o", str(folder / "out"), "--format", "markdown")
    assert (command.code, command.err) == (0, "")
    lines = command.out.splitlines()
    assert lines[0].startswith("| System | Jaccard F1 | Ksim F1 | WNDCG F1 | Single: F1 | Several: Jaccard F1 |")
    assert [line.split(" | ")[0] for line in lines[2:5]] == ["| Halving()", "| Halving(), keep 0.5", "| SemCorMFS()"]
    assert (folder / "out" / "plan.md").read_text() in command.out
    record = json.loads((folder / "out" / "plan.json").read_text())
    assert [row["name"] for row in record["rows"]] == ["Halving()", "Halving(), keep 0.5", "SemCorMFS()"]
    assert record["rows"][0]["several.jaccard.f1"] == pytest.approx(0.2)
    rows = list(csv.reader((folder / "out" / "plan.csv").read_text().splitlines()))
    assert len(set(rows[0])) == len(rows[0]), "no two columns are called the same"


# -- plans ---------------------------------------------------------------------------------------------------------


def test_settings_of_a_plan_are_read(folder: Path) -> None:
    plan_read = read(folder, keep="[0, 1]", wordnet='"3.0"')
    assert plan_read.family is DISAMBIGUATORS
    assert (plan_read.keep, plan_read.wordnet, plan_read.sources) == ((0.0, 1.0), "3.0", ())
    assert read(folder, keep="0.5").keep == (0.5,)
    assert read(folder).keep == (0.0,)
    inducers = Plan(title="x", task="semeval-2013", data="x", models=("Squares",), sources=("text",))
    assert inducers.family is INDUCERS


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"task": '"senseval"'}, "task is 'senseval'; allowed are all-words, semeval-2013, wssim for models of a "),
        ({"task": '"semeval-2010"'}, "task is 'semeval-2010'; allowed are all-words, semeval-2013, wssim for"),
        ({"keep": "2"}, "keep is 2; it must be a share of the greatest weight, from 0 to 1, or a list of them"),
        ({"keep": '["0.5"]'}, "keep is ['0.5']; it must be a share"),
        ({"keep": "true"}, "keep is True; it must be a share"),
        ({"wordnet": '"2.1"'}, "wordnet is '2.1'; allowed are 3.0, 3.1"),
        ({"wordnet": "3.1"}, "wordnet is 3.1; it must be text in quotes"),
        ({"mappings": '["Graded"]'}, "mappings is given, and models of a dictionary have none: leave it out"),
        ({"corpus": '{sources = ["text"]}'}, "sources is given, and models of a dictionary have none"),
        (
            {"models": '["Halving", "Squares"]'},
            "'Squares' is none of the models of a dictionary, and the first is one; make",
        ),
        ({"models": '["Squares", "Halving"]', "corpus": '{sources = ["text"]}'}, "'Halving' is not an inducer"),
        (
            {"models": '["Squares"]', "corpus": '{sources = ["text"]}', "keep": "0.5"},
            "keep is given, and models of induced senses have none: leave it out",
        ),
        (
            {"models": '["Squares"]', "corpus": '{sources = ["text"]}', "task": '"wssim"'},
            "task is 'wssim'; allowed are jurgens-2012, semcor-wsi, semeval-2010",
        ),
        ({"models": '["Squares"]'}, "sources under [corpus] must be given"),
        ({"measures": '["fuzzy_nmi"]'}, "measures has 'fuzzy_nmi'; semeval-2013 has jaccard.f1, ksim.f1, wndcg.f1, si"),
    ],
)
def test_errors_of_plans_say_what_is_allowed(folder: Path, changes: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        read(folder, **changes)
    assert message in str(error.value)


def test_runs_without_dictionary_senses_are_errors(folder: Path) -> None:
    with pytest.raises(InputError, match=r"OneCluster\(\) gives clusters, and not senses of a dictionary; leave it"):
        run(folder, models='["SemCorMFS", "OneCluster"]')
    (folder / "index.toml").write_text('[mine]\ntitle = "Mine"\nfiles = {usages = "../my.jsonl", gold = "../my.key"}\n')
    (folder / "mine").mkdir()
    with pytest.raises(InputError, match=r"mine does not say which WordNet its senses are of; give wordnet = '3.1'"):
        run_plan(read(folder, usages="", gold="", data='"mine"'), folder / "results", partial(load, data=folder))


# -- published figures ---------------------------------------------------------------------------------------------

GOLDS = {"": "all", "single.": "all.singlesense", "several.": "all.multisense"}
MEASURES = {"jaccard.f1": "jaccard-index", "ksim.f1": "positional-tau", "wndcg.f1": "weighted-ndcg"}
KEYS = {
    "La Sapienza (1)": "systems/Sapienza/system-1/Sapienza.system1.key",
    "La Sapienza (2)": "systems/Sapienza/system-2/Sapienza.system2.key",
    "La Sapienza (1), single sense": "systems/Sapienza/system-1/Sapienza.system1.single-sense.key",
    "La Sapienza (2), single sense": "systems/Sapienza/system-2/Sapienza.system2.single-sense.key",
    "SemCorMFS()": "baselines/semcor.mfs.key",
    "SemCorRanked()": "baselines/semcor.all-senses.key",
}


def test_systems_and_baselines_score_as_by_the_official_scorer(data: Path, official: Path, tmp_path: Path) -> None:
    """Systems and baselines, on all usages, those with a single sense and those with several."""
    plan_of_task = Plan(
        title="Task 13",
        task="semeval-2013",
        models=("SemCorMFS", "SemCorRanked"),
        data="semeval-2013-task-13",
        systems=("all",),
    )
    results = run_plan(plan_of_task, tmp_path, partial(load, data=data))
    assert [row.name for row in results.rows if row.kind == "system"] == sorted(name for name in KEYS if "La" in name)
    with (official / "semeval-2013-task-13.tsv").open() as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    printed = {(row["gold"], row["key"], row["measure"]): row["f1"] for row in rows}
    for name, key in KEYS.items():
        figures = get_row(results, name).figures
        for group, gold in GOLDS.items():
            for figure, measure in MEASURES.items():
                if group != "single." or "single sense" in name or name == "SemCorMFS()":  # the heaviest sense alone
                    expected = float(printed[gold, f"keys/{key}", measure])
                    assert figures[group + figure] == pytest.approx(expected, abs=1e-9), (name, group, figure)
