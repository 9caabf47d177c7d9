"""Groups of usages or lemmas, by which scores are broken down."""

from __future__ import annotations

import os
from pathlib import Path

from polyseme.errors import InputError
from polyseme.formats.answer_key import read_key
from polyseme.formats.files import format_suffix, read_content_lines


def read_groups(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Read group → its usages or lemmas.

    A ``.tsv`` has one ``unit group`` pair a line, separated by a tab. Any other file is an answer key. Its usages form
    one group named after the file (``spoken.key`` → ``spoken``, ``all.spoken.key.gz`` → ``all.spoken``).
    """
    if format_suffix(path) != ".tsv":
        name = Path(path).name.lower().rpartition(format_suffix(path))[0] if format_suffix(path) else ""
        return {Path(path).name[: len(name)] or Path(path).name: list(read_key(path))}
    groups: dict[str, list[str]] = {}
    for number, line in read_content_lines(path):
        words = line.split("\t")
        if len(words) != 2 or not all(words):
            raise InputError("a line of groups reads, with a tab between: usage-or-lemma group", path=path, line=number)
        groups.setdefault(words[1], []).append(words[0])
    return groups
