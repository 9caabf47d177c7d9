"""Commands and their functions have the same options, with the same defaults."""

import inspect
from typing import Any

import click
import pytest
import typer

import polyseme as ps
from polyseme.cli import app

FUNCTIONS: dict[str, Any] = {
    "index": ps.build_index,
    "kwic": ps.Index.kwic,
    "induce": ps.induce,
    "senses": ps.define_senses,
    "label": ps.label,
    "disambiguate": ps.disambiguate,
    "substitutes": ps.substitutes,
    "similar": ps.similarity,
    "map": ps.map_senses,
    "compare": ps.compare,
    "reproduce": ps.reproduce,
    "run": ps.run,
    "agreement": ps.measure_agreement,
    "gold": ps.make_gold,
}
PRINTED = {"json", "format", "output", "report"}
"""Options that say how and where a command writes; functions return values."""
OTHER_NAMES = {"agreement": {"section": "sections", "labelling": "labellings"}, "substitutes": {"n": "count"}}
OTHER_FUNCTIONS = {
    "induce": {"grid", "gold", "folds"},  # choose_from_grid
    "substitutes": {"usages", "train", "order", "minimum", "prune", "arpa"},  # usages are the source; train_ngram_model
    "compare": {"mapping", "single_sense", "variant", "keep_outside", "splits", "hierarchy", "granularity", "single"}
    | {"with_mapping"},  # options of the task
    "senses": {"definitions"},
    "reproduce": {"coverage"},
    "gold": {"disputed"},  # find_disputed_items
}


def _list_options(command: str) -> dict[str, Any]:
    """List the options of a command, with their defaults as plain values."""
    group: Any = typer.main.get_command(app)
    options = [option for option in group.commands[command].params if isinstance(option, click.Option)]
    names = [option.opts[0].lstrip("-").replace("-", "_") for option in options]
    return {name: option.default for name, option in zip(names, options, strict=True) if name not in PRINTED}


@pytest.mark.parametrize("command", FUNCTIONS)
def test_options_are_parameters_with_the_same_default(command: str) -> None:
    parameters = inspect.signature(FUNCTIONS[command]).parameters
    for option, default in _list_options(command).items():
        if option not in OTHER_FUNCTIONS.get(command, ()):
            parameter = parameters[OTHER_NAMES.get(command, {}).get(option, option)]
            assert (parameter.default or None) == (default or None), option
