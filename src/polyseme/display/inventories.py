"""Inventories and models: a card for each sense, lemma by lemma."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from polyseme.display.rendering import (
    TEXT_LENGTH,
    count_more,
    cut_text,
    render_block,
    render_value,
    strip_brackets,
    take_first,
)
from polyseme.errors import count_noun
from polyseme.induction.fitting import summarise_reasons
from polyseme.words.descriptions import Quotation, chosen_name, descriptive_words, name_senses, quote_usage
from polyseme.words.recurrence import explain_unsure, state_recurrence

if TYPE_CHECKING:
    from markupsafe import Markup

    from polyseme.disambiguation.model import DictionaryModel
    from polyseme.induction.model import SenseModel
    from polyseme.inventory import Inventory, Sense

LEMMAS = 8
"""The number of lemmas that are shown."""
OPEN_LEMMAS = 2
"""The number of lemmas whose senses are visible at first; the others open by a click."""
SENSES = 8
"""The number of senses of a lemma that are shown."""
EXAMPLES = 2
"""The number of examples of a sense."""
QUOTATION_WIDTH = 140
"""The number of characters of an example."""


class SenseCard(NamedTuple):
    """A sense as a card shows it.

    Args:
        title: The gloss, or the words that distinguish the sense.
        id: The id of the sense.
        share: Its share of the weight, or its frequency.
        words: Synonyms or descriptive words.
        quotations: Examples with a marked target.
        recurrence: How often the sense recurs in halves of the usages; empty if that is unknown.
        unsure: Why the sense is unsure; empty if it is not.
    """

    title: str
    id: str
    share: str
    words: str
    quotations: Sequence[Quotation]
    recurrence: str = ""
    unsure: str = ""


def render_inventory(inventory: Inventory) -> str:
    """Render an inventory.

    >>> from polyseme.inventory import Inventory, Sense
    >>> "be the winner" in render_inventory(Inventory([Sense("win%1", "win.v", gloss="be the winner")]))
    True
    """
    lemmas = _render_lemmas(inventory, take_first(inventory, LEMMAS))
    facts = strip_brackets(repr(inventory)).removeprefix("Inventory of ")
    return render_value("Inventory", lemmas, facts=facts, notes=_count_lemmas(inventory))


def render_sense_model(model: SenseModel) -> str:
    """Render a model of induced senses."""
    senses = count_noun(sum(map(len, model.inventory.values())), "sense")
    facts = f"{senses} of {count_noun(len(model.inventory), 'lemma')}"
    notes = [*_count_lemmas(model.inventory), repr(model.inducer)]
    if model.missed:
        notes.append(f"Without senses: {summarise_reasons(model.missed)}")
    lemmas = _render_lemmas(model.inventory, take_first(model.inventory, LEMMAS))
    return render_value(type(model.inducer).__name__, lemmas, facts=facts, notes=notes)


def render_dictionary_model(model: DictionaryModel) -> str:
    """Render a model of a dictionary's senses; those of its lemmas, if it is limited to some."""
    dictionary = strip_brackets(repr(model.inventory))
    listed = [lemma for lemma in take_first(model.lemmas or (), LEMMAS) if lemma in model.inventory]
    lemmas = count_noun(len(model.lemmas), "lemma") if model.lemmas is not None else "all lemmas"
    notes = [*count_more(len(model.lemmas or ()), LEMMAS), repr(model.disambiguator)]
    blocks = [_render_lemmas(model.inventory, listed)] if listed else []
    name = type(model.disambiguator).__name__
    return render_value(name, *blocks, facts=f"{dictionary} · labels {lemmas}", notes=notes)


def _count_lemmas(inventory: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{note} lemmas" for note in count_more(len(inventory), LEMMAS))


def _render_lemmas(inventory: Mapping[str, Sequence[Sense]], lemmas: Iterable[str]) -> Markup:
    rows = []
    for lemma in lemmas:
        senses = inventory[lemma]
        rows.append((lemma, count_noun(len(senses), "sense"), make_cards(senses), count_more(len(senses), SENSES)))
    return render_block("lemmas.html", lemmas=rows, open_lemmas=OPEN_LEMMAS)


def make_cards(senses: Sequence[Sense]) -> list[SenseCard]:
    """Make the cards of the first senses of a lemma."""
    total = sum(sense.frequency for sense in senses)
    names = name_senses(senses[:SENSES])
    return [_make_card(sense, name, total) for sense, name in zip(senses, names, strict=False)]


def _make_card(sense: Sense, name: str, total: float) -> SenseCard:
    is_share = 0 < total < 1.001  # of an induced sense; dictionaries count
    frequency = f"{sense.frequency:.0%}" if is_share else f"{sense.frequency:,.6g} ×"
    quotations = [quote_usage(usage, QUOTATION_WIDTH) for usage in sense.usages[:EXAMPLES]]
    quotations += [Quotation(cut_text(text, TEXT_LENGTH), "", "") for text in sense.examples[:EXAMPLES]]
    title = sense.gloss or (name if sense.features and not chosen_name(sense) else "")
    words = sense.synonyms[:12] or descriptive_words(sense)
    return SenseCard(
        cut_text(title or sense.id, TEXT_LENGTH),
        cut_text(sense.id) if title else "",
        frequency if sense.frequency else "",
        cut_text(", ".join(words), TEXT_LENGTH) if ", ".join(words) != title else "",
        [Quotation(*(part[: 2 * QUOTATION_WIDTH] for part in quotation)) for quotation in quotations],
        state_recurrence(sense),
        explain_unsure(sense),
    )
