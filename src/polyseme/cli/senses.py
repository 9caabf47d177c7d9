"""``polyseme senses``: what a model has learnt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit
from polyseme.errors import InputError, quote_value

if TYPE_CHECKING:
    from polyseme.inventory import Sense
    from polyseme.usage import Usage

FEATURES = 12
"""How many features of a sense are shown."""

WIDTH = 160
"""How many characters of an example are shown."""


def senses(
    folder: Annotated[Path, typer.Argument(metavar="MODEL", help="A model, as `polyseme induce` makes it.")],
    lemmas: Annotated[list[str] | None, typer.Argument(metavar="LEMMA …", help="All, if none is named.")] = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Show the senses of a model: their share of the corpus, the words that tell them, and their best examples.

    Shares are of the usages in the corpus that the model labels; Labelled says how many of a lemma's these are.
    """
    from polyseme.induction.model import SenseModel
    from polyseme.reports.tables import Table

    model = SenseModel.load(folder)
    for lemma in lemmas or ():
        if lemma not in model.inventory:
            why = model.missed.get(lemma, f"the model has {', '.join(model.inventory)}"[:400])
            raise InputError(f"{quote_value(lemma)} has no senses: {why}", path=folder)
    found = [sense for lemma in lemmas or model.inventory for sense in model.inventory[lemma]]
    labelled = model.corpus.get("labelled", {})
    emit(
        Format.json if as_json else form,
        [_plain(sense, labelled.get(sense.lemma)) for sense in found],
        lambda: Table(
            f"Senses by {model.inducer!r}",
            ("Sense", "Share", "Labelled", "Words", "Example"),
            tuple(
                (sense.id, sense.frequency, labelled.get(sense.lemma), _words(sense), _example(sense))
                for sense in found
            ),
            ("Share: of the usages in the corpus that are labelled. Labelled: how many of the lemma's usages are.",),
        ),
    )


def _words(sense: Sense) -> str:
    more = f" … ({len(sense.features)})" if len(sense.features) > FEATURES else ""
    return ", ".join(name.replace(" ", "+") for name, _ in sense.features[:FEATURES]) + more


def _example(sense: Sense) -> str:
    return centre_target(sense.usages[0], WIDTH) if sense.usages else ""


def centre_target(usage: Usage, width: int) -> str:
    """The target of a usage in the middle of as much of its text as there is room for; where it is cut, it says so.

    >>> from polyseme.usage import Usage
    >>> centre_target(Usage("u", "bank.n", "We sat on the bank of the river, and ate.", 14, 18), 20)
    '… on the bank of the …'
    """
    left, right = " ".join(usage.left.split()), " ".join(usage.right.split())
    side = (width - (usage.end - usage.start)) // 2
    before, after = max(side, width - side - len(right)), max(side, width - side - len(left))
    start = left if len(left) <= before else "… " + left[-before:].partition(" ")[2]
    end = right if len(right) <= after else right[:after].rpartition(" ")[0] + " …"
    glued = ("" if usage.left[-1:].strip() else " ", "" if usage.right[:1].strip() else " ")
    return f"{start}{glued[0]}{usage.target}{glued[1]}{end}".strip()


def _plain(sense: Sense, labelled: float | None) -> dict[str, object]:
    usages = [{"id": usage.id, "text": usage.text, "start": usage.start, "end": usage.end} for usage in sense.usages]
    return {
        "id": sense.id,
        "lemma": sense.lemma,
        "share": sense.frequency,
        "labelled": labelled,
        "features": dict(sense.features),
        "usages": usages,
    }
