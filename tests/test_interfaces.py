"""One labelling, one score: the command line, Python and ``polyseme run`` give the same figures, to the last digit."""

from __future__ import annotations

import importlib.util
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run, cli
from experiments.banks import make_usages
from induction.corpora import background
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.formats import read_labelling, read_usages, write_labelling, write_usages
from polyseme.formats.splits import read_splits
from polyseme.induction.inducer import clusters_labelled_usages
from polyseme.induction.model import SenseModel
from polyseme.labelling import Labelling
from polyseme.measures.partitions import VMeasure
from polyseme.parts import build
from polyseme.tasks.registry import get_task
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.tasks.task import LabellingTask
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

__all__ = ["cli"]

GRADED = [
    "UoS(top='all')",
    "UoY(p1=1, p2=1.0, p3=0.01, p4=0.3)",
    "Link(tau=1.0, weighted=True)",
    "MultiPrototype(clusters=4, temperature=0.5)",
    "Unimelb(iterations=20)",
    "AIKU(lm='corpus', clusters=4)",
    "Pipeline(SVD(Bag(minimum=1), 3), number=3, grade=Softmax(0.5), on='usages')",
    pytest.param(
        "Substitution(temperature=1.0, least=0.0, number=3)",
        marks=pytest.mark.skipif(
            any(importlib.util.find_spec(name) is None for name in ("polyseme_small", "onnxruntime")),
            reason="polyseme-small is not installed: pip install ./models/small",
        ),
    ),
]
"""A graded model of every kind: by graph, prototypes, topics, substitutes, vectors, and a language model."""

HARD = [
    "KSU(topics=20, clusters=3, iterations=20)",
    "Duluth('Mix-PK2')",
    "Duluth('WSI-Co')",
    "Squares(delta=0.2, sigma=0.3)",
]
"""Models that give most usages one sense."""

TASKS = ("semeval-2013", "semeval-2010", "jurgens-2012")


@dataclass(frozen=True)
class Study:
    """The files of an experiment: text to learn from, usages to label, a gold key of graded senses, and splits."""

    folder: Path
    index: Path

    @property
    def usages(self) -> Path:
        return self.folder / "usages.jsonl"

    @property
    def gold(self) -> Path:
        return self.folder / "gold.key"

    @property
    def splits(self) -> Path:
        return self.folder / "splits"


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process takes longer to start than all work of these tests."""
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("study")
    tested = mix_senses(make_usages(16, seed=9))
    write_usages([*make_usages(60, seed=0), *background(60)], folder / "training.jsonl")
    write_usages(tested, folder / "usages.jsonl")
    dice = random.Random(5)
    gold = Labelling((usage.lemma, usage.id, _make_graded_senses(usage, dice)) for usage in tested)
    write_labelling(gold, folder / "gold.key")
    for setting in ("80_20", "60_40"):
        (folder / "splits" / setting).mkdir(parents=True)
        write_labelling(gold.restrict(gold.usages[::2]), folder / "splits" / setting / "mapping.1.key")
        write_labelling(gold.restrict(gold.usages[1::2]), folder / "splits" / setting / "test.1.key")
    build_index([folder / "training.jsonl"], folder / "texts.index", English(), processes=1)
    return Study(folder, folder / "texts.index")


def mix_senses(usages: list[Usage]) -> list[Usage]:
    """Every third usage with a word of the other sense, which the next usage has."""
    words = [usage.text[usage.end :].split(" the ")[1].partition(" ")[0] for usage in [*usages[1:], usages[-2]]]
    return [
        replace(usage, text=f"{usage.text} The {word} was there.") if number % 3 == 0 else usage
        for number, (usage, word) in enumerate(zip(usages, words, strict=True))
    ]


def _make_graded_senses(usage: Usage, dice: random.Random) -> dict[str, float]:
    share = round(dice.uniform(0.55, 0.95), 3)
    first, second = ("shore", "money") if int(usage.id.rpartition(".")[2]) % 2 else ("money", "shore")
    return {first: share, second: round(1 - share, 3)}


def fit_model(study: Study, specification: str) -> tuple[SenseModel, list[Usage]]:
    """The model in Python, and the usages that it labels."""
    usages = list(read_usages(study.usages))
    inducer = build(specification, "inducer")
    options = {"usages": usages} if clusters_labelled_usages(inducer) else {}
    return inducer.fit(Index.open(study.index), sorted({usage.lemma for usage in usages}), **options), usages


def score_in_python(study: Study, task: str, system: Labelling) -> dict[str, float]:
    gold = read_labelling(study.gold)
    options: dict[str, Any] = {"splits": read_splits(study.splits)} if task == "semeval-2010" else {}
    scorer = get_task(task)(**options)
    assert isinstance(scorer, LabellingTask)
    return scorer.score(gold, system).figures()


def flatten(printed: dict[str, object], prefix: str = "") -> dict[str, float]:
    """What a command prints as JSON, with one level."""
    figures: dict[str, float] = {}
    for name, value in printed.items():
        figures |= flatten(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}  # type: ignore[dict-item]
    return figures


def score_by_command(study: Study, cli: Run, task: str, specification: str) -> dict[str, float]:
    arguments = ["induce", study.index, "-o", "model", "--model", specification, "--usages", study.usages]
    assert cli(*arguments, "--processes", 1).code == 0
    assert cli("label", "model", study.usages, "-o", "out.key", "--processes", 1).code == 0
    splits = ["--splits", study.splits] if task == "semeval-2010" else []
    command = cli("score", task, "out.key", "--gold", study.gold, *splits, "--json")
    assert command.code == 0, command.err
    return flatten(json.loads(command.out))


def score_by_plan(study: Study, cli: Run, task: str, specification: str) -> dict[str, float]:
    mappings = 'mappings = ["Distribution"]\n' if task == "jurgens-2012" else ""
    lines = f'title = "t"\ntask = "{task}"\nusages = "{study.usages}"\ngold = "{study.gold}"\n{mappings}'
    Path("plan.toml").write_text(
        f'{lines}models = ["{specification}"]\n\n[corpus]\nsources = ["{study.folder / "training.jsonl"}"]\n'
    )
    command = cli("run", "plan.toml", "-o", "results", "--json")
    assert command.code == 0, command.err
    (row,) = [row for row in json.loads(command.out)["rows"] if row["kind"] == "model"]
    return {name: value for name, value in row.items() if isinstance(value, float)}


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of its own, so that the n-gram model of the corpus is trained on each road."""
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("specification", GRADED)
def test_graded_models_have_the_same_figures_by_all_interfaces(
    study: Study, cli: Run, task: str, specification: str
) -> None:
    labels = check_interfaces(study, cli, task, specification)
    assert max(labels.sizes) > 1


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("specification", HARD)
def test_hard_models_have_the_same_figures_by_all_interfaces(study: Study, cli: Run, specification: str) -> None:
    check_interfaces(study, cli, "semeval-2010", specification)


def check_interfaces(study: Study, cli: Run, task: str, specification: str) -> Labelling:
    """Compare what Python, the commands and a plan score; the labelling that they score."""
    model, usages = fit_model(study, specification)
    labels = model.label(usages)
    in_python = score_in_python(study, task, labels)
    by_command = score_by_command(study, cli, task, specification)
    by_plan = score_by_plan(study, cli, task, specification)
    shared = in_python.keys() & by_command.keys()
    assert len(by_plan.keys() & shared) >= 5
    assert {name: by_command[name] for name in shared} == {name: in_python[name] for name in shared}
    assert {name: by_plan[name] for name in by_plan.keys() & shared} == {
        name: in_python[name] for name in by_plan.keys() & shared
    }
    model.save("again")
    assert SenseModel.load(Path("again")).label(usages) == labels
    return labels


@pytest.mark.parametrize("suffix", ["key", "jsonl", "parquet"])
def test_a_labelling_scores_the_same_before_and_after_it_is_written(tmp_path: Path, study: Study, suffix: str) -> None:
    """The heaviest sense counts, wherever the labelling lists it."""
    dice = random.Random(3)
    gold = read_labelling(study.gold)
    system = Labelling(
        (lemma, usage, {f"s{number}": dice.random() for number in range(4)}) for lemma, usage, _ in gold.rows()
    )
    write_labelling(system, tmp_path / f"out.{suffix}")
    again = read_labelling(tmp_path / f"out.{suffix}")
    for task in TASKS:
        assert score_in_python(study, task, again) == score_in_python(study, task, system)
    assert VMeasure()(gold, system).total() == VMeasure()(gold, system.top()).total()


# -- a file of usages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("analyser", ["simple", "english"])
@pytest.mark.parametrize(
    "specification", [GRADED[-1], "MultiPrototype(clusters=3)", "Pipeline(Bag(minimum=1), number=2, on='usages')"]
)
def test_a_file_of_usages_gives_the_model_that_the_same_usages_give(
    study: Study, cli: Run, specification: str, analyser: str
) -> None:
    """From the command line, from Python, and where they are given a second time, to be labelled."""
    usages = list(read_usages(study.usages))
    lemmas = list(dict.fromkeys(usage.lemma for usage in usages))
    arguments = ["induce", study.usages, "-o", "model", "--model", specification, "--analyser", analyser]
    assert cli(*arguments, "--processes", 1).code == 0
    from_file, inducer = SenseModel.load(Path("model")), build(specification, "inducer")
    read_by = build(analyser.title(), "analyser")
    for options in ({}, {"usages": usages}):
        model = inducer.fit(usages, lemmas, analyser=read_by, processes=1, **options)
        assert dict(model.inventory) == dict(from_file.inventory)
        assert model.label(usages) == from_file.label(usages)


@pytest.mark.parametrize("specification", [GRADED[-1], "MultiPrototype(clusters=3, most=20)"])
@pytest.mark.parametrize("analyser", ["Simple", "English"])
def test_an_index_and_a_file_of_its_usages_give_the_same_model(
    tmp_path: Path, specification: str, analyser: str
) -> None:
    """An index without parts of speech has *bank*; its usages are of *bank.n* all the same."""
    sentences = [f"The bank{usage.text[usage.end :].partition('.')[0]}." for usage in make_usages(40, 1)[:40]]
    texts = [Usage(f"bank.n.{number}", "bank.n", text, 4, 8, "n") for number, text in enumerate(sentences)]
    read_by = build(analyser, "analyser")
    index = build_index(texts, tmp_path / "i", read_by, processes=1)
    inducer = build(specification, "inducer")
    from_index, from_list = (inducer.fit(corpus, ["bank.n"], analyser=read_by) for corpus in (index, texts))
    assert from_index.label(texts) == from_list.label(texts)
    assert [sense.features for sense in from_index.inventory["bank.n"]] == [
        sense.features for sense in from_list.inventory["bank.n"]
    ]


@pytest.mark.parametrize(
    "specification", ["KSU(topics=10, clusters=3)", "Pipeline(Bag(minimum=1), number=3, mixed=True)"]
)
def test_the_order_of_lemmas_does_not_matter(study: Study, specification: str) -> None:
    usages = list(read_usages(study.usages))
    lemmas, inducer = sorted({usage.lemma for usage in usages}), build(specification, "inducer")
    first, second = (inducer.fit(usages, order, processes=1) for order in (lemmas, lemmas[::-1]))
    assert first.label(usages) == second.label(usages)


def test_usages_that_the_corpus_has_too_are_learnt_from_once(tmp_path: Path) -> None:
    """From a list, from the same list with its usages given again, and from an index of it."""
    sentences = [f"The bank{usage.text[usage.end :].partition('.')[0]}." for usage in make_usages(40, 1)[:40]]
    texts = [Usage(f"bank.n.{number}", "bank.n", text, 4, 8, "n") for number, text in enumerate(sentences)]
    index = build_index(texts, tmp_path / "i", English(), processes=1)
    inducer = build("Duluth('Mix-PK2')", "inducer")
    alone, twice, indexed = (
        inducer.fit(corpus, ["bank.n"], processes=1, **options)
        for corpus, options in ((texts, {}), (texts, {"usages": texts}), (index, {"usages": texts}))
    )
    assert alone.label(texts) == twice.label(texts) == indexed.label(texts)


# -- senses of WordNet ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("specification, keep", [("Lesk(extended=True)", 0.0), ("Lesk()", 0.5), ("PPR()", 0.5)])
def test_senses_of_wordnet_have_the_same_figures_by_all_interfaces(
    study: Study, cli: Run, wordnet_31: WordNet, specification: str, keep: float
) -> None:
    """A graded model of WordNet's senses, compared by name."""
    usages = [usage for usage in read_usages(study.usages) if usage.lemma == "bank.n"]
    shore, money = wordnet_31["bank.n"][0].id, wordnet_31["bank.n"][1].id
    names = {"shore": shore, "money": money}
    gold = read_labelling(study.gold).for_lemma("bank.n").rename_senses(names)
    write_usages(usages, "banks.jsonl")
    write_labelling(gold, "banks.key")
    labels = DictionaryModel(build(specification, "disambiguator"), Sources("3.1"), keep).label(usages)
    in_python = SemEval2013(mapping=False).score(gold, labels).figures()
    assert cli("label", specification, "banks.jsonl", "-o", "out.key", "--keep", keep).code == 0
    command = cli("score", "semeval-2013", "out.key", "--gold", "banks.key", "--no-mapping", "--json")
    by_command = flatten(json.loads(command.out))
    Path("plan.toml").write_text(
        'title = "t"\ntask = "semeval-2013"\nusages = "banks.jsonl"\ngold = "banks.key"\n'
        f'wordnet = "3.1"\nkeep = {keep}\nmodels = ["{specification}"]\n'
    )
    command = cli("run", "plan.toml", "-o", "results", "--json")
    assert command.code == 0, command.err
    (by_plan,) = [row for row in json.loads(command.out)["rows"] if row["kind"] == "model"]
    shared = in_python.keys() & by_command.keys() & by_plan.keys()
    assert len(shared) >= 10
    for name in shared:
        assert by_command[name] == in_python[name] == by_plan[name], name
