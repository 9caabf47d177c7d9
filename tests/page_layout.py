"""Layout of pages in a browser: grids of cards without holes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROW_GAPS = """([selector, count]) => {
    const grid = document.querySelector(selector), original = [...grid.children];
    grid.replaceChildren(...Array.from({length: count}, () => original[0].cloneNode(true)));
    const ends = new Map();
    for (const child of grid.children) {
        const box = child.getBoundingClientRect();
        ends.set(Math.round(box.top), box.right);
    }
    const right = grid.getBoundingClientRect().right;
    grid.replaceChildren(...original);
    return [...ends.values()].map(end => Math.round(right - end));
}"""
"""The empty space at the end of each row of a grid with this many cards."""


def check_rows(page: Page, selector: str, count: int) -> None:
    """Check that a grid with this many cards fills all its rows."""
    gaps = page.evaluate(ROW_GAPS, [selector, count])
    assert max(gaps) <= 1, f"{selector} with {count} cards: {gaps} pixels are empty"
