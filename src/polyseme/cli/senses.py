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

PRINTED_FEATURES = 12
"""The number of features of a sense that are printed."""

EXAMPLE_WIDTH = 160
"""The number of characters of an example that are printed."""


def senses_command(
    folder: Annotated[Path, typer.Argument(metavar="MODEL", help="A model, as `polyseme induce` makes it.")],
    lemmas: Annotated[list[str] | None, typer.Argument(metavar="LEMMA …", help="Default: all.")] = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Show the senses of a model: their share of the corpus, descriptive words, and their best examples.

    Shares are of the usages in the corpus that the model labels; Labelled is the share of the lemma's usages that it
    labels.
    """
    from polyseme.induction.model import SenseModel
    from polyseme.reports.tables import Table

    model = SenseModel.load(folder)
    for lemma in lemmas or ():
        if lemma not in model.inventory:
            reason = model.missed.get(lemma, f"the model has {', '.join(model.inventory)}"[:400])
            raise InputError(f"{quote_value(lemma)} has no senses: {reason}", path=folder)
    selected = [sense for lemma in lemmas or model.inventory for sense in model.inventory[lemma]]
    labelled = model.corpus.get("labelled", {})
    emit(
        Format.json if as_json else form,
        [_sense_to_json(sense, labelled.get(sense.lemma)) for sense in selected],
        lambda: Table(
            f"Senses by {model.inducer!r}",
            ("Sense", "Share", "Labelled", "Words", "Example"),
            tuple(
                (sense.id, sense.frequency, labelled.get(sense.lemma), _list_words(sense), _example(sense))
                for sense in selected
            ),
            ("Share: of the usages in the corpus that are labelled. Labelled: how many of the lemma's usages are.",),
        ),
    )


def _list_words(sense: Sense) -> str:
    ellipsis = f" … ({len(sense.features)})" if len(sense.features) > PRINTED_FEATURES else ""
    return ", ".join(name.replace(" ", "+") for name, _ in sense.features[:PRINTED_FEATURES]) + ellipsis


def _example(sense: Sense) -> str:
    return centre_target(sense.usages[0], EXAMPLE_WIDTH) if sense.usages else ""


def centre_target(usage: Usage, width: int) -> str:
    """Return as much of a usage's text as fits the width, with the target in the middle; an ellipsis marks a cut.

    >>> from polyseme.usage import Usage
    >>> centre_target(Usage("u", "bank.n", "We sat on the bank of the river, and ate.", 14, 18), 20)
    '… on the bank of the …'
    """
    left, right = " ".join(usage.left.split()), " ".join(usage.right.split())
    side = (width - (usage.end - usage.start)) // 2
    before, after = max(side, width - side - len(right)), max(side, width - side - len(left))
    start = left if len(left) <= before else "… " + left[-before:].partition(" ")[2]
    end = right if len(right) <= after else right[:after].rpartition(" ")[0] + " …"
    spaces = ("" if usage.left[-1:].strip() else " ", "" if usage.right[:1].strip() else " ")
    return f"{start}{spaces[0]}{usage.target}{spaces[1]}{end}".strip()


def _sense_to_json(sense: Sense, labelled: float | None) -> dict[str, object]:
    usages = [{"id": usage.id, "text": usage.text, "start": usage.start, "end": usage.end} for usage in sense.usages]
    return {
        "id": sense.id,
        "lemma": sense.lemma,
        "share": sense.frequency,
        "labelled": labelled,
        "features": dict(sense.features),
        "usages": usages,
    }
