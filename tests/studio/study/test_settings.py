"""Study files: what they say, and how errors in them are explained."""

import re
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.rating import WSSIM, Scale
from polyseme.studio.study.settings import parse_study, read_study
from polyseme.studio.study.tasks import TASKS

FULL = """
title = "How far does each sense apply?"
instructions = "Judge **each** sense."
seed = 7
annotators = 8
[scale]
lowest = 0
labels = ["no", "rather no", "rather yes", "yes"]
undecided = ["WSsim", "Usim"]
[items]
usages = "usages.jsonl"
lemmas = ["win.v", "paper.n"]
per_lemma = 10
by = "genre"
senses = "wordnet-3.0"
context = 2
pairs = 20
several = false
substitutes = 3
order = "lemma"
[tasks]
a = ["WSsim", "WSbest"]
b = ["WSbest", "WSsim"]
[[rounds]]
name = "one"
[[rounds]]
name = "two"
lemmas = ["ask.v"]
pairs = "triangle"
[rounds.tasks]
a = ["Usim"]
b = ["Usim"]
[overlap]
design = "second"
share = 0.2
first = "ann"
[training]
answers = "training.csv"
pass = 0.9
tolerance = 0
attempts = 2
[controls]
answers = "controls.csv"
every = 10
[repeats]
share = 0.1
"""
SHORT = 'title = "T"\n{top}\n[items]\nusages = "u.jsonl"\n{items}\n[tasks]\na = ["Usim"]\n{rest}\n'


def test_every_key_is_read() -> None:
    study = parse_study(FULL)
    assert (study.title, study.seed, study.annotators) == ("How far does each sense apply?", 7, 8)
    assert study.scale == Scale(0, ("no", "rather no", "rather yes", "yes"))
    assert study.undecided == ("WSsim", "Usim")
    assert study.items.lemmas == ("win.v", "paper.n")
    assert (study.items.per_lemma, study.items.by, study.items.context) == (10, "genre", 2)
    assert (study.items.pairs, study.items.several, study.items.substitutes) == (20, False, 3)
    assert study.groups == {"a": ("WSsim", "WSbest"), "b": ("WSbest", "WSsim")}
    assert [each.name for each in study.rounds] == ["one", "two"]
    assert study.rounds[0].items == study.items
    assert (study.rounds[1].items.lemmas, study.rounds[1].items.pairs) == (("ask.v",), "triangle")
    assert (study.rounds[1].tasks, study.tasks) == (("Usim",), ("WSsim", "Usim", "WSbest"))
    assert (study.overlap.design, study.overlap.share, study.overlap.first) == ("second", 0.2, "ann")
    assert study.training is not None
    assert (study.training.pass_mark, study.training.tolerance, study.training.attempts) == (0.9, 0.0, 2)
    assert study.controls is not None
    assert (study.controls.every, study.controls.tolerance, study.repeats) == (10, 1.0, 0.1)


def test_missing_keys_have_defaults() -> None:
    study = parse_study(SHORT.format(top="", items="", rest=""))
    assert (study.scale, study.undecided, study.seed, study.repeats) == (WSSIM, ("Usim",), 1, 0.0)
    assert (study.overlap.design, study.training, study.controls) == ("everyone", None, None)
    assert [(each.name, each.tasks) for each in study.rounds] == [("1", ("Usim",))]


@pytest.mark.parametrize(
    "top, items, rest, message",
    [
        ("titel = 'x'", "", "", "the key 'titel' is not known; allowed are .* Did you mean title?"),
        ("", "per_lema = 3", "", r"\[items\] has the key 'per_lema', which is not known.* Did you mean per_lemma\?"),
        ("", "per_lemma = 0", "", r"\[items\] per_lemma is 0; it must be a whole number, 1 or more"),
        ("", "per_lemma = true", "", "must be a whole number"),
        ("seed = -1", "", "", "seed is -1; it must be a whole number, 0 or more"),
        ("", 'pairs = "some"', "", "it must be all, triangle, or how many pairs"),
        ("", 'lemmas = "win.v"', "", "must be a list of texts"),
        ("", 'lemmas = ["a", "a"]', "", "list each name only once"),
        ("", "context = 1.5", "", "must be a whole number"),
        ("", 'several = "yes"', "", "must be true or false"),
        ("", 'order = "ramdom"', "", "allowed are random, lemma. Did you mean random?"),
        ("", "", 'b = ["USim"]', "'USim' is not known; allowed are .* Did you mean Usim?"),
        ("", "", "b = []", "it must be a list of at least one of"),
        ("", "", '[overlap]\ndesign = "per items"', "Did you mean per item?"),
        ("", "", "[overlap]\njudgements = 2", "the design 'everyone' has no judgements"),
        ("", "", '[[rounds]]\nname = "x"\n[[rounds]]\nname = "x"', "two rounds have the name 'x'"),
        ("", "", '[[rounds]]\nname = "x"\n[rounds.tasks]\nb = ["Usim"]', "round 'x' has tasks for the groups b"),
        ("", "", "[training]\npass = 0.9", r"\[training\] answers is missing"),
        ("", "", '[training]\nanswers = "t.csv"\npass = 80', "pass is 80; it must be a number from 0 to 1"),
        ("", "", '[controls]\nanswers = "t.csv"\nevery = 1', "a whole number, 2 or more"),
        ("", "", "[repeats]\nshare = 0.9", "a number from 0 to 0.5"),
        ("", "", '[scale]\nlabels = ["one"]', "it must be a list of 2 to 9 texts"),
        ("", "", '[scale]\nundecided = ["WSbest"]', "allowed are WSsim, Usim"),
        ("scale = 5", "", "", r"it must be a table: \[scale\]"),
    ],
)
def test_wrong_keys_and_values_are_explained(top: str, items: str, rest: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_study(SHORT.format(top=top, items=items, rest=rest), "study.toml")


@pytest.mark.parametrize(
    "source, message",
    [
        ("title = ", "study.toml:1: this is not TOML: "),
        ('title = "x"', r"study.toml: \[items\] is missing"),
        ('title = "x"\n[items]\nusages = "u"', r"study.toml: \[tasks\] is missing. Write: \[tasks\] and then"),
        ('[items]\nusages = "u"\n[tasks]\na = ["Usim"]', "study.toml: title is missing. Write: title = "),
        ('title = "x"\n[items]\n[tasks]\na = ["Usim"]', r"\[items\] usages is missing. Write: usages = "),
    ],
)
def test_missing_keys_are_explained(source: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_study(source, "study.toml")


def test_instructions_are_a_file_or_markdown(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(SHORT.format(top='instructions = "read.md"', items="", rest=""))
    with pytest.raises(InputError, match=re.escape("the file of instructions, 'read.md', cannot be used: ")):
        read_study(file)
    (tmp_path / "read.md").write_text("# Read\n")
    study = read_study(file)
    assert (study.instructions, study.folder, study.source) == ("# Read\n", tmp_path, file.read_text())
    file.write_text(SHORT.format(top='instructions = "Judge."', items="", rest=""))
    assert read_study(file).instructions == "Judge."


def test_missing_and_malformed_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Type: polyseme annotate new"):
        read_study(tmp_path / "study.toml")
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(InputError, match=r"latin\.toml:1: byte 0xe9 .* is not UTF-8"):
        read_study(tmp_path / "latin.toml")


def test_the_documented_example_is_a_study() -> None:
    from polyseme.studio.study import settings

    lines = (settings.__doc__ or "").split("::\n", 1)[1].splitlines()
    example = "\n".join(line.removeprefix("    ") for line in lines if line.startswith("    ") or not line)
    example_study = parse_study(example)
    assert (example_study.rounds[0].name, set(example_study.tasks)) == ("1", {"WSsim", "WSbest"})
    assert set(example_study.tasks) <= set(TASKS)
