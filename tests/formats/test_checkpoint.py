"""Checkpoints resume the same work only, and caches are computed again when they are damaged."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.formats.checkpoint import (
    MANIFEST,
    Checkpoint,
    check_checkpoint_folder,
    checkpoint_folder,
    compute_fingerprint,
    load_or_compute,
    write_folder,
)


def test_entries_are_read_again_by_the_same_work(tmp_path: Path) -> None:
    output = tmp_path / "out.key"
    Checkpoint(output, "these").put("a/b: ä", b"1")
    assert Checkpoint(output, "these").get("a/b: ä") == b"1"


def test_other_work_removes_the_checkpoint(tmp_path: Path) -> None:
    output = tmp_path / "out.key"
    Checkpoint(output, "these").put("a", b"1")
    assert Checkpoint(output, "others").get("a") is None
    assert not checkpoint_folder(output).exists()


def test_a_checkpoint_without_entries_leaves_no_folder(tmp_path: Path) -> None:
    Checkpoint(tmp_path / "out.key", "these").remove()
    assert not list(tmp_path.iterdir())


def test_a_checkpoint_that_was_killed_early_is_replaced(tmp_path: Path) -> None:
    folder = checkpoint_folder(tmp_path / "out.key")
    folder.mkdir()
    (folder / ".polyseme-1.tmp").write_bytes(b"")
    Checkpoint(tmp_path / "out.key", "these").put("a", b"1")
    assert sorted(path.name for path in folder.iterdir() if path.name == MANIFEST) == [MANIFEST]


@pytest.mark.parametrize("is_folder", [True, False])
def test_something_else_of_the_same_name_is_never_removed(tmp_path: Path, is_folder: bool) -> None:
    other = tmp_path / "out.key.part"
    if is_folder:
        other.mkdir()
        (other / "thesis.txt").write_text("not to be lost")
    else:
        other.write_text("not to be lost")
    with pytest.raises(InputError, match=r"out\.key\.part: unfinished work is stored under this name"):
        check_checkpoint_folder(tmp_path / "out.key")
    with pytest.raises(InputError):
        Checkpoint(tmp_path / "out.key", "these")
    assert other.exists()


def test_fingerprints_differ_with_any_fact() -> None:
    prints = {compute_fingerprint(*facts) for facts in [(), ("a",), ("a", 1), (["a"], 1), ({"a": 1},)]}
    assert len(prints) == 5


def test_a_damaged_cache_is_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "number"

    def save(target: Path, value: int) -> None:
        target.write_text(str(value))

    for text, number in [(None, 1), (None, 1), ("damaged", 2)]:
        if text is not None:
            path.write_text(text)
        value = load_or_compute(path, lambda target: int(target.read_text()), partial(int, number), save)
        assert value == number == int(path.read_text())


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    target = tmp_path / "cache" / "number"
    assert load_or_compute(target, lambda path: int(path.read_text()), lambda: 3, lambda _, __: None) == 3


def test_a_folder_is_replaced_completely_or_not_at_all(tmp_path: Path) -> None:
    for name in ("first", "second"):
        with write_folder(tmp_path / "folder") as folder:
            (folder / name).write_text(name)
    with suppress(KeyboardInterrupt), write_folder(tmp_path / "folder") as folder:
        (folder / "third").write_text("")
        raise KeyboardInterrupt
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["second"]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
