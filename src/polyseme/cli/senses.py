"""``polyseme senses``: what a model has learnt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit
from polyseme.errors import InputError, shown

if TYPE_CHECKING:
    from polyseme.inventory import Sense

FEATURES = 12
"""How many features of a sense are shown."""


def senses(
    folder: Annotated[Path, typer.Argument(metavar="MODEL", help="A model, as `polyseme induce` makes it.")],
    lemmas: Annotated[list[str] | None, typer.Argument(metavar="LEMMA …", help="All, if none is named.")] = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Show the senses of a model: their share of the corpus, the words that tell them, and their best examples."""
    from polyseme.induce.model import SenseModel
    from polyseme.report.tables import Table

    model = SenseModel.load(folder)
    for lemma in lemmas or ():
        if lemma not in model.inventory:
            why = model.missed.get(lemma, f"the model has {', '.join(model.inventory)}"[:400])
            raise InputError(f"{shown(lemma)} has no senses: {why}", path=folder)
    found = [sense for lemma in lemmas or model.inventory for sense in model.inventory[lemma]]
    emit(
        Format.json if as_json else form,
        [_plain(sense) for sense in found],
        lambda: Table(
            f"Senses by {model.inducer!r}",
            ("Sense", "Share", "Words", "Example"),
            tuple((sense.id, sense.frequency, _words(sense), _example(sense)) for sense in found),
        ),
    )


def _words(sense: Sense) -> str:
    more = f" … ({len(sense.features)})" if len(sense.features) > FEATURES else ""
    return ", ".join(name.replace(" ", "+") for name, _ in sense.features[:FEATURES]) + more


def _example(sense: Sense) -> str:
    return " ".join(sense.usages[0].text.split())[:160] if sense.usages else ""


def _plain(sense: Sense) -> dict[str, object]:
    usages = [{"id": usage.id, "text": usage.text, "start": usage.start, "end": usage.end} for usage in sense.usages]
    return {
        "id": sense.id,
        "lemma": sense.lemma,
        "share": sense.frequency,
        "features": dict(sense.features),
        "usages": usages,
    }
