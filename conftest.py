"""What tests share: the data sets, which are skipped where they are not, and a place for the pages' examples."""

import importlib.util
import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from polyseme import origin, wordnet
from polyseme.wordnet import WordNet

ROOT = Path(__file__).parent

# How long an example takes says more of what else the machine does than of the code; speed is for the benchmarks.
settings.register_profile("polyseme", deadline=None)
settings.load_profile("polyseme")

# As in the Makefile: what tests install and work out goes where the rest of the set-up is, not into the user's folders.
os.environ.setdefault("POLYSEME_HOME", str(ROOT / ".venv" / "share" / "polyseme"))


@pytest.fixture(autouse=True)
def _beside_the_examples(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples in the documentation run in a temporary folder that holds a copy of examples/.

    A page that imports a library of an extra is skipped where that is missing.
    """
    if request.node.path.suffix == ".md":
        for library in re.findall(r"^>>> (?:import|from) (\w+)", request.node.path.read_text("utf-8"), re.M):
            if importlib.util.find_spec(library) is None:
                pytest.skip(f"{library} is not installed")
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
        monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _from_a_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors name the commands for an installation from a registry, wherever this one is from."""
    monkeypatch.setattr(origin, "read_origin", origin.Origin)


@pytest.fixture(scope="session")
def _example_index_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from polyseme.corpus.english_analyser import English
    from polyseme.corpus.indexing import build_index

    folder = tmp_path_factory.mktemp("corpus") / "my.index"
    build_index([ROOT / "examples" / "corpus.jsonl"], folder, English(), processes=1)
    return folder


@pytest.fixture(autouse=True)
def _examples_of_indexes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples in docstrings that say ``"my.index"`` run beside the index of examples/corpus.jsonl."""
    is_docstring = isinstance(request.node, pytest.DoctestItem) and request.node.path.suffix == ".py"
    if is_docstring and "my.index" in request.node.dtest.docstring:
        monkeypatch.chdir(request.getfixturevalue("_example_index_folder").parent)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    """The data sets: the folder POLYSEME_DATA, or ../shared/data beside the repository."""
    folder = Path(os.environ.get("POLYSEME_DATA") or ROOT.parent / "shared" / "data").resolve()
    if not folder.is_dir():
        pytest.skip("the data sets are not here; name their folder in the environment variable POLYSEME_DATA")
    return folder


@pytest.fixture(scope="session")
def official(data: Path) -> Path:
    """What the original scorers print, in a folder beside the data sets."""
    folder = data.parent / "official-scores"
    if not folder.is_dir():
        pytest.skip("the original scorers' figures, official-scores/, are not beside the data sets")
    return folder


def dictionary(version: str) -> WordNet:
    """WordNet, where it is installed."""
    if wordnet.find_wordnet(version) is None:
        pytest.skip(f"WordNet {version} is not here; type: polyseme data install wordnet-{version}")
    return wordnet.load(version)


@pytest.fixture(scope="session")
def wordnet_30() -> WordNet:
    return dictionary("3.0")


@pytest.fixture(scope="session")
def wordnet_31() -> WordNet:
    return dictionary("3.1")
