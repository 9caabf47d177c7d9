"""Help texts have one form, and every example in them runs."""

import importlib.util
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

import polyseme as ps
from cli.conftest import Run
from polyseme.cli.help import HelpText, list_commands
from polyseme.wordnet import find_wordnet

LONGEST_SUMMARY = 80
NOT_RUN = {
    "polyseme explore": "it serves pages until Ctrl-C",
    "polyseme annotate serve": "it serves pages until Ctrl-C",
    "polyseme data install": "it downloads; tests/datasets tests it",
    "polyseme data path": "the data set may not be installed",
    "polyseme demo": "it takes a minute; `make demo` runs it",
    "polyseme reproduce": "it needs the data sets; tests/cli/test_reproduce.py runs it",
}
PLAN = """
title = "Notes"
task = "semeval-2013"
usages = "usages.jsonl"
gold = "gold.key"
models = ["Pipeline(Bag(minimum=1), number=2)"]
[corpus]
sources = ["texts/"]
analyser = "simple"
"""


def list_helps() -> dict[str, HelpText]:
    """The help of every command that does something itself."""
    commands = {words: command for words, command in list_commands("polyseme") if not hasattr(command, "commands")}
    return {words: HelpText.parse(command.help or "") for words, command in commands.items()}


HELPS = list_helps()


def test_every_summary_is_one_short_sentence() -> None:
    for words, command in list_commands("polyseme"):
        summary = HelpText.parse(command.help or "").summary
        assert summary.endswith("."), words
        assert len(summary) <= LONGEST_SUMMARY or words == "polyseme", words


def test_every_command_has_examples_of_itself() -> None:
    for words, text in HELPS.items():
        assert text.examples, f"{words} has no examples"
        assert all(f"{line} ".startswith(f"{words} ") for line in text.examples), words


def test_help_shows_examples_before_options(cli: Run) -> None:
    output = cli("induce", "--help").out
    assert output.index("Usage:") < output.index("Examples:") < output.index("Model:") < output.index("--model PART")
    assert "  polyseme induce texts.index bank -o bank.model\n" in output
    assert "<str>" not in output
    assert "INDEX|USAGES [WORD …]" in output


def test_a_task_without_options_of_its_own_has_help_too(cli: Run) -> None:
    assert "polyseme score all-words" in HELPS
    output = cli("score", "all-words", "--help").out
    assert "  polyseme score all-words system.key --gold gold.key\n" in output
    assert "--install-completion" not in output


def test_choices_and_arguments_have_one_form(cli: Run) -> None:
    assert "--by lemma|pos|round|group " in cli("agreement", "--help").out
    assert "data path [OPTIONS] NAME" in cli("data", "path", "--help").out


def test_without_arguments_the_three_doors_are_shown(cli: Run) -> None:
    ran = cli()
    assert ran.code == 0
    doors = ["I have texts:", "I evaluate systems:", "I run annotations:"]
    assert [line for line in ran.out.splitlines() if line in doors] == doors


def test_completion_is_offered(cli: Run) -> None:
    assert "--install-completion" in cli("--help").out


@pytest.fixture
def _files(tmp_path: Path, root: Path) -> None:
    """The files that the examples name."""
    examples = root / "examples"
    documents = [json.loads(line) for line in (examples / "corpus.jsonl").read_text("utf-8").splitlines()]
    (tmp_path / "texts").mkdir()
    for name, half in (("letters", documents[:3]), ("diary", documents[3:])):
        (tmp_path / "texts" / f"{name}.txt").write_text("\n".join(document["text"] for document in half), "utf-8")
    copies = {
        "system-a.key": "system.key",
        "system-b.key": "other.key",
        "tagger.key": "tagger.key",
        "interest-ratings.csv": "ratings.csv",
        "interest-study.toml": "study.toml",
        "interest.jsonl": "interest.jsonl",
        "interest-senses.jsonl": "interest-senses.jsonl",
    }
    for original, copy in copies.items():
        shutil.copy(examples / original, tmp_path / copy)
    usages, gold = ((examples / f"two-words{name}").read_text("utf-8") for name in (".jsonl", "-gold.key"))
    (tmp_path / "usages.jsonl").write_text(re.sub(r'"lemma": "(\w+)"', r'"lemma": "\1.n"', usages), "utf-8")
    gold = re.sub(r"^(\w+)", r"\1.n", gold, flags=re.MULTILINE)
    (tmp_path / "gold.key").write_text((examples / "gold.key").read_text("utf-8") + gold, "utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, "utf-8")
    substitutes = "note.n note.1 :: bill 3;banknote 2;\nnote.n note.2 :: bond 2;\n"
    (tmp_path / "substitutes.gold").write_text(substitutes, "utf-8")
    pairs = "note.1\tnote.2\t4.5\nnote.1\tnote.3\t1.5\nnote.2\tnote.3\t2\n"
    (tmp_path / "rated-pairs.tsv").write_text(pairs, "utf-8")
    ps.import_ratings(tmp_path / "ratings.csv", tmp_path / "study.toml")


@pytest.mark.usefixtures("_files")
@pytest.mark.skipif(
    find_wordnet("3.1") is None, reason="WordNet 3.1 is not here; type: polyseme data install wordnet-3.1"
)
@pytest.mark.skipif(importlib.util.find_spec("altair") is None, reason="pages have plots, which need the extra plots")
def test_every_example_runs(cli: Run) -> None:
    failures: list[Any] = []
    for words, text in HELPS.items():
        for example in text.examples if words not in NOT_RUN else ():
            ran = cli(*shlex.split(example)[1:])
            if ran.code != 0:
                failures.append(f"{example}: {ran.code}: {ran.err.strip()[-300:]}")
    assert not failures, "\n".join(failures)
