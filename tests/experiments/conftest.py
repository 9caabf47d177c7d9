"""A made data set, and what was done with it before."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from cli.conftest import cli
from experiments.banks import plan, write
from polyseme.datasets import load
from polyseme.experiments.corpora import Load
from polyseme.experiments.induction import run_inducers
from polyseme.experiments.plan import read_plan

__all__ = ["cli"]


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """To start another one takes longer than all that is done here."""
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder; nothing may be written there."""
    return write(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def loading(folder: Path) -> Load:
    return partial(load, data=folder)


@pytest.fixture(scope="session")
def before(tmp_path_factory: pytest.TempPathFactory, loading: Load) -> Path:
    """The results of one run, for tests that want to go on from there; nothing may be written there."""
    place = tmp_path_factory.mktemp("results")
    (place / "plan.toml").write_text(plan())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("polyseme.workers.available_processors", lambda: 1)
        run_inducers(read_plan(place / "plan.toml"), place / "results", loading)
    return place / "results"


@pytest.fixture
def results(before: Path, tmp_path: Path) -> Path:
    """A copy of these results, to go on from."""
    return Path(shutil.copytree(before, tmp_path / "results"))
