"""Plots as SVG in a page."""

import sys
import xml.etree.ElementTree as ET

import pytest

from polyseme.errors import InputError
from polyseme.reports.plots import (
    Plot,
    PlotBar,
    PlotDot,
    as_figure,
    plot_bars,
    plot_dots,
    plot_heatmap,
    plot_histogram,
    plot_network,
)

NAN = float("nan")


@pytest.fixture(autouse=True)
def _libraries() -> None:
    pytest.importorskip("altair", reason="needs polyseme[plots]")
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")


def texts(plot: Plot) -> list[str]:
    """All that is written in a picture."""
    return [each.text or "" for each in ET.fromstring(plot.svg()).iter("{http://www.w3.org/2000/svg}text")]


def test_bars_keep_the_order_of_rows_and_parts() -> None:
    given = [PlotBar(who, str(value), 0.5) for who in ("zoe", "ann") for value in (1, 2)]
    said = texts(plot_bars("Use", "Words", given, "share", "value", share=True))
    assert [each for each in said if each in ("zoe", "ann")] == ["zoe", "ann"]
    assert [each for each in said if each in ("1", "2")] == ["1", "2"]
    assert "50%" in said


def test_a_heatmap_leaves_out_what_is_undefined() -> None:
    said = texts(
        plot_heatmap("Pairs", "Words", ["ann", "bob", "cat"], [[1, 0.5, NAN], [0.5, 1, -0.25], [NAN, -0.25, 1]])
    )
    assert sorted(each for each in said if each[:2] in ("0.", "-0")) == ["-0.25", "-0.25", "0.50", "0.50"]


def test_dots_histograms_and_networks() -> None:
    assert {"win.v", "bar.n", "α"} <= set(
        texts(plot_dots("α", "Words", [PlotDot("win.v", 0.4, 0.3, 0.5), PlotDot("bar.n", 0.2)], "α"))
    )
    assert "how many" in texts(plot_histogram("ρ", "Words", [0.1, 0.2, -0.3], "ρ", 0.1))
    said = texts(plot_network("Senses", "Words", {"a": (0, 0), "b": (1, 1)}, {("a", "b"): 0.8}, {"a": "g", "b": "h"}))
    assert {"a", "b", "0.80", "g", "h"} <= set(said)


def test_a_figure_tells_its_words_to_those_who_do_not_see_it() -> None:
    found = as_figure(plot_dots('A "plot" & more', "What it <shows>.", [PlotDot("x", 0.5)], "α"))
    assert 'aria-label="A &quot;plot&quot; &amp; more. What it &lt;shows&gt;."' in found
    assert "<strong>A &quot;plot&quot; &amp; more.</strong> What it &lt;shows&gt;." in found


def test_names_with_markup_are_escaped() -> None:
    found = as_figure(plot_bars("T", "W", [PlotBar("<script>alert(1)</script>", "a", 1)], "share"))
    assert "<script" not in found


def test_as_a_picture_for_a_slide() -> None:
    assert plot_dots("α", "Words", [PlotDot("x", 0.5)], "α").png().startswith(b"\x89PNG")


def test_a_missing_library_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(InputError, match=r'pip install "polyseme\[plots\]"'):
        plot_dots("α", "Words", [PlotDot("x", 0.5)], "α")


def test_no_line_is_drawn_in_the_colour_of_a_light_page() -> None:
    """A frame or a grid of light grey, as Vega has by default, would glare on a dark page."""
    for plot in (plot_dots("α", "Words", [PlotDot("x", 0.5)], "α"), plot_histogram("ρ", "Words", [0.1, 0.2], "ρ", 0.1)):
        assert 'stroke="#ddd"' not in plot.svg()


def test_long_names_below_a_square_are_turned() -> None:
    names = ["annotator-one", "annotator-two"]
    assert "rotate(315" in plot_heatmap("ρ", "Words", names, [[1, 0.5], [0.5, 1]]).svg()
    assert "rotate(315" not in plot_heatmap("ρ", "Words", ["ann", "bob"], [[1, 0.5], [0.5, 1]]).svg()
