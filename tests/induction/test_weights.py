"""A save_model model knows which weights of a language model made it, and says when others are versions."""

from __future__ import annotations

import json
import warnings
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from polyseme.errors import InputWarning
from polyseme.induction.aiku import AIKU
from polyseme.induction.model import SenseModel
from polyseme.induction.pipeline import Pipeline
from polyseme.induction.substitution import Substitution
from polyseme.induction.token_clusters import TokenClusters
from polyseme.inventory import Inventory
from polyseme.lm.language_model import SMALL_MODEL, package_versions
from polyseme.models import load_model
from polyseme.vectors.substitute_vectors import SubstituteVector

NESTED = Pipeline(SubstituteVector(f'MaskedLM("{SMALL_MODEL}", lemmas=True)'))


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Replace the versions of the versions packages."""
    packages = {"polyseme-small": "0.3.0", "other": "1.0"}

    def version(package: str) -> str:
        if package not in packages:
            raise PackageNotFoundError(package)
        return packages[package]

    monkeypatch.setattr("polyseme.lm.language_model.version", version)
    return packages


def save_model(inducer: Any, folder: Path) -> dict[str, Any]:
    """Save a model without senses, and return its manifest."""
    SenseModel(inducer, "Simple()", Inventory([])).save(folder)
    manifest: dict[str, Any] = json.loads((folder / "model.json").read_text("utf-8"))
    return manifest


def load_with_warnings(folder: Path) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        load_model(folder)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("inducer", [Substitution(), NESTED, TokenClusters("package:polyseme_small")], ids=repr)
def test_the_same_versions_give_no_warning(inducer: Any, tmp_path: Path) -> None:
    assert save_model(inducer, tmp_path)["weights"] == {"polyseme-small": "0.3.0"}
    assert not load_with_warnings(tmp_path)


@pytest.mark.parametrize("inducer", [Substitution("bert-base-cased"), TokenClusters("package:unknown")], ids=repr)
def test_models_without_a_package_have_no_versions(inducer: Any, tmp_path: Path) -> None:
    assert save_model(inducer, tmp_path)["weights"] == {}
    assert not load_with_warnings(tmp_path)


def test_all_packages_of_a_specification_are_listed() -> None:
    assert package_versions(repr(Substitution(encoder="package:other"))) == {"other": "1.0", "polyseme-small": "0.3.0"}
    assert package_versions(repr(AIKU(lm="small"))) == {"polyseme-small": "0.3.0"}
    assert package_versions(repr(AIKU(lm="models/small"))) == {}


def test_other_versions_are_warned_of(versions: dict[str, str], tmp_path: Path) -> None:
    save_model(Substitution(encoder="package:other"), tmp_path)
    versions["polyseme-small"] = "0.4.0"
    advice = "fit it again, or install polyseme-small 0.3.0"
    problem = f"this model was made with polyseme-small 0.3.0 (0.4.0 is installed): {advice}"
    assert load_with_warnings(tmp_path) == [f"{tmp_path}: new usages may not fit its senses, as {problem}"]
    versions["other"] = "2.0"
    [both] = load_with_warnings(tmp_path)
    assert "made with other 1.0" in both
    assert "with polyseme-small 0.3.0" in both
    versions.clear()  # asking the model is an error then, which says what to install
    assert not load_with_warnings(tmp_path)


def test_a_package_installed_since_is_warned_of(versions: dict[str, str], tmp_path: Path) -> None:
    version = versions.pop("polyseme-small")
    save_model(Substitution(), tmp_path)
    versions["polyseme-small"] = version
    [problem] = load_with_warnings(tmp_path)
    assert "made with polyseme-small (none) (0.3.0 is installed): fit it again" in problem


def test_a_model_that_is_saved_again_keeps_its_versions(versions: dict[str, str], tmp_path: Path) -> None:
    save_model(Substitution(), tmp_path / "one")
    versions["polyseme-small"] = "0.4.0"
    with pytest.warns(InputWarning, match=r"made with polyseme-small 0\.3\.0"):
        load_model(tmp_path / "one").save(tmp_path / "two")
    assert len(load_with_warnings(tmp_path / "two")) == 1
