"""The sections of ``polyseme agreement``, and its page."""

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme import Labelling, write_labelling, write_ratings
from polyseme.rating import Rating, Ratings

SAID = {"ann": (5, 4, 1, 1, 2, 1, 1, 5), "bob": (5, 5, 1, 2, 1, 1, 2, 4), "cat": (4, 5, 2, 1, 1, 2, 1, 5)}


@pytest.fixture
def wssim(cli: Run) -> str:  # noqa: ARG001
    """Four usages, two senses of each by three annotators."""
    items = [(f"u{n // 2}", f"s{n % 2}") for n in range(8)]
    rows = [
        Rating(who, "WSsim", "win.v", *item, float(value), order=place)
        for who, values in SAID.items()
        for place, (item, value) in enumerate(zip(items, values, strict=True))
    ]
    write_ratings(Ratings(rows), "wssim.csv")
    return "wssim.csv"


@pytest.fixture
def usim(cli: Run) -> str:  # noqa: ARG001
    """Three usages, the first two of which are alike."""
    pairs = {("u0", "u1"): (5, 4), ("u1", "u2"): (1, 2), ("u0", "u2"): (1, 1)}
    rows = [
        Rating(who, "Usim", "win.v", *pair, float(value))
        for pair, values in pairs.items()
        for who, value in zip(("ann", "bob"), values, strict=True)
    ]
    write_ratings(Ratings(rows), "usim.csv")
    return "usim.csv"


def test_use_of_the_scale(cli: Run, wssim: str) -> None:
    found = json.loads(cli("agreement", wssim, "--section", "scale", "--json").out)["WSsim"]["scale"]
    assert found["distribution"][0]["counts"] == [10, 5, 0, 3, 6]
    assert found["several"][0]["by_someone"] == 1
    assert "Items with the widest spread" in cli("agreement", wssim, "--section", "scale").out


def test_careless_annotators(cli: Run, wssim: str) -> None:
    found = json.loads(cli("agreement", wssim, "--section", "annotators", "--json").out)["WSsim"]["annotators"]
    assert found["not_checked"]["speed"] == "how long answers took is not recorded"
    assert cli("agreement", wssim, "--section", "annotators").out.startswith("Annotators to look at")


def test_metricity(cli: Run, usim: str) -> None:
    found = json.loads(cli("agreement", usim, "--section", "metricity", "--json").out)["Usim"]["metricity"]
    assert (found["averages"]["triples"], found["averages"]["missed"]) == (1, 0)
    assert found["savings"][0]["rule"] == "Close(rating=4)"


def test_a_model_is_one_more_annotator(cli: Run, usim: str, wssim: str) -> None:
    model = Labelling.hard(["u0", "u1", "u2"], ["a", "a", "b"], lemma="win.v")
    write_labelling(model, "model.key")
    found = json.loads(cli("agreement", usim, "--section", "schemes", "--labelling", "model.key", "--json").out)
    said = found["Usim"]["schemes"]
    assert said["model.key"] == {"within": 4.5, "across": 1.25}
    by_pair = {(each["first"], each["second"]): each["rho"] for each in said["correlations"]}
    assert by_pair["ann", "model.key"] == pytest.approx(1.0)
    weights = Labelling.from_dict({f"u{n}": {"s0": 1, "s1": 2} for n in range(4)}, lemma="win.v")
    write_labelling(weights, "senses.key")
    out = cli("agreement", wssim, "--section", "schemes", "--labelling", "senses.key").out
    assert "senses.key" in out


def test_related_senses_and_groups(cli: Run, wssim: str) -> None:
    Path("groups.tsv").write_text("s0\tone\ns1\ttwo\n")
    ran = cli("agreement", wssim, "--section", "senses", "--groups", "groups.tsv", "--json")
    found = json.loads(ran.out)
    related = found["WSsim"]["senses"]["related"]
    assert (related[0]["first"], related[0]["second"], related[0]["items"]) == ("s0", "s1", 4)
    conflicts = {each["question"]: each["usages"] for each in found["WSsim"]["senses"]["conflicts"]}
    assert conflicts["two senses of different groups both rated ≥ 4"] == 1
    assert any(note.startswith("groups.tsv: ") for note in found["notes"])


def test_what_does_not_apply_says_why(cli: Run, wssim: str, usim: str) -> None:
    for name, section, why in (
        (wssim, "metricity", "the triangle inequality is asked of pairs of usages (Usim), not of WSsim"),
        (usim, "senses", "senses are related by ratings of senses (WSsim), not by Usim"),
        (usim, "schemes", "Usim: give --labelling or --substitutes to compare the ratings with other schemes"),
    ):
        ran = cli("agreement", name, "--section", section)
        assert (ran.code, ran.out) == (2, "")
        assert why in ran.err


def test_the_page(cli: Run, wssim: str) -> None:
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")
    ran = cli("agreement", wssim, "--resamples", 20, "--report", "out.html")
    assert (ran.code, ran.out) == (0, "The page is at out.html\n")
    page = Path("out.html").read_text()
    headings = re.findall("<h2>(.*?)</h2>", page)
    assert headings == [
        "WSsim: How people agree",
        "WSsim: Use of the scale",
        "WSsim: Careless annotators",
        "WSsim: The senses under the lens",
        "Notes",
    ]
    assert page.count("<figure") >= 4
    assert not re.findall(r'(?:src|href)="(?!#)', page.replace("xmlns:xlink", ""))
    assert "<script" not in page


def test_the_page_of_real_ratings(cli: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")
    monkeypatch.setenv("POLYSEME_DATA", str(data))
    groups = data / "coarse-wordnet-2.1" / "sense_clusters-21.senses"
    name = "semeval-2013-task-13-trial"
    ran = cli("agreement", name, "--groups", groups, "--resamples", 20, "--report", "out.html")
    assert ran.code == 0, ran.err
    page = Path("out.html").read_text()
    assert "Related senses of paper.n" in page
    assert len(page) < 1_000_000
