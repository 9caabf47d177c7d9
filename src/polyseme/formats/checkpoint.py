"""Results that outlive a run: checkpoints of unfinished work, and cached files and folders.

A *checkpoint* lies beside the output, in ``OUTPUT.part``, until the output is complete. A *cache* holds what can be
computed again at any time. Every file and folder is written completely or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar
from zipfile import BadZipFile

from polyseme.errors import InputError
from polyseme.formats.files import TEMPORARY_PREFIX, move_path, write_bytes, write_text

Value = TypeVar("Value")

MANIFEST = "checkpoint.json"
"""The file that marks a folder as a checkpoint and holds its fingerprint."""

DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile)
"""The errors that reading a missing or damaged file raises."""


def compute_fingerprint(*facts: object) -> str:
    """Compute a digest that is the same only for the same facts and the same version of polyseme.

    >>> compute_fingerprint("bank.n", 1) == compute_fingerprint("bank.n", 2)
    False
    """
    content = json.dumps([version("polyseme"), *facts], default=str)
    return hashlib.sha256(content.encode()).hexdigest()


def last_modified(folder: str) -> int:
    """Return when a file of a folder was last written, in nanoseconds; 0 if it is not a folder.

    >>> last_modified("bert-base-cased")
    0
    """
    path = Path(folder)
    files = path.iterdir() if folder and path.is_dir() else ()
    return max((file.stat().st_mtime_ns for file in files), default=0)


def checkpoint_folder(output: Path) -> Path:
    """Return the folder beside an output that holds its checkpoint.

    >>> checkpoint_folder(Path("models/bank")).as_posix()
    'models/bank.part'
    """
    path = output if output.name.strip(".") else output.resolve()  # '.' and '..' are no names
    return path.with_name(f"{path.name}.part")


def check_checkpoint_folder(output: Path) -> None:
    """Check that the checkpoint of an output would overwrite nothing else.

    Raises:
        InputError: Something that is not a checkpoint has its name.
    """
    folder = checkpoint_folder(output)
    if folder.exists() and _read_fingerprint(folder) is None:
        problem = "unfinished work is stored under this name, and something else has it"
        raise InputError(f"{problem}: move it away, or name another output", path=folder)


class Checkpoint:
    """The finished part of some work, as entries by key; create it again with the same facts to resume.

    A checkpoint with another fingerprint is removed. The folder is created with the first entry.

    Args:
        output: The file or folder that the work produces.
        fingerprint: What the work depends on, as :func:`compute_fingerprint` gives it.

    Raises:
        InputError: Something that is not a checkpoint has its name.

    >>> import tempfile
    >>> output = Path(tempfile.mkdtemp()) / "out.key"
    >>> Checkpoint(output, compute_fingerprint("these usages")).put("bank.n", b"3 senses")
    >>> checkpoint = Checkpoint(output, compute_fingerprint("these usages"))
    >>> checkpoint.get("bank.n"), checkpoint.get("tree.n")
    (b'3 senses', None)
    >>> checkpoint.remove()
    """

    def __init__(self, output: Path, fingerprint: str) -> None:
        check_checkpoint_folder(output)
        self.folder = checkpoint_folder(output)
        self._fingerprint = fingerprint
        if self.folder.exists() and _read_fingerprint(self.folder) != fingerprint:
            self.remove()

    def get(self, key: str) -> bytes | None:
        """Return the entry of a key; ``None`` if there is none."""
        try:
            return self._path(key).read_bytes()
        except OSError:
            return None

    def put(self, key: str, data: bytes) -> None:
        """Store the entry of a key."""
        if not (self.folder / MANIFEST).is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(self.folder / MANIFEST, json.dumps({"fingerprint": self._fingerprint}) + "\n")
        write_bytes(self._path(key), data)

    def remove(self) -> None:
        """Delete the checkpoint; the file that marks it goes last, in case this is killed."""
        if self.folder.exists():
            for path in list(self.folder.iterdir()):
                if path.name != MANIFEST:
                    path.unlink()
            shutil.rmtree(self.folder)

    def _path(self, key: str) -> Path:
        """Return the file of an entry; a key may hold characters that a file name cannot."""
        return self.folder / hashlib.sha256(key.encode()).hexdigest()[:16]


def _read_fingerprint(folder: Path) -> str | None:
    """Read the fingerprint of a checkpoint: "" if it has no entries yet, ``None`` if the folder is none."""
    if folder.is_dir() and all(path.name.startswith(TEMPORARY_PREFIX) for path in folder.iterdir()):
        return ""
    try:
        return str(json.loads((folder / MANIFEST).read_text("utf-8"))["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def load_or_compute(
    path: Path,
    load: Callable[[Path], Value],
    compute: Callable[[], Value],
    save: Callable[[Path, Value], object] = lambda *_: None,
) -> Value:
    """Load a value from the cache, or compute it and save it there.

    Args:
        path: The file or folder in the cache.
        load: Reads the value; any error of a missing or damaged file means that it is computed again.
        compute: Computes the value.
        save: Writes the value; where the cache cannot be written, the value is computed again next time. By default
            ``compute`` writes it.
    """
    with suppress(InputError, *DAMAGE):
        return load(path)
    value = compute()
    with suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, value)
    return value


@contextmanager
def write_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder that replaces another when the block ends without an error.

    Args:
        target: The folder to write; what is in it already is lost.

    Raises:
        InputError: The folder cannot be written.
    """
    temporary = target.with_name(f"{TEMPORARY_PREFIX}{os.urandom(8).hex()}.tmp")
    replaced = temporary.with_suffix(".old")
    try:
        temporary.mkdir(parents=True)
        yield temporary
        if target.exists():
            move_path(target, replaced)
        move_path(temporary, target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=target) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(replaced, ignore_errors=True)
