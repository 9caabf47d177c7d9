"""Bad inputs for every command: exit code 2, and one line that says where the fault is and what to do.

The inputs are data, in ``tests/data/bad_inputs.toml``.
"""

import json
import shlex
import shutil
import signal
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from typer.core import TyperGroup

from cli.bad_files import Recipe, write_bad_files
from cli.conftest import Run
from polyseme.cli import app
from polyseme.datasets import locate
from polyseme.datasets.index import find_data_set_entry

pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")

TIME_LIMIT = 60
"""The seconds after which a command hangs."""
LONGEST_MESSAGE = 600
STUDY = 'title = "T"\n[items]\nusages = "usages.jsonl"\n[tasks]\na = ["Usim"]\n'


class BadInput(NamedTuple):
    """A command, the files made for it, what its message says, which remedy it names, and the data set it needs."""

    title: str
    command: str
    files: dict[str, str | Recipe]
    says: str
    remedy: str
    needs: str = ""


def read_bad_inputs() -> list[BadInput]:
    path = Path(__file__).parents[1] / "data" / "bad_inputs.toml"
    inputs: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["input"]
    return [
        BadInput(table["title"], files=table.get("files", {}), **case) for table in inputs for case in table["cases"]
    ]


BAD_INPUTS = read_bad_inputs()


@pytest.fixture(scope="session")
def good_files(induced: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index, a model, n-grams, and a study with two annotators."""
    from induction.corpora import usages
    from polyseme.corpus.index import Index
    from polyseme.formats import write_usages
    from polyseme.lm.ngrams.model import NGrams
    from polyseme.studio.exchange.exports import get_export, write_export
    from polyseme.studio.store.startup import start_study

    folder = tmp_path_factory.mktemp("good") / "files"
    shutil.copytree(induced, folder)
    write_usages(usages(6, seed=9), folder / "new.jsonl")
    NGrams.train(Index.open(folder / "my.index"), order=2, minimum=1).save(folder / "ngrams")
    lines = [{"id": f"win.v.{n}", "lemma": "win.v", "text": "They won.", "start": 5, "end": 8} for n in range(3)]
    (folder / "usages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "study.toml").write_text(STUDY)
    store = start_study(folder / "study.toml")
    for name in ("ann", "amy"):
        store.add_annotator(name)
    export = get_export("study")
    write_export(export, export.collect(store), folder / "whole.jsonl")
    store.close()
    return folder


def copy_good_files(source: Path, target: Path, text: str) -> None:
    """Copy the good files that a text names."""
    for path in source.iterdir():
        if path.name.split(".")[0] in text:
            (shutil.copytree if path.is_dir() else shutil.copy)(path, target / path.name)


@pytest.fixture
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> None:
        pytest.fail(f"the command hangs: it took more than {TIME_LIMIT} seconds")

    earlier = signal.signal(signal.SIGALRM, stop)
    signal.alarm(TIME_LIMIT)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, earlier)


def fail_to_serve(*_: object, **__: object) -> None:
    pytest.fail("the server starts")


@pytest.mark.usefixtures("_time_limit")
@pytest.mark.parametrize("case", BAD_INPUTS, ids=lambda case: f"{case.title}: {case.command[:60]}")
def test_commands_refuse_bad_inputs(
    cli: Run, good_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: BadInput
) -> None:
    if case.needs and locate(find_data_set_entry(case.needs)) is None:
        pytest.skip(f"{case.needs} is not here; type: polyseme data install {case.needs}")
    monkeypatch.setattr("uvicorn.run", fail_to_serve)
    copy_good_files(good_files, tmp_path, " ".join([case.command, *case.files]))
    write_bad_files(case.files, tmp_path)
    ran = cli(*shlex.split(case.command))
    assert (ran.code, ran.out) == (2, ""), ran
    assert "Traceback" not in ran.err
    errors = [line for line in ran.err.splitlines() if not line.startswith("warning: ")]
    message = " ".join(" ".join(errors).split())
    is_list_of_problems = case.command.startswith("annotate check") and errors[0].endswith(("problem", "problems"))
    if "Usage: polyseme" not in ran.err and not is_list_of_problems:
        assert len(errors) == 1, ran.err
        assert message.startswith("polyseme: ")
        assert len(message) < LONGEST_MESSAGE
    assert case.says in message
    assert case.remedy in message


def list_commands() -> Iterator[str]:
    """Yield the commands that do something, as ``score senseval``."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, TyperGroup):
            yield from (f"{name} {inner}" for inner in command.list_commands(context))
        else:
            yield name


def test_every_command_has_bad_inputs() -> None:
    assert len(BAD_INPUTS) >= 300
    words = [case.command.split() for case in BAD_INPUTS]
    counts = Counter(word for first, *rest in words for word in (first, f"{first} {rest[0] if rest else ''}"))
    assert [name for name in list_commands() if counts[name] < 3] == []
