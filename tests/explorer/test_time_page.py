"""What the page about time says of changes, and where it says that there are none."""

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


def found(monkeypatch: pytest.MonkeyPatch, *given: SenseChange) -> None:
    """Let the page find these changes, of the last sense."""

    def changes(portrait: WordProfile) -> list[SenseChange]:
        return [replace(each, sense=portrait.senses[-1].id) for each in given]

    monkeypatch.setattr("polyseme.explorer.word_pages._cached_changes", changes)


def test_years_that_are_too_few(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.explorer.word_pages._cached_changes", lambda _: None)
    page = get("/time").text
    assert "There are too few years to test whether senses rise or fall: it takes 5." in page
    assert "significant trend" not in page


def test_no_trend(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, replace(LARGE, p=0.2))
    assert re.search(r"None of the \d+ senses has a significant trend", get("/time").text)


@pytest.mark.parametrize("change", [SMALL, replace(LARGE, correlation=-0.5)])
def test_a_trend_that_cannot_be_told(get: Get, monkeypatch: pytest.MonkeyPatch, change: SenseChange) -> None:
    found(monkeypatch, change)
    page = get("/time").text
    assert "too small or too uneven to be told" in page
    assert not re.search(r"(rose|fell) from", page)


def test_a_change_of_a_sense_that_is_not_shown_is_told(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyseme.explorer.word_pages.MAX_SENSES", 1)
    found(monkeypatch, LARGE)
    page = get("/time").text
    assert "rose from 10% of the usages up to 1840 to 50% of those from 1878" in page
    assert len(re.findall(r'<th scope="col" class="number"><', page)) == 1
