"""``polyseme induce`` and ``senses``: from a corpus to senses, and what these are."""

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cli.conftest import Run, refused
from induction.corpora import MONEY, RIVER, background, usages
from polyseme.errors import InputWarning
from polyseme.formats import write_usages
from polyseme.induction import defaults
from polyseme.induction.model import SenseModel
from polyseme.induction.squares import Squares
from polyseme.interface.senses import induce
from polyseme.inventory import Inventory, Sense
from polyseme.parts import build, short_specification
from polyseme.usage import Usage

MODEL = "Squares(delta=0.2, sigma=0.3, minimum=5)"
SHORT = short_specification(build(MODEL))
ALONE = ("--processes", "1")

pytestmark = pytest.mark.usefixtures("_beside_a_model")


def words(sense: Sense) -> set[str]:
    return {name.removesuffix(".n") for name, _ in sense.features}


# -- induce --------------------------------------------------------------------------------------------------------


def test_induce_from_an_index(cli: Run, tmp_path: Path) -> None:
    ran = cli("induce", "my.index", "bank.n", "-o", "out/mine", "--model", "Squares(delta=0.2, sigma=0.3)", *ALONE)
    assert ran == (0, f"out/mine: 2 senses of 1 lemma by {SHORT}\n", "")
    result = SenseModel.load(tmp_path / "out" / "mine")
    assert repr(result.inducer) == MODEL
    assert result.analyser == "English()"
    assert sorted(map(sorted, map(words, result.inventory["bank.n"]))) == [sorted(RIVER), sorted(MONEY)]


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
    assert plain == (0, f"mine: 3 senses of 2 lemmas by {SHORT}\n", ran.err)


def test_induce_says_why_there_is_too_little(cli: Run) -> None:
    ran = cli("induce", "my.index", "bank.n", "be.v", "-o", "mine", "--model", "UoY(p1=20, p2=5, sentences=1)", *ALONE)
    assert ran.code == 0
    assert ran.err.startswith("warning: be.v has no senses: fewer than two nouns are in more than 20 of its contexts")
    assert ran.err.count("\n") == 1


def test_induce_from_usages(cli: Run, tmp_path: Path) -> None:
    """All lemmas of the file, if none is named; the same senses as from an index of them."""
    write_usages([*usages(120), *background(100)], tmp_path / "usages.jsonl")
    ran = cli("induce", "usages.jsonl", "-o", "mine", "--model", MODEL, "--json", *ALONE)
    message = json.loads(ran.out)
    assert message["senses"]["bank.n"] == 2
    assert {*message["senses"], *message["missed"]} == {usage.lemma for usage in [*usages(2), *background(100)]}
    mine, before = SenseModel.load(tmp_path / "mine"), SenseModel.load(tmp_path / "model")
    assert [words(sense) for sense in mine.inventory["bank.n"]] == [words(item) for item in before.inventory["bank.n"]]
    ran = cli("induce", "usages.jsonl", "bank.n", "-o", "mine", "--model", MODEL, "--json", *ALONE)
    assert json.loads(ran.out)["senses"] == {"bank.n": 2}
    assert list(SenseModel.load(tmp_path / "mine").inventory) == ["bank.n"]


def test_usages_may_have_bare_lemmas() -> None:
    """Usages whose lemmas lack a part of speech, or have it in a field of its own."""
    for pos in ("", "n"):
        bare = [replace(usage, lemma="bank", pos=pos) for usage in usages(120)]
        model = induce([*bare, *background(100)], Squares(delta=0.2, sigma=0.3), "Bank", processes=1)
        assert {lemma: len(senses) for lemma, senses in model.inventory.items()} == {"bank": 2}


@pytest.mark.parametrize("word", ["Bank", "banks"])
def test_a_bare_word_is_induced_in_every_part_of_speech(cli: Run, tmp_path: Path, word: str) -> None:
    ran = cli("induce", "my.index", word, "-o", "mine", "--model", MODEL, *ALONE)
    assert ran == (0, f"mine: 2 senses of 1 lemma by {SHORT}\n", f"{word}: bank.n (120)\n")
    write_usages([*usages(120), *background(100)], tmp_path / "usages.jsonl")
    ran = cli("induce", "usages.jsonl", word, "-o", "mine", "--model", MODEL, *ALONE)
    assert (ran.code, ran.err) == (0, f"{word}: bank.n (120)\n")
    ran = cli("senses", "mine", word)
    assert (ran.code, ran.err) == (0, f"{word}: bank.n\n")
    assert ran.out == cli("senses", "mine", "bank.n").out


def test_the_default_model_is_the_same_everywhere(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "SMALL_MODEL_PACKAGES", ("polyseme_smaller",))
    default = repr(build(defaults.CONTEXT_INDUCER))
    short = short_specification(build(default))
    ran = cli("induce", "my.index", "bank.n", "-o", "mine", *ALONE)
    assert ran.out == f"mine: 5 senses of 1 lemma by {short}\n"
    assert "warning: senses are induced from contexts only, as 'polyseme_smaller' is not installed. Type: " in ran.err
    with pytest.warns(InputWarning, match="senses are induced from contexts only"):
        assert repr(induce(tmp_path / "my.index", lemmas="bank", processes=1).inducer) == default
    ran = cli("induce", "new.jsonl", "-o", "mine", "--analyser", "simple:de", *ALONE)
    assert (ran.out, ran.err) == (f"mine: 5 senses of 1 lemma by {short}\n", "")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("my.index", "unheard.n"), "finds no senses: unheard.n: it does not occur in the corpus"),
        (("my.index", "banks.n"), "finds no senses: banks.n: it does not occur in the corpus (bank.n does)"),
        (("my.index",), "name the lemmas, such as bank.n"),
        (("my.index", "bank.n", "--gold", "examples/gold.key"), "--gold is for --grid; add --grid TASK:FIGURE"),
        (("my.index", "bank.n", "--model", "Sqares"), "there is no part 'Sqares'; did you mean Squares"),
        (("my.index", "bank.n", "--model", "Squares(sima=1)"), "no option 'sima'; did you mean 'sigma'?"),
        (("my.index", "bank.n", "--model", "Graded"), "'Graded' is not a"),
        (("my.index", "bank.n", "--model", "Graded"), "allowed are "),
        (("my.index", "bank.n", "--model", "Squares(delta='x')"), "Squares: delta is 'x'"),
        (("my.index", "bank.n", "--model", "squares(sigma=2)"), "Squares: sigma is 2.0; it must be a number from 0 to"),
        (
            ("my.index", "bank.n", "--model", "Pipeline(Bag(minimum=1), HDBSCAN(50))"),
            "bank.n: none of its 120 usages is in a cluster of HDBSCAN(minimum=50)",
        ),
        (("nowhere", "bank.n"), "nowhere: there is no such file"),
        (("examples/gold.key", "bank.n"), "examples/gold.key: this is an answer key, which does not hold usages"),
    ],
)
def test_induce_errors(cli: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    refused(cli("induce", *arguments, "-o", "mine", *ALONE), message)
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
    refused(cli("induce", "slip.csv", "-o", "mine"), "slip.csv:1: the first line names 'id', 'lema', 'text'")
    (tmp_path / "empty.txt").write_text(" \n")
    refused(cli("induce", "empty.txt", "-o", "mine"), "empty.txt: the file is empty")


def test_induce_by_a_model_in_small_letters(cli: Run, tmp_path: Path) -> None:
    ran = cli("induce", "my.index", "bank.n", "-o", "mine", "--model", "squares(delta=0.2, sigma=0.3)", *ALONE)
    assert ran.out == f"mine: 2 senses of 1 lemma by {SHORT}\n"
    assert json.loads((tmp_path / "mine" / "model.json").read_text())["part"] == MODEL


def test_induce_needs_a_place(cli: Run) -> None:
    ran = cli("induce", "my.index", "bank.n")
    assert ran.code == 2
    assert "'--output'" in ran.err


@pytest.mark.parametrize(
    "place, message",
    [
        ("new.jsonl", "new.jsonl: this is a file; a model is a folder: choose a new name"),
        ("my.index", "my.index: this is an index, which a model would damage: name a new folder"),
    ],
)
def test_induce_into_what_is_no_place_for_a_model(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, message: str
) -> None:
    """That is said before anything is done."""
    monkeypatch.setattr(Squares, "fit", None)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    refused(cli("induce", "my.index", "bank.n", "-o", place, "--model", MODEL, *ALONE), message)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_induce_shows_how_far_it_is_on_a_terminal(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    ran = cli("induce", "my.index", "bank.n", "-o", "mine", "--model", MODEL, *ALONE)
    assert ran.out == f"mine: 2 senses of 1 lemma by {SHORT}\n"
    assert "Inducing bank.n" in ran.err


# -- senses --------------------------------------------------------------------------------------------------------


def test_senses(cli: Run) -> None:
    lines = cli("senses", "model").out.splitlines()
    assert lines[0] == f"Senses by {SHORT}"
    assert lines[1].split() == ["Sense", "Share", "Labelled", "Words", "Example"]
    assert lines[-1].startswith("Share: of the labelled usages of this lemma.")
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
    result = json.loads(cli("senses", "model", "house.n", "bank.n", "--json").out)
    assert [(sense["id"], sense["lemma"]) for sense in result] == [
        ("house.n.s1", "house.n"),
        ("bank.n.s1", "bank.n"),
        ("bank.n.s2", "bank.n"),
    ]
    assert result == json.loads(cli("senses", "model", "house.n", "bank.n", "--format", "json").out)
    inventory = SenseModel.load(tmp_path / "model").inventory
    for sense in result:
        assert list(sense) == ["id", "lemma", "share", "labelled", "recurrence", "unsure", "features", "usages"]
        stored = next(item for item in inventory[sense["lemma"]] if item.id == sense["id"])
        assert (sense["share"], list(sense["features"].items())) == (stored.frequency, list(stored.features))
        target = sense["lemma"].removesuffix(".n")
        assert [usage["text"][usage["start"] : usage["end"]].lower() for usage in sense["usages"]] == [target] * 3


def test_senses_show_which_are_unsure(cli: Run, tmp_path: Path) -> None:
    senses = [Sense(f"x.n.s{n}", "x.n", frequency=0.5, recurrence=share) for n, share in enumerate((0.85, 0.3), 1)]
    SenseModel(Squares(), "English()", Inventory(senses)).save(tmp_path / "unsure")
    rows = csv.DictReader(io.StringIO(cli("senses", "unsure", "--format", "csv").out))
    assert [row["Recurrence"] for row in rows] == ["0.850", "0.300 unsure"]
    result = json.loads(cli("senses", "unsure", "--json").out)
    assert [(sense["recurrence"], sense["unsure"]) for sense in result] == [(0.85, False), (0.3, True)]
    assert "Recurrence" not in cli("senses", "model").out


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
    "arguments, message",
    [
        (("model", "tree.n"), "model: 'tree.n' has no senses: the model has bank.n, house.n"),
        (("model", "bank.n", "unheard.n"), "model: 'unheard.n' has no senses: it does not occur in the corpus"),
        (("my.index",), "my.index: this is not a model. Type: polyseme induce INDEX LEMMA … -o FOLDER"),
        (("nowhere",), "nowhere: there is no such folder. Type: polyseme induce"),
    ],
)
def test_senses_errors(cli: Run, arguments: tuple[str, ...], message: str) -> None:
    refused(cli("senses", *arguments), message)
