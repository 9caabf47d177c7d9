"""Labelling many usages so that what was done is kept, whatever stops it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polyseme.induce.substitutes.storing import changed
from polyseme.labelling import Labelling, Row
from polyseme.usage import Usage

AT_ONCE = 1000
"""How many usages are labelled before what was found is written down."""

Label = Callable[[Sequence[Usage]], Labelling]


@contextmanager
def resumed(label: Label, usages: Sequence[Usage], out: Path | None, model: str) -> Iterator[Labelling]:
    """Label usages, a thousand at a time; begun again with the same ones and the same model, it goes on.

    ``model`` is the model's folder. Until the block has ended well, in which the labelling is to be written, what was
    found is in a file beside the output, ``OUT.part``, a line for each part; one that another model or other usages
    have left there is written anew.
    """
    if out is None or len(usages) <= AT_ONCE:
        yield label(usages)
        return
    yield _labelled(label, usages, part_of(out), _name(usages, model))
    part_of(out).unlink(missing_ok=True)


def _name(usages: Sequence[Usage], model: str) -> str:
    """What is the same only for the same usages, model and version of polyseme."""
    told = [(usage.id, usage.lemma, usage.pos, usage.text, usage.start, usage.end) for usage in usages]
    known = [version("polyseme"), str(Path(model).resolve()), changed(model), told]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()


def _labelled(label: Label, usages: Sequence[Usage], part: Path, name: str) -> Labelling:
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
        if not (line.endswith(b"\n") and isinstance(found, dict)):
            return
        yield end, found
