"""``polyseme disambiguate``, and ``polyseme label`` by a dictionary's models."""

import io
import json
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from cli.conftest import Run, refused
from disambiguation.planted import Planted, small
from polyseme.disambiguation.calibration import Calibration
from polyseme.disambiguation.model import SenseWeigher
from polyseme.disambiguation.sources import Sources
from polyseme.errors import MissingExtra
from polyseme.formats import read_labelling, write_usages
from polyseme.parts import parts_by_name
from polyseme.usage import Usage
from polyseme.wordnet import WordNet

FIRST, SECOND = "lamp%1:06:00::", "lamp%1:10:00::"
BY = ("--model", "Planted")


@pytest.fixture
def _tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small WordNet in the place of the real one, and a model that knows it."""
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    tiny = small(tmp_path).wordnet
    monkeypatch.setattr("polyseme.wordnet.load", lambda _: tiny)
    monkeypatch.setitem(parts_by_name(), "Planted", Planted)


@pytest.fixture
def tiny(cli: Run, _tiny: None) -> Run:
    return cli


# -- a text --------------------------------------------------------------------------------------------------------


def test_a_text(tiny: Run) -> None:
    ran = tiny("disambiguate", "The Lamps, with a wick.", *BY)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "The Lamps, with a wick.",
        "",
        "  Lamps (lamp.n)",
        "    0.75 █████████     lamp%1:06:00::  a thing that gives light",
        "    0.25 ███           lamp%1:10:00::  (slang) a look",
        "",
        "  wick (wick.n)",
        "    the model has no weights for its senses",
    ]


def test_a_terminal_has_narrow_lines(tiny: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    lines = tiny("disambiguate", "Lamps shine.", *BY).out.splitlines()
    assert lines[3:5] == ["    0.75 ████▌   lamp%1:06:00::", "      a thing that gives light"]
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize("target", ["lamp", "LAMPS", "lamp.n"])
def test_a_target_for_programs(tiny: Run, target: str) -> None:
    ran = tiny("disambiguate", "Geese saw Lamps.", "--target", target, *BY, "--json")
    (lamp,) = json.loads(ran.out)
    assert [sense["id"] for sense in lamp.pop("senses")] == [SECOND, FIRST]  # the geese count
    assert lamp == {"usage": "10-15", "start": 10, "end": 15, "form": "Lamps", "lemma": "lamp.n"}
    assert ran.err == ""


def test_a_target_borrows_from_other_sentences(tiny: Run) -> None:
    ran = tiny("disambiguate", "Geese stop. Lamps.", "--target", "lamp", *BY, "--json", "--top", 1)
    assert [[sense["id"] for sense in word["senses"]] for word in json.loads(ran.out)] == [[SECOND]]


def test_texts_without_the_target_are_reported(tiny: Run, tmp_path: Path) -> None:
    for name, text in {"a": "A lamp.", "b": "Geese stop.", "c": "of the"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    ran = tiny("disambiguate", "a.txt", "b.txt", "c.txt", "--target", "lamp", *BY)
    assert ran.out.count("(lamp.n)") == 1
    assert ran.err == "warning: 'lamp' does not occur in 2 of 3 texts: b.txt, c.txt\n"
    assert tiny("disambiguate", "a.txt", "b.txt", *BY).err == ""


def test_options(tiny: Run, tmp_path: Path) -> None:
    def weights(*options: object) -> dict[str, float]:
        (lamp,) = json.loads(tiny("disambiguate", "A lamp", *BY, "--json", *options).out)
        return {sense["id"]: sense["weight"] for sense in lamp["senses"]}

    assert weights() == {FIRST: 0.75, SECOND: 0.25}
    assert weights("--keep", 0.5) == {FIRST: 1.0}
    assert weights("--top", 1) == {FIRST: 0.75}
    assert weights("--scale", "1-5") == pytest.approx({FIRST: 5, SECOND: 1 + 4 / 3})
    assert weights("--model", "SemCorMFS") == {FIRST: 1.0}
    Calibration((0.0, 1.0), (2.0, 4.0)).save(tmp_path / "scale.json")
    assert weights("--scale", "scale.json") == pytest.approx({FIRST: 4, SECOND: 2 + 2 / 3})


def test_a_scale_of_another_model(tiny: Run, tmp_path: Path) -> None:
    Calibration((0.0, 1.0), (1.0, 4.0), model="PPR()").save(tmp_path / "scale.json")
    ran = tiny("disambiguate", "A lamp.", *BY, "--scale", "scale.json")
    assert ran.code == 0
    assert "4.00 █████████     lamp" in ran.out
    assert ran.err == "warning: the scale was learnt for PPR(), and the model is Planted()\n"


def test_what_is_piped_in(tiny: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("A lamp.\n"))
    assert "lamp (lamp.n)" in tiny("disambiguate", "-", *BY).out


@pytest.mark.parametrize(
    "text, warned",
    [
        ("The lamp and the lmap.", "1 word is not in WordNet of an unknown version: 'lmap' (lamp?)"),
        ("Die lamp und eine Straße.", "a dictionary of English: 'Die', 'und', 'eine', 'Straße'"),
    ],
)
def test_words_that_wordnet_has_not_got(tiny: Run, text: str, warned: str) -> None:
    ran = tiny("disambiguate", text, *BY)
    assert ran.code == 0
    assert ran.out.count("(lamp.n)") == 1
    assert ran.err.startswith("warning: ")
    assert warned in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((" ",), 'the text is empty; write a sentence, as in: polyseme disambiguate "He sat on the bank of the river"'),
        (("",), "the text is empty"),
        (
            ("A", "lamp"),
            "A: there is no such file, folder or data set. Check its name and its folder. A text is",
        ),
        (
            ("texts/a.txt",),
            "texts/a.txt: there is no such file, folder or data set, and no folder texts. ",
        ),
        (("letter.txt",), "letter.txt: there is no such file, folder or data set"),
        (
            ("Die Straße",),
            "no word of the text has senses: 2 words are not in WordNet of an unknown version, a dictionary of English",
        ),
        (
            ("銀行に行った。",),
            "no word of the text has senses: 1 word is not in WordNet of an unknown version: '銀行に行った'",
        ),
        (("of the",), "no word of the text has senses: it has no noun, verb, adjective or adverb"),
        (
            ("A lamp.", "--target", "goose"),
            "the target 'goose' does not occur; in the text, the words with senses are lamp",
        ),
        (("A lamp.", "--target", "gooose"), "the target 'gooose' (goose?) is not in WordNet of an unknown version"),
        (("A lamp.", "--target", " "), "the target ' ' is not in WordNet of an unknown version"),
        (("A lamp.", "--scale", "high"), "the scale 'high' is neither two numbers, such as 1-5, nor the file of a"),
        (("A lamp.", "--model", "Squares"), "'Squares' does not label usages with a dictionary's senses; these do: "),
        (("A lamp.", "--model", "Plantd"), "there is no part 'Plantd'; did you mean "),
        (
            ("A lamp.", "--model", "OneCluster"),
            "the model gives 'lamp.n.one', which is not a sense of WordNet of an unknown version",
        ),
        (
            ("A lamp.", "-o", "out.doc"),
            "out.doc: the suffix '.doc' names no format in which a labelling can be written",
        ),
        (("A lamp.", "-o", "no/out.key"), "no/out.key: there is no folder no; create it first"),
        (("A lamp.", "-o", "examples"), "examples: this is a folder; name a file in it"),
        (("examples/gold.key",), "examples/gold.key: this is an answer key, which does not hold usages"),
        (("usim",), "the data set 'usim' is not here"),
    ],
)
def test_wrong_inputs_are_refused(tiny: Run, arguments: tuple[str, ...], message: str) -> None:
    refused(tiny("disambiguate", *arguments, *(() if "--model" in arguments else BY)), message)


def test_a_missing_wordnet_ends_with_the_command_to_type(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyseme.wordnet.locations.candidate_folders", lambda _: iter([tmp_path]))
    refused(cli("disambiguate", "A lamp.", "--model", "MFS"), "Type: polyseme data install wordnet-3.1")
    refused(cli("disambiguate", "A lamp.", "--model", "MFS", "--wordnet", "3.0"), "data install wordnet-3.0")
    refused(cli("disambiguate", "A lamp.", "--model", "MFS", "--wordnet", "2.1"), "2.1", "3.0")


@dataclass(frozen=True)
class Learner:
    """Needs text that is tagged with senses, or a library."""

    extra: bool = False
    kind: ClassVar[str] = "disambiguator"

    def prepare(self, sources: Sources, lemmas: Collection[str]) -> SenseWeigher:
        if self.extra:
            raise MissingExtra("lm", "transformers")
        raise AssertionError(f"{len(sources.tagged)} usages of SemCor, which is not here")


def test_what_a_model_lacks_ends_with_the_command_to_type(tiny: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts_by_name(), "Learner", Learner)
    expected = "the data set 'semcor-3.0' is not installed. Type: polyseme data install semcor-3.0"
    refused(tiny("disambiguate", "A lamp.", "--model", "Learner"), expected)
    expected = "'transformers' is not installed. Type: pip install 'polyseme[lm]'"
    refused(tiny("disambiguate", "A lamp.", "--model", "Learner(extra=True)"), expected)


# -- files ---------------------------------------------------------------------------------------------------------

USAGES = [
    Usage("1", "lamp", "The lamp glows.", 4, 8),
    Usage("2", "glow.v", "It glowed.", 3, 9),
    Usage("3", "zebra.n", "A zebra.", 2, 7),
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder with a text, a table of texts, one that is analysed already, and usages."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a letter.txt").write_text("Geese stop.\n\nThe lamp.\n")
    (folder / "more.jsonl").write_text('{"id": "one", "text": "A lamp."}\n{"id": "two", "text": "In 1990, lamps."}\n')
    (folder / "read.conllu").write_text("1\tlamps\tlamp\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    write_usages(USAGES, folder / "usages.jsonl")
    return folder


KEYS = {
    "1": {FIRST: 0.75, SECOND: 0.25},
    "2": {"glow%2:43:00::": 1.0},
    "a_letter.txt:0-5": {"goose%1:05:00::": 1.0},
    "a_letter.txt:6-10": {"stop%2:42:00::": 1.0},
    "a_letter.txt:17-21": {SECOND: 0.75, FIRST: 0.25},
    "more.jsonl#one:2-6": {FIRST: 0.75, SECOND: 0.25},
    "more.jsonl#two:9-14": {FIRST: 0.75, SECOND: 0.25},
    "read.conllu#1:0-5": {FIRST: 0.75, SECOND: 0.25},
}


@pytest.mark.parametrize("suffix", ["key", "jsonl", "parquet", "key.gz"])
def test_a_folder_into_a_file(tiny: Run, texts: Path, tmp_path: Path, suffix: str) -> None:
    ran = tiny("disambiguate", texts, *BY, "-o", f"out.{suffix}")
    assert (ran.code, ran.out) == (0, "")
    warned, message = ran.err.splitlines()
    assert warned == "warning: 1 lemma not in WordNet of an unknown version, not labelled: zebra.n"
    assert message == "8 of 9 usages labelled, 1.62 senses each"
    assert dict(read_labelling(tmp_path / f"out.{suffix}")) == KEYS


def test_a_file_of_ratings_for_programs(tiny: Run, texts: Path, tmp_path: Path) -> None:
    inputs = (texts / "a letter.txt", "--target", "lamp", "--scale", "1-5", "--top", 1)
    ran = tiny("disambiguate", *inputs, *BY, "-o", "out.key", "--json")
    assert json.loads(ran.out) == {"path": "out.key", "usages": 1, "labelled": 1, "senses per labelled usage": 1.0}
    assert (tmp_path / "out.key").read_text() == f"lamp.n a_letter.txt:17-21 {SECOND}/5\n"


def test_a_file_that_is_printed(tiny: Run, texts: Path) -> None:
    ran = tiny("disambiguate", texts / "a letter.txt", *BY)
    assert [line for line in ran.out.splitlines() if line and line[0] != " "] == ["Geese stop.", "The lamp."]
    words = json.loads(tiny("disambiguate", texts / "a letter.txt", *BY, "--json").out)
    assert [(word["document"], word["start"], word["end"]) for word in words] == [
        ("a letter.txt", 0, 5),
        ("a letter.txt", 6, 10),
        ("a letter.txt", 17, 21),
    ]


def test_a_text_that_looks_like_a_key(tiny: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("In 1990 lamps shone.\n")
    assert "lamps (lamp.n)" in tiny("disambiguate", "a.txt", *BY).out


def test_files_that_cannot_be_used(tiny: Run, texts: Path, tmp_path: Path) -> None:
    write_usages(USAGES[2:], tmp_path / "zebras.jsonl")
    refused(
        tiny("disambiguate", "zebras.jsonl", *BY),
        "no word of the text has senses: 1 word is not in WordNet of an unknown version",
    )
    twice = ("disambiguate", texts / "usages.jsonl", texts, *BY)
    refused(tiny(*twice), "two usages have the id '1'; name a folder that holds all files")
    (tmp_path / "empty.txt").write_text("\n")
    refused(tiny("disambiguate", "empty.txt", *BY), "empty.txt: the file is empty")
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\0")
    refused(tiny("disambiguate", "picture.txt", *BY), "picture.txt: this is an image, and a text file in UTF-8")
    assert not (tmp_path / "out.key").exists()


# -- label ---------------------------------------------------------------------------------------------------------


def test_label_by_a_dictionary(tiny: Run, texts: Path) -> None:
    ran = tiny("label", "Planted()", texts / "usages.jsonl")
    assert ran.out == f"lamp 1 {FIRST}/0.75 {SECOND}/0.25\nglow.v 2 glow%2:43:00::/1\n"
    assert ran.err.splitlines()[1:] == ["2 of 3 usages labelled, 1.50 senses each"]
    ran = tiny("label", "planted", texts / "usages.jsonl", "--keep", 0.5, "--wordnet", "3.0", "--json")
    assert json.loads(ran.out.splitlines()[0]) == {"usage": "1", "lemma": "lamp", "senses": {FIRST: 1.0}}
    ran = tiny("label", "SemCorMFS", texts / "usages.jsonl")
    assert ran.out == f"lamp 1 {FIRST}/1\nglow.v 2 glow%2:43:00::/1\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("Plantd",), "there is no folder Plantd, and there is no part 'Plantd'; did you mean "),
        (("Squares",), "there is no folder Squares, and 'Squares' does not label usages with a dictionary's senses"),
        (("no/model",), "there is no folder no/model, and 'no/model' is not a part: write Name or Name(option=value"),
        (("examples", "--keep", "0.5"), "examples: --wordnet and --keep are for a dictionary model"),
    ],
)
def test_label_errors(tiny: Run, arguments: tuple[str, ...], message: str) -> None:
    refused(tiny("label", arguments[0], "examples/interest.jsonl", *arguments[1:]), message)


# -- the real WordNet ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("wordnet_31")
def test_the_real_wordnet(cli: Run) -> None:
    ran = cli("disambiguate", "She sat on the BANK, had ice cream and gave it up in New York.", "--model", "SemCorMFS")
    words = [line.strip() for line in ran.out.splitlines() if line.startswith("  ") and line[2] != " "]
    assert [word.partition(" (")[2] for word in words] == [
        "sit.v)",
        "bank.n)",
        "have.v)",
        "ice_cream.n)",
        "give.v)",
        "new_york.n)",
    ]
    assert ran.err == ""


def test_a_data_set_has_its_own_wordnet(
    cli: Run, data: Path, wordnet_30: WordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    ran = cli("disambiguate", "semeval-2013-task-13-trial", "--model", "SemCorRanked", "-o", "out.key", "--json")
    assert json.loads(ran.out)["labelled"] == 400
    result = read_labelling(tmp_path / "out.key")
    assert set(result.senses("paper.n")) == {sense.id for sense in wordnet_30["paper.n"]}
    labelled = cli("label", "SemCorRanked", "semeval-2013-task-13-trial")
    assert labelled.out == (tmp_path / "out.key").read_text()
