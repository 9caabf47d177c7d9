"""Published figures from keys, on invented data."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from polyseme.errors import InputError
from polyseme.tasks import reproduction
from polyseme.tasks.jurgens_2012 import Jurgens2012
from polyseme.tasks.published import PrintedFigure
from polyseme.tasks.semeval_2010 import SemEval2010

GOLD = "x.n x.n.1 a\nx.n x.n.2 a\nx.n x.n.3 b\nx.n x.n.4 b\n"


@dataclass(frozen=True)
class Folder:
    """As much of a data set as unsupervised figures need."""

    place: Path
    splits: Mapping[str, object] | None = None


def compute(folder: Path, monkeypatch: pytest.MonkeyPatch, *printed: PrintedFigure) -> dict[tuple[str, str], object]:
    monkeypatch.setattr(reproduction, "read_printed_figures", lambda _: list(printed))
    load = lambda _: Folder(folder)  # noqa: E731
    figures = reproduction.reproduce(SemEval2010(), load, "Table 4")  # type: ignore[arg-type]
    return {(figure.system, figure.figure): figure.computed for figure in figures}


def row(system: str, key: str, figure: str = "v_measure", setting: str = "unsupervised") -> PrintedFigure:
    return PrintedFigure("Table 4", system, "gold.key", key, setting, figure, "0.5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.key").write_text(GOLD)
    (tmp_path / "random1.key").write_text(GOLD)
    (tmp_path / "random2.key").write_text(GOLD.replace(" b", " a"))
    return tmp_path


def test_a_pattern_stands_for_the_mean_of_all_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (row("one", "random1.key"), row("other", "random2.key"), row("Random", "random*.key"))
    nouns = row("Random", "random*.key", "v_measure, nouns")
    figures = compute(folder, monkeypatch, *rows, nouns)
    assert (figures["one", "v_measure"], figures["other", "v_measure"]) == (1.0, 0.0)
    assert figures["Random", "v_measure"] == figures["Random", "v_measure, nouns"] == 0.5


def test_a_pattern_that_matches_no_key_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"semeval-2010-task-14 has no key lost\*\.key"):
        compute(folder, monkeypatch, row("lost", "lost*.key"))


def test_a_row_without_a_key_says_what_is_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = row("UoY", "", setting="its key")
    assert reproduction.find_missing_data(SemEval2010(), lost) == "its key"
    assert compute(folder, monkeypatch, lost) == {("UoY", "v_measure"): "not here"}
    assert not reproduction.find_missing_data(Jurgens2012(), lost._replace(source="Table 2")), (
        "a mapping, with which senses are induced"
    )
