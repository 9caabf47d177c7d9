"""Plans of substituters, scored by lexical substitution."""

import json
from functools import partial
from pathlib import Path

import pytest

from cli.conftest import Run
from experiments.runs import get_row
from polyseme import Labelling, read_labelling
from polyseme.baselines import ASE, Synonyms
from polyseme.datasets import load
from polyseme.errors import InputError
from polyseme.experiments.plan import SUBSTITUTERS, Plan, read_plan
from polyseme.experiments.run import run_plan
from polyseme.formats import write_usages
from polyseme.formats.lexsub import write_lexsub_gold
from polyseme.inventory import Inventory
from polyseme.lm.ngram_substitutes import NGramSubstitutes
from polyseme.lm.substitute_labelling import label_with_substitutes
from polyseme.tasks.lexsub import LexSub
from polyseme.usage import Usage
from polyseme.wordnet import WordNet
from substitution import GOLD, MODEL, TEXT, USAGES, write

TRIAL = Labelling([("edge.n", "edge.n.9", {"shore": 1.0, "side": 1.0})])
INDEX = """
[rivers]
title = "Rivers"
[rivers.files]
usages = "all.jsonl"
[rivers.files.golds]
trial = "trial.gold"
test = "my.gold"

[banks]
title = "Banks"
files.usages = "banks.jsonl"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path)
    return tmp_path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of data sets, with one that has a trial part."""
    rivers = tmp_path / "data" / "rivers"
    rivers.mkdir(parents=True)
    (tmp_path / "data" / "index.toml").write_text(INDEX)
    edge = Usage("edge.n.9", "edge.n", "We sat on the edge of the river.", 14, 18, "n")
    write_usages([edge, *USAGES, Usage("x.n.1", "x.n", "x", 0, 1)], rivers / "all.jsonl")
    (tmp_path / "data" / "banks").mkdir()
    write_usages(USAGES[:2], tmp_path / "data" / "banks" / "banks.jsonl")
    write_lexsub_gold(TRIAL, rivers / "trial.gold")
    write_lexsub_gold(GOLD, rivers / "my.gold")
    return tmp_path / "data"


def read(folder: Path, **changes: str) -> Plan:
    files = {} if "data" in changes else {"usages": '"my.jsonl"', "gold": '"my.gold"'}
    lines = {"title": '"Rivers"', "task": '"lexsub"', "models": json.dumps([MODEL]), **files, **changes}
    text = "\n".join(f"{name} = {value}" for name, value in lines.items() if value)
    (folder / "plan.toml").write_text(text + "\n")
    return read_plan(folder / "plan.toml")


def test_a_plan_gives_what_python_gives(folder: Path) -> None:
    plan = read(folder)
    assert plan.family is SUBSTITUTERS
    results = run_plan(plan, folder / "results", load)
    part = NGramSubstitutes(str(folder / "ngrams"), own=False, lemmas=True)
    answers = label_with_substitutes(part, USAGES, 10, Inventory.from_labelling(GOLD))
    model = results.rows[0]
    assert (model.kind, model.facts) == ("model", {"labelled": 1.0})
    assert model.figures == LexSub().score(GOLD, answers).figures()
    assert read_labelling(folder / "results" / "keys" / model.keys[0]) == answers
    assert get_row(results, "ASE").figures == LexSub().score(GOLD, ASE()(GOLD)).figures()


def test_answers_are_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = read(folder)
    results = run_plan(plan, folder / "results", load)
    monkeypatch.setattr(NGramSubstitutes, "substitutes", None)
    assert run_plan(plan, folder / "results", load) == results


def test_parts_of_a_data_set_are_scored_apart(folder: Path, data: Path) -> None:
    results = run_plan(read(folder, data='"rivers"'), folder / "results", partial(load, data=data))
    figures = results.rows[0].figures
    answers = read_labelling(folder / "results" / "keys" / results.rows[0].keys[0])
    assert set(answers) == {"bank.n.1", "bank.n.2", "raise.v.3", "edge.n.9"}
    test, trial = (LexSub().score(gold, answers.restrict(gold)).figures() for gold in (GOLD, TRIAL))
    expected = test | {f"trial.{name}": value for name, value in trial.items()}
    assert figures == pytest.approx(expected, nan_ok=True)  # the trial part has no mode


def test_lemmas_can_be_restricted(folder: Path, data: Path) -> None:
    """A part that has none of them is left out."""
    plan = read(folder, data='"rivers"', lemmas='"banks"')
    results = run_plan(plan, folder / "results", partial(load, data=data))
    answers = read_labelling(folder / "results" / "keys" / results.rows[0].keys[0])
    assert answers.lemmas == ("bank.n",)
    assert not any(name.startswith("trial.") for name in results.rows[0].figures)


def test_an_n_gram_model_of_the_corpus_is_trained(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.lm.ngrams.corpus_model.user_cache_folder", lambda: folder / "cache")
    (folder / "text.txt").write_text("\n\n".join(f"{line.capitalize()}." for line in TEXT))
    models = json.dumps(["NGramSubstitutes(model='corpus', own=False)"])
    sources = '["text.txt"]\nanalyser = "simple"'
    results = run_plan(read(folder, models=models, sources=sources), folder / "results", load)
    assert results.rows[0].name == "NGramSubstitutes(model='corpus', own=False)"
    assert results.rows[0].figures["oot.recall"] > 0
    assert len(list((folder / "cache" / "ngrams").iterdir())) == 1


def test_synonyms_are_a_baseline(folder: Path, wordnet_31: WordNet) -> None:
    results = run_plan(read(folder, models=json.dumps([MODEL, "Synonyms"])), folder / "results", load)
    row = get_row(results, "Synonyms()")
    assert row.kind == "baseline"
    assert row.figures == LexSub().score(GOLD, Synonyms()(USAGES, wordnet_31)).figures()


@pytest.mark.parametrize("models", [["Synonyms"], ["Synonyms", MODEL]])
def test_synonyms_may_be_alone_or_first(folder: Path, wordnet_31: WordNet, models: list[str]) -> None:
    """A baseline stands beside models of a dictionary, too: the other models or the task decide."""
    plan = read(folder, models=json.dumps(models))
    assert plan.family is SUBSTITUTERS
    row = get_row(run_plan(plan, folder / "results", load), "Synonyms()")
    assert row.figures == LexSub().score(GOLD, Synonyms()(USAGES, wordnet_31)).figures()


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"models": json.dumps(["Synonyms", MODEL]), "task": '"wssim"'}, "task is 'wssim'; allowed are lexsub for su"),
        ({"task": '"semeval-2013"'}, "task is 'semeval-2013'; allowed are lexsub for substituters"),
        ({"keep": "0.5"}, "keep is given, and substituters have none: leave it out"),
        ({"mappings": '["Graded"]'}, "mappings is given, and substituters have none"),
        ({"models": json.dumps([MODEL, "Squares"])}, "'Squares' is none of the substituters, and the first is one"),
        ({"models": "[\"NGramSubstitutes('corpus')\"]"}, r"asks for an n-gram model of the corpus; give \[corpus\]"),
        ({"measures": '["f1"]'}, "measures has 'f1'; lexsub has best.recall, best_mode.recall"),
    ],
)
def test_errors_of_plans_say_what_is_allowed(folder: Path, changes: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(folder, **changes)


def test_a_data_set_without_a_test_part_is_an_error(folder: Path, data: Path) -> None:
    (data / "index.toml").write_text(INDEX.replace("test =", "dev ="))
    with pytest.raises(InputError, match="rivers has no gold of a part called 'test'"):
        run_plan(read(folder, data='"rivers"'), folder / "results", partial(load, data=data))


def test_the_commands_write_a_table_and_a_page(cli: Run, folder: Path) -> None:
    read(folder, measures='["best.recall", "gap"]')
    command = cli("run", "plan.toml", "-o", "results")
    assert command.code == 0, command.err
    assert command.out.splitlines()[1].split() == ["System", "Best", "GAP", "Labelled"]
    record = json.loads((folder / "results" / "plan.json").read_text())
    assert [row["name"] for row in record["rows"]] == [record["rows"][0]["name"], "ASF", "ASE"]
    page = cli("report", "results", "plan.toml", "--results", "results", "-o", "page.html")
    assert page.code == 0, page.err
    assert "shore" in (folder / "page.html").read_text()
