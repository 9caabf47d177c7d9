"""``polyseme senses``: what a model has learnt."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from polyseme.cli.help import model_option
from polyseme.cli.output import Format, FormatOption, JsonOption, emit
from polyseme.errors import InputError, quote_value

if TYPE_CHECKING:
    from polyseme.disambiguation.definitions import Definition
    from polyseme.induction.model import SenseModel
    from polyseme.inventory import Sense
    from polyseme.reports.tables import Cell, Table
    from polyseme.usage import Usage

Definitions: TypeAlias = "Mapping[tuple[str, str], Definition]"
"""The definitions of senses, by lemma and id."""

PRINTED_FEATURES = 12
"""The number of features of a sense that are printed."""

EXAMPLE_WIDTH = 160
"""The number of characters of an example that are printed."""


def senses_command(
    folder: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a model made by `polyseme induce`.")],
    lemmas: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD …", help="Words, such as bank, or lemmas, such as bank.n. Default: all."),
    ] = None,
    definitions: Annotated[
        bool,
        model_option("--definitions", help="Add the senses of WordNet that they probably are; needs the small model."),
    ] = False,
    wordnet: Annotated[
        str, model_option(metavar="3.0|3.1", help="The version of WordNet that --definitions names senses of.")
    ] = "3.1",
    missing: Annotated[
        float,
        model_option(min=0.001, max=0.999, help="The share of senses that you expect not to be in WordNet."),
    ] = 0.1,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Show the senses of a model: their frequency, typical words and an example.

    Examples:
        polyseme senses bank.model
        polyseme senses bank.model bank --format markdown
        polyseme senses bank.model --definitions

    The share of a sense is its share of the usages that the model labels. *Labelled* is the share of the lemma's
    usages that have a sense at all. *Recurrence* is the share of random halves of the usages in which the sense
    recurs, where the model knows it. A sense that recurs in less than half of them is unsure.

    With --definitions, *WordNet* has the most probable sense of WordNet, and the probability that *none* fits. They
    are calibrated on SemCor, where --missing is the share of senses without one; --json has all of them.
    """
    from polyseme.induction.model import SenseModel
    from polyseme.interface.definitions import define_senses

    model = SenseModel.load(folder)
    selected_lemmas = _select_lemmas(model, lemmas, folder)
    selected = [sense for lemma in selected_lemmas for sense in model.inventory[lemma]]
    labelled = model.corpus.get("labelled", {})
    rows = define_senses(model, selected_lemmas, wordnet=wordnet, missing=missing) if definitions else []
    by_sense: Definitions = {(row.lemma, row.sense): row for row in rows}
    emit(
        Format.json if as_json else form,
        [
            {**_sense_to_json(sense, labelled.get(sense.lemma)), **_definition_to_json(by_sense, sense)}
            for sense in selected
        ],
        lambda: _senses_table(model, selected, by_sense),
    )


def _senses_table(model: SenseModel, senses: Sequence[Sense], definitions: Definitions) -> Table:
    """The senses, with their recurrence and their definitions if they are known."""
    from polyseme.parts import short_specification
    from polyseme.reports.tables import Table

    labelled = model.corpus.get("labelled", {})
    columns: dict[str, list[Cell]] = {
        "Sense": [sense.id for sense in senses],
        "Share": [sense.frequency for sense in senses],
        "Labelled": [labelled.get(sense.lemma) for sense in senses],
        "Recurrence": [_recurrence(sense) for sense in senses],
        "WordNet": [_describe_definition(definitions, sense) for sense in senses],
        "Words": [_list_words(sense) for sense in senses],
        "Example": [_example(sense) for sense in senses],
    }
    notes = ["Share: of the labelled usages of this lemma. Labelled: the share of its usages that have a sense."]
    if any(columns["Recurrence"]):
        notes.append("Recurrence: the share of random halves of the usages in which the sense recurs.")
    else:
        del columns["Recurrence"]
    if definitions:
        notes.append("WordNet: the most probable sense, and the probability that none of WordNet's senses fits.")
    else:
        del columns["WordNet"]
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(f"Senses by {short_specification(model.inducer)}", tuple(columns), rows, tuple(notes))


def _describe_definition(definitions: Definitions, sense: Sense) -> str | None:
    """The most probable sense of WordNet, and the probability that none fits."""
    definition = definitions.get((sense.lemma, sense.id))
    if definition is None:
        return None
    best = [f"{row.probability:.2f} {row.sense.gloss}" for row in definition.candidates[:1] if definition.best]
    return "; ".join([*best, f"none {definition.none:.2f}"])


def _recurrence(sense: Sense) -> str | None:
    """How often a sense recurs, and whether it is unsure."""
    from polyseme.words.recurrence import is_unsure

    if sense.recurrence is None:
        return None
    return f"{sense.recurrence:.3f}{' unsure' if is_unsure(sense) else ''}"


def _select_lemmas(model: SenseModel, words: list[str] | None, folder: Path) -> list[str]:
    """Select the lemmas that words stand for; print on stderr those of bare words."""
    from polyseme.corpus.lemma_search import select_lemmas

    lemmas: dict[str, None] = {} if words else dict.fromkeys(model.inventory)
    for word in words or ():
        matches = select_lemmas(model.inventory, word)
        if not matches:
            missed = next(iter(select_lemmas(model.missed, word)), word)
            reason = model.missed.get(missed, f"the model has {', '.join(model.inventory)}"[:400])
            raise InputError(f"{quote_value(missed)} has no senses: {reason}", path=folder)
        if matches != [word]:
            print(f"{word}: {', '.join(matches)}", file=sys.stderr)
        lemmas |= dict.fromkeys(matches)
    return list(lemmas)


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
    from polyseme.words.recurrence import is_unsure

    usages = [{"id": usage.id, "text": usage.text, "start": usage.start, "end": usage.end} for usage in sense.usages]
    return {
        "id": sense.id,
        "lemma": sense.lemma,
        "share": sense.frequency,
        "labelled": labelled,
        "recurrence": sense.recurrence,
        "unsure": is_unsure(sense),
        "features": dict(sense.features),
        "usages": usages,
    }


def _definition_to_json(definitions: Definitions, sense: Sense) -> dict[str, object]:
    definition = definitions.get((sense.lemma, sense.id))
    if definition is None:
        return {}
    candidates = [
        {"id": row.sense.id, "gloss": row.sense.gloss, "probability": row.probability} for row in definition.candidates
    ]
    return {"definitions": candidates, "none": definition.none}
