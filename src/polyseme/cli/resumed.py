"""Labelling many usages so that what was done is kept, whatever stops it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from polyseme.labelling import Labelling, Row
from polyseme.usage import Usage

AT_ONCE = 5000
"""How many usages are labelled before what was found is written down."""

Label = Callable[[Sequence[Usage]], Labelling]


def labelled(label: Label, usages: Sequence[Usage], out: Path | None, of: str) -> Labelling:
    """Label usages, some thousands at a time; begun again with the same ones and the same model, it goes on.

    ``of`` says what model it is. Until all is done, what was found is in a file beside the output, ``OUT.part``, a line
    for each part; one that another model or other usages have left there is written anew.
    """
    if out is None or len(usages) <= AT_ONCE:
        return label(usages)
    part = part_of(out)
    name = hashlib.sha256(json.dumps([of, [(usage.id, usage.text) for usage in usages]]).encode()).hexdigest()
    rows, done = _found_before(part, name)
    with part.open("a" if done else "w", encoding="utf-8") as file:
        if not done:
            file.write(json.dumps({"of": name}) + "\n")
        for start in range(done, len(usages), AT_ONCE):
            found = label(usages[start : start + AT_ONCE])
            new = [(found.lemma(usage), usage, dict(found[usage])) for usage in found]
            file.write(json.dumps({"to": start + AT_ONCE, "rows": new}) + "\n")
            file.flush()
            rows += new
    return Labelling(rows)


def part_of(out: Path) -> Path:
    """Where what was found so far is kept."""
    return out.with_name(f"{out.name}.part")


def _found_before(part: Path, name: str) -> tuple[list[Row], int]:
    """The rows that are there, and how many usages they are of; what was cut off in the middle is taken away."""
    lines = list(_whole(part))
    if not lines or lines[0][1].get("of") != name:
        return [], 0
    with part.open("r+b") as file:
        file.truncate(lines[-1][0])
    rows = [(lemma, usage, senses) for _, line in lines[1:] for lemma, usage, senses in line["rows"]]
    return rows, int(lines[-1][1].get("to", 0))


def _whole(part: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file up to the first that is not whole, with where each ends."""
    end = 0
    for line in part.read_bytes().splitlines(keepends=True) if part.is_file() else ():
        end += len(line)
        try:
            found = json.loads(line)
        except ValueError:
            return
        if line.endswith(b"\n"):
            yield end, found
