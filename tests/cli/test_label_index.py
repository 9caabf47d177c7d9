"""``polyseme label MODEL INDEX``: all usages in a corpus, a part at a time, and again from where it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run, refused
from cli.killed import killed
from induction.corpora import usages
from polyseme.corpus import indexing
from polyseme.corpus.english_analyser import English
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.formats import read_labelling
from polyseme.induction import resumable_labelling
from polyseme.induction.model import SenseModel
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.labelling_run import needs_one_process_to_label
from polyseme.parts import build
from polyseme.usage import Usage

LABEL = ("label", "model", "my.index", "--processes", "1")

pytestmark = pytest.mark.usefixtures("_beside_a_model")

HANGS = """
from polyseme.induction import resumable_labelling
from polyseme.induction.model import SenseModel
resumable_labelling.CHECKPOINT_BATCH, label, calls = 20, SenseModel.label, []
def hanging(*arguments, **options):
    calls.append(1)
    return label(*arguments, **options) if len(calls) < 3 else time.sleep(600)
SenseModel.label = hanging
"""


@pytest.fixture
def labelled_ids(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The usages that the model is asked for, twenty at a time."""
    label, result = SenseModel.label, []

    def recorded(model: SenseModel, usages: Iterable[Usage], **options: Any) -> Labelling:
        inputs = list(usages)
        result.append([usage.id for usage in inputs])
        return label(model, inputs, **options)

    monkeypatch.setattr(resumable_labelling, "CHECKPOINT_BATCH", 20)
    monkeypatch.setattr(SenseModel, "label", recorded)
    return result


def stop(monkeypatch: pytest.MonkeyPatch, labelled_ids: list[list[str]], after: int) -> None:
    label = SenseModel.label

    def stopping(*inputs: Any, **options: Any) -> Labelling:
        if len(labelled_ids) == after:
            raise RuntimeError("stopped")
        return label(*inputs, **options)

    monkeypatch.setattr(SenseModel, "label", stopping)


def test_the_same_as_of_the_usages_that_kwic_gives(cli: Run, tmp_path: Path) -> None:
    lemmas = ("bank.n", "house.n")
    inputs = [cli("kwic", "my.index", lemma, "--json").out for lemma in lemmas]
    (tmp_path / "usages.jsonl").write_text("".join(inputs))
    of_file = cli("label", "model", "usages.jsonl", "-o", "file.key")
    of_index = cli(*LABEL, "-o", "index.key")
    assert of_index == of_file
    count = sum(item.count("\n") for item in inputs)
    assert of_index.err.endswith(f" of {count} usages labelled, 1.00 senses each\n")
    assert (tmp_path / "index.key").read_text() == (tmp_path / "file.key").read_text()
    assert not (tmp_path / "index.key.part").exists()


def test_printed(cli: Run, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    ran = cli(*LABEL)
    assert set(tmp_path.iterdir()) == before
    cli(*LABEL, "-o", "out.key")
    assert ran.out == (tmp_path / "out.key").read_text()
    message = json.loads(cli(*LABEL, "-o", "out.jsonl", "--json").out)
    assert (message["path"], message["labelled"]) == ("out.jsonl", ran.out.count("\n"))


def test_an_index_of_many_parts_is_labelled_lemma_by_lemma(
    cli: Run, tmp_path: Path, labelled_ids: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "PART_TOKENS", 350)
    index = build_index([*usages(60)], tmp_path / "parts.index", English(), processes=1)
    assert len(index.manifest["parts"]) > 3
    cli("label", "model", "parts.index", "-o", "out.key", "--processes", "1")
    result = read_labelling(tmp_path / "out.key")
    lemmas = list(result.usage_lemmas)
    assert lemmas == sorted(lemmas)
    assert set(lemmas) == {"bank.n", "house.n"}
    assert {len(item) for item in labelled_ids[:-1]} == {20}


def test_an_interrupted_command_resumes(
    cli: Run, tmp_path: Path, labelled_ids: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli(*LABEL, "-o", "whole.key")
    every = list(labelled_ids)
    assert len(every) > 4
    labelled_ids.clear()
    with monkeypatch.context() as stopped:
        stop(stopped, labelled_ids, 3)
        with pytest.raises(RuntimeError, match="stopped"):
            cli(*LABEL, "-o", "out.key")
    assert (tmp_path / "out.key.part").is_dir()
    labelled_ids.clear()
    ran = cli(*LABEL, "-o", "out.key")
    assert labelled_ids == every[3:]
    assert f" of {sum(map(len, every))} usages labelled" in ran.err
    assert (tmp_path / "out.key").read_text() == (tmp_path / "whole.key").read_text()
    assert not (tmp_path / "out.key.part").exists()


def test_any_number_of_processes(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = cli(*LABEL, "-o", "one.key")
    monkeypatch.setattr(resumable_labelling, "CHECKPOINT_BATCH", 50)
    two = cli(*LABEL[:-1], "2", "-o", "two.key")
    assert two == one
    assert (tmp_path / "two.key").read_text() == (tmp_path / "one.key").read_text()
    assert cli(*LABEL[:-1], "2").out == (tmp_path / "one.key").read_text()


@pytest.mark.parametrize("inducer, alone", [("Substitution", True), ("Pipeline", False), ("Duluth", False)])
def test_a_language_model_is_loaded_once(inducer: str, alone: bool) -> None:
    assert needs_one_process_to_label(SenseModel(build(inducer, "inducer"), "English()", Inventory(()))) is alone


@pytest.mark.parametrize("other", ["model", "index"])
def test_another_model_or_index_begins_anew(
    cli: Run, tmp_path: Path, labelled_ids: list[list[str]], monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    with monkeypatch.context() as stopped:
        stop(stopped, labelled_ids, 3)
        with pytest.raises(RuntimeError, match="stopped"):
            cli(*LABEL, "-o", "out.key")
    labelled_ids.clear()
    if other == "model":
        SenseModel.load(tmp_path / "model").save(tmp_path / "model")
    else:
        shutil.rmtree(tmp_path / "my.index")
        build_index(usages(90), tmp_path / "my.index", English(), processes=1)
    cli(*LABEL, "-o", "out.key")
    again = list(labelled_ids)
    cli(*LABEL, "-o", "whole.key")
    assert again == labelled_ids[len(again) :]
    assert (tmp_path / "out.key").read_text() == (tmp_path / "whole.key").read_text()


def test_a_killed_command_resumes(cli: Run, tmp_path: Path, labelled_ids: list[list[str]]) -> None:
    part = tmp_path / "out.key.part"
    killed(tmp_path, HANGS, [*LABEL, "-o", "out.key"], lambda: len(list(part.glob("[0-9a-f]" * 16))) == 2)
    assert not (tmp_path / "out.key").exists()
    cli(*LABEL, "-o", "out.key")
    again = list(labelled_ids)
    cli(*LABEL, "-o", "whole.key")
    assert again == labelled_ids[len(again) :][2:]
    assert (tmp_path / "out.key").read_text() == (tmp_path / "whole.key").read_text()


# -- what cannot be labelled ---------------------------------------------------------------------------------------


def test_a_lemma_that_the_index_has_not(cli: Run, tmp_path: Path) -> None:
    texts = [usage for usage in usages(40) if "house" not in usage.text]
    build_index(texts, tmp_path / "no-house.index", English(), processes=1)
    ran = cli("label", "model", "no-house.index", "-o", "out.key")
    message, counts = ran.err.splitlines()
    assert ran.code == 0
    assert message == "warning: house.n is not labelled: it does not occur in the corpus"
    assert counts == f"{len(texts)} of {len(texts)} usages labelled, 1.00 senses each"


def test_no_lemma_is_there(cli: Run, tmp_path: Path) -> None:
    build_index([Usage("u", "tree.n", "A tree.", 2, 6)], tmp_path / "trees.index", English(), processes=1)
    message = (
        "trees.index: none of the model's lemmas can be labelled: bank.n: it does not occur in the corpus; house.n"
    )
    refused(cli("label", "model", "trees.index", "-o", "out.key"), message, "Type: polyseme induce trees.index LEMMA …")


def test_an_index_without_parts_of_speech(cli: Run, tmp_path: Path) -> None:
    """Usages have the lemma that the model knows; those of one word have one."""
    build_index(usages(40), tmp_path / "plain.index", Simple(), processes=1)
    ids = [json.loads(line)["id"] for line in cli("kwic", "plain.index", "bank", "--json").out.splitlines()]
    cli("label", "model", "plain.index", "-o", "out.jsonl")
    result = read_labelling(tmp_path / "out.jsonl")
    assert list(result.for_lemma("bank.n")) == ids
    written = SenseModel.load(tmp_path / "model")
    verbs = [Sense(sense.id, "bank.v") for sense in written.inventory["bank.n"]]
    both = Inventory([*written.inventory["bank.n"], *verbs])
    SenseModel(written.inducer, written.analyser, both).save(tmp_path / "two")
    ran = cli("label", "two", "plain.index", "-o", "two.jsonl")
    assert "warning: bank.v is not labelled: it is one word with bank.n in this index" in ran.err
    assert list(read_labelling(tmp_path / "two.jsonl")) == ids


def test_a_dictionary_model_cannot_label_an_index(cli: Run) -> None:
    message = "my.index: this is an index, and a dictionary model labels a file of usages. Make one of a lemma first"
    refused(cli("label", "SemCorMFS", "my.index"), f"{message}: polyseme kwic my.index LEMMA --json > usages.jsonl\n")


def test_a_file_of_others_is_left_alone(cli: Run, tmp_path: Path, labelled_ids: list[list[str]]) -> None:
    part = tmp_path / "out.jsonl.part"
    part.write_text("months of work\n")
    refused(cli(*LABEL, "-o", "out.jsonl"), "out.jsonl.part: unfinished work is stored under this name")
    assert part.read_text() == "months of work\n"
    part.unlink()
    part.mkdir()
    (part / "work.txt").write_text("months of work\n")
    refused(cli(*LABEL, "-o", "out.jsonl"), "move it away")
    assert not labelled_ids


def test_names_that_no_key_can_have_are_told_at_once(cli: Run, tmp_path: Path, labelled_ids: list[list[str]]) -> None:
    (tmp_path / "my texts").mkdir()
    (tmp_path / "my texts" / "of a bank.txt").write_text("The bank lends money to a house. " * 30)
    build_index([tmp_path / "my texts"], tmp_path / "spaces.index", Simple())
    label = ("label", "model", "spaces.index", "--processes", "1")
    for more in (("-o", "out.key"), ("-o", "out.key.gz"), ()):
        refused(cli(*label, *more), "cannot stand in an answer key")
    assert not labelled_ids
    cli(*label, "-o", "out.jsonl")
    assert labelled_ids
