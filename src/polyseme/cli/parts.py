"""``polyseme parts``: the parts that commands and plans can name."""

from __future__ import annotations

from typing import Annotated

import typer

from polyseme.cli.output import Format, FormatOption, JsonOption, emit


def parts_command(
    kind: Annotated[str | None, typer.Argument(metavar="KIND", help="Only parts of one kind, such as measure.")] = None,
    form: FormatOption = Format.table,
    as_json: JsonOption = False,
) -> None:
    """List the models, measures, mappings and other parts, with their options.

    Examples:
        polyseme parts
        polyseme parts inducer
        polyseme parts measure --json
    """
    from polyseme.errors import InputError
    from polyseme.parts import part_signature, parts_by_name
    from polyseme.reports.tables import Table

    rows = [
        (part_signature(part), part.kind, (part.__doc__ or "").partition("\n")[0])
        for part in parts_by_name().values()
        if kind in (None, part.kind)
    ]
    if not rows:
        kinds = ", ".join(sorted({part.kind for part in parts_by_name().values()}))
        raise InputError(f"there are no parts of kind {kind!r}; the kinds are: {kinds}")
    rows.sort(key=lambda row: (row[1], row[0]))
    emit(
        Format.json if as_json else form,
        [dict(zip(("part", "kind", "summary"), row, strict=True)) for row in rows],
        lambda: Table("parts", ("Part", "Kind", "What it does"), tuple(rows)),
    )
