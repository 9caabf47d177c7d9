"""``polyseme induce`` of models whose senses are vectors: stopped, it goes on where it was, and finds the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.conftest import Ran, Run, refused
from cli.killed import killed
from induction.corpora import OTHERS, background, usages
from polyseme.formats import write_usages
from polyseme.induction import vector_fitting
from polyseme.induction.lemma_checkpoint import LemmaCheckpoint, fingerprint_fit
from polyseme.induction.vector_induction import _induce_lemma
from polyseme.parts import build

pytestmark = pytest.mark.usefixtures("_beside_a_model")

MODEL = "Pipeline(Bag(minimum=5, weighting='tfidf'), number=2)"
LEMMAS = ["teacher.n", "unheard.n", "bank.n", "old.a", "nobody.n", *(f"{word}.n" for word in OTHERS if word < "t")]
"""Some with senses, one that does not occur, and one with too little."""

HANGS = """
from polyseme.induction import vector_fitting
one, calls = vector_fitting._one, []
def hanging(work):
    calls.append(1)
    return one(work) if len(calls) < 4 else time.sleep(600)
vector_fitting._one = hanging
"""


def arguments(out: str, *lemmas: str, model: str = MODEL, corpus: str = "my.index") -> list[str]:
    return ["induce", corpus, *(lemmas or LEMMAS), "-o", out, "--model", model, "--processes", "1"]


def parts(folder: Path) -> list[Path]:
    """The folders of the lemmas that are done."""
    return [each for each in folder.glob("*") if each.is_dir() and each.suffix != ".tmp"]


def check_same(one: Path, other: Path) -> None:
    for name in ("model.json", "senses.jsonl"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    names = sorted(path.name for path in (one / "vectors").iterdir())
    assert names == sorted(path.name for path in (other / "vectors").iterdir())
    for name in names:
        mine, theirs = (np.load(each / "vectors" / name, allow_pickle=False) for each in (one, other))
        assert sorted(mine) == sorted(theirs)
        for key in mine:
            np.testing.assert_array_equal(mine[key], theirs[key])


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lemmas that are worked on."""
    found: list[str] = []

    def recorded(work: Any) -> Any:
        found.append(work[1])
        return _induce_lemma(work)

    monkeypatch.setattr(vector_fitting, "_induce_lemma", recorded)
    return found


def stopped(cli: Run, monkeypatch: pytest.MonkeyPatch, command: list[str], after: int, by: type[BaseException]) -> Ran:
    """Run the command until so many lemmas are done."""
    count = 0

    def stopping(work: Any) -> Any:
        nonlocal count
        count += 1
        if count > after:
            raise by
        return _induce_lemma(work)

    with monkeypatch.context() as here:
        here.setattr(vector_fitting, "_induce_lemma", stopping)
        if by is KeyboardInterrupt:
            return cli(*command)
        with pytest.raises(by):
            cli(*command)
        return Ran(1, "", "")


@pytest.mark.parametrize(
    "model", [MODEL, "Duluth", "Pipeline(SVD(Bag(minimum=2), 3), number=2)", "Pipeline(Random(4), number=2)"]
)
def test_it_goes_on(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str], model: str) -> None:
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


def test_killed(cli: Run, tmp_path: Path, done: list[str]) -> None:
    part = tmp_path / "mine.part"
    killed(tmp_path, HANGS, arguments("mine"), lambda: len(parts(part)) == 3)
    cli(*arguments("mine"))
    again = list(done)
    cli(*arguments("whole"))
    assert again == done[len(again) :][3:]
    check_same(tmp_path / "mine", tmp_path / "whole")
    assert not part.exists()


def test_stopped_from_the_keyboard(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]) -> None:
    """What is done is a model, and the same command makes the whole one in its place."""
    ran = stopped(cli, monkeypatch, arguments("mine"), 3, KeyboardInterrupt)
    assert ran.code == 0
    assert "warning: house.n has no senses: it was stopped before\n" in ran.err
    assert "stopped: the same command goes on from mine.part, and makes the whole model\n" in ran.err
    assert json.loads((tmp_path / "mine" / "model.json").read_text())["missed"]["house.n"] == "it was stopped before"
    assert cli("senses", "mine").code == 0
    cli(*arguments("mine"))
    again = list(done)
    cli(*arguments("whole"))
    assert again == done[len(again) :][3:]
    check_same(tmp_path / "mine", tmp_path / "whole")
    assert not (tmp_path / "mine.part").exists()


def test_more_lemmas(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]) -> None:
    stopped(cli, monkeypatch, arguments("mine", "bank.n", "house.n", "teacher.n"), 2, RuntimeError)
    cli(*arguments("mine", "teacher.n", "letter.n", "house.n"))
    assert done == ["teacher.n", "letter.n"]
    cli(*arguments("whole", "teacher.n", "letter.n", "house.n"))
    check_same(tmp_path / "mine", tmp_path / "whole")


@pytest.mark.parametrize("other", ["model", "index", "usages", "analyser", "version", "weights"])
def test_what_was_made_from_something_else_is_made_anew(
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
        monkeypatch.setattr("polyseme.induction.lemma_checkpoint.version", lambda _: "0.0.0")
    elif other == "weights":
        monkeypatch.setattr(
            "polyseme.induction.lemma_checkpoint.package_versions", lambda _: {"polyseme-small": "0.0.0"}
        )
    ran = cli(*again)
    assert ran.code == 0, ran
    assert done == ["bank.n", "house.n"]
    assert not (tmp_path / "mine.part").exists()


def test_usages_that_are_the_same(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]) -> None:
    write_usages([*usages(60), *background(60)], tmp_path / "usages.jsonl")
    command = arguments("mine", "bank.n", "house.n", corpus="usages.jsonl")
    stopped(cli, monkeypatch, command, 1, RuntimeError)
    cli(*command)
    assert done == ["house.n"]


@pytest.mark.parametrize(
    "specification",
    ["TokenClusters('{}')", "AIKU(lm='maskedlm:{}')", "Pipeline(SubstituteVector(\"MaskedLM('{}')\"))"],
)
def test_a_language_model_in_a_folder_that_changes(tmp_path: Path, specification: str) -> None:
    (tmp_path / "lm").mkdir()
    (tmp_path / "lm" / "config.json").write_text("{}")
    made = build(specification.format(tmp_path / "lm"), "inducer")
    before = fingerprint_fit(made, [], build("Simple", "analyser"))
    assert fingerprint_fit(made, [], build("Simple", "analyser")) == before
    (tmp_path / "lm" / "model.safetensors").write_text("weights")
    assert fingerprint_fit(made, [], build("Simple", "analyser")) != before


def test_a_lemma_that_is_damaged_is_done_again(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]
) -> None:
    stopped(cli, monkeypatch, arguments("mine", "bank.n", "house.n", "table.n"), 2, RuntimeError)
    hurt, _ = sorted(parts(tmp_path / "mine.part"))
    (hurt / "senses.jsonl").write_bytes(b"")
    (hurt.parent / f"{hurt.name}.tmp").mkdir()
    (hurt.parent / f"{hurt.name}.tmp" / "senses.jsonl").write_bytes(b"half of")
    cli(*arguments("mine", "bank.n", "house.n", "table.n"))
    assert len(done) == 2
    cli(*arguments("whole", "bank.n", "house.n", "table.n"))
    check_same(tmp_path / "mine", tmp_path / "whole")


def test_nothing_is_left_where_nothing_is_found(cli: Run, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    refused(cli(*arguments("mine", "bank.n", "house.n", model="Pipeline(Bag(minimum=9999))")), "no word is in 9999")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("model", ["Squares(delta=0.2, sigma=0.3)", MODEL.replace("number=2", "number=2, mixed=True")])
def test_models_that_are_made_at_once_keep_nothing(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setattr(LemmaCheckpoint, "put", None)
    assert cli(*arguments("mine", "bank.n", "house.n", model=model)).code == 0
    assert (tmp_path / "mine" / "model.json").is_file()


def test_a_folder_of_somebody_else_is_left_alone(cli: Run, tmp_path: Path, done: list[str]) -> None:
    (tmp_path / "mine.part").mkdir()
    (tmp_path / "mine.part" / "thesis.txt").write_text("not to be lost")
    said = "mine.part: this is where the lemmas that are done are kept, and something else is there: move it away"
    refused(cli(*arguments("mine")), said)
    assert (tmp_path / "mine.part" / "thesis.txt").read_text() == "not to be lost"
    assert not done


def test_the_usages_of_some_lemmas_at_a_time(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: list[str]
) -> None:
    cli(*arguments("whole"))
    groups: list[int] = []
    gathered = vector_fitting.gather_usages

    def recorded(steps: Any, source: Any, lemmas: Any, given: Any) -> Any:
        groups.append(len(lemmas))
        return gathered(steps, source, lemmas, given)

    monkeypatch.setattr(vector_fitting, "gather_usages", recorded)
    monkeypatch.setattr(vector_fitting, "LEMMA_BATCH", 3)
    cli(*arguments("mine"))
    assert groups[0] == 3
    assert 2 * sum(groups) == len(done)
    check_same(tmp_path / "mine", tmp_path / "whole")
