"""The data set of banks and cranes, and the results of a run on it."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest

from cli.conftest import cli
from experiments.banks import plan, write_data
from polyseme.datasets import load
from polyseme.experiments.plan import read_plan
from polyseme.experiments.run import run_plan
from polyseme.tasks.task import Load

__all__ = ["cli"]


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process takes longer to start than all work of these tests."""
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder; tests must not write into it."""
    return write_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def loading(folder: Path) -> Load:
    return partial(load, data=folder)


@pytest.fixture(scope="session")
def before(tmp_path_factory: pytest.TempPathFactory, loading: Load) -> Path:
    """The results of one run; tests must not write into them."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "plan.toml").write_text(plan())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("polyseme.workers.available_processors", lambda: 1)
        run_plan(read_plan(folder / "plan.toml"), folder / "results", loading)
    return folder / "results"


@pytest.fixture
def results(before: Path, tmp_path: Path) -> Path:
    """A copy of the results of a run, to continue from."""
    return Path(shutil.copytree(before, tmp_path / "results"))
