"""Labelling that is stopped goes on where it was, and finds the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyseme.induction import resumable_labelling
from polyseme.labelling import Labelling
from polyseme.usage import Usage

USAGES = [Usage(f"u{at}", "bank.n", f"bank {at}", 0, 4) for at in range(9)]


class Model:
    """Labels all usages but the third, and is stopped after so many times."""

    def __init__(self, times: int = 99) -> None:
        self.times = times
        self.asked: list[str] = []

    def __call__(self, usages: Sequence[Usage]) -> Labelling:
        if not self.times:
            raise KeyboardInterrupt
        self.times -= 1
        self.asked += [usage.id for usage in usages]
        return Labelling([("bank.n", usage.id, {"s": 1 / 3, "t": 2 / 3}) for usage in usages if usage.id != "u2"])


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resumable_labelling, "CHECKPOINT_BATCH", 2)


def labelled(model: Model, usages: Sequence[Usage], out: Path | None, of: str = "model") -> Labelling:
    with resumable_labelling.label_resumably(model, resumable_labelling.UsageList(usages), out, of) as found:
        return found


def stopped(out: Path) -> Path:
    with pytest.raises(KeyboardInterrupt):
        labelled(Model(2), USAGES, out)
    return resumable_labelling.labelling_checkpoint_path(out)


def test_it_goes_on(tmp_path: Path) -> None:
    stopped(tmp_path / "a.key")
    model = Model()
    found = labelled(model, USAGES, tmp_path / "a.key")
    assert model.asked == [f"u{at}" for at in range(4, 9)]
    assert found == Model()(USAGES)


@pytest.mark.parametrize("left", [b'{"to": 6, "ro', b'{"to": 6, "rows": []}', b"\xff\xfe\n"])
def test_what_was_cut_off_is_done_again(tmp_path: Path, left: bytes) -> None:
    part = stopped(tmp_path / "a.key")
    with part.open("ab") as file:
        file.write(left)
    assert labelled(Model(), USAGES, tmp_path / "a.key") == Model()(USAGES)
    assert not part.exists()


def test_another_model_or_other_usages_begin_anew(tmp_path: Path) -> None:
    stopped(tmp_path / "a.key")
    model = Model()
    labelled(model, USAGES, tmp_path / "a.key", "another model")
    assert len(model.asked) == len(USAGES)


@pytest.mark.parametrize("change", [{"lemma": "bank"}, {"end": 3}, {"text": "banks and more"}, {"pos": "n"}])
def test_usages_that_were_mended_are_other_usages(tmp_path: Path, change: dict[str, Any]) -> None:
    stopped(tmp_path / "a.key")
    model, mended = Model(), [replace(usage, **change) for usage in USAGES]
    labelled(model, mended, tmp_path / "a.key")
    assert len(model.asked) == len(USAGES)


def test_what_was_not_written_is_kept(tmp_path: Path) -> None:
    given = resumable_labelling.UsageList(USAGES)
    with (
        pytest.raises(OSError, match="full"),
        resumable_labelling.label_resumably(Model(), given, tmp_path / "a.key", "model"),
    ):
        raise OSError("the disk is full")
    assert labelled(Model(0), USAGES, tmp_path / "a.key") == Model()(USAGES)


def test_few_usages_and_what_is_printed_leave_nothing(tmp_path: Path) -> None:
    assert labelled(Model(), USAGES, None) == Model()(USAGES)
    assert labelled(Model(), USAGES[:2], tmp_path / "a.key") == Model()(USAGES[:2])
    assert not list(tmp_path.iterdir())
