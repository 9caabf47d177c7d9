"""``polyseme induce`` of vector models: stopped, it resumes, and induces the same senses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.conftest import Ran, Run, refused
from cli.killed import killed
from induction.corpora import OTHERS, background, usages
from polyseme.formats import write_usages
from polyseme.formats.checkpoint import MANIFEST
from polyseme.formats.files import TEMPORARY_PREFIX
from polyseme.induction import vector_induction
from polyseme.induction.fitting import INTERRUPTED
from polyseme.induction.lemma_checkpoint import LemmaCheckpoint, fingerprint_fit
from polyseme.induction.vector_induction import VectorInduction, _induce_lemma
from polyseme.parts import build

pytestmark = pytest.mark.usefixtures("_beside_a_model")

MODEL = "Pipeline(Bag(minimum=5, weighting='tfidf'), number=2)"
LEMMAS = ["teacher.n", "unheard.n", "bank.n", "old.a", "nobody.n", *(f"{word}.n" for word in OTHERS if word < "t")]
"""Some with senses, one that does not occur, and one with too little."""

HANGS = """
from polyseme.induction import vector_induction
induce, calls = vector_induction._induce_lemma, []
def induce_or_hang(task):
    calls.append(1)
    return induce(task) if len(calls) < 4 else time.sleep(600)
vector_induction._induce_lemma = induce_or_hang
"""


def arguments(out: str, *lemmas: str, model: str = MODEL, corpus: str = "my.index") -> list[str]:
    return ["induce", corpus, *(lemmas or LEMMAS), "-o", out, "--model", model, "--processes", "1"]


def list_entries(folder: Path) -> list[Path]:
    """List the files of the lemmas that are complete."""
    return [path for path in folder.glob("[!.]*") if path.name != MANIFEST]


def check_same(one: Path, other: Path) -> None:
    for name in ("model.json", "senses.jsonl"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    names = sorted(path.name for path in (one / "vectors").iterdir())
    assert names == sorted(path.name for path in (other / "vectors").iterdir())
    for name in names:
        first, second = (np.load(folder / "vectors" / name, allow_pickle=False) for folder in (one, other))
        assert sorted(first) == sorted(second)
        for key in first:
            np.testing.assert_array_equal(first[key], second[key])


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the lemmas that are induced."""
    lemmas: list[str] = []

    def record(task: Any) -> Any:
        lemmas.append(task[1])
        return _induce_lemma(task)

    monkeypatch.setattr(vector_induction, "_induce_lemma", record)
    return lemmas


def stopped(cli: Run, monkeypatch: pytest.MonkeyPatch, command: list[str], after: int, by: type[BaseException]) -> Ran:
    """Run the command until so many lemmas are done."""
    count = 0

    def induce_or_stop(task: Any) -> Any:
        nonlocal count
        count += 1
        if count > after:
            raise by
        return _induce_lemma(task)

    with monkeypatch.context() as patch:
        patch.setattr(vector_induction, "_induce_lemma", induce_or_stop)
        if by is KeyboardInterrupt:
            return cli(*command)
        with pytest.raises(by):
            cli(*command)
        return Ran(1, "", "")


@pytest.mark.parametrize(
    "model", [MODEL, "Duluth", "Pipeline(SVD(Bag(minimum=2), 3), number=2)", "Pipeline(Random(4), number=2)"]
)
def test_a_stopped_command_resumes(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str], model: str
) -> None:
    whole = cli(*arguments("whole", model=model))
    every = list(done)
    assert whole.code == 0, whole
    assert len(every) > 5
    stopped(cli, monkeypatch, arguments("mine", model=model), 4, RuntimeError)
    assert not (tmp_path / "mine").exists()
    done.clear()
    ran = cli(*arguments("mine", model=model))
    assert done == every[4:]
    assert (ran.code, ran.out) == (0, whole.out.replace("whole", "mine"))
    assert ran.err == whole.err
    check_same(tmp_path / "mine", tmp_path / "whole")
    assert not (tmp_path / "mine.part").exists()
    assert not (tmp_path / "whole.part").exists()


def test_a_killed_command_resumes(cli: Run, tmp_path: Path, done: list[str]) -> None:
    part = tmp_path / "mine.part"
    killed(tmp_path, HANGS, arguments("mine"), lambda: len(list_entries(part)) == 3)
    cli(*arguments("mine"))
    again = list(done)
    cli(*arguments("whole"))
    assert again == done[len(again) :][3:]
    check_same(tmp_path / "mine", tmp_path / "whole")
    assert not part.exists()


def test_an_interruption_writes_the_complete_lemmas(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]
) -> None:
    """What is done is a model, and the same command makes the whole one in its place."""
    ran = stopped(cli, monkeypatch, arguments("mine"), 3, KeyboardInterrupt)
    assert ran.code == 130
    assert "warning: house.n has no senses" not in ran.err
    assert "lemmas; running the same again resumes from mine.part, and completes it\n" in ran.err
    assert json.loads((tmp_path / "mine" / "model.json").read_text())["missed"]["house.n"] == INTERRUPTED
    assert cli("senses", "mine").code == 0
    cli(*arguments("mine"))
    again = list(done)
    cli(*arguments("whole"))
    assert again == done[len(again) :][3:]
    check_same(tmp_path / "mine", tmp_path / "whole")
    assert not (tmp_path / "mine.part").exists()


def test_other_lemmas_use_what_is_complete(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]
) -> None:
    stopped(cli, monkeypatch, arguments("mine", "bank.n", "house.n", "teacher.n"), 2, RuntimeError)
    cli(*arguments("mine", "teacher.n", "letter.n", "house.n"))
    assert done == ["teacher.n", "letter.n"]
    cli(*arguments("whole", "teacher.n", "letter.n", "house.n"))
    check_same(tmp_path / "mine", tmp_path / "whole")


@pytest.mark.parametrize("other", ["model", "index", "usages", "analyser", "version", "weights"])
def test_work_of_other_inputs_is_not_used(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str], other: str
) -> None:
    write_usages([*usages(60), *background(60)], tmp_path / "usages.jsonl")
    corpus = "usages.jsonl" if other in ("usages", "analyser") else "my.index"
    first = arguments("mine", "bank.n", "house.n", corpus=corpus)
    again = [*first, "--analyser", "simple"] if other == "analyser" else list(first)
    stopped(cli, monkeypatch, first, 1, RuntimeError)
    if other == "model":
        again[again.index(MODEL)] = MODEL.replace("number=2", "number=3")
    elif other == "index":
        cli("index", "usages.jsonl", "-o", "other.index")
        again[1] = "other.index"
    elif other == "usages":
        write_usages([*usages(62), *background(60)], tmp_path / "usages.jsonl")
    elif other == "version":
        monkeypatch.setattr("polyseme.formats.checkpoint.version", lambda _: "0.0.0")
    elif other == "weights":
        monkeypatch.setattr("polyseme.lm.language_model.package_versions", lambda _: {"polyseme-small": "0.0.0"})
    ran = cli(*again)
    assert ran.code == 0, ran
    assert done == ["bank.n", "house.n"]
    assert not (tmp_path / "mine.part").exists()


def test_the_same_usages_resume(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]) -> None:
    write_usages([*usages(60), *background(60)], tmp_path / "usages.jsonl")
    command = arguments("mine", "bank.n", "house.n", corpus="usages.jsonl")
    stopped(cli, monkeypatch, command, 1, RuntimeError)
    cli(*command)
    assert done == ["house.n"]


@pytest.mark.parametrize(
    "specification",
    ["TokenClusters('{}')", "AIKU(lm='maskedlm:{}')", "Pipeline(SubstituteVector(\"MaskedLM('{}')\"))"],
)
def test_a_changed_language_model_changes_the_fingerprint(tmp_path: Path, specification: str) -> None:
    (tmp_path / "lm").mkdir()
    (tmp_path / "lm" / "config.json").write_text("{}")
    inducer = build(specification.format(tmp_path / "lm"), "inducer")
    before = fingerprint_fit(inducer, [], build("Simple", "analyser"))
    assert fingerprint_fit(inducer, [], build("Simple", "analyser")) == before
    (tmp_path / "lm" / "model.safetensors").write_text("weights")
    assert fingerprint_fit(inducer, [], build("Simple", "analyser")) != before


def test_a_damaged_lemma_is_induced_again(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]
) -> None:
    stopped(cli, monkeypatch, arguments("mine", "bank.n", "house.n", "table.n"), 2, RuntimeError)
    damaged, _ = sorted(list_entries(tmp_path / "mine.part"))
    damaged.write_bytes(b"")
    damaged.with_name(f"{TEMPORARY_PREFIX}1.tmp").write_bytes(b"half of")
    cli(*arguments("mine", "bank.n", "house.n", "table.n"))
    assert len(done) == 2
    cli(*arguments("whole", "bank.n", "house.n", "table.n"))
    check_same(tmp_path / "mine", tmp_path / "whole")


def test_no_checkpoint_stays_if_no_senses_are_induced(cli: Run, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    refused(cli(*arguments("mine", "bank.n", "house.n", model="Pipeline(Bag(minimum=9999))")), "no word is in 9999")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("model", ["Squares(delta=0.2, sigma=0.3)", MODEL.replace("number=2", "number=2, mixed=True")])
def test_models_of_all_lemmas_together_have_no_checkpoint(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setattr(LemmaCheckpoint, "put", None)
    assert cli(*arguments("mine", "bank.n", "house.n", model=model)).code == 0
    assert (tmp_path / "mine" / "model.json").is_file()


def test_other_folders_of_the_same_name_are_not_touched(cli: Run, tmp_path: Path, done: list[str]) -> None:
    (tmp_path / "mine.part").mkdir()
    (tmp_path / "mine.part" / "thesis.txt").write_text("not to be lost")
    refused(cli(*arguments("mine")), "mine.part: unfinished work is stored under this name, and something else has it")
    assert (tmp_path / "mine.part" / "thesis.txt").read_text() == "not to be lost"
    assert not done


def test_usages_are_read_for_some_lemmas_at_a_time(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]
) -> None:
    cli(*arguments("whole"))
    groups: list[int] = []
    gather_usages = VectorInduction._gather_usages

    def record(work: VectorInduction, lemmas: Sequence[str]) -> Any:
        groups.append(len(lemmas))
        return gather_usages(work, lemmas)

    monkeypatch.setattr(VectorInduction, "_gather_usages", record)
    monkeypatch.setattr("polyseme.induction.pipeline.LEMMA_BATCH", 3)
    cli(*arguments("mine"))
    assert groups[0] == 3
    assert 2 * sum(groups) == len(done)
    check_same(tmp_path / "mine", tmp_path / "whole")
