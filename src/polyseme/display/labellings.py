"""Labellings and gold standards: a table of usages, whose senses are shaded by their weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from polyseme.display.rendering import count_more, render_block, render_value, take_first
from polyseme.errors import count_noun

if TYPE_CHECKING:
    from markupsafe import Markup

    from polyseme.gold.record import GoldStandard
    from polyseme.labelling import Labelling

SENSES = 5
"""The number of senses of a usage that are shown."""


def render_labelling(labelling: Labelling) -> str:
    """Render a labelling.

    >>> from polyseme.labelling import Labelling
    >>> html = render_labelling(Labelling.from_dict({"win.v.1": {"a": 0.6, "b": 0.4}}, lemma="win.v"))
    >>> "a <b>0.60</b>" in html
    True
    """
    notes = count_more(len(labelling))
    return render_value("Labelling", _render_rows(labelling), facts=_describe(labelling), notes=notes)


def _describe(labelling: Labelling) -> str:
    if not len(labelling):
        return "no usages"
    usages, lemmas = count_noun(len(labelling), "usage"), count_noun(len(labelling.lemmas), "lemma")
    mean = f"{len(labelling.weights) / len(labelling):.2f}"
    return f"{usages} of {lemmas} · {count_noun(len(labelling.columns), 'sense')} · {mean} senses per usage"


def _render_rows(labelling: Labelling) -> Markup:
    rows = []
    for usage in take_first(labelling):
        senses = sorted(labelling[usage].items(), key=lambda pair: -pair[1])
        more = len(senses) - SENSES if len(senses) > SENSES else 0
        rows.append((labelling.lemma(usage), usage, senses[:SENSES], more))
    highest = max(1.0, float(labelling.weights.max(initial=0.0)))
    return render_block("weights.html", rows=rows, highest=highest, with_lemma=len(labelling.lemmas) > 1)


def render_gold(gold: GoldStandard) -> str:
    """Render a gold standard: its labelling, and how it was made."""
    facts = {name: text for name, value in gold.record.items() if (text := _format_fact(value))}
    notes = [*count_more(len(gold.labelling)), *gold.notes]
    if gold.noise:
        notes.append(f"{count_noun(len(gold.noise), 'usage')} in no cluster")
    record = render_block("facts.html", facts=facts)
    rows = _render_rows(gold.labelling)
    return render_value("Gold standard", record, rows, facts=_describe(gold.labelling), notes=notes)


def _format_fact(value: Any) -> str:
    """Format a value of a record on one line; nested tables are left out."""
    if isinstance(value, Mapping):
        parts = (f"{name} {count:,}" for name, count in value.items() if isinstance(count, int) and count)
        return ", ".join(take_first(parts))
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
