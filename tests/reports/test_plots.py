"""Plots as SVG in a page."""

import re
import sys
import xml.etree.ElementTree as ET

import pytest

from polyseme.errors import MissingExtra
from polyseme.reports.plots import (
    Plot,
    PlotBar,
    SeriesPoint,
    plot_bars,
    plot_curves,
    plot_heatmap,
    plot_histogram,
    plot_network,
    plot_series,
)

NAN = float("nan")


@pytest.fixture(autouse=True)
def _libraries() -> None:
    pytest.importorskip("altair", reason="needs polyseme[plots]")
    pytest.importorskip("vl_convert", reason="needs polyseme[plots]")


def texts(plot: Plot) -> list[str]:
    """The labels of a picture."""
    return [element.text or "" for element in ET.fromstring(plot.svg()).iter("{http://www.w3.org/2000/svg}text")]


def test_bars_keep_the_order_of_rows_and_parts() -> None:
    bars = [PlotBar(annotator, str(value), 0.5) for annotator in ("zoe", "ann") for value in (1, 2)]
    labels = texts(plot_bars("Use", "Words", bars, "share", "value", share=True))
    assert [label for label in labels if label in ("zoe", "ann")] == ["zoe", "ann"]
    assert [label for label in labels if label in ("1", "2")] == ["1", "2"]
    assert "50%" in labels


def test_a_heatmap_leaves_out_what_is_undefined() -> None:
    labels = texts(
        plot_heatmap("Pairs", "Words", ["ann", "bob", "cat"], [[1, 0.5, NAN], [0.5, 1, -0.25], [NAN, -0.25, 1]])
    )
    assert sorted(label for label in labels if label[:2] in ("0.", "-0")) == ["-0.25", "-0.25", "0.50", "0.50"]


def test_dots_histograms_and_networks_have_labels() -> None:
    assert {"win.v", "bar.n", "α"} <= set(
        texts(
            plot_series(
                "α", "Words", [SeriesPoint("win.v", "series", 0.4, 0.3, 0.5), SeriesPoint("bar.n", "series", 0.2)], "α"
            )
        )
    )
    assert "count" in texts(plot_histogram("ρ", "Words", [0.1, 0.2, -0.3], "ρ", 0.1))
    labels = texts(plot_network("Senses", "Words", {"a": (0, 0), "b": (1, 1)}, {("a", "b"): 0.8}, {"a": "g", "b": "h"}))
    assert {"a", "b", "0.80", "g", "h"} <= set(labels)


def test_axes_of_counts_name_each_whole_number_once() -> None:
    plots = [
        plot_histogram("ρ", "Words", [-0.1, -0.1, -0.2], "ρ", 0.1),
        plot_bars("Range", "Words", [PlotBar("a", "a", 1), PlotBar("b", "b", 2)], "items"),
        plot_curves("Curves", "Words", {"both": [(-1.0, 0.0), (-0.5, 2.0)]}, ("ρ", "usages")),
    ]
    for plot in plots:
        assert [label for label in texts(plot) if re.fullmatch(r"[0-9]+(\.5)?", label)] == ["0", "1", "2"]


def test_a_figure_has_a_text_for_screen_readers() -> None:
    figure = plot_series('A "plot" & more', "What it <shows>.", [SeriesPoint("x", "series", 0.5)], "α").__html__()
    assert 'aria-label="A &#34;plot&#34; &amp; more. What it &lt;shows&gt;."' in figure
    assert "<strong>A &#34;plot&#34; &amp; more.</strong> What it &lt;shows&gt;." in figure


def test_names_with_markup_are_escaped() -> None:
    figure = plot_bars("T", "W", [PlotBar("<script>alert(1)</script>", "a", 1)], "share").__html__()
    assert "<script" not in figure


def test_a_plot_is_drawn_as_png() -> None:
    assert plot_series("α", "Words", [SeriesPoint("x", "series", 0.5)], "α").png().startswith(b"\x89PNG")


def test_a_missing_library_names_the_command_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtra, match=r"pip install 'polyseme\[plots\]'"):
        plot_series("α", "Words", [SeriesPoint("x", "series", 0.5)], "α")


def test_no_line_is_drawn_in_the_colour_of_a_light_page() -> None:
    """A frame or a grid of light grey, as Vega has by default, would glare on a dark page."""
    for plot in (
        plot_series("α", "Words", [SeriesPoint("x", "series", 0.5)], "α"),
        plot_histogram("ρ", "Words", [0.1, 0.2], "ρ", 0.1),
    ):
        assert 'stroke="#ddd"' not in plot.svg()


def test_long_names_below_a_heatmap_are_rotated() -> None:
    names = ["annotator-one", "annotator-two"]
    assert "rotate(315" in plot_heatmap("ρ", "Words", names, [[1, 0.5], [0.5, 1]]).svg()
    assert "rotate(315" not in plot_heatmap("ρ", "Words", ["ann", "bob"], [[1, 0.5], [0.5, 1]]).svg()
