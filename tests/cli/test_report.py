"""Pages of results and of annotation, as a user asks for them."""

import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.conftest import Run
from experiments.banks import plan, write_data
from polyseme.interface.rating_sources import open_rating_source


@pytest.fixture(autouse=True)
def _libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("altair", reason="needs polyseme[plots]")
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")
    monkeypatch.setattr("polyseme.workers.available_processors", lambda: 1)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a data set of our own making."""
    return write_data(tmp_path_factory.mktemp("data"))


def run_plan(cli: Run, written: Path) -> None:
    Path("two.toml").write_text(plan(title='"Two words"', systems='["all"]'))
    assert cli("run", "two.toml", "-o", "results", "--data", written).code == 0


class Well(HTMLParser):
    """Checks that elements are closed in their order, and collects ids and links to them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inputs = dict(attrs)
        if inputs.get("id"):
            self.ids.append(str(inputs["id"]))
        if str(inputs.get("href", "")).startswith("#"):
            self.links.append(str(inputs["href"])[1:])
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_page(page: str) -> None:
    """Whole, found through its contents, and without anything from elsewhere."""
    well = Well(page)
    sections = [item for item in well.ids if item in well.links]
    assert len(sections) == len(well.links) > 1
    assert not re.search(r"(src|href)=.?https?:|url\((?!.?#)|@import|<script", page)


def test_a_page_of_results_with_its_tables_and_plots(cli: Run, written: Path) -> None:
    run_plan(cli, written)
    options = ("--samples", 100, "--data", written)
    ran = cli("report", "results", "two.toml", "-o", "p.html", "--tables", "t", "--plots", "f", *options)
    assert (ran.code, ran.err) == (0, "")
    page = Path("p.html").read_text()
    check_page(page)
    assert "<h1>Results: Two words</h1>" in page
    typed = f"polyseme report results two.toml -o p.html --tables t --plots f --samples 100 --data {written}"
    assert f"<code>{typed}</code>, polyseme 0." in page
    for heading in ("In short", "Scores", "Lemma by lemma", "Mistakes", "Intervals and tests"):
        assert f"<h2>{heading}</h2>" in page
    with Path("t/scores-two-words.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["System"] for row in rows][:2] == ["Squares(delta=0.2, sigma=0.3)", "right"]
    assert 0 <= float(rows[0]["Fuzzy NMI"]) <= 1
    assert r"\toprule" in Path("t/avg-by-lemma.tex").read_text()
    assert Path("f/avg-lemma-by-lemma.svg").read_text().startswith("<svg")
    assert Path("f/avg-lemma-by-lemma.png").read_bytes().startswith(b"\x89PNG")
    assert not list(Path().rglob("*.tmp"))
    same = cli("report", "results", "results", "-o", "q.html", *options)
    assert same.code == 0
    assert Path("q.html").read_text().partition("<footer")[0] == page.partition("<footer")[0]


def test_no_model_is_run_for_a_page(cli: Run, written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unable(*_: object, **__: object) -> None:
        raise AssertionError("a model was run")

    run_plan(cli, written)
    monkeypatch.setattr("polyseme.experiments.induction.InductionSetting.label", unable)
    monkeypatch.setattr("polyseme.experiments.induction.build_corpus_index", unable)
    assert cli("report", "results", "two.toml", "-o", "p.html", "--samples", 100, "--data", written).code == 0


def test_what_has_not_been_run_says_what_to_type(cli: Run) -> None:
    Path("two.toml").write_text(plan())
    ran = cli("report", "results", "two.toml", "-o", "p.html")
    assert ran.code == 2
    assert "two.toml: this plan has not been run in results. Type: polyseme run two.toml -o results" in ran.err
    assert "Type: polyseme run PLAN.toml -o examples" in cli("report", "results", "examples", "-o", "p.html").err
    assert not Path("p.html").exists()


def test_a_page_of_annotation(cli: Run) -> None:
    ran = cli(
        "report",
        "annotation",
        "examples/ratings.csv",
        "-o",
        "p.html",
        "--resamples",
        20,
        "--tables",
        "t",
        "--plots",
        "f",
    )
    assert (ran.code, ran.err) == (0, "")
    page = Path("p.html").read_text()
    check_page(page)
    assert "<h1>Agreement: ratings.csv</h1>" in page
    assert {item.suffix for item in Path("t").iterdir()} == {".csv", ".tex"}
    assert {item.suffix for item in Path("f").iterdir()} == {".svg", ".png"}
    assert len(list(Path("t").iterdir())) == 2 * page.count("<table>")


def test_ratings_of_several_files_are_taken_together(cli: Run) -> None:
    lines = Path("examples/ratings.csv").read_text().splitlines(keepends=True)
    who = lines[1].split(",")[lines[0].strip().split(",").index("annotator")]
    Path("one.csv").write_text(lines[0] + "".join(line for line in lines[1:] if f"{who}," in line))
    Path("two.csv").write_text(lines[0] + "".join(line for line in lines[1:] if f"{who}," not in line))
    cli("report", "annotation", "one.csv", "two.csv", "-o", "p.html", "--resamples", 0)
    cli("report", "annotation", "examples/ratings.csv", "-o", "q.html", "--resamples", 0)
    figures = [
        re.findall(r"\d\.\d{3}", Path(name).read_text().partition("</table>")[0]) for name in ("p.html", "q.html")
    ]
    assert figures[0]
    assert sorted(figures[0]) == sorted(figures[1])
    again = cli("report", "annotation", "one.csv", "one.csv", "two.csv", "-o", "p.html")
    assert again.code == 0  # the same file twice is the same file
    Path("three.csv").write_text(Path("one.csv").read_text())
    ran = cli("report", "annotation", "one.csv", "three.csv", "-o", "p.html")
    assert (ran.code, "three.csv: it has judgements that one.csv also has; name each source once" in ran.err) == (
        2,
        True,
    )


def test_a_page_has_no_password(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_rating_source("examples/ratings.csv")
    monkeypatch.setattr("polyseme.interface.annotation.open_rating_source", lambda *_: source)
    for address in ("postgresql://user:secret@host/db", "postgresql://user@firm:se/cr@et@host/db?password=secret&x=1"):
        assert cli("report", "annotation", address, "-o", "p.html", "--resamples", 0).code == 0
        page = Path("p.html").read_text()
        assert re.search(r"postgresql://user(@firm)?:\*\*\*@host/db", page)
        assert "secret" not in page
        assert "cr@et" not in page


def test_without_the_extra_it_says_which(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    ran = cli("report", "annotation", "examples/ratings.csv", "-o", "p.html", "--resamples", 0)
    assert ran.code == 2
    assert "pip install 'polyseme[plots]'" in ran.err
    assert not Path("p.html").exists()


@pytest.mark.usefixtures("_beside_a_model")
@pytest.mark.parametrize("page", ["/proc/x", "page.html"])
def test_what_is_missing_is_noticed_before_senses_are_induced(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """A page that cannot be written, or a library that draws it."""
    monkeypatch.setattr("polyseme.words.word_reports.make_word_reports", None)
    monkeypatch.setitem(sys.modules, "altair", None)
    (tmp_path / "page.html").write_text("mine")
    ran = cli("report", "senses", "my.index", "bank", "-o", page)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(
        "polyseme: /proc/x: " if page == "/proc/x" else "polyseme: 'altair' is not installed. Type"
    )
    assert (tmp_path / "page.html").read_text() == "mine"


def test_the_store_of_a_study_needs_no_export(cli: Run, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")
    from polyseme.rating import Rating
    from polyseme.studio.exchange.rating_import import import_ratings
    from studies import begin, make_pages, make_study

    pages = make_pages("WSsim")
    store = begin(tmp_path, make_study("WSsim"), pages)
    import_ratings(
        store,
        [
            Rating(who, "WSsim", page.lemma, page.usage, sense.id, 1.0 + (number + place + (who == "bob")) % 5)
            for who in ("ann", "bob")
            for number, page in enumerate(pages)
            for place, sense in enumerate(page.senses)
        ],
    )
    path = store.database.file
    store.close()
    ran = cli("report", "annotation", path, "-o", "p.html", "--resamples", 0)
    assert (ran.code, ran.err) == (0, "")
    assert f"<h1>Agreement: {path and path.name}</h1>" in Path("p.html").read_text()
    assert "this store does not exist" in cli("report", "annotation", "none.db", "-o", "q.html").err


# -- keys of one's own -------------------------------------------------------------------------------------------------


def test_a_page_of_keys_has_published_systems_and_baselines(
    cli: Run, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEME_DATA", str(written))
    lines = (written / "banks" / "gold.key").read_text().splitlines()
    Path("mine.key").write_text(
        "".join(f"{line.rpartition(' ')[0]} s{number % 3}/1\n" for number, line in enumerate(lines))
    )
    options = ("--task", "semeval-2013", "--gold", "banks", "--samples", 100)
    ran = cli("report", "results", "mine.key", "-o", "p.html", "--tables", "t", *options)
    assert (ran.code, ran.err) == (0, "")
    page = Path("p.html").read_text()
    check_page(page)
    assert "<h1>Results: mine.key on semeval-2013</h1>" in page
    for heading in ("In short", "Scores", "Lemma by lemma", "Mistakes", "Intervals and tests"):
        assert f"<h2>{heading}</h2>" in page
    with Path("t/scores-mine-key-on-semeval-2013.csv").open() as file:
        rows = {row["System"]: row for row in csv.DictReader(file)}
    assert {"mine.key", "right", "one cluster"} <= rows.keys()
    scored = json.loads(cli("score", "semeval-2013", "mine.key", "--gold", "banks", "--json").out)
    assert float(rows["mine.key"]["Fuzzy NMI"]) == pytest.approx(scored["fuzzy_nmi"])
    without = cli("report", "results", "mine.key", "-o", "q.html", "--systems", "none", *options)
    assert without.code == 0
    assert ">right<" not in Path("q.html").read_text()
    wrong = cli("report", "results", "mine.key", "-o", "r.html", "--systems", "lost", *options)
    assert (wrong.code, "there is no published system 'lost'" in wrong.err) == (2, True)


def test_keys_need_a_task_and_a_gold_standard(cli: Run) -> None:
    for options, message in (
        (["examples/system-a.key"], "to report on keys, name their task, such as semeval-2013"),
        (["examples/system-a.key", "--task", "senseval"], "name the gold standard: --gold GOLD"),
        (["examples/system-a.key", "--task", "usim"], "usim scores pairs of usages"),
        (["examples/system-a.key", "--gold", "examples/gold.key"], "to report on keys, name their task"),
    ):
        ran = cli("report", "results", *options, "-o", "p.html")
        assert (ran.code, message in ran.err) == (2, True), ran.err


def test_keys_without_texts_have_mistakes_without_quotations() -> None:
    from polyseme.interface.reporting import report_results

    gold = {f"{word}.n.{n}": {"ab"[n % 2]: 1} for word in ("bank", "crane") for n in range(4)}
    system = {usage: {"a": 1} for usage in gold}
    report = report_results({"mine": system}, task="SemEval2013(mapping=False)", gold=gold, samples=100)
    page = report.page()
    assert "Mistakes" in page
    assert "<blockquote>" not in page
    assert report._repr_html_().startswith("<iframe srcdoc=")
