"""Values of notebooks in a browser: senses of words appear without scripts, and everything is accessible."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="browsers are driven by Playwright")


from polyseme.corpus.concordance_lines import Concordance
from polyseme.disambiguation.disambiguated_text import DisambiguatedText, DisambiguatedWord, WeightedSense
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.lm.substitutes import Substitutes
from polyseme.scores import Scores
from polyseme.usage import Usage
from served import check_accessibility

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEXT = "We sat on the bank of the river, and watched the current."
SENSES = {
    "bank": {"sloping land, especially beside a body of water": 0.78, "an institution that takes deposits": 0.22},
    "river": {"a large natural stream of water": 1.0},
    "current": {"a steady flow, usually of water": 0.71, "a flow of electricity through a conductor": 0.29},
}
QUOTATIONS = {
    "money, loan, account": ("The [bank] lends money at four per cent.", "She has an account at a [bank] in town."),
    "river, water, shore": ("They moored the boat at the [bank].", "Willows grow along the [banks] of the canal."),
    "cloud, fog, snow": ("A [bank] of fog hid the harbour.",),
}
WEIGHTS = ((0.96, 0.04, 0), (0.91, 0.05, 0.04), (0.02, 0.98, 0), (0, 0.83, 0.17), (0, 0.24, 0.76))


def make_text() -> DisambiguatedText:
    words = []
    for number, (word, senses) in enumerate(SENSES.items()):
        start = TEXT.index(word)
        usage = Usage(str(number), f"{word}.n", TEXT, start, start + len(word))
        rows = tuple(WeightedSense(f"{word}%1:1{n}:00::", *row[::-1]) for n, row in enumerate(senses.items()))
        words.append(DisambiguatedWord(usage, usage.start, usage.end, rows))
    return DisambiguatedText(tuple(words))


def make_usages() -> dict[str, list[Usage]]:
    usages: dict[str, list[Usage]] = {}
    for name, quotations in QUOTATIONS.items():
        for number, quotation in enumerate(quotations):
            left, target, right = re.split(r"[\[\]]", quotation)
            usage = Usage(f"{name[:5]}.{number}", "bank.n", left + target + right, len(left), len(left + target))
            usages.setdefault(name, []).append(usage)
    return usages


def make_page() -> str:
    usages = make_usages()
    senses = [
        Sense(f"bank.n.s{n}", "bank.n", frequency=share, features=features, usages=tuple(usages[name]))
        for n, (name, share) in enumerate(zip(usages, (0.5, 0.4, 0.1), strict=True), 1)
        for features in [tuple((word, 1.0) for word in name.split(", "))]
    ]
    every = [usage for group in usages.values() for usage in group]
    labelling = Labelling(
        ("bank.n", usage.id, {sense.id: weight for sense, weight in zip(senses, row, strict=True) if weight})
        for usage, row in zip(every, WEIGHTS, strict=True)
    )
    scores = Scores.from_units("Jaccard()", ["bank.n.1", "mouse.n.1"], ["bank.n", "mouse.n"], [0.5, 0.25])
    substitutes = Substitutes.from_weights({"edge": 22, "slope": 14, "side": 9, "shore": 8}, 4)
    values = (make_text(), Inventory(senses), labelling, Concordance(every), scores, substitutes)
    body = "".join(value._repr_html_() for value in values)
    style = ":root { color-scheme: light dark } body { background: Canvas; color: CanvasText; margin: 1rem }"
    return f'<!doctype html><html lang="en"><title>Values</title><style>{style}</style><main>{body}</main></html>'


PAGE = make_page()


def test_senses_of_words_appear_without_scripts(chromium: Browser) -> None:
    page = chromium.new_page(java_script_enabled=False)
    page.set_content(PAGE)
    land, stream = page.get_by_text("sloping land,"), page.get_by_text("a large natural stream")
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


def test_values_are_accessible_in_light_and_dark(chromium: Browser, shot: Callable[[Page, str], None]) -> None:
    page = chromium.new_page(color_scheme="light", viewport={"width": 760, "height": 1000})
    page.set_content(PAGE)
    page.locator(".word").first.focus()
    check_accessibility(page)
    shot(page, "notebook-values")
    page.emulate_media(color_scheme="dark")
    check_accessibility(page)
    shot(page, "notebook-values-dark")
    page.close()
