"""The page of ``polyseme demo``: the papers' worked examples, printed and computed."""

from __future__ import annotations

from collections.abc import Sequence

from polyseme.evaluate.published import Cell
from polyseme.evaluate.worked import worked_examples
from polyseme.report.page import page
from polyseme.report.reproduction import verdict
from polyseme.report.tables import Table

INTRODUCTION = (
    "A word in context rarely means exactly one dictionary sense. These are the examples by which three papers explain"
    " how labellings with several, weighted senses are scored: what each paper prints, and what polyseme computes."
)

SECTIONS = (
    (
        "jurgens-2012",
        "Graded senses of one usage",
        "People found that ‘won’ in one sentence means win.v.1 to .6 and win.v.2 to .4. Four answers are scored by"
        " which senses they detect, how they rank them, and how close their weights come (Jurgens 2012, Figure 1).",
    ),
    (
        "semeval-2010",
        "A clustering of 181 usages",
        "Four induced clusters against three gold senses: as a clustering (V-measure, paired F-score), and by mapping a"
        " new usage, .8 in C1, .1 in C2 and .1 in C3, to a gold sense (SemEval-2010 Task 14, Table 3).",
    ),
    (
        "senseval",
        "Probabilities and hierarchies of senses",
        "Gold senses, a system's answer and its score: on a flat list of senses (§3), and on a tree in which a broad"
        " sense stands for its children (§4) (Melamed & Resnik).",
    ),
)


def demo_page() -> str:
    """The page as HTML."""
    return page(
        "polyseme: the papers' worked examples",
        INTRODUCTION,
        [(heading, words, [_table(worked_examples(task))]) for task, heading, words in SECTIONS],
    )


def _table(cells: Sequence[Cell]) -> Table:
    agree = sum(cell.agrees for cell in cells)
    rows = tuple((cell.system, cell.figure, cell.printed, _shown(cell), verdict(cell)) for cell in cells)
    return Table(
        f"{agree} of {len(cells)} figures as printed", ("Example", "Figure", "Printed", "polyseme", "Verdict"), rows
    )


def _shown(cell: Cell) -> str:
    return cell.ours if isinstance(cell.ours, str) else f"{cell.ours:.4f}"
