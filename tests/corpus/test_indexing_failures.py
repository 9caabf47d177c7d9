"""Indexing that fails or is killed: what is left, and how it continues."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import pytest

from polyseme.corpus import indexing
from polyseme.corpus.concordance import find_usages
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError, InputWarning
from polyseme.sentence import Sentence

PLAIN = Simple(lemmatise=False)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """Five documents, of which two make a part."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.txt").write_text(f"The bank of {number} lends money. " * 3)
    return folder


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "PART_TOKENS", 30)


def content(folder: Path) -> dict[str, bytes]:
    """Every file of an index by its name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def open_unfinished(folder: Path) -> Index:
    """Open an unfinished index, which causes a warning."""
    with pytest.warns(InputWarning, match="this index is not finished"):
        index = Index.open(folder)
    assert len(index.vocabulary) == index.manifest["words"]
    return index


# -- killed --------------------------------------------------------------------------------------------------------


KILLED = """
import os, signal, sys
from itertools import count
import pyarrow.parquet
from polyseme.corpus import indexing
from polyseme.corpus.packed_documents import pack_documents
from polyseme.corpus.simple_analyser import Simple
indexing.PART_TOKENS = 30
sync = os.fsync
list(pack_documents(Simple(lemmatise=False), [("a", "A b.")], processes=1))  # loads the modules before the fork

def index(folder, writes):
    def stop(number):
        nonlocal writes
        writes -= 1
        if not writes:
            os.kill(os.getpid(), signal.SIGKILL)
        sync(number)

    if child := os.fork():
        return os.waitpid(child, 0)[1]
    os.fsync = stop
    indexing.build_index([sys.argv[1]], folder, Simple(lemmatise=False), processes=1)
    os._exit(0)

for writes in count(1):
    folder = f"{sys.argv[2]}/{writes}"
    killed = index(folder, writes)
    left = [name for _, _, names in os.walk(folder) for name in names if name.endswith(".tmp")]
    assert killed == (signal.SIGKILL if left else 0), (killed, left)
    assert index(folder, 0) == 0
    if not killed:
        break
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_killed_at_any_write_it_ends_with_the_same_bytes(texts: Path, tmp_path: Path) -> None:
    for number in (3, 4):
        (texts / f"{number}.txt").unlink()
    places = tmp_path / "killed"
    places.mkdir()
    subprocess.run([sys.executable, "-c", KILLED, str(texts), str(places)], check=True)
    build_index([texts], tmp_path / "undisturbed", PLAIN, processes=1)
    undisturbed = content(tmp_path / "undisturbed")
    killed = list(places.iterdir())
    assert len(killed) == 1 + 2 * 5 + 1  # the first manifest, two parts of four tables and a manifest, and no kill
    assert all(content(folder) == undisturbed for folder in killed)


def test_what_a_killed_run_left_is_deleted_even_if_its_documents_are_gone(texts: Path, tmp_path: Path) -> None:
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1)
    before = content(index.folder)
    for name in ("tokens/00009.parquet", f"words/.polyseme-{'0' * 16}.tmp", f".polyseme-{'0' * 16}.tmp"):
        (index.folder / name).write_bytes(b"half")
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert content(index.folder) == before


def test_a_folder_that_is_no_index_is_left_alone(texts: Path, tmp_path: Path) -> None:
    (tmp_path / "mine" / "tokens").mkdir(parents=True)
    (tmp_path / "mine" / "tokens" / "00000.parquet").write_bytes(b"mine")
    with pytest.raises(InputError, match="the folder is not empty and is not an index"):
        build_index([texts], tmp_path / "mine", PLAIN, processes=1)
    assert (tmp_path / "mine" / "tokens" / "00000.parquet").read_bytes() == b"mine"


# -- failed --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("broken", ["3a", "4a"])
def test_what_comes_before_a_broken_file_can_be_used(texts: Path, tmp_path: Path, broken: str, processes: int) -> None:
    (texts / f"{broken}.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match="not UTF-8"):
        build_index([texts], tmp_path / "i", PLAIN, processes=processes)
    index = open_unfinished(tmp_path / "i")
    assert index.manifest["documents"] == int(broken[0]) + 1
    assert len(list(find_usages(index, "bank"))) == 3 * (int(broken[0]) + 1)
    with pytest.raises(InputError, match="not UTF-8"):
        build_index([texts], tmp_path / "i", PLAIN, processes=processes)
    assert content(open_unfinished(tmp_path / "i").folder) == content(index.folder)
    (texts / f"{broken}.txt").write_text("Corrected.")
    build_index([texts], tmp_path / "i", PLAIN, processes=processes)
    build_index([texts], tmp_path / "undisturbed", PLAIN, processes=1)
    assert content(tmp_path / "i") == content(tmp_path / "undisturbed")


def test_an_empty_unfinished_index_can_be_started_again(texts: Path, tmp_path: Path) -> None:
    (texts / "0.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match="not UTF-8"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert open_unfinished(tmp_path / "i").manifest["documents"] == 0
    (texts / "0.txt").write_text("Corrected.")
    assert build_index([texts], tmp_path / "i", Simple("de", lemmatise=False), processes=1).manifest["documents"] == 5


LIMITED = """
import resource, sys
from polyseme.corpus import indexing
from polyseme.corpus.simple_analyser import Simple
from polyseme.errors import InputError
indexing.PART_TOKENS = 30
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    indexing.build_index([sys.argv[1]], sys.argv[2], Simple(lemmatise=False), processes=1)
except InputError as error:
    print(error)
"""


def test_a_failed_write_loses_one_part_at_most(texts: Path, tmp_path: Path) -> None:
    pytest.importorskip("resource")
    (texts / "3.txt").write_text(" ".join(f"{number * 7919 % 10007}" for number in range(9000)))
    command = [sys.executable, "-c", LIMITED, str(texts), str(tmp_path / "i")]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "cannot be written: File too large; name another place; what was indexed so far is kept" in output
    assert open_unfinished(tmp_path / "i").manifest["documents"] == 2
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    build_index([texts], tmp_path / "undisturbed", PLAIN, processes=1)
    assert content(tmp_path / "i") == content(tmp_path / "undisturbed")


def test_a_skipped_file_can_be_corrected(texts: Path, tmp_path: Path) -> None:
    problems: list[InputError] = []
    (texts / "2.txt").write_bytes(b"caf\xe9")
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1, skip=problems.append)
    assert "2.txt" not in index.manifest["sources"]
    (texts / "2.txt").write_text("Corrected.")
    index = build_index([texts], tmp_path / "i", PLAIN, processes=1, skip=problems.append)
    assert index.manifest["documents"] == 5
    assert len(problems) == 1


@pytest.mark.parametrize("lines, problem", [(1, "; 1 document before it is in"), (2, "; 2 documents before it are in")])
def test_documents_before_an_error_in_a_skipped_file_are_indexed(tmp_path: Path, lines: int, problem: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "We won."}\n' * lines + "{\n")
    problems: list[str] = []
    for _ in range(2):
        index = build_index(
            [tmp_path / "a.jsonl"], tmp_path / "i", PLAIN, processes=1, skip=lambda error: problems.append(str(error))
        )
        assert index.manifest["documents"] == lines
        assert not index.manifest["sources"]["a.jsonl"]["complete"]
    assert len(problems) == 2
    assert all(text.endswith(problem) for text in problems)


def test_incomplete_files_that_are_no_longer_sources_cause_a_warning(texts: Path, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "We won. " * 20}) + "\n{\n")
    with pytest.raises(InputError, match=r"a\.jsonl:2"):
        build_index([tmp_path / "a.jsonl"], tmp_path / "i", PLAIN, processes=1)
    with pytest.warns(InputWarning, match=r"files that were not read to their end .*: a\.jsonl; give them again"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)


# -- damaged -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-1])])
def test_a_damaged_index_is_not_continued(texts: Path, tmp_path: Path, damage: object) -> None:
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    assert callable(damage)
    damage(tmp_path / "i" / "sentences" / "00001.parquet")
    with pytest.raises(InputError, match=r"sentences/00001.parquet: .* missing or damaged.*delete the folder"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"layout": 1}', '{"layout": 1, "finished": true, "parts": [7]}', "\xff",
     '{"layout": 1, "finished": false, "parts": []}'],
)  # fmt: skip
def test_a_damaged_manifest_is_reported(texts: Path, tmp_path: Path, text: str) -> None:
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    (tmp_path / "i" / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"manifest.json: a file of the index is missing or damaged.*delete the fold"):
        Index.open(tmp_path / "i")
    with pytest.raises(InputError, match=r"manifest.json: a file of the index is missing or damaged"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)


def test_a_changed_manifest_is_not_continued(texts: Path, tmp_path: Path) -> None:
    build_index([texts], tmp_path / "i", PLAIN, processes=1)
    manifest = json.loads((tmp_path / "i" / "manifest.json").read_text())
    (tmp_path / "i" / "manifest.json").write_text(json.dumps({**manifest, "sources": []}))
    with pytest.raises(InputError, match=r"manifest.json: .* its content has changed"):
        build_index([texts], tmp_path / "i", PLAIN, processes=1)


# -- again ---------------------------------------------------------------------------------------------------------


def test_an_index_is_not_indexed(texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(texts)
    before = content(build_index(["."], "my.index", PLAIN, processes=1).folder)
    build_index(["."], "my.index", PLAIN, processes=1)
    assert content(Path("my.index")) == before
    assert build_index([texts], tmp_path / "other", PLAIN, processes=1).manifest["documents"] == 5
    with pytest.raises(InputError, match="there are no files in it"):
        build_index([tmp_path / "other"], tmp_path / "third", PLAIN, processes=1)


def test_another_file_of_the_same_name_is_refused(tmp_path: Path) -> None:
    for name, text in (("a", "We won."), ("b", "We lost.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text(text)
    build_index([tmp_path / "a"], tmp_path / "i", PLAIN, processes=1)
    with pytest.raises(InputError, match=r"another file of the same name: index a folder above both"):
        build_index([tmp_path / "b"], tmp_path / "i", PLAIN, processes=1)


@dataclass(frozen=True)
class Other:
    """An analyser that names the libraries that it depends on."""

    kind: ClassVar[str] = "analyser"
    libraries: ClassVar[tuple[str, ...]] = ()

    def analyse(self, text: str, name: str = "") -> Iterator[tuple[int, Sentence]]:
        return PLAIN.analyse(text, name)


def test_versions_of_libraries_that_the_index_does_not_name_may_differ(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_index([texts], tmp_path / "i", Other(), processes=1)
    monkeypatch.setattr(Other, "libraries", ("numpy", "there-is-none"))
    (texts / "5.txt").write_text("New.")
    assert build_index([texts], tmp_path / "i", Other(), processes=1).manifest["documents"] == 6
    assert "numpy" in build_index([texts], tmp_path / "j", Other(), processes=1).manifest["versions"]
    monkeypatch.setattr(indexing, "version", lambda name: "0" if name == "numpy" else version(name))
    monkeypatch.setattr(Other, "libraries", ("numpy",))
    with pytest.raises(InputError, match=r"was built by Other\(\) \(.*numpy .* not by Other\(\) \(.*numpy 0\)"):
        build_index([texts], tmp_path / "j", Other(), processes=1)
