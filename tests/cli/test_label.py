"""``polyseme label`` and ``map``: usages with the senses of a model, and these with a dictionary's."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from cli.conftest import Run, refused
from induction.corpora import usages
from polyseme.formats import read_labelling, write_usages
from polyseme.induction.model import SenseModel
from polyseme.induction.squares import Squares
from polyseme.inventory import Inventory, Sense
from polyseme.usage import Usage

ALONE = ("--processes", "1")

pytestmark = pytest.mark.usefixtures("_beside_a_model")


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
    inputs = [
        Usage("both", "bank.n", "The bank had a river, a boat, a stream and money.", 4, 8),
        Usage("none", "bank.n", "The bank slept.", 4, 8),
        Usage("other", "tree.n", "The tree by the river.", 4, 8),
    ]
    write_usages(inputs, tmp_path / "given.jsonl")
    ran = cli("label", "model", "given.jsonl", "-o", "out.jsonl")
    assert ran == (0, "", "1 of 3 usages labelled, 2.00 senses each\n")
    result = read_labelling(tmp_path / "out.jsonl")
    assert list(result) == ["both"]
    assert sorted(result["both"].values()) == [0.25, 0.75]
    write_usages(inputs[1:], tmp_path / "given.jsonl")
    assert cli("label", "model", "given.jsonl") == (0, "", "0 of 2 usages labelled, 0.00 senses each\n")


@pytest.mark.parametrize(
    "lemma, hint",
    [("bank", "; is bank the same as bank.n?"), ("bank.v", "; is bank.v the same as bank.n?"), ("tree.n", "")],
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
    "out, message",
    [
        ("out.doc", "out.doc: the suffix '.doc' names no format in which a labelling can be written; allowed are "),
        ("nowhere/out.key", "nowhere/out.key: there is no folder nowhere; create it first"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_done(
    cli: Run, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...], out: str, message: str
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("this takes long")

    monkeypatch.setattr("polyseme.induction.model.SenseModel.load", read)
    monkeypatch.setattr("polyseme.formats.read_labelling", read)
    refused(cli("label", "model", "new.jsonl", "-o", out), message)
    refused(cli(*keys, "-o", out), message)


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
        Sense(name, "paper.n", features=tuple((word, 1.0) for word in item), frequency=0.5)
        for name, item in features.items()
    ]
    SenseModel(Squares(), "English()", Inventory(senses)).save(tmp_path / "papers")
    ran = cli("label", "papers", "semeval-2013-task-13-trial", "-o", "out.key", *ALONE, "--json")
    message = json.loads(ran.out)
    assert message["usages"] == 400
    result = read_labelling(tmp_path / "out.key")
    assert len(result) == message["labelled"] < 50
    assert result.lemmas == ("paper.n",)
    # "… pasting actual pieces o[f] paper", "sailed the paper across the desk", "taught and edited a paper"
    assert result["br-j59.snum=8"] == result["br-l17.snum=69"] == {"sheet": 1.0}
    assert result["br-g31.snum=29"] == {"news": 1.0}


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("my.index", "new.jsonl"), "my.index: this is not a model. Type: polyseme induce INDEX LEMMA … -o FOLDER"),
        (("model", "nowhere"), "nowhere: there is no such file"),
        (("model", "examples/gold.key"), "examples/gold.key: this is an answer key, which does not hold usages"),
        (("model", "usim"), "the data set 'usim' is not here"),
    ],
)
def test_label_errors(cli: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str) -> None:
    monkeypatch.setenv("POLYSEME_HOME", "home")
    refused(cli("label", *arguments), message)


def test_label_a_folder(cli: Run, tmp_path: Path) -> None:
    """Of several files, in which a usage may not be given twice."""
    (tmp_path / "folder").mkdir()
    write_usages(usages(6, seed=9)[:2], tmp_path / "folder" / "a.jsonl")
    write_usages(usages(6, seed=9)[2:], tmp_path / "folder" / "b.jsonl")
    assert cli("label", "model", "folder").out == cli("label", "model", "new.jsonl").out
    write_usages(usages(6, seed=9)[1:], tmp_path / "folder" / "b.jsonl")
    refused(cli("label", "model", "folder"), "folder: usage 'bank.n.1' occurs twice in its files; rename one")


def test_label_a_folder_of_phitag_with_several_tasks(cli: Run, tmp_path: Path) -> None:
    for task in ("wssim", "lexsub"):
        (tmp_path / "study" / task / "bank.n").mkdir(parents=True)
        write_usages(usages(6, seed=9), tmp_path / "study" / task / "bank.n" / "uses.tsv", "phitag-uses")
    assert cli("label", "model", "study").out == cli("label", "model", "new.jsonl").out


# -- label --map-to ----------------------------------------------------------------------------------------------------


def test_label_maps_on_the_way_as_map_does(cli: Run) -> None:
    Path("gold.key").write_text("".join(f"bank.n bank.n.{number} {'ab'[number % 2]}/1\n" for number in range(4)))
    options = ("--folds", 3, "--mapping", "graded")
    assert cli("label", "model", "new.jsonl", "-o", "induced.key").code == 0
    assert cli("map", "induced.key", "--gold", "gold.key", *options, "-o", "mapped.key").code == 0
    ran = cli("label", "model", "new.jsonl", "--map-to", "gold.key", *options, "-o", "direct.key")
    assert ran == (0, "", "6 of 6 usages labelled, 1.00 senses each; 4 mapped by Graded()\n")
    assert Path("direct.key").read_text() == Path("mapped.key").read_text()
    ran = cli("label", "model", "new.jsonl", "--map-to", "gold.key", "--folds", 1, "-o", "all.key", "--json")
    assert (json.loads(ran.out)["mapped"], len(read_labelling("all.key"))) == (6, 6)


def test_a_mapping_is_checked_before_usages_are_labelled(cli: Run) -> None:
    Path("other.key").write_text("tree.n tree.n.1 a\n")
    for options, message in (
        (["--map-to", "lost.key"], "lost.key"),
        (["--map-to", "other.key", "--mapping", "Guess"], "Guess"),
        (["--map-to", "other.key"], "none of its usages is in"),
    ):
        ran = cli("label", "model", "new.jsonl", *options)
        assert (ran.code, ran.out, message in ran.err) == (2, "", True), ran.err


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
    result = read_labelling(tmp_path / "mapped.key")
    return {usage: dict(result[usage]) for usage in result}


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
    result = read_labelling(tmp_path / "out.jsonl")
    assert {usage: dict(result[usage]) for usage in result} == mapped(printed.out, tmp_path)
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
