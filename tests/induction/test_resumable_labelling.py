"""Interrupted labelling resumes, and gives the same labels."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyseme.errors import InputWarning
from polyseme.formats.checkpoint import MANIFEST, Checkpoint, checkpoint_folder
from polyseme.induction import resumable_labelling
from polyseme.labelling import Labelling
from polyseme.usage import Usage

USAGES = [Usage(f"u{at}", "bank.n", f"bank {at}", 0, 4) for at in range(9)]


class Model:
    """Labels all usages but the third, and is stopped after so many times."""

    def __init__(self, times: int = 99) -> None:
        self.times = times
        self.labelled: list[str] = []

    def __call__(self, usages: Sequence[Usage]) -> Labelling:
        if not self.times:
            raise KeyboardInterrupt
        self.times -= 1
        self.labelled += [usage.id for usage in usages]
        return Labelling([("bank.n", usage.id, {"s": 1 / 3, "t": 2 / 3}) for usage in usages if usage.id != "u2"])


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumable_labelling, "CHECKPOINT_BATCH", 2)


def label_all(model: Model, usages: Sequence[Usage], out: Path | None, folder: str = "model") -> Labelling:
    with resumable_labelling.label_resumably(model, resumable_labelling.UsageList(usages), out, folder) as labelling:
        return labelling


def interrupt(out: Path) -> Path:
    with pytest.raises(KeyboardInterrupt):
        label_all(Model(2), USAGES, out)
    return checkpoint_folder(out)


def test_interrupted_labelling_resumes(tmp_path: Path) -> None:
    interrupt(tmp_path / "a.key")
    model = Model()
    labelling = label_all(model, USAGES, tmp_path / "a.key")
    assert model.labelled == [f"u{at}" for at in range(4, 9)]
    assert labelling == Model()(USAGES)


def test_an_interruption_in_a_shell_leaves_what_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        label_all(Model(2), USAGES, None)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    with pytest.warns(InputWarning, match="stopped after 4 of 9 usages"):
        assert list(label_all(Model(2), USAGES, None)) == ["u0", "u1", "u3"]
    with pytest.raises(KeyboardInterrupt):
        label_all(Model(0), USAGES, None)


@pytest.mark.parametrize("rest", [b"[[0, 4], 2, [", b"[]", b"\xff\xfe"])
def test_damaged_batches_are_labelled_again(tmp_path: Path, rest: bytes) -> None:
    folder = interrupt(tmp_path / "a.key")
    Checkpoint(tmp_path / "a.key", json.loads((folder / MANIFEST).read_text())["fingerprint"]).put("1", rest)
    assert label_all(Model(), USAGES, tmp_path / "a.key") == Model()(USAGES)
    assert not folder.exists()


def test_another_model_starts_anew(tmp_path: Path) -> None:
    interrupt(tmp_path / "a.key")
    model = Model()
    label_all(model, USAGES, tmp_path / "a.key", "another model")
    assert len(model.labelled) == len(USAGES)


@pytest.mark.parametrize("change", [{"lemma": "bank"}, {"end": 3}, {"text": "banks and more"}, {"pos": "n"}])
def test_changed_usages_start_anew(tmp_path: Path, change: dict[str, Any]) -> None:
    interrupt(tmp_path / "a.key")
    model, changed = Model(), [replace(usage, **change) for usage in USAGES]
    label_all(model, changed, tmp_path / "a.key")
    assert len(model.labelled) == len(USAGES)


def test_the_checkpoint_stays_until_the_output_is_written(tmp_path: Path) -> None:
    usages = resumable_labelling.UsageList(USAGES)
    with (
        pytest.raises(OSError, match="full"),
        resumable_labelling.label_resumably(Model(), usages, tmp_path / "a.key", "model"),
    ):
        raise OSError("the disk is full")
    assert label_all(Model(0), USAGES, tmp_path / "a.key") == Model()(USAGES)


def test_few_usages_and_printed_labellings_need_no_checkpoint(tmp_path: Path) -> None:
    assert label_all(Model(), USAGES, None) == Model()(USAGES)
    assert label_all(Model(), USAGES[:2], tmp_path / "a.key") == Model()(USAGES[:2])
    assert not list(tmp_path.iterdir())
