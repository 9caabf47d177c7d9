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
from polyseme.explorer.page_request import clean_text
from polyseme.explorer.views import MAX_SENSES, plain_feature, user_name
from polyseme.explorer.word_pages import selected_rows
from polyseme.explorer.word_view import WordView, open_word_view, render_word_page
from polyseme.usage import Usage
from polyseme.words.editing import profile_inventory
from polyseme.words.examples import best_examples
from polyseme.words.profile import WordProfile

TASKS = {
    "WSsim": "how far each sense applies to a usage",
    "WSbest": "which sense fits best",
    "Usim": "how alike two usages are",
    "SYNbest": "which word could stand in its place",
}
"""The tasks of a study, and what is asked in them."""

EXAMPLES = 3
GLOSS_WORDS = 8
"""So many words stand for the gloss of an induced sense."""
MAX_PER_LEMMA = 500

INSTRUCTIONS = """# What to do

You see usages of one word, **{lemma}**, in their sentences. Judge each by itself, and by how you understand it when you
read it, not by what a dictionary might say.

The senses were found by a program, which tells each by words that are frequent around it. They may be wrong, overlap or
be missing: a usage can have several of them to some degree, or none.
"""


def export_page(request: Request) -> Response:
    """What can be taken away."""
    looked = open_word_view(request)
    return render_word_page(request, looked, "export.html", count=len(selected_rows(looked)), tasks=TASKS)


def download_usages(request: Request) -> Response:
    """The usages that are chosen, as JSON Lines, with their senses in their meta."""
    looked = open_word_view(request)
    portrait = looked.portrait
    usages = [portrait.usages[row] for row in selected_rows(looked)]
    labelled = (replace(usage, meta={**usage.meta, "senses": _round_weights(portrait, usage)}) for usage in usages)
    return _download(_write_usages(labelled).encode(), looked, "usages.jsonl", "application/x-ndjson")


def download_inventory(request: Request) -> Response:
    """The senses, as they are named and merged, as JSON Lines."""
    looked = open_word_view(request)
    return _download(write_senses(looked.portrait).encode(), looked, "senses.jsonl", "application/x-ndjson")


def download_study(request: Request) -> Response:
    """A study of the usages that are chosen: a zip with all that ``polyseme annotate check`` and ``serve`` need."""
    looked = open_word_view(request)
    given = request.query_params
    tasks = [task for task in TASKS if task in given.getlist("task")] or ["WSsim"]
    wanted = clean_text(given.get("count", ""))
    per_lemma = min(int(wanted), MAX_PER_LEMMA) if wanted.isascii() and wanted.isdigit() and len(wanted) < 9 else 40
    made = build_study_archive(looked, tasks, max(1, per_lemma))
    return _download(made, looked, "study.zip", "application/zip")


def build_study_archive(looked: WordView, tasks: Iterable[str], per_lemma: int) -> bytes:
    """The files of a study in an archive; so many usages are drawn from those that are chosen."""
    portrait = looked.portrait
    usages = [portrait.usages[row] for row in selected_rows(looked)]
    lemma = looked.asked.word
    if not usages:
        raise InputError(
            f"no usage of {lemma} is chosen, so there is nothing to judge; choose another sense or condition"
        )
    named = ", ".join(f'"{task}"' for task in tasks)
    toml = f"""title = {_quote_toml(f"The senses of {lemma}")}
instructions = "instructions.md"
seed = 1

[items]
usages = "usages.jsonl"
lemmas = [{_quote_toml(lemma)}]
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
        "usages.jsonl": _write_usages(usages),
        "senses.jsonl": write_senses(looked.portrait, MAX_SENSES),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"study/{name}", text)
    return buffer.getvalue()


def _quote_toml(text: str) -> str:
    r"""A text as TOML has it: as JSON, but without pairs of escapes for one character, which TOML refuses.

    >>> print(_quote_toml('a "kangaroo" 🦘'))
    "a \"kangaroo\" 🦘"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_senses(portrait: WordProfile, most: int | None = None) -> str:
    """The senses of a portrait, a line each: what a study reads, with the words and shares that it does not need."""
    lines = []
    for sense in profile_inventory(portrait)[portrait.lemma][:most]:
        words = list(dict.fromkeys(plain_feature(feature) for feature, _ in sense.features))
        name = user_name(sense)
        told = f"told by: {', '.join(words[:GLOSS_WORDS])}" if words else ""
        lines.append(
            {
                "id": sense.id,
                "lemma": sense.lemma,
                "gloss": f"{name} ({told})" if name and told else name or told,
                "synonyms": [],
                "examples": [" ".join(usage.text.split()) for usage in best_examples(portrait, sense.id, EXAMPLES)],
                "share": round(sense.frequency, 4),
                "features": dict(sense.features),
                "model": portrait.model,
            }
        )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _round_weights(portrait: WordProfile, usage: Usage) -> dict[str, float]:
    return {sense: round(weight, 4) for sense, weight in portrait.labelling.get(usage.id, {}).items()}


def _write_usages(usages: Iterable[Usage]) -> str:
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


def _download(body: bytes, looked: WordView, name: str, kind: str) -> Response:
    """A file for the browser to save; its name has only what any system takes."""
    stem = re.sub(r"[^\w.-]+", "-", looked.asked.word, flags=re.ASCII).strip("-.") or "word"
    headers = {"Content-Disposition": f'attachment; filename="{stem}-{name}"'}
    return Response(body, media_type=kind, headers=headers)
