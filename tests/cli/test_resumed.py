"""Labelling that is stopped goes on where it was, and finds the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from polyseme.cli import resumed
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
    monkeypatch.setattr(resumed, "AT_ONCE", 2)


def stopped(out: Path, of: str = "model") -> Path:
    with pytest.raises(KeyboardInterrupt):
        resumed.labelled(Model(2), USAGES, out, of)
    return resumed.part_of(out)


def test_it_goes_on(tmp_path: Path) -> None:
    stopped(tmp_path / "a.key")
    model = Model()
    found = resumed.labelled(model, USAGES, tmp_path / "a.key", "model")
    assert model.asked == [f"u{at}" for at in range(4, 9)]
    assert found == Model()(USAGES)


@pytest.mark.parametrize("left", [b'{"to": 6, "ro', b'{"to": 6, "rows": []}', b"\xff\xfe\n"])
def test_what_was_cut_off_is_done_again(tmp_path: Path, left: bytes) -> None:
    part = stopped(tmp_path / "a.key")
    with part.open("ab") as file:
        file.write(left)
    assert resumed.labelled(Model(), USAGES, tmp_path / "a.key", "model") == Model()(USAGES)
    assert resumed.labelled(Model(0), USAGES, tmp_path / "a.key", "model") == Model()(USAGES)


def test_another_model_or_other_usages_begin_anew(tmp_path: Path) -> None:
    stopped(tmp_path / "a.key")
    model = Model()
    resumed.labelled(model, USAGES, tmp_path / "a.key", "another model")
    assert len(model.asked) == len(USAGES)
    model = Model()
    resumed.labelled(model, USAGES[1:], tmp_path / "a.key", "another model")
    assert len(model.asked) == len(USAGES) - 1


def test_few_usages_and_what_is_printed_leave_nothing(tmp_path: Path) -> None:
    assert resumed.labelled(Model(), USAGES, None, "model") == Model()(USAGES)
    assert resumed.labelled(Model(), USAGES[:2], tmp_path / "a.key", "model") == Model()(USAGES[:2])
    assert not list(tmp_path.iterdir())
