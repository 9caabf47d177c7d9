"""``polyseme compare``."""

import csv
import io
import json
from pathlib import Path

import pytest

from cli.conftest import Run

A, B, GOLD = "examples/system-a.key", "examples/system-b.key", ("--gold", "examples/gold.key")


def test_json(cli: Run) -> None:
    ran = cli("compare", A, B, *GOLD, "--json", "--samples", 200)
    result = json.loads(ran.out)
    assert list(result) == [
        *(f"{name}.{figure}" for name in ("jaccard", "ksim", "wndcg") for figure in ("precision", "recall", "f1")),
        "fuzzy_nmi",
        *(f"fuzzy_bcubed.{figure}" for figure in ("precision", "recall", "f1")),
        "clusters",
        "AVG",
    ]
    for row in result.values():
        assert list(row) == ["first", "first_interval", "second", "second_interval", "difference", "interval", "p"]
        assert row["difference"] == pytest.approx(row["second"] - row["first"])
        assert len(row["interval"]) == 2
    scored = json.loads(cli("score", "semeval-2013", A, *GOLD, "--json").out)
    assert result["fuzzy_nmi"]["first"] == scored["fuzzy_nmi"]
    assert result["jaccard.f1"]["first"] == scored["jaccard"]["f1"]


@pytest.mark.parametrize("task", ["semeval-2013", "semeval-2010", "senseval", "jurgens-2012"])
def test_every_task(cli: Run, task: str) -> None:
    options = ("--samples", 200, "--task", task)
    head, *rows = csv.reader(io.StringIO(cli("compare", A, B, *GOLD, *options, "--format", "csv").out))
    result = json.loads(cli("compare", A, B, *GOLD, *options, "--json").out)
    assert head[0] == "Figure"
    assert [row[0] for row in rows] == list(result)


def test_options(cli: Run) -> None:
    def run(*options: object) -> str:
        return cli("compare", A, B, *GOLD, "--samples", 200, *options).out

    assert run() == run("--seed", 0) != run("--seed", 1)
    assert run() != run("--confidence", 0.5)
    assert run() != run("--no-mapping")
    assert "system-b.key (B) against system-a.key (A)" in run()
    assert "95%" in run()
    for form in ("markdown", "latex"):
        assert "jaccard.f1" in run("--format", form)


def test_an_option_of_another_task_is_an_error(cli: Run) -> None:
    for option in (["--no-mapping"], ["--variant", "paper"], ["--granularity", "coarse"], ["--with-mapping", "agirre"]):
        ran = cli("compare", A, B, *GOLD, "--task", "semeval-2010", *option)
        assert ran.code == 2
        assert f"{option[0]} goes with --task" in ran.err


def test_options_of_the_protocol(cli: Run) -> None:
    plain, paper = (
        json.loads(cli("compare", A, B, *GOLD, "--json", "--samples", 100, *more).out)
        for more in ([], ["--variant", "paper"])
    )
    scored = json.loads(cli("score", "semeval-2013", A, *GOLD, "--json", "--variant", "paper").out)
    assert paper["wndcg.f1"]["first"] == scored["wndcg"]["f1"] != plain["wndcg.f1"]["first"]


def test_errors_name_the_key(cli: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    other.write_text("x.n x.n.1 a\n")
    ran = cli("compare", A, other, *GOLD)
    assert ran.code == 2
    assert ran.err.startswith(f"polyseme: {other}: gold and system have no usage in common")


def test_lemmas_outside_gold_do_not_count(cli: Run, tmp_path: Path) -> None:
    more = tmp_path / "more.key"
    more.write_text(Path(A).read_text() + "".join(f"zzz.n zzz.n.{n} a b c d e f\n" for n in range(9)))
    row = json.loads(cli("compare", A, more, *GOLD, "--json", "--samples", 100).out)["clusters"]
    assert row["second"] == row["first"]
    assert row["p"] == 1


def test_confidence_is_shown_as_given(cli: Run) -> None:
    assert "99.9% bootstrap" in cli("compare", A, B, *GOLD, "--samples", 100, "--confidence", 0.999).out


def test_two_options_that_exclude_one_another(cli: Run) -> None:
    ran = cli("compare", A, B, *GOLD, "--task", "jurgens-2012", "--no-mapping", "--with-mapping", "graded")
    advice = "--no-mapping and --with-mapping exclude one another; drop one of them"
    assert (ran.code, ran.err) == (2, f"polyseme: {advice}\n")
