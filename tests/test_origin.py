"""A missing extra says the one command to type, for a checkout and for a registry."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from polyseme import origin
from polyseme.errors import MissingExtra
from polyseme.origin import Origin, read_origin

ROOT = Path(__file__).parents[1]


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What pip records of this installation (PEP 610); empty for a registry."""
    fields: dict[str, object] = {}
    metadata = SimpleNamespace(read_text=lambda _: json.dumps(fields) if fields else None)
    monkeypatch.setattr(origin, "distribution", lambda _: metadata)
    monkeypatch.setattr(origin, "read_origin", read_origin)
    return fields


def command(extra: str) -> str:
    return str(MissingExtra(extra, "library")).partition("Type: ")[2]


@pytest.mark.usefixtures("record")
def test_commands_for_an_installation_from_a_registry() -> None:
    assert command("plots") == "pip install 'polyseme[plots]'"
    assert command("small") == "pip install 'polyseme[small]'"


def test_commands_for_a_checkout(record: dict[str, object]) -> None:
    record.update(url=ROOT.as_uri(), dir_info={"editable": True})
    assert command("plots") == f"pip install -e '{ROOT}[plots]'"
    assert command("small") == f"pip install '{ROOT / 'models' / 'small'}'"
    record.update(dir_info={})
    assert command("plots") == f"pip install '{ROOT}[plots]'"


def test_commands_for_a_folder_without_the_small_model(record: dict[str, object], tmp_path: Path) -> None:
    record.update(url=tmp_path.as_uri(), dir_info={})
    assert command("small") == f"pip install '{tmp_path}[small]'"


def test_a_folder_that_is_gone_and_another_source_count_as_a_registry(record: dict[str, object]) -> None:
    record.update(url="file:///no/such/folder", dir_info={"editable": True})
    assert read_origin() == Origin()
    record.update(url="https://example.org/polyseme.whl", dir_info={})
    assert read_origin() == Origin()


@pytest.mark.usefixtures("record")
def test_windows_quotes_by_double_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origin, "os", SimpleNamespace(name="nt"))
    assert command("plots") == 'pip install "polyseme[plots]"'
