"""Groups of usages or lemmas, to break scores down by."""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.errors import InputError
from polyseme.formats.answer_key import read_key
from polyseme.formats.files import format_suffix, read_text


def read_groups(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Group → its usages or lemmas.

    A ``.tsv`` has one ``unit group`` pair a line, tab-separated; any other file is an answer key, whose usages are one
    group named after the file (``spoken.key`` → ``spoken``, ``all.spoken.key.gz`` → ``all.spoken``).
    """
    if format_suffix(path) != ".tsv":
        name = Path(path).name.lower().rpartition(format_suffix(path))[0] if format_suffix(path) else ""
        return {Path(path).name[: len(name)] or Path(path).name: list(read_key(path))}
    groups: dict[str, list[str]] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        words = line.rstrip("\r").split("\t")
        if not line.strip():
            continue
        if len(words) != 2 or not all(words):
            raise InputError("a line of groups reads, with a tab between: usage-or-lemma group", path=path, line=number)
        groups.setdefault(words[1], []).append(words[0])
    return groups
