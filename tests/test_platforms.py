"""What differs on Windows and macOS, with its conditions simulated: files in use, locks, consoles, paths, processes."""

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from polyseme import cli
from polyseme.corpus.index_part import lock_folder
from polyseme.errors import InputError
from polyseme.experiments.corpora import list_source_files, relocate_source
from polyseme.formats import files
from polyseme.formats.checkpoint import write_folder
from polyseme.formats.phitag_folder import write_phitag_folder
from polyseme.rating import Item
from polyseme.usage import Usage
from polyseme.workers import available_processors, parallel_map


class Busy:
    """``Path.replace`` that fails as often as it is set to, as where a virus scanner has the file open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        self.times, self._replace = times, Path.replace
        monkeypatch.setattr(Path, "replace", lambda source, target: self.replace(source, target))
        monkeypatch.setattr(files, "RETRY_DELAYS", (0.0, 0.0))

    def replace(self, source: Path, target: Path) -> Path:
        if self.times:
            self.times -= 1
            raise PermissionError(13, "in use")
        return self._replace(source, target)


def test_files_and_folders_in_use_are_replaced_a_little_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.key").write_text("old")
    Busy(monkeypatch, 2)
    files.write_bytes(tmp_path / "a.key", b"new")
    assert (tmp_path / "a.key").read_bytes() == b"new"
    Busy(monkeypatch, 1)
    with write_folder(tmp_path / "model") as folder:
        (folder / "a").touch()
    assert [path.name for path in (tmp_path / "model").iterdir()] == ["a"]


def test_a_file_that_stays_in_use_is_an_error_and_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.key").write_text("old")
    Busy(monkeypatch, 3)
    with pytest.raises(InputError, match=r"a\.key: cannot be written: in use"):
        files.write_bytes(tmp_path / "a.key", b"new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_an_index_is_locked_without_fcntl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[int] = []

    def lock(*arguments: int) -> None:
        if locked:
            raise PermissionError(13, "Permission denied")
        locked.extend(arguments[1:])

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=lock, LK_NBLCK=2))
    with lock_folder(tmp_path):
        assert locked == [2, 1]
        with pytest.raises(InputError, match="another process is writing this index"), lock_folder(tmp_path):
            pass


@pytest.mark.parametrize("is_windows", [True, False])
def test_a_file_gets_utf_8_from_windows_and_the_encoding_of_the_system_elsewhere(
    monkeypatch: pytest.MonkeyPatch, is_windows: bool
) -> None:
    monkeypatch.setattr(cli, "IS_WINDOWS", is_windows)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    cli._prepare_stream(stream)
    print("bank ─ łąka", end="", file=stream, flush=True)
    stream.seek(0)
    assert stream.read() == ("bank ─ łąka" if is_windows else "bank ? ??ka")


def test_a_path_with_a_drive_is_no_data_set(tmp_path: Path) -> None:
    def load(name: str) -> None:
        raise AssertionError(name)

    with pytest.raises(InputError, match="there is no such file or folder"):
        list(list_source_files(r"C:\texts", load))  # type: ignore[arg-type]
    assert relocate_source("semcor-3.0:sentences", tmp_path) == "semcor-3.0:sentences"


def test_lemmas_that_share_a_folder_where_case_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usages = [Usage(f"{lemma}.1", lemma, "bank", 0, 4) for lemma in ("Bank.n", "bank.n")]
    items = [Item("Usim", usage.lemma, usage.id, usage.id) for usage in usages]
    write_phitag_folder(tmp_path / "here", usages, items=items)
    monkeypatch.setattr(Path, "samefile", lambda *_: True)
    with pytest.raises(InputError, match=r"the lemma 'Bank\.n' has the same folder on this file system; rename one"):
        write_phitag_folder(tmp_path / "there", usages, items=items)


def test_a_lemma_whose_folder_the_system_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NotADirectoryError(20, "The directory name is invalid")

    monkeypatch.setattr(Path, "mkdir", refuse)
    items = [Item("Usim", "con.n", "con.n.1", "con.n.1")]
    with pytest.raises(InputError, match=r"con\.n: the folder cannot be created: The directory name is invalid"):
        write_phitag_folder(tmp_path, [Usage("con.n.1", "con.n", "con", 0, 3)], items=items)


def test_a_system_without_affinity_counts_its_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert available_processors() == (os.cpu_count() or 1)


SCRIPT = "from polyseme.workers import parallel_map\nprint(list(parallel_map(abs, [-1, -2], processes=2)))\n"


def test_a_script_without_a_main_guard_uses_processes(tmp_path: Path) -> None:
    """A worker is a program of its own, so that no system starts the script again."""
    (tmp_path / "script.py").write_text(SCRIPT)
    completed = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, check=True
    )
    assert completed.stdout == "[1, 2]\n"
    with pytest.raises(InputError, match="define it in a module, or use processes=1"):
        list(parallel_map(lambda number: number, [1, 2], processes=2))
