"""``polyseme run``: an experiment, as a file describes it."""

from __future__ import annotations

import json
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit, replace_non_finite, show_status
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.experiments.induction import RunResults
    from polyseme.reports.tables import Table


def run(
    plans: Annotated[list[Path], typer.Argument(metavar="PLAN …", help="TOML files; examples/ has some.")],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where tables go, and what is kept for next time.")
    ] = Path("results"),
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder of data sets, if not where `polyseme data path` finds them."),
    ] = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """Run experiments: index the corpus, induce, label, map, score. What was done before is not done again.

    Models that label with the senses of WordNet need no corpus, and are scored without mapping. Substituters are scored
    by lexical substitution.

    For each plan, FOLDER/NAME.md, .csv, .tex and .json hold its table; polyseme report results makes a page.
    """
    from polyseme.datasets import load
    from polyseme.experiments import disambiguation, substitution
    from polyseme.experiments import induction as induction
    from polyseme.experiments.plan import DICTIONARIES, INDUCERS, SUBSTITUTERS, read_plan
    from polyseme.experiments.records import write_record
    from polyseme.reports.tables import WRITERS

    runs = {
        INDUCERS: induction.run_inducers,
        DICTIONARIES: disambiguation.run_disambiguators,
        SUBSTITUTERS: substitution.run_substituters,
    }
    _check_names(plans)
    read = [read_plan(plan) for plan in plans]
    loaded = cache(partial(load, data=data))  # each data set once: what was read of it is not read again
    found: dict[str, object] = {}
    for path, plan in zip(plans, read, strict=True):
        with show_status() as show:
            results = runs[plan.family](plan, folder, loaded, show)
        table = _table(results)
        _write(folder, path.stem, results, table)
        write_record(results, folder, path.stem)
        found[path.stem] = _plain(results)
        if not (as_json or form is Format.json):
            typer.echo(WRITERS[form](table))
        warn_of_missing_lemmas(results)
    if as_json or form is Format.json:
        emit(Format.json, found if len(found) > 1 else found[plans[0].stem], partial(_table, results))


def _check_names(plans: list[Path]) -> None:
    """Tables are called after plans, so two plans must not have the same name."""
    for number, path in enumerate(plans):
        if path.stem in (before := {each.stem: each for each in plans[:number]}):
            raise InputError(f"its tables would have the same names as those of {before[path.stem]}", path=path)


def warn_of_missing_lemmas(results: RunResults) -> None:
    """Say on stderr of which lemmas a model has no senses; or, of one that has none at all, why."""
    from polyseme.induction.fitting import summarise_reasons

    for model, missed in results.missed.items():
        if model in results.empty:
            print(f"warning: {model} finds no senses: {summarise_reasons(missed)}", file=sys.stderr)
        elif missed:
            some = ", ".join(list(missed)[:5]) + (" …" if len(missed) > 5 else "")
            print(f"warning: {model} has no senses of {count_noun(len(missed), 'lemma')}: {some}", file=sys.stderr)


def _table(results: RunResults) -> Table:
    from polyseme.reports.experiment_tables import experiment_table

    plan = results.plan
    return experiment_table(plan.title, plan.task, results.rows, plan.measures, by_name=plan.of_dictionary)


def _write(folder: Path, name: str, results: RunResults, table: Table) -> None:
    from polyseme.formats.files import write_text
    from polyseme.reports.tables import WRITERS

    for form, suffix in (("markdown", "md"), ("csv", "csv"), ("latex", "tex")):
        write_text(folder / f"{name}.{suffix}", WRITERS[form](table) + "\n")
    write_text(folder / f"{name}.json", json.dumps(_plain(results), indent=1, ensure_ascii=False) + "\n")


def _plain(results: RunResults) -> object:
    """For programs: of the measures that the plan names, if it does, those that a mean is made of too."""
    wanted = {part for name in results.plan.measures for part in name.split("*")}
    rows = [
        {
            "name": row.name,
            "kind": row.kind,
            **({"mapping": row.mapping} if row.mapping else {}),
            **{name: value for name, value in row.figures.items() if not wanted or name in wanted},
            "facts": dict(row.facts),
        }
        for row in results.rows
    ]
    missed = {model: dict(each) for model, each in results.missed.items() if each}
    return replace_non_finite({"title": results.plan.title, "task": results.plan.task, "rows": rows, "missed": missed})
