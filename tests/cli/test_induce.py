"""``polyseme induce``, ``senses``, ``label`` and ``map``: from a corpus to senses, and from these to a dictionary's."""

import csv
import io
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from cli.conftest import Ran, Run
from induce.corpora import MONEY, RIVER, background, usages
from polyseme.corpus.english import English
from polyseme.corpus.indexing import build_index
from polyseme.formats import read_labelling, write_usages
from polyseme.induce.model import SenseModel
from polyseme.induce.squares import Squares
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

MODEL = "Squares(delta=0.2, sigma=0.3, minimum=5)"
ALONE = ("--processes", "1")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index and a model of *bank* and *house*, of which *unheard* is missed."""
    folder = tmp_path_factory.mktemp("made")
    index = build_index([*usages(120), *background(100)], folder / "my.index", English(), processes=1)
    model = Squares(delta=0.2, sigma=0.3).fit(index, ["bank.n", "house.n", "unheard.n"], processes=1)
    model.save(folder / "model")
    return folder


@pytest.fixture(autouse=True)
def _beside_them(made: Path, tmp_path: Path) -> None:
    """Commands run in a folder that holds both, and usages that were not learnt from."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    write_usages(usages(6, seed=9), tmp_path / "new.jsonl")


def refused(ran: Ran, *said: str) -> None:
    """Exit code 2, nothing on stdout, and one line on stderr that says this."""
    assert (ran.code, ran.out) == (2, ""), ran
    assert ran.err.startswith("polyseme: ")
    assert ran.err.count("\n") == 1, ran.err
    for words in said:
        assert words in ran.err


def words(sense: Sense) -> set[str]:
    return {name.removesuffix(".n") for name, _ in sense.features}


# -- induce --------------------------------------------------------------------------------------------------------


def test_induce_from_an_index(cli: Run, tmp_path: Path) -> None:
    ran = cli("induce", "my.index", "bank.n", "-o", "out/mine", "--model", "Squares(delta=0.2, sigma=0.3)", *ALONE)
    assert ran == (0, f"out/mine: 2 senses of 1 lemma by {MODEL}\n", "")
    found = SenseModel.load(tmp_path / "out" / "mine")
    assert repr(found.inducer) == MODEL
    assert found.analyser == "English()"
    assert sorted(map(sorted, map(words, found.inventory["bank.n"]))) == [sorted(RIVER), sorted(MONEY)]


def test_induce_for_programs_and_what_is_missed(cli: Run) -> None:
    command = ("induce", "my.index", "unheard.n", "bank.n", "house.n", "-o", "mine", "--model", MODEL, *ALONE)
    ran = cli(*command, "--json")
    assert json.loads(ran.out) == {
        "path": "mine",
        "model": MODEL,
        "senses": {"bank.n": 2, "house.n": 1},
        "missed": {"unheard.n": "it does not occur in the corpus"},
    }
    assert (ran.code, ran.err) == (0, "warning: unheard.n has no senses: it does not occur in the corpus\n")
    plain = cli(*command)
    assert plain == (0, f"mine: 3 senses of 2 lemmas by {MODEL}\n", ran.err)


def test_induce_says_why_there_is_too_little(cli: Run) -> None:
    ran = cli("induce", "my.index", "bank.n", "be.v", "-o", "mine", "--model", "UoY(p1=20, p2=5, sentences=1)", *ALONE)
    assert ran.code == 0
    assert ran.err.startswith("warning: be.v has no senses: fewer than two nouns are in more than 20 of its contexts")
    assert ran.err.count("\n") == 1


def test_induce_from_usages(cli: Run, tmp_path: Path) -> None:
    """All lemmas of the file, if none is named; the same senses as from an index of them."""
    write_usages([*usages(120), *background(100)], tmp_path / "usages.jsonl")
    ran = cli("induce", "usages.jsonl", "-o", "mine", "--model", MODEL, "--json", *ALONE)
    said = json.loads(ran.out)
    assert said["senses"]["bank.n"] == 2
    assert {*said["senses"], *said["missed"]} == {usage.lemma for usage in [*usages(2), *background(100)]}
    mine, before = SenseModel.load(tmp_path / "mine"), SenseModel.load(tmp_path / "model")
    assert [words(sense) for sense in mine.inventory["bank.n"]] == [words(each) for each in before.inventory["bank.n"]]
    ran = cli("induce", "usages.jsonl", "bank.n", "-o", "mine", "--model", MODEL, "--json", *ALONE)
    assert json.loads(ran.out)["senses"] == {"bank.n": 2}
    assert list(SenseModel.load(tmp_path / "mine").inventory) == ["bank.n"]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("my.index", "unheard.n"), "finds no senses: unheard.n: it does not occur in the corpus"),
        (("my.index", "banks.n"), "finds no senses: banks.n: it does not occur in the corpus (bank.n does)"),
        (("my.index",), "name the lemmas whose senses are wanted, such as bank.n"),
        (("my.index", "bank.n", "--usages", "new.jsonl"), "--usages and --gold are for --grid; add --grid TASK:FIGURE"),
        (("my.index", "bank.n", "--gold", "examples/gold.key"), "--usages and --gold are for --grid"),
        (("my.index", "bank.n", "--model", "Sqares"), "there is no part 'Sqares'; did you mean Squares"),
        (("my.index", "bank.n", "--model", "Squares(sima=1)"), "no option 'sima'; did you mean 'sigma'?"),
        (("my.index", "bank.n", "--model", "Graded"), "'Graded' is not a"),
        (("my.index", "bank.n", "--model", "Graded"), "allowed are "),
        (("my.index", "bank.n", "--model", "Squares(delta='x')"), "Squares: delta is 'x'"),
        (("my.index", "bank.n", "--model", "squares(sigma=2)"), "Squares: sigma is 2.0; it must be a number from 0 to"),
        (("nowhere", "bank.n"), "nowhere: there is no such file"),
        (("examples/gold.key", "bank.n"), "examples/gold.key: this is an answer key, which does not hold usages"),
    ],
)
def test_induce_errors(cli: Run, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    refused(cli("induce", *arguments, "-o", "mine", *ALONE), said)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("name", ["texts", "texts/a.txt", "texts/a.conllu", "empty"])
def test_induce_from_text_that_is_not_indexed(cli: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("The bank by the river.\nThe boat on the river.\n")
    (tmp_path / "texts" / "a.conllu").write_text("1\tBank\tbank\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "empty").mkdir()
    problem = f"{name}: this is not an index, and holds no usages. Make an index of it first"
    refused(cli("induce", name, "bank.n", "-o", "mine"), f"{problem}: polyseme index {name} -o my.index\n")


def test_induce_from_a_file_that_is_no_text(cli: Run, tmp_path: Path) -> None:
    """A table of usages with a slip in it is not to be indexed."""
    (tmp_path / "slip.csv").write_text("id,lema,text,start,end\n1,bank.n,A bank.,2,6\n")
    refused(cli("induce", "slip.csv", "-o", "mine"), "slip.csv: this is in no format that holds usages")
    (tmp_path / "empty.txt").write_text(" \n")
    refused(cli("induce", "empty.txt", "-o", "mine"), "empty.txt: the file is empty")


def test_induce_by_a_model_in_small_letters(cli: Run, tmp_path: Path) -> None:
    ran = cli("induce", "my.index", "bank.n", "-o", "mine", "--model", "squares(delta=0.2, sigma=0.3)", *ALONE)
    assert ran.out == f"mine: 2 senses of 1 lemma by {MODEL}\n"
    assert json.loads((tmp_path / "mine" / "model.json").read_text())["inducer"] == MODEL


def test_induce_needs_a_place(cli: Run) -> None:
    ran = cli("induce", "my.index", "bank.n")
    assert ran.code == 2
    assert "'--output'" in ran.err


@pytest.mark.parametrize(
    "place, said",
    [
        ("new.jsonl", "new.jsonl: this is a file; a model is a folder: name a new one"),
        ("my.index", "my.index: this is an index, which is not to be written into: name a new folder"),
    ],
)
def test_induce_into_what_is_no_place_for_a_model(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, said: str
) -> None:
    """That is said before anything is done."""
    monkeypatch.delattr(Squares, "fit")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    refused(cli("induce", "my.index", "bank.n", "-o", place, "--model", MODEL, *ALONE), said)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_induce_shows_how_far_it_is_on_a_terminal(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    ran = cli("induce", "my.index", "bank.n", "-o", "mine", "--model", MODEL, *ALONE)
    assert ran.out == f"mine: 2 senses of 1 lemma by {MODEL}\n"
    assert "Inducing bank.n" in ran.err


# -- senses --------------------------------------------------------------------------------------------------------


def test_senses(cli: Run) -> None:
    lines = cli("senses", "model").out.splitlines()
    assert lines[0] == f"Senses by {MODEL}"
    assert lines[1].split() == ["Sense", "Share", "Labelled", "Words", "Example"]
    assert lines[-1].startswith("Share: of the usages in the corpus that are labelled. Labelled: how many of the")
    rows = [line.split() for line in lines[3:-1]]
    assert [row[0] for row in rows] == ["bank.n.s1", "bank.n.s2", "house.n.s1"]
    assert [row[1] for row in rows] == ["0.500", "0.500", "1.000"]
    assert rows[0][2] == rows[1][2] == "1.000"
    assert 0 < float(rows[2][2]) < 1
    assert {name.removesuffix(".n") for name in " ".join(rows[0][3:9]).split(", ")} in ({*RIVER}, {*MONEY})
    assert all("The bank with the" in line for line in lines[3:5])


def test_senses_of_some_lemmas_in_a_table_for_spreadsheets(cli: Run) -> None:
    ran = cli("senses", "model", "house.n", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(ran.out))
    assert (row["Sense"], row["Share"]) == ("house.n.s1", "1.0")
    assert "teacher.n" in row["Words"].split(", ")
    assert "house" in row["Example"]


def test_senses_for_programs(cli: Run, tmp_path: Path) -> None:
    found = json.loads(cli("senses", "model", "house.n", "bank.n", "--json").out)
    assert [(sense["id"], sense["lemma"]) for sense in found] == [
        ("house.n.s1", "house.n"),
        ("bank.n.s1", "bank.n"),
        ("bank.n.s2", "bank.n"),
    ]
    assert found == json.loads(cli("senses", "model", "house.n", "bank.n", "--format", "json").out)
    inventory = SenseModel.load(tmp_path / "model").inventory
    for sense in found:
        assert list(sense) == ["id", "lemma", "share", "labelled", "features", "usages"]
        kept = next(each for each in inventory[sense["lemma"]] if each.id == sense["id"])
        assert (sense["share"], list(sense["features"].items())) == (kept.frequency, list(kept.features))
        target = sense["lemma"].removesuffix(".n")
        assert [usage["text"][usage["start"] : usage["end"]].lower() for usage in sense["usages"]] == [target] * 3


def test_senses_show_the_target_of_a_long_example(cli: Run, tmp_path: Path) -> None:
    """In the middle, with whole words around it; of a model that does not know how many usages it labels, no share."""
    text = f"{'word ' * 100}before  the bank, after {'more ' * 100}end."
    start = text.index("bank")
    sense = Sense("x.n.s1", "x.n", frequency=1.0, usages=(Usage("u", "x.n", text, start, start + 4),))
    SenseModel(Squares(), "English()", Inventory([sense])).save(tmp_path / "long")
    (row,) = csv.DictReader(io.StringIO(cli("senses", "long", "--format", "csv").out))
    assert "word before the bank, after more" in row["Example"]
    assert row["Example"].startswith("… word ")
    assert row["Example"].endswith(" more …")
    assert 150 <= len(row["Example"]) <= 164
    assert row["Labelled"] == ""
    assert json.loads(cli("senses", "long", "--json").out)[0]["labelled"] is None


def test_senses_with_pairs_of_words_and_without_examples(cli: Run, tmp_path: Path) -> None:
    many = tuple((f"word{number}.n", 1.0) for number in range(12))
    sense = Sense("x.n.s1", "x.n", frequency=1.0, features=(("boat.n river.n", 2.0), *many))
    SenseModel(Squares(), "English()", Inventory([sense])).save(tmp_path / "pairs")
    (row,) = csv.DictReader(io.StringIO(cli("senses", "pairs", "--format", "csv").out))
    assert row["Words"] == "boat.n+river.n, " + ", ".join(name for name, _ in many[:11]) + " … (13)"
    assert row["Example"] == ""


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("model", "tree.n"), "model: 'tree.n' has no senses: the model has bank.n, house.n"),
        (("model", "bank.n", "unheard.n"), "model: 'unheard.n' has no senses: it does not occur in the corpus"),
        (("my.index",), "my.index: this is not a model. Type: polyseme induce INDEX LEMMA … -o FOLDER"),
        (("nowhere",), "nowhere: this is not a model"),
    ],
)
def test_senses_errors(cli: Run, arguments: tuple[str, ...], said: str) -> None:
    refused(cli("senses", *arguments), said)


# -- label ---------------------------------------------------------------------------------------------------------


def of_fields(key: Iterable[str]) -> list[str]:
    """The senses of usages, which are of the two fields in turn, as *even* and *odd*."""
    senses = [line.split()[2].rpartition("/")[0] for line in key]
    return [{senses[0]: "even", senses[1]: "odd"}[sense] for sense in senses]


def test_label(cli: Run) -> None:
    ran = cli("label", "model", "new.jsonl")
    assert (ran.code, ran.err) == (0, "6 of 6 usages labelled, 1.00 senses each\n")
    lines = ran.out.splitlines()
    assert [line.split()[:2] for line in lines] == [["bank.n", f"bank.n.{number}"] for number in range(6)]
    assert {line.split()[2] for line in lines} == {"bank.n.s1/1", "bank.n.s2/1"}
    assert of_fields(lines) == ["even", "odd"] * 3


def test_label_with_several_senses_or_none(cli: Run, tmp_path: Path) -> None:
    given = [
        Usage("both", "bank.n", "The bank had a river, a boat, a stream and money.", 4, 8),
        Usage("none", "bank.n", "The bank slept.", 4, 8),
        Usage("other", "tree.n", "The tree by the river.", 4, 8),
    ]
    write_usages(given, tmp_path / "given.jsonl")
    ran = cli("label", "model", "given.jsonl", "-o", "out.jsonl")
    assert ran == (0, "", "1 of 3 usages labelled, 2.00 senses each\n")
    found = read_labelling(tmp_path / "out.jsonl")
    assert list(found) == ["both"]
    assert sorted(found["both"].values()) == [0.25, 0.75]
    write_usages(given[1:], tmp_path / "given.jsonl")
    assert cli("label", "model", "given.jsonl") == (0, "", "0 of 2 usages labelled, 0.00 senses each\n")


@pytest.mark.parametrize(
    "lemma, hint",
    [("bank", "; is bank meant by bank.n?"), ("bank.v", "; is bank.v meant by bank.n?"), ("tree.n", "")],
)
def test_label_usages_of_other_lemmas(cli: Run, tmp_path: Path, lemma: str, hint: str) -> None:
    write_usages([Usage("u", lemma, "The bank by the river.", 4, 8)], tmp_path / "given.jsonl")
    ran = cli("label", "model", "given.jsonl")
    problem = f"the model has senses of bank.n, house.n, and the usages are of {lemma}: none can be labelled{hint}"
    assert ran == (0, "", f"warning: {problem}\n0 of 1 usage labelled, 0.00 senses each\n")


@pytest.mark.parametrize("suffix", ["key", "jsonl", "parquet", "key.gz"])
def test_label_into_a_file(cli: Run, tmp_path: Path, suffix: str) -> None:
    printed = cli("label", "model", "new.jsonl").out
    ran = cli("label", "model", "new.jsonl", "-o", f"out.{suffix}", *ALONE)
    assert ran == (0, "", "6 of 6 usages labelled, 1.00 senses each\n")
    start = (tmp_path / f"out.{suffix}").read_bytes()[:4]
    assert start == {"key": b"bank", "jsonl": b'{"us', "parquet": b"PAR1"}.get(suffix, start)
    (tmp_path / "printed.key").write_text(printed)
    assert read_labelling(tmp_path / f"out.{suffix}") == read_labelling(tmp_path / "printed.key")


def test_label_for_programs(cli: Run) -> None:
    ran = cli("label", "model", "new.jsonl", "-o", "out.key", "--json")
    assert json.loads(ran.out) == {"path": "out.key", "usages": 6, "labelled": 6, "senses per labelled usage": 1.0}
    assert ran.err == ""


def test_label_as_json_lines(cli: Run, tmp_path: Path) -> None:
    """Printed as they are written to a file; the counts are said elsewhere."""
    ran = cli("label", "model", "new.jsonl", "--json")
    assert (ran.code, ran.err) == (0, "6 of 6 usages labelled, 1.00 senses each\n")
    assert json.loads(ran.out.splitlines()[0])["usage"] == "bank.n.0"
    cli("label", "model", "new.jsonl", "-o", "out.jsonl")
    assert ran.out == (tmp_path / "out.jsonl").read_text()


@pytest.mark.parametrize(
    "out, said",
    [
        ("out.doc", "out.doc: the suffix '.doc' names no format in which a labelling can be written; allowed are "),
        ("nowhere/out.key", "nowhere/out.key: there is no folder nowhere; make it first"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_done(
    cli: Run, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], out: str, said: str
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("this takes long")

    monkeypatch.setattr("polyseme.induce.model.SenseModel.load", read)
    monkeypatch.setattr("polyseme.formats.read_labelling", read)
    refused(cli("label", "model", "new.jsonl", "-o", out), said)
    refused(cli(*keys, "-o", out), said)


def test_label_a_data_set(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name; a file of that name comes first."""
    table = '[banks]\ntitle = "Banks"\nfiles.usages = "*.jsonl"\n'
    (tmp_path / "data" / "banks").mkdir(parents=True)
    (tmp_path / "data" / "index.toml").write_text(table)
    write_usages(usages(4, seed=3), tmp_path / "data" / "banks" / "usages.jsonl")
    monkeypatch.setenv("POLYSEME_DATA", str(tmp_path / "data"))
    ran = cli("label", "model", "banks")
    assert (ran.code, ran.err) == (0, "4 of 4 usages labelled, 1.00 senses each\n")
    assert of_fields(ran.out.splitlines()) == ["even", "odd"] * 2
    shutil.copy(tmp_path / "new.jsonl", tmp_path / "banks")
    assert cli("label", "model", "banks").err == "6 of 6 usages labelled, 1.00 senses each\n"


def test_label_a_published_data_set(cli: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    features = {"news": ("editor.n", "edit.v", "read.v"), "sheet": ("piece.n", "desk.n", "pen.n")}
    senses = [
        Sense(name, "paper.n", features=tuple((word, 1.0) for word in each), frequency=0.5)
        for name, each in features.items()
    ]
    SenseModel(Squares(), "English()", Inventory(senses)).save(tmp_path / "papers")
    ran = cli("label", "papers", "semeval-2013-task-13-trial", "-o", "out.key", *ALONE, "--json")
    said = json.loads(ran.out)
    assert said["usages"] == 400
    found = read_labelling(tmp_path / "out.key")
    assert len(found) == said["labelled"] < 50
    assert found.lemmas == ("paper.n",)
    # "… pasting actual pieces o[f] paper", "sailed the paper across the desk", "taught and edited a paper"
    assert found["br-j59.snum=8"] == found["br-l17.snum=69"] == {"sheet": 1.0}
    assert found["br-g31.snum=29"] == {"news": 1.0}


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("my.index", "new.jsonl"), "my.index: this is not a model. Type: polyseme induce INDEX LEMMA … -o FOLDER"),
        (("model", "nowhere"), "nowhere: there is no such file"),
        (("model", "examples/gold.key"), "examples/gold.key: this is an answer key, which does not hold usages"),
        (("model", "usim"), "the data set 'usim' is not here"),
    ],
)
def test_label_errors(cli: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str) -> None:
    monkeypatch.setenv("POLYSEME_HOME", "home")
    refused(cli("label", *arguments), said)


def test_label_a_folder(cli: Run, tmp_path: Path) -> None:
    """Of several files, in which a usage may not be given twice."""
    (tmp_path / "folder").mkdir()
    write_usages(usages(6, seed=9)[:2], tmp_path / "folder" / "a.jsonl")
    write_usages(usages(6, seed=9)[2:], tmp_path / "folder" / "b.jsonl")
    assert cli("label", "model", "folder").out == cli("label", "model", "new.jsonl").out
    write_usages(usages(6, seed=9)[1:], tmp_path / "folder" / "b.jsonl")
    refused(cli("label", "model", "folder"), "folder: usage 'bank.n.1' is given twice in its files; rename one")


# -- map -----------------------------------------------------------------------------------------------------------

SYSTEM = "bank.n u0 s1\nbank.n u1 s2\nbank.n u2 s1\nbank.n u3 s2\nbank.n new s1\nbank.n unseen s3\n"
GOLD = "bank.n u0 shore\nbank.n u1 money\nbank.n u2 shore/2 money/1\nbank.n u3 money\nbank.n u4 money\n"
"""Of s1, five parts of six are *shore*: 1 + 2/3 of 1 + 1."""


@pytest.fixture
def keys(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "system.key").write_text(SYSTEM)
    (tmp_path / "gold.key").write_text(GOLD)
    return "map", "system.key", "--gold", "gold.key"


def mapped(printed: str, tmp_path: Path) -> dict[str, dict[str, float]]:
    (tmp_path / "mapped.key").write_text(printed)
    found = read_labelling(tmp_path / "mapped.key")
    return {usage: dict(found[usage]) for usage in found}


def test_map_in_folds(cli: Run, tmp_path: Path, keys: tuple[str, ...]) -> None:
    """Each usage by what the others teach: of s1, u0 learns from u2, and u2 from u0."""
    ran = cli(*keys)
    assert (ran.code, ran.err) == (0, "4 usages mapped by Distribution(), 4 of 6 with gold\n")
    assert mapped(ran.out, tmp_path) == {
        "u0": {"shore": pytest.approx(2 / 3), "money": pytest.approx(1 / 3)},
        "u1": {"money": 1.0},
        "u2": {"shore": 1.0},
        "u3": {"money": 1.0},
    }
    # With two folds, u0, u2 and u4 are mapped by u1 and u3, which say nothing of s1; and the other way round.
    ran = cli(*keys, "--folds", "2")
    assert (ran.out, ran.err) == ("", "0 usages mapped by Distribution(), 4 of 6 with gold\n")


def test_map_by_all(cli: Run, tmp_path: Path, keys: tuple[str, ...]) -> None:
    ran = cli(*keys, "--folds", "1")
    assert (ran.code, ran.err) == (0, "5 usages mapped by Distribution(), 4 of 6 with gold\n")
    s1 = {"shore": pytest.approx(5 / 6), "money": pytest.approx(1 / 6)}
    expected = {"u0": s1, "u1": {"money": 1.0}, "u2": s1, "u3": {"money": 1.0}, "new": s1}
    assert mapped(ran.out, tmp_path) == expected


@pytest.mark.parametrize("name", ["Graded", "graded", "GRADED", "Graded()"])
def test_map_by_a_mapping_of_any_letters(cli: Run, tmp_path: Path, keys: tuple[str, ...], name: str) -> None:
    ran = cli(*keys, "--mapping", name, "--folds", "1")
    assert ran.err == "5 usages mapped by Graded(), 4 of 6 with gold\n"
    assert mapped(ran.out, tmp_path)["new"] == {"shore": 1.0}


@pytest.mark.parametrize("mapping", ["agirre", "graded", "distribution"])
def test_what_is_mapped_scores_as_it_does_when_it_is_scored(cli: Run, mapping: str) -> None:
    """Also if weights do not sum to 1, neither here nor there."""
    gold = ("--gold", "examples/gold.key")
    cli("map", "examples/system-a.key", *gold, "--mapping", mapping, "-o", "mapped.key")
    score = ("score", "jurgens-2012", *gold, "--json", "--mapping")
    mapped = json.loads(cli(*score, "none", "mapped.key").out)
    scored = json.loads(cli(*score, mapping, "examples/system-a.key").out)
    for name in ("detection", "ranking", "perception", "jensen_shannon", "recall"):
        assert mapped[name] == pytest.approx(scored[name]), name


def test_map_into_a_file(cli: Run, tmp_path: Path, keys: tuple[str, ...]) -> None:
    printed = cli(*keys)
    ran = cli(*keys, "-o", "out.jsonl")
    assert ran == (0, "", printed.err)
    found = read_labelling(tmp_path / "out.jsonl")
    assert {usage: dict(found[usage]) for usage in found} == mapped(printed.out, tmp_path)
    ran = cli(*keys, "-o", "out.parquet", "--json", "--mapping", "agirre")
    counts = {"usages": 6, "with gold": 4, "mapped": 4}
    assert json.loads(ran.out) == {"path": "out.parquet", "mapping": "Agirre()", **counts}
    assert (ran.code, ran.err) == (0, "")
    assert read_labelling(tmp_path / "out.parquet")["u1"] == {"money": 1.0}


def test_map_as_json_lines(cli: Run, tmp_path: Path, keys: tuple[str, ...]) -> None:
    ran = cli(*keys, "--json")
    assert (ran.code, ran.err) == (0, "4 usages mapped by Distribution(), 4 of 6 with gold\n")
    cli(*keys, "-o", "out.jsonl")
    assert ran.out == (tmp_path / "out.jsonl").read_text()


def test_what_was_mapped_can_be_scored(cli: Run, keys: tuple[str, ...]) -> None:
    cli(*keys, "-o", "mapped.key")
    ran = cli("score", "semeval-2013", "mapped.key", "--gold", "gold.key", "--no-mapping", "--json")
    # u0 has one of its two senses right, u2 one of two; u1 and u3 are right; u4 is not mapped.
    assert json.loads(ran.out)["jaccard"]["precision"] == pytest.approx(3 / 4)
    assert json.loads(ran.out)["jaccard"]["recall"] == pytest.approx(3 / 5)


def test_map_errors(cli: Run, tmp_path: Path, keys: tuple[str, ...]) -> None:
    (tmp_path / "other.key").write_text(GOLD.replace(" u", " v"))
    (tmp_path / "tree.key").write_text(GOLD.replace("bank.n", "tree.n"))
    refused(cli("map", "system.key", "--gold", "other.key"), "system.key: none of its usages is in other.key")
    refused(cli("map", "system.key", "--gold", "tree.key"), "'u0' belongs to 'tree.n' in the gold key", "'bank.n'")
    refused(cli("map", "system.key", "--gold", "nowhere"), "nowhere: there is no such file")
    refused(cli(*keys, "--mapping", "agire"), "there is no part 'agire'; did you mean Agirre")
    refused(cli(*keys, "--mapping", "Squares"), "'Squares' is not a mapping; allowed are Agirre, Distribution, Graded")
    for wrong in (("--folds", "0"), ("--folds", "many")):
        ran = cli(*keys, *wrong)
        assert ran.code == 2
        assert "'--folds'" in ran.err
