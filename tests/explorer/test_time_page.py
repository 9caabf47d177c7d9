"""The page on change over time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from polyseme.words.periods import SenseChange
from polyseme.words.profile import WordProfile

pytest.importorskip("starlette", reason="the explorer needs polyseme[explore]")

Get = Callable[..., Any]
SMALL = SenseChange("", 0.5, 0.01, 0.301, 0.304, 1840, 1878)
LARGE = replace(SMALL, before=0.1, after=0.5)


def set_changes(monkeypatch: pytest.MonkeyPatch, *rows: SenseChange) -> None:
    """Let the page report these changes of the last sense."""

    def changes(profile: WordProfile) -> list[SenseChange]:
        return [replace(row, sense=profile.senses[-1].id) for row in rows]

    monkeypatch.setattr("polyseme.explorer.word_pages._cached_changes", changes)


def test_too_few_years_are_reported(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.explorer.word_pages._cached_changes", lambda _: None)
    page = get("/time").text
    assert "There are too few years to test for change; the test needs 5." in page
    assert "significant trend" not in page


def test_missing_trends_are_reported(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    set_changes(monkeypatch, replace(LARGE, p=0.2))
    assert "No sense rises or falls significantly over time." in get("/time").text


@pytest.mark.parametrize("change", [SMALL, replace(LARGE, correlation=-0.5)])
def test_trends_that_percentages_cannot_show_are_reported(
    get: Get, monkeypatch: pytest.MonkeyPatch, change: SenseChange
) -> None:
    set_changes(monkeypatch, change)
    page = get("/time").text
    assert "too little or too unevenly to show" in page
    assert not re.search(r"(rose|fell) from", page)


def test_changes_of_senses_outside_the_legend_are_reported(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.explorer.word_pages.MAX_SENSES", 1)
    set_changes(monkeypatch, LARGE)
    page = get("/time").text
    assert "rose from 10% of usages (before 1841) to 50% (after 1877)" in page
    assert len(re.findall(r'<th scope="col" class="number"><', page)) == 1
