"""A saved model knows which weights of a language model made it, and says when others are installed."""

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
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The packages that are said to be installed."""
    known = {"polyseme-small": "0.3.0", "other": "1.0"}

    def version(package: str) -> str:
        if package not in known:
            raise PackageNotFoundError(package)
        return known[package]

    monkeypatch.setattr("polyseme.lm.language_model.version", version)
    return known


def saved(inducer: Any, folder: Path) -> dict[str, Any]:
    """What a model's file says; it has no senses, as none are needed."""
    SenseModel(inducer, "Simple()", Inventory([])).save(folder)
    said: dict[str, Any] = json.loads((folder / "model.json").read_text("utf-8"))
    return said


def warned(folder: Path) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", InputWarning)
        load_model(folder)
    return [str(each.message) for each in found]


@pytest.mark.parametrize("inducer", [Substitution(), NESTED, TokenClusters("package:polyseme_small")], ids=repr)
def test_the_same_weights(inducer: Any, tmp_path: Path) -> None:
    assert saved(inducer, tmp_path)["weights"] == {"polyseme-small": "0.3.0"}
    assert not warned(tmp_path)


@pytest.mark.parametrize("inducer", [Substitution("bert-base-cased"), TokenClusters("package:unknown")], ids=repr)
def test_weights_without_a_version(inducer: Any, tmp_path: Path) -> None:
    assert saved(inducer, tmp_path)["weights"] == {}
    assert not warned(tmp_path)


def test_several_packages() -> None:
    assert package_versions(repr(Substitution(encoder="package:other"))) == {"other": "1.0", "polyseme-small": "0.3.0"}
    assert package_versions(repr(AIKU(lm="small"))) == {"polyseme-small": "0.3.0"}
    assert package_versions(repr(AIKU(lm="models/small"))) == {}


def test_other_weights(installed: dict[str, str], tmp_path: Path) -> None:
    saved(Substitution(encoder="package:other"), tmp_path)
    installed["polyseme-small"] = "0.4.0"
    advice = "fit it again, or install polyseme-small 0.3.0"
    said = f"this model was made with polyseme-small 0.3.0 (0.4.0 is installed): {advice}"
    assert warned(tmp_path) == [f"{tmp_path}: new usages may not fit its senses, as {said}"]
    installed["other"] = "2.0"
    [both] = warned(tmp_path)
    assert "made with other 1.0" in both
    assert "with polyseme-small 0.3.0" in both
    installed.clear()  # asking the model is an error then, which says what to install
    assert not warned(tmp_path)


def test_a_package_installed_since_is_warned_of(installed: dict[str, str], tmp_path: Path) -> None:
    version = installed.pop("polyseme-small")
    saved(Substitution(), tmp_path)
    installed["polyseme-small"] = version
    [problem] = warned(tmp_path)
    assert "made when polyseme-small was not installed (0.3.0 is now): fit it again" in problem


def test_what_is_saved_again_is_still_of_the_weights_that_made_it(installed: dict[str, str], tmp_path: Path) -> None:
    saved(Substitution(), tmp_path / "one")
    installed["polyseme-small"] = "0.4.0"
    with pytest.warns(InputWarning, match=r"made with polyseme-small 0\.3\.0"):
        load_model(tmp_path / "one").save(tmp_path / "two")
    assert len(warned(tmp_path / "two")) == 1
