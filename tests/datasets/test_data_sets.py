"""Data sets by name, of our own making and the real ones."""

import shutil
import time
from collections import Counter
from pathlib import Path

import pytest

from polyseme.datasets import load, locate
from polyseme.datasets.index import find_data_set_entry, read_index
from polyseme.errors import InputError

# Some of the published files are damaged or have lines twice, and say so in warnings.
pytestmark = pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")

INDEX = """
[words]
title = "A data set for the tests"
licence = "ours"
address = "https://example.org/words"

[words.files]
usages = {files = "*/usages.csv", prefix = "folder"}
training = ["training/*.csv", "training.tar.gz!**/*.csv"]
gold = {files = "*/gold.key", prefix = "folder"}
systems = "systems/*.key"
baselines = {MFS = "baselines/mfs.key", RS = "baselines/rs.key"}
inventory = "senses.csv"
"""


def usages(count: int) -> str:
    rows = [f"win.v.{number},win.v,We won {number} times.,3,6,v" for number in range(count)]
    return "\n".join(["id,lemma,text,start,end,pos", *rows, ""])


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data set in a folder that POLYSEME_DATA names."""
    folder = tmp_path / "words"
    for name, text in {
        "one/usages.csv": usages(2),
        "two/usages.csv": usages(1),
        "one/gold.key": "win.v win.v.0 a/2\nwin.v win.v.1 a b\n",
        "two/gold.key": "win.v win.v.0 b\n",
        "systems/best.v2.key": "win.v one.win.v.0 c1\n",
        "baselines/mfs.key": "win.v one.win.v.0 a\n",
        "senses.csv": "identifier_sense\tdescription_sense\na\tbe first\nb\tget\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "index.toml").write_text(INDEX)
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path))
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    return folder


def test_what_a_data_set_holds(words: Path) -> None:
    data = load("words")
    assert repr(data) == "<DataSet words: usages, training, gold, inventory, systems, baselines>"
    assert [usage.id for usage in data.usages] == ["one.win.v.0", "one.win.v.1", "two.win.v.0"]
    assert {usage.target for usage in data.usages} == {"won"}
    assert dict(data.gold) == {
        "one.win.v.0": {"a": 2.0},
        "one.win.v.1": {"a": 1.0, "b": 1.0},
        "two.win.v.0": {"b": 1.0},
    }
    assert dict(data.systems["best.v2"]) == {"one.win.v.0": {"c1": 1.0}}
    assert [sense.gloss for senses in data.inventory.values() for sense in senses] == ["be first", "get"]
    assert data.files("usages") == [words / "one" / "usages.csv", words / "two" / "usages.csv"]


def test_nothing_is_read_before_it_is_asked_for_and_then_once(words: Path) -> None:
    (words / "one" / "gold.key").write_text("broken\n")
    data = load("words")
    assert len(data.usages) == 3
    assert data.usages is data.usages
    with pytest.raises(InputError, match=r"gold.key:1: "):
        _ = data.gold
    assert data.systems["best.v2"] is not None


@pytest.mark.usefixtures("words")
def test_a_labelling_that_is_not_there_is_not_listed() -> None:
    baselines = load("words").baselines
    assert list(baselines) == ["MFS"]
    assert len(baselines) == 1
    assert baselines["MFS"] is baselines["MFS"]


def test_files_in_an_archive(words: Path, tmp_path: Path) -> None:
    import tarfile

    (tmp_path / "t.csv").write_text(usages(4))
    with tarfile.open(words / "training.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "t.csv", "training/t.csv")
    assert len(list(load("words").training())) == 4


def test_a_usage_that_is_given_twice(words: Path) -> None:
    index = words.parent / "index.toml"
    index.write_text(INDEX.replace(', prefix = "folder"', ""))
    with pytest.raises(InputError, match=r"usage 'win.v.0' is given twice in the files of 'words'"):
        _ = load("words").usages
    with pytest.raises(InputError, match=r"usage 'win.v.0' is labelled in .*one/gold.key too"):
        _ = load("words").gold


@pytest.mark.parametrize("top", ["", "./", "words-1.0/"])
def test_a_data_set_can_be_an_archive(words: Path, top: str) -> None:
    """As a folder, under whatever name its top has; keys follow the same rule there."""
    import tarfile

    (words.parent / "index.toml").write_text(INDEX.replace('title = "A', 'rule = "semeval-2013"\ntitle = "A'))
    before = load("words")
    expected = before.usages, dict(before.gold), dict(before.systems["best.v2"]), list(before.baselines)
    with tarfile.open(words.parent / "words.tar.gz", "w:gz") as archive:
        for path in sorted(words.rglob("*")):
            archive.add(path, top + path.relative_to(words).as_posix(), recursive=False)
    shutil.rmtree(words)
    packed = load("words")
    assert packed.place.name == "words.tar.gz"
    assert (packed.usages, dict(packed.gold), dict(packed.systems["best.v2"]), list(packed.baselines)) == expected
    assert packed.gold["one.win.v.0"] == {"a": 1.0}


def test_a_folder_named_in_the_call_has_its_own_index(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", "")
    assert len(load("words", words.parent).usages) == 3
    with pytest.raises(InputError, match="no data set is called 'words'"):
        load("words")


@pytest.mark.usefixtures("words")
def test_what_a_data_set_lacks() -> None:
    with pytest.raises(InputError, match="the data set 'words' has no ratings; it has usages, training"):
        _ = load("words").ratings
    with pytest.raises(InputError, match="the data set 'words' has no golds"):
        _ = load("words").golds
    with pytest.raises(InputError, match=r"words: no file here matches training/\*.csv or training.tar.gz!"):
        list(load("words").training())


def test_a_data_set_that_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", "")
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path))
    with pytest.raises(InputError) as error:
        load("semeval-2013-task-13")
    for part in (
        "licence",
        find_data_set_entry("semeval-2013-task-13").address,
        "--from",
        str(tmp_path),
        "POLYSEME_DATA",
    ):
        assert part in str(error.value)
    with pytest.raises(InputError, match=r"Type: polyseme data install semcor-3\.0$"):
        load("semcor-3.0")


# -- the real ones -------------------------------------------------------------------------------------------------


@pytest.fixture
def real(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    return data


SIZES = {
    "semeval-2013-task-13": (4664, 50),
    "semeval-2013-task-13-trial": (400, 8),
    "semeval-2010-task-14": (8915, 100),
    "usim": (256, 26),
    "erk-2013-round-2": (260, 26),
    "lexsub": (2010, 205),
    "semcor-3.0": (226_036, 0),
    "wsd-evaluation-framework": (7253, 0),
    "wsd-senseval2": (2282, 0),
    "wsd-senseval3": (1850, 0),
    "wsd-semeval2007": (455, 0),
    "wsd-semeval2013": (1644, 0),
    "wsd-semeval2015": (1022, 0),
    "word-usage-graphs": (0, 4),
    "word-usage-sense-graphs": (0, 1),
}
"""Data set → how many usages, of how many lemmas; 0 where nobody says."""


@pytest.mark.parametrize("name", sorted(SIZES))
@pytest.mark.usefixtures("real")
def test_usages_are_read_with_their_targets(name: str) -> None:
    usages = load(name).usages
    count, lemmas = SIZES[name]
    assert count in (0, len(usages))
    assert lemmas in (0, len({usage.lemma for usage in usages}))
    assert len({usage.id for usage in usages}) == len(usages)


def test_every_data_set_of_the_folder_is_known_by_name(real: Path) -> None:
    folders = {entry.folder for entry in read_index().values()}
    present = {path.name.partition(".tar")[0] for path in real.iterdir() if not path.name.startswith(".")}
    assert present <= folders
    assert all(locate(entry) for entry in read_index().values() if not entry.wordnet)


@pytest.mark.usefixtures("real")
def test_gold_and_systems_are_read() -> None:
    task_13, task_14 = load("semeval-2013-task-13"), load("semeval-2010-task-14")
    assert (len(task_13.gold), len(task_13.gold.lemmas), len(task_13.gold.columns)) == (4664, 50, 339)
    assert len(task_13.systems) == 11
    assert "AI-KU" in task_13.systems
    assert len(task_14.gold) == 8915
    assert len(task_14.systems) == 18
    assert set(task_14.splits) == {"80_20", "60_40"}


@pytest.mark.usefixtures("real")
def test_every_gold_usage_has_its_text() -> None:
    for name in ("semeval-2013-task-13", "semeval-2013-task-13-trial", "semeval-2010-task-14"):
        data = load(name)
        assert set(data.gold) <= {usage.id for usage in data.usages}


@pytest.mark.usefixtures("real")
def test_ratings_pairs_and_substitutes() -> None:
    assert load("semeval-2013-task-13-trial").ratings.annotators == ("18", "20", "22")
    assert len(load("usim").pairs) == 1133
    assert {pair.first for pair in load("usim").pairs} <= {usage.id for usage in load("usim").usages}
    lexsub = load("lexsub")
    assert set(lexsub.substitutes) <= {usage.id for usage in lexsub.usages}
    assert len(lexsub.substitutes) == len(lexsub.golds["trial"]) + len(lexsub.golds["test"]) == 2003
    assert {usage.id for usage in load("usim").usages} <= {usage.id for usage in lexsub.usages}
    assert load("word-usage-graphs").ratings.undecided > 0


def test_sentences_and_usages_have_the_same_names(real: Path) -> None:
    framework = load("wsd-evaluation-framework", real)
    sentences = list(framework.sentences())
    assert len({sentence.id for sentence in sentences}) == len(sentences) == 1173
    instances = {token.features["id"] for each in sentences for token in each.tokens if "id" in token.features}
    assert instances == set(framework.gold) == {usage.id for usage in framework.usages}


@pytest.mark.usefixtures("real")
def test_round_2_of_erk_mccarthy_and_gaylord() -> None:
    data, usim = load("erk-2013-round-2"), load("usim")
    assert Counter(rating.task for rating in data.ratings) == {"WSsim": 22_000, "WSbest": 22_000, "SYNbest": 2080}
    assert sorted(data.ratings.annotators) == list("ACDFGHIJ")
    targets = {usage.id: usage.target for usage in data.usages}
    assert {usage.id: targets[usage.id] for usage in usim.usages} == {usage.id: usage.target for usage in usim.usages}
    rated = {(rating.lemma, rating.target) for rating in data.ratings if rating.task == "WSsim"}
    assert rated == {(lemma, sense.id) for lemma in data.ratings.lemmas for sense in data.inventory[lemma]}


def test_the_prefix_of_ratings(tmp_path: Path) -> None:
    """Both usages of a pair are called after their folder, and a sense is not."""
    row = "annotator,task,lemma,usage,target,value\nann,{},win.v,1,2,4\n"
    for task in ("Usim", "WSsim"):
        (tmp_path / "words" / task).mkdir(parents=True)
        (tmp_path / "words" / task / "ratings.csv").write_text(row.format(task))
    (tmp_path / "index.toml").write_text(
        '[words]\ntitle = "Ours"\nfiles.ratings = {files = "*/ratings.csv", prefix = "folder"}'
    )
    judged = [(rating.usage, rating.target) for rating in load("words", tmp_path).ratings]
    assert judged == [("Usim.1", "Usim.2"), ("WSsim.1", "2")]


@pytest.mark.usefixtures("real")
def test_inventories_are_read() -> None:
    assert len(load("word-usage-sense-graphs").inventory["acerbus"]) == 3
    assert all(sense.parent for sense in load("coarse-wordnet-2.1").inventory["paper.n"])


@pytest.mark.usefixtures("real")
def test_loading_is_quick() -> None:
    """Generous: the bench measures, this only notices a change of order."""
    start = time.perf_counter()
    task_13 = load("semeval-2013-task-13")
    _ = task_13.usages, task_13.gold, [task_13.systems[name] for name in task_13.systems]
    assert time.perf_counter() - start < 5


@pytest.mark.usefixtures("real")
def test_semcor_wsi() -> None:
    data = load("semcor-wsi")
    assert (len(data.usages), len(data.gold), len(data.gold.lemmas)) == (15308, 15308, 1271)
    usage = data.usages[0]
    assert (usage.id, usage.target, data.gold[usage.id]) == (
        "historical.a.1",
        "historical",
        {"historical%5:00:00:real:00": 1.0},
    )
