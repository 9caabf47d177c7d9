"""What can be taken away: usages, senses as an inventory, a study for people to judge. Nothing is written here."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from polyseme.errors import InputError
from polyseme.explore.asking import cleaned
from polyseme.explore.looking import Looked, looked_at, page_of
from polyseme.explore.pages import selected
from polyseme.explore.shown import SENSES, name_of, plain
from polyseme.portrait.editing import inventory_of
from polyseme.portrait.examples import purest
from polyseme.portrait.portrait import Portrait
from polyseme.usage import Usage

TASKS = {
    "WSsim": "how far each sense applies to a usage",
    "WSbest": "which sense fits best",
    "Usim": "how alike two usages are",
    "SYNbest": "which word could stand in its place",
}
"""The tasks of a study, and what is asked in them."""

EXAMPLES = 3
TOLD = 8
"""So many words stand for the gloss of an induced sense."""
MOST_PER_LEMMA = 500

INSTRUCTIONS = """# What to do

You see usages of one word, **{lemma}**, in their sentences. Judge each by itself, and by how you understand it when you
read it, not by what a dictionary might say.

The senses were found by a program, which tells each by words that are frequent around it. They may be wrong, overlap or
be missing: a usage can have several of them to some degree, or none.
"""


def export(request: Request) -> Response:
    """What can be taken away."""
    looked = looked_at(request)
    return page_of(request, looked, "export.html", count=len(selected(looked)), tasks=TASKS)


def usages_file(request: Request) -> Response:
    """The usages that are chosen, as JSON Lines, with their senses in their meta."""
    looked = looked_at(request)
    portrait = looked.portrait
    usages = [portrait.usages[row] for row in selected(looked)]
    labelled = (replace(usage, meta={**usage.meta, "senses": _rounded(portrait, usage)}) for usage in usages)
    return _download(_lines(labelled).encode(), looked, "usages.jsonl", "application/x-ndjson")


def inventory_file(request: Request) -> Response:
    """The senses, as they are named and merged, as JSON Lines."""
    looked = looked_at(request)
    return _download(senses_lines(looked.portrait).encode(), looked, "senses.jsonl", "application/x-ndjson")


def study_file(request: Request) -> Response:
    """A study of the usages that are chosen: a zip with all that ``polyseme annotate check`` and ``serve`` need."""
    looked = looked_at(request)
    given = request.query_params
    tasks = [task for task in TASKS if task in given.getlist("task")] or ["WSsim"]
    wanted = cleaned(given.get("count", ""))
    per_lemma = min(int(wanted), MOST_PER_LEMMA) if wanted.isascii() and wanted.isdigit() and len(wanted) < 9 else 40
    made = study(looked, tasks, max(1, per_lemma))
    return _download(made, looked, "study.zip", "application/zip")


def study(looked: Looked, tasks: Iterable[str], per_lemma: int) -> bytes:
    """The files of a study in an archive; so many usages are drawn from those that are chosen."""
    portrait = looked.portrait
    usages = [portrait.usages[row] for row in selected(looked)]
    lemma = looked.asked.word
    if not usages:
        raise InputError(
            f"no usage of {lemma} is chosen, so there is nothing to judge; choose another sense or condition"
        )
    named = ", ".join(f'"{task}"' for task in tasks)
    toml = f"""title = {_quoted(f"The senses of {lemma}")}
instructions = "instructions.md"
seed = 1

[items]
usages = "usages.jsonl"
lemmas = [{_quoted(lemma)}]
per_lemma = {min(per_lemma, len(usages))}
senses = "senses.jsonl"
context = 1
pairs = "triangle"

[tasks]
a = [{named}]
"""
    files = {
        "study.toml": toml,
        "instructions.md": INSTRUCTIONS.format(lemma=lemma),
        "usages.jsonl": _lines(usages),
        "senses.jsonl": senses_lines(looked.portrait, SENSES),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"study/{name}", text)
    return buffer.getvalue()


def _quoted(text: str) -> str:
    r"""A text as TOML has it: as JSON, but without pairs of escapes for one character, which TOML refuses.

    >>> print(_quoted('a "kangaroo" 🦘'))
    "a \"kangaroo\" 🦘"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def senses_lines(portrait: Portrait, most: int | None = None) -> str:
    """The senses of a portrait, a line each: what a study reads, with the words and shares that it does not need."""
    lines = []
    for sense in inventory_of(portrait)[portrait.lemma][:most]:
        words = list(dict.fromkeys(plain(feature) for feature, _ in sense.features))
        name = name_of(sense)
        told = f"told by: {', '.join(words[:TOLD])}" if words else ""
        lines.append(
            {
                "id": sense.id,
                "lemma": sense.lemma,
                "gloss": f"{name} ({told})" if name and told else name or told,
                "synonyms": [],
                "examples": [" ".join(usage.text.split()) for usage in purest(portrait, sense.id, EXAMPLES)],
                "share": round(sense.frequency, 4),
                "features": dict(sense.features),
                "model": portrait.model,
            }
        )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _rounded(portrait: Portrait, usage: Usage) -> dict[str, float]:
    return {sense: round(weight, 4) for sense, weight in portrait.labelling.get(usage.id, {}).items()}


def _lines(usages: Iterable[Usage]) -> str:
    """Usages as JSON Lines."""
    return "".join(
        json.dumps(
            {
                "id": usage.id,
                "lemma": usage.lemma,
                "text": usage.text,
                "start": usage.start,
                "end": usage.end,
                "pos": usage.pos,
                "meta": dict(usage.meta),
            },
            ensure_ascii=False,
        )
        + "\n"
        for usage in usages
    )


def _download(body: bytes, looked: Looked, name: str, kind: str) -> Response:
    """A file for the browser to save; its name has only what any system takes."""
    stem = re.sub(r"[^\w.-]+", "-", looked.asked.word, flags=re.ASCII).strip("-.") or "word"
    headers = {"Content-Disposition": f'attachment; filename="{stem}-{name}"'}
    return Response(body, media_type=kind, headers=headers)
