"""The sections of ``polyseme agreement``, and its page."""

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme import Labelling, write_labelling, write_ratings
from polyseme.rating import UNDECIDED, Rating, Ratings

RATINGS = {"ann": (5, 4, 1, 1, 2, 1, 1, 5), "bob": (5, 5, 1, 2, 1, 1, 2, 4), "cat": (4, 5, 2, 1, 1, 2, 1, 5)}


@pytest.fixture
def wssim(cli: Run) -> str:  # noqa: ARG001
    """Four usages, two senses of each by three annotators."""
    items = [(f"u{n // 2}", f"s{n % 2}") for n in range(8)]
    rows = [
        Rating(who, "WSsim", "win.v", *item, float(value), order=place)
        for who, values in RATINGS.items()
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
    result = json.loads(cli("agreement", wssim, "--section", "scale", "--json").out)["WSsim"]["scale"]
    assert result["distribution"][0]["counts"] == [10, 5, 0, 3, 6]
    assert result["several"][0]["by_someone"] == 1
    assert "WSsim: items with the widest spread" in cli("agreement", wssim, "--section", "scale").out


def test_averages_of_pairs_are_enough_for_metricity(cli: Run) -> None:
    Path("means.tsv").write_text("u0\tu1\t5\twin.v\nu1\tu2\t4.5\twin.v\nu0\tu2\t2\twin.v\n")
    result = json.loads(cli("agreement", "means.tsv", "--json").out)["Usim"]["metricity"]
    assert (result["averages"]["triples"], result["averages"]["missed"]) == (1, 1)
    assert result["averages"]["amount"] == pytest.approx(1.5)
    assert result["individuals"]["reason"] == "only averages are known"
    write_labelling(Labelling.hard(["u0", "u1", "u2"], ["a", "a", "b"], lemma="win.v"), "model.key")
    schemes = cli("agreement", "means.tsv", "--section", "schemes", "--labelling", "model.key", "--json").out
    assert json.loads(schemes)["Usim"]["schemes"]["model.key"] == {"within": 5.0, "across": 3.25}
    ran = cli("agreement", "means.tsv", "--section", "annotators")
    assert (ran.code, ran.out) == (2, "")
    assert "these are averages, and the section 'annotators' needs the ratings of annotators" in ran.err


def test_averages_have_no_groups_of_annotators(cli: Run) -> None:
    Path("means.tsv").write_text("u0\tu1\t5\twin.v\nu1\tu2\t4.5\twin.v\nu0\tu2\t2\twin.v\n")
    ran = cli("agreement", "means.tsv", "--group", "first=ann")
    assert (ran.code, ran.out) == (2, "")
    assert "--group 'first=ann' assigns annotators to a group, and these are averages" in ran.err
    assert "drop --group" in ran.err


def test_the_page_of_averages_has_all_their_sections(cli: Run) -> None:
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")
    Path("means.tsv").write_text("u0\tu1\t5\twin.v\nu1\tu2\t4.5\twin.v\nu0\tu2\t2\twin.v\n")
    write_labelling(Labelling.hard(["u0", "u1", "u2"], ["a", "a", "b"], lemma="win.v"), "model.key")
    assert cli("agreement", "means.tsv", "--labelling", "model.key", "--report", "out.html").code == 0
    headings = re.findall("<h2>(.*?)</h2>", Path("out.html").read_text())
    assert headings[:2] == ["Usim: Triangle inequality", "Usim: Comparison with other schemes"]


def test_groups_of_annotators(cli: Run, wssim: str) -> None:
    ran = cli("agreement", wssim, "--section", "groups", "--group", "first=ann", "--group", "later=bob,cat", "--json")
    result = json.loads(ran.out)["WSsim"]["groups"]
    assert [group["name"] for group in result["values"]["groups"]] == ["first", "later"]
    assert result["several"]["groups"][1]["shares"] == [7 / 8, 1 / 8]
    assert result["several"]["p"] == 1
    out = cli("agreement", wssim, "--section", "groups", "--group", "first=ann", "--group", "later=bob,cat").out
    assert "WSsim: answers with several senses at 5" in out


@pytest.mark.parametrize(
    "group, problem",
    [
        ("first", "--group 'first' names no group; write NAME=ANNOTATOR,ANNOTATOR"),
        ("first=dan", "--group 'first=dan': 'dan' is not an annotator; write one of ann, bob, cat"),
        ("later=ann", "--group 'later=ann': 'ann' is in the group 'first' already; write every annotator in one group"),
    ],
)
def test_groups_that_there_are_not(cli: Run, wssim: str, group: str, problem: str) -> None:
    ran = cli("agreement", wssim, "--section", "groups", "--group", "first=ann", "--group", group)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err


def test_without_groups_there_is_nothing_to_compare(cli: Run, wssim: str) -> None:
    assert "all annotators are in one group; --group NAME=" in cli("agreement", wssim, "--section", "groups").err


def test_pooling(cli: Run) -> None:
    """Usage 1 has three answers, two of which agree; usage 2 has two, which do not."""
    chosen = [("1", "ann", "a"), ("1", "bob", "a"), ("1", "cat", "b"), ("2", "ann", "a"), ("2", "bob", "b")]
    write_ratings(Ratings(Rating(who, "WSbest", "win.v", u, sense, 1.0) for u, who, sense in chosen), "best.csv")
    for pooling, agreement, without in [("usages", 1 / 6, 0.5), ("pairs", 1 / 4, 0.5)]:
        result = json.loads(cli("agreement", "best.csv", "--pooling", pooling, "--resamples", "0", "--json").out)
        message = result["WSbest"]["agreement"]
        assert message["figures"]["agreement"]["value"] == pytest.approx(agreement)
        assert message["annotators"][2]["without"]["agreement"]["value"] == pytest.approx(without)
    assert cli("agreement", "best.csv", "--pooling", "all").code == 2


def test_the_curve_of_cut_offs(cli: Run, wssim: str) -> None:
    result = json.loads(cli("agreement", wssim, "--section", "senses", "--json").out)["WSsim"]["senses"]["cut_offs"]
    assert [entry["usages"] for entry in result if entry["least"] == 3][::10] == [0, 0, 1]
    assert "Senses that apply together" in cli("agreement", wssim, "--section", "senses").out


def test_careless_annotators(cli: Run, wssim: str) -> None:
    result = json.loads(cli("agreement", wssim, "--section", "annotators", "--json").out)["WSsim"]["annotators"]
    assert result["not_checked"]["speed"] == "response times are not recorded"
    assert cli("agreement", wssim, "--section", "annotators").out.startswith("WSsim: flagged annotators")


def test_metricity(cli: Run, usim: str) -> None:
    result = json.loads(cli("agreement", usim, "--section", "metricity", "--json").out)["Usim"]["metricity"]
    assert (result["averages"]["triples"], result["averages"]["missed"]) == (1, 0)
    assert result["savings"][0]["rule"] == "Close(rating=4)"


def test_a_model_is_one_more_annotator(cli: Run, usim: str, wssim: str) -> None:
    model = Labelling.hard(["u0", "u1", "u2"], ["a", "a", "b"], lemma="win.v")
    write_labelling(model, "model.key")
    result = json.loads(cli("agreement", usim, "--section", "schemes", "--labelling", "model.key", "--json").out)
    message = result["Usim"]["schemes"]
    assert message["model.key"] == {"within": 4.5, "across": 1.25}
    by_pair = {(entry["first"], entry["second"]): entry["rho"] for entry in message["correlations"]}
    assert by_pair["ann", "model.key"] == pytest.approx(1.0)
    weights = Labelling.from_dict({f"u{n}": {"s0": 1, "s1": 2} for n in range(4)}, lemma="win.v")
    write_labelling(weights, "senses.key")
    out = cli("agreement", wssim, "--section", "schemes", "--labelling", "senses.key").out
    assert "senses.key" in out


def test_related_senses_and_groups(cli: Run, wssim: str) -> None:
    Path("groups.tsv").write_text("s0\tone\ns1\ttwo\n")
    ran = cli("agreement", wssim, "--section", "senses", "--groups", "groups.tsv", "--json")
    result = json.loads(ran.out)
    related = result["WSsim"]["senses"]["related"]
    assert (related[0]["first"], related[0]["second"], related[0]["items"]) == ("s0", "s1", 4)
    conflicts = {entry["question"]: entry["usages"] for entry in result["WSsim"]["senses"]["conflicts"]}
    assert conflicts["two senses of different groups both rated ≥ 4"] == 1
    assert any(note.startswith("groups.tsv: ") for note in result["notes"])


def test_what_does_not_apply_says_why(cli: Run, wssim: str, usim: str) -> None:
    for name, section, why in (
        (wssim, "metricity", "the triangle inequality applies to pairs of usages (Usim), not to WSsim"),
        (usim, "senses", "related senses are computed from ratings of senses (WSsim), not from Usim"),
        (usim, "schemes", "Usim: to compare the ratings with other schemes, add --labelling or --substitutes"),
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
        "WSsim: Agreement of annotators",
        "WSsim: Use of the scale",
        "WSsim: Attention checks",
        "WSsim: Related senses",
        "Notes",
    ]
    assert page.count("<figure") >= 4
    assert "Agreement on word sense similarity (WSsim) is " in page
    assert page.count("<summary>More tables (") == 4
    assert page.count("Annotators rated, for each usage of a word,") == 1
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


# -- what is odd ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["WSsim", "Usim", "WSbest"])
def test_nobody_could_decide(cli: Run, task: str) -> None:
    rows = [Rating(who, task, "win.v", f"u{n}", "v", UNDECIDED) for who in ("ann", "bob") for n in range(4)]
    write_ratings(Ratings(rows), "open.csv")
    ran = cli("agreement", "open.csv", "--section", "all", "--resamples", 10)
    assert (ran.code, ran.err) == (0, "")
    assert "Undefined: " in ran.out
    assert "Left out: 8 of annotators who could not decide." in ran.out
    assert "choose nothing" not in ran.out


def test_nothing_but_training(cli: Run) -> None:
    rows = [Rating(who, "WSsim", "win.v", "u", "s", 3.0, role="training") for who in ("ann", "bob")]
    write_ratings(Ratings(rows), "training.csv")
    ran = cli("agreement", "training.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "WSsim: all ratings are hidden repeats, control items or training" in ran.err


def test_the_scale_is_named_or_seen(cli: Run) -> None:
    rows = [Rating(who, "WSsim", "win.v", f"u{n}", "s", 1.0 + n % 4) for who in ("ann", "bob") for n in range(40)]
    write_ratings(Ratings(rows), "four.csv")
    seen = cli("agreement", "four.csv", "--section", "scale").out
    assert "4 identical." in seen
    assert "WSsim: no value is above 4, so the scale is taken to be that of word usage graphs" in seen
    names = cli("agreement", "four.csv", "--section", "scale", "--scale", "1-5").out
    assert "5 identical." in names
    assert "no value is above 4" not in names
    write_ratings(Ratings([row._replace(value=row.value - 1) for row in rows]), "zero.csv")
    assert "the value 0 is not on the scale from 1 to 4" in cli("agreement", "zero.csv", "--section", "scale").err
    other = json.loads(cli("agreement", "zero.csv", "--section", "scale", "--scale", "0-10", "--json").out)
    assert other["WSsim"]["scale"]["distribution"][0]["counts"] == [20, 20, 20, 20, *[0] * 7]
    assert "--scale '5' is not a scale; write its lowest" in cli("agreement", "zero.csv", "--scale", "5").err


def test_tasks_of_one_file_are_compared(cli: Run) -> None:
    usages = [f"u{n}" for n in range(4)]
    rows = [Rating("ann", "WSsim", "win.v", usage, "s", 1.0 + 4 * (n < 2)) for n, usage in enumerate(usages)]
    rows += [Rating("ann", "WSsim", "win.v", usage, "t", 1.0 + 4 * (n > 1)) for n, usage in enumerate(usages)]
    pairs = [(one, two) for one in range(4) for two in range(one)]
    rows += [Rating("ann", "Usim", "win.v", usages[a], usages[b], 5.0 if (a < 2) == (b < 2) else 1.0) for a, b in pairs]
    for who in ("ann", "bob"):
        rows += [Rating(who, "WSbest", "win.v", usage, "st"[n > 1], 1.0) for n, usage in enumerate(usages)]
        rows += [Rating(who, "SYNbest", "win.v", usage, ("gain", "beat")[n > 1], 1.0) for n, usage in enumerate(usages)]
    write_ratings(Ratings(rows), "all.csv")
    result = json.loads(cli("agreement", "all.csv", "--section", "schemes", "--json").out)
    of_pairs = {
        frozenset((entry["first"], entry["second"])): entry["rho"]
        for entry in result["Usim"]["schemes"]["correlations"]
    }
    assert of_pairs[frozenset(("ann", "WSsim distance"))] == pytest.approx(-1)
    assert of_pairs[frozenset(("ann", "substitutes"))] == pytest.approx(1)
    of_senses = {
        frozenset((entry["first"], entry["second"])): entry["rho"]
        for entry in result["WSsim"]["schemes"]["correlations"]
    }
    assert of_senses[frozenset(("ann", "WSbest"))] == pytest.approx(1)


def test_pairs_that_a_study_could_leave_out(cli: Run) -> None:
    rows = [
        Rating("ann", "Usim", "win.v", "u0", usage, value) for usage, value in [("u1", 5.0), ("u2", 5.0), ("u3", 1.0)]
    ]
    write_ratings(Ratings(rows), "hub.csv")
    result = json.loads(cli("agreement", "hub.csv", "--section", "metricity", "--json").out)["Usim"]["metricity"]
    assert [(entry["first"], entry["second"]) for entry in result["implied"]] == [
        ("u1", "u2"),
        ("u1", "u3"),
        ("u2", "u3"),
    ]
    assert "Implied pairs" in cli("agreement", "hub.csv", "--section", "metricity").out


def test_flags_come_with_all_their_evidence(cli: Run) -> None:
    rows = [Rating("ann", "WSsim", "win.v", f"u{n}", "s", 3.0) for n in range(40)]
    rows += [Rating("bob", "WSsim", "win.v", f"u{n}", "s", 1.0 + n % 5) for n in range(40)]
    write_ratings(Ratings(rows), "flat.csv")
    ran = cli("agreement", "flat.csv", "--section", "annotators")
    assert ran.out.count("\nWSsim: evidence\n") == 1


def test_every_table_of_the_page_has_a_sentence(cli: Run, wssim: str, usim: str) -> None:
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")
    write_labelling(Labelling.hard(["u0", "u1", "u2"], ["a", "a", "b"], lemma="win.v"), "model.key")
    for name in (wssim, usim):
        cli("agreement", name, "--resamples", 20, "--labelling", "model.key", "--report", "out.html")
        page = Path("out.html").read_text()
        pattern = r"<caption>([^<]*)</caption>(?:(?!</table>).)*</table>(?!(?:</div>|\s)*<p class=.note)"
        bare = re.findall(pattern, page, re.DOTALL)
        assert bare in ([], ["Notes"])
