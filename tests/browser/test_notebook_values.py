"""Values of notebooks in a browser: senses of words appear without scripts, and everything is accessible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")

import numpy as np

from polyseme.corpus.concordance_lines import Concordance
from polyseme.disambiguation.disambiguated_text import DisambiguatedText, DisambiguatedWord, WeightedSense
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.lm.substitutes import Substitutes
from polyseme.scores import Scores
from polyseme.usage import Usage
from served import check_accessibility

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TEXT = "We sat on the bank of the river."


def make_text() -> DisambiguatedText:
    targets = {"bank": (14, 18, "sloping land"), "river": (26, 31, "a large natural stream")}
    words = (
        DisambiguatedWord(Usage(word, f"{word}.n", TEXT, start, end), start, end, (WeightedSense(word, 0.9, gloss),))
        for word, (start, end, gloss) in targets.items()
    )
    return DisambiguatedText(tuple(words))


def make_page() -> str:
    labelling = Labelling.from_dict({"bank.n.1": {"a": 0.9, "b": 0.1}}, lemma="bank.n")
    senses = Inventory([Sense("a", "bank.n", "sloping side", ("side",), ("Go to the bank.",))])
    scores = Scores.from_units("Jaccard()", ["u1", "u2"], ["x", "y"], [0.5, 0.0])
    lines = Concordance([Usage("bank.n.1", "bank.n", TEXT, 14, 18)])
    values = (make_text(), labelling, senses, scores, lines, Substitutes(("edge",), np.ones(1)))
    body = "".join(value._repr_html_() for value in values)
    style = ":root { color-scheme: light dark } body { background: Canvas; color: CanvasText }"
    return f'<!doctype html><html lang="en"><title>Values</title><style>{style}</style><main>{body}</main></html>'


PAGE = make_page()


def test_senses_of_words_appear_without_scripts(chromium: Browser) -> None:
    page = chromium.new_page(java_script_enabled=False)
    page.set_content(PAGE)
    land, stream = page.get_by_text("sloping land"), page.get_by_text("a large natural stream")
    assert not land.is_visible()
    page.keyboard.press("Tab")
    assert land.is_visible()
    assert not stream.is_visible()
    page.keyboard.press("Tab")
    assert not land.is_visible()
    assert stream.is_visible()
    page.locator(".word").first.hover()
    assert land.is_visible()
    assert not stream.is_visible()
    page.close()


def test_values_are_accessible_in_light_and_dark(chromium: Browser) -> None:
    page = chromium.new_page(color_scheme="light")
    page.set_content(PAGE)
    page.locator(".word").first.focus()
    check_accessibility(page)
    page.emulate_media(color_scheme="dark")
    check_accessibility(page)
    page.close()
