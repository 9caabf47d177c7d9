"""Pages of reports in a browser: on a screen and on a phone, light and dark, and printed."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")
pytest.importorskip("altair", reason="needs polyseme[plots]")

from polyseme.reports.page import Report
from polyseme.reports.results import (
    Breakdown,
    Confusion,
    FailedUsage,
    FigureWithSignificance,
    Findings,
    Mistakes,
    ResultLine,
)
from polyseme.reports.results_page import results_report
from polyseme.tasks.columns import ScoreColumn
from polyseme.usage import Usage
from served import check_accessibility

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Scheme = Literal["light", "dark"]
SIZES = {"desktop": (1200, 900), "phone": (390, 844)}
LONG = "Prototypes(encoder='package:a-very-long-name', order=2), keep 0.5"


def planted_report() -> Report:
    """Twelve lemmas, four rows, two of them with long names, and a long word."""
    lemmas = [f"word{number}.n" for number in range(12)]
    columns = [
        ScoreColumn(heading, figure) for heading, figure in (("Jaccard F1", "jaccard.f1"), ("F1", "f1"), ("AVG", "avg"))
    ]

    def line(name: str, kind: str, value: float) -> ResultLine:
        significant = FigureWithSignificance(
            value, value - 0.05, value + 0.05, value - 0.2, value - 0.3, value - 0.1, 0.001, 0.003
        )
        figure = FigureWithSignificance(value) if kind == "baseline" else significant
        values = {lemma: value * (1 + math.sin(number)) / 2 for number, lemma in enumerate(lemmas)}
        return ResultLine(name, kind, {column.figure: figure for column in columns}, {"labelled": 1.0}, lemmas=values)

    lines = [line(LONG, "model", 0.6), line("Squares()", "model", 0.5), line("paper", "system", 0.4)]
    lines.append(line("one cluster", "baseline", 0.2))
    usage = Usage("word0.n.1", "word0.n", f"They saw the {'very ' * 80}long word0 of {'x' * 120}.", 418, 423)
    failure = FailedUsage(usage, {"sense%1:00:00::": 1.0}, {"other%1:04:00::": 0.75, "third": 0.25}, 1.0)
    glosses = {("word0.n", "sense%1:00:00::"): "what is meant here, and described at some length"}
    values = {row.name: {"news": 0.5, "fiction": 0.25} for row in lines}
    return results_report(
        Findings(
            title="A planted experiment",
            task="semeval-2013",
            columns=columns,
            measure=columns[2],
            lines=lines,
            best=LONG,
            best_system="paper",
            reference="one cluster",
            sizes=dict.fromkeys(lemmas, 10),
            breakdowns=[Breakdown("genre", {"news": 80, "fiction": 40}, values)],
            mistakes=Mistakes([0.0, 0.3, 1.0], 2, [failure], [Confusion("word0.n", "a", "b", 1.5, 3)], glosses, True),
            samples=2000,
            about=[("Data", "planted")],
        )
    )


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "results.html"
    path.write_text(planted_report().page("polyseme planted_report results planted.toml -o results.html"))
    return path


def open_page(chromium: Browser, path: Path, size: str, scheme: Scheme, problems: list[str]) -> Page:
    width, height = SIZES[size]
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, offline=True)
    page = context.new_page()
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("file:") else problems.append(request.url))
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", list(SIZES))
def test_a_page_of_results_is_accessible(
    chromium: Browser, page_file: Path, shot: Callable[[Page, str], None], size: str, scheme: Scheme
) -> None:
    problems: list[str] = []
    page = open_page(chromium, page_file, size, scheme, problems)
    check_accessibility(page)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, "the page is wider than the screen"
    heights = page.locator("figure svg text").evaluate_all("all => all.map(e => e.getBoundingClientRect().height)")
    small = [height for height in heights if 0 < height < 8]
    assert not small, "text of plots is too small to read"
    shot(page, f"results-{size}-{scheme}")
    assert problems == []
    page.context.close()


def test_contents_lead_to_sections_and_tables_scroll_by_keys(chromium: Browser, page_file: Path) -> None:
    problems: list[str] = []
    page = open_page(chromium, page_file, "phone", "light", problems)
    page.get_by_role("link", name="Mistakes").click()
    page.wait_for_function("scrollY > 500")
    assert page.url.endswith("#mistakes")
    assert page.locator("mark").first.inner_text() == "word0"
    table = page.get_by_role("region", name="Scores: A planted experiment")
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")
    assert problems == []
    page.context.close()


def test_the_page_can_be_printed(chromium: Browser, page_file: Path) -> None:
    page = open_page(chromium, page_file, "desktop", "light", [])
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.context.close()
