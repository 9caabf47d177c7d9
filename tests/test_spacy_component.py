"""The component of spaCy pipelines: discovered by its entry point, configured, stored, and batched."""

import importlib
import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from induction.corpora import usages
from polyseme import wordnet
from polyseme.errors import MissingExtra
from polyseme.interface.spacy_component import SenseComponent
from polyseme.parts import build

pytest.importorskip("spacy", reason="spaCy is not installed; type: pip install 'polyseme[spacy]'")

TEXT = "We sat on the bank of the river. We ate ice cream."


@pytest.fixture(scope="module")
def needs_wordnet() -> None:
    if wordnet.find_wordnet("3.1") is None:
        pytest.skip("WordNet 3.1 is not here; type: polyseme data install wordnet-3.1")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "bank"
    build("Pipeline(Bag(minimum=3), number=2)").fit(usages(40), processes=1).save(folder)
    return str(folder)


def blank(**config: Any) -> Any:
    pipeline = importlib.import_module("spacy").blank("en")
    pipeline.add_pipe("polyseme", config=config)
    return pipeline


@pytest.mark.usefixtures("needs_wordnet")
def test_tokens_have_graded_senses_heaviest_first() -> None:
    document = blank(model="PPR")(TEXT)
    senses = document[4]._.senses
    assert next(iter(senses)) == "bank%1:17:01::"
    assert list(senses.values()) == sorted(senses.values(), reverse=True)
    assert sum(senses.values()) == pytest.approx(1)
    assert document[0]._.senses == {}
    cream = [token._.senses for token in document if token.text in ("ice", "cream")]
    assert cream == [{"ice_cream%1:13:00::": 1.0}] * 2
    assert blank(model="SemCorMFS", keep=1)(TEXT)[4]._.senses == {"bank%1:17:01::": 1.0}


@pytest.mark.usefixtures("needs_wordnet")
def test_tags_and_lemmas_of_the_pipeline_are_used() -> None:
    """*Saw* is the tool if the pipeline says so, in the second sentence of a text with several spaces."""
    spacy = importlib.import_module("spacy")
    pipeline = spacy.blank("en")
    words = ["We", "sat", ".", "  ", "They", "saw", "saw", "."]
    tags = ["PRP", "VBD", ".", "_SP", "PRP", "VBD", "NN", "."]
    lemmas = ["we", "sit", ".", "", "they", "see", "saw", "."]
    starts = [number in (0, 4) for number in range(8)]
    document = spacy.tokens.Doc(pipeline.vocab, words, tags=tags, lemmas=lemmas, sent_starts=starts)
    labelled = SenseComponent(model="SemCorMFS")(document)
    lemmas_of_senses = [[key.partition("%")[0] for key in token._.senses] for token in labelled]
    assert lemmas_of_senses[5:7] == [["see"], ["saw"]]
    assert next(iter(labelled[6]._.senses)).startswith("saw%1"), "a noun"


def test_an_induced_model_is_stored_with_the_pipeline(model: str, tmp_path: Path) -> None:
    pipeline = blank(model=model)
    texts = [usage.text for usage in usages(12, seed=3)]
    documents = list(pipeline.pipe(texts, batch_size=5))
    senses = [next(token._.senses for token in document if token.text == "bank") for document in documents]
    assert set().union(*senses) == {"bank.n.s1", "bank.n.s2"}
    assert senses == [next(token._.senses for token in pipeline(text) if token.text == "bank") for text in texts]
    pipeline.to_disk(tmp_path / "pipeline")
    stored = importlib.import_module("spacy").load(tmp_path / "pipeline")
    stored.get_pipe("polyseme").from_disk(tmp_path / "pipeline" / "polyseme")
    assert [token._.senses for token in stored(texts[0])] == [token._.senses for token in documents[0]]


def test_spacy_finds_the_component_without_an_import(root: Path, tmp_path: Path) -> None:
    """By the entry point, as an installation writes it."""
    points = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["spacy_factories"]
    folder = tmp_path / "component-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: component\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (folder / "entry_points.txt").write_text("\n".join(["[spacy_factories]", *lines]))
    program = "import spacy; print(spacy.blank('en').add_pipe('polyseme', config={'model': 'PPR'}).name)"
    paths = [str(tmp_path), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert run.stdout == "polyseme\n", run.stderr


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="'spacy' is not installed"):
        SenseComponent()
