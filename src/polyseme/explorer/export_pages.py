"""Downloads: usages, senses as an inventory, and a study for annotators. The server writes no files."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from polyseme.errors import InputError
from polyseme.explorer.page_request import clean_text, number_or_default
from polyseme.explorer.word_pages import selected_rows
from polyseme.explorer.word_view import MAX_SENSES, WordView, open_word_view, render_word_page
from polyseme.formats.json_records import format_record
from polyseme.formats.usages_jsonl import FIELD_TYPES
from polyseme.lemma import plain_text
from polyseme.usage import Usage
from polyseme.words.descriptions import name_senses
from polyseme.words.editing import profile_inventory
from polyseme.words.examples import best_examples
from polyseme.words.profile import WordProfile

TASKS = {
    "WSsim": "how far each sense applies to a usage",
    "WSbest": "which sense fits best",
    "Usim": "how similar two usages are",
    "SYNbest": "which word is the best substitute",
}
"""The tasks of a study, and their questions."""

EXAMPLES = 3
GLOSS_WORDS = 8
"""The number of descriptive words in the gloss of an induced sense."""
DEFAULT_PER_LEMMA, MAX_PER_LEMMA = 40, 500

TEMPLATES = Path(__file__).parent / "templates"


def export_page(request: Request) -> Response:
    """The page with all downloads."""
    view = open_word_view(request)
    return render_word_page(request, view, "export.html", count=len(selected_rows(view)), tasks=TASKS)


def _open_valid_view(request: Request) -> WordView:
    """The word of a request; an error if its edits or its filter cannot be applied, as no file can say so."""
    view = open_word_view(request)
    if problem := view.problem or view.filter_problem:
        raise InputError(problem)
    return view


def download_usages(request: Request) -> Response:
    """The chosen usages as JSON Lines, with their senses in ``meta``."""
    view = _open_valid_view(request)
    labelling, usages = view.profile.labelling, []
    for usage in selected_usages(view):
        senses = {sense: round(weight, 4) for sense, weight in labelling.get(usage.id, {}).items()}
        usages.append(replace(usage, meta={**usage.meta, "senses": senses}))
    return _download(_format_usages(usages).encode(), view, "usages.jsonl", "application/x-ndjson")


def download_inventory(request: Request) -> Response:
    """The senses as JSON Lines, with the user's names and merges."""
    view = _open_valid_view(request)
    return _download(format_senses(view.profile).encode(), view, "senses.jsonl", "application/x-ndjson")


def download_study(request: Request) -> Response:
    """A study of the chosen usages: a zip archive for ``polyseme annotate check`` and ``serve``."""
    view = _open_valid_view(request)
    query = request.query_params
    tasks = [task for task in TASKS if task in query.getlist("task")] or ["WSsim"]
    per_lemma = number_or_default(clean_text(query.get("count", "")), DEFAULT_PER_LEMMA)
    archive = build_study_archive(view, tasks, min(max(1, per_lemma), MAX_PER_LEMMA))
    return _download(archive, view, "study.zip", "application/zip")


def selected_usages(view: WordView) -> list[Usage]:
    """The chosen usages, in the chosen order."""
    return [view.profile.usages[row] for row in selected_rows(view)]


def build_study_archive(view: WordView, tasks: Iterable[str], per_lemma: int) -> bytes:
    """Build the archive of a study.

    Args:
        view: The word and the chosen usages.
        tasks: The tasks.
        per_lemma: The number of usages that the study draws, at most.

    Raises:
        InputError: No usage is chosen.
    """
    usages, lemma = selected_usages(view), view.query.word
    if not usages:
        raise InputError(f"the selection has no usages of {lemma}; choose another sense, or change the filter")
    study = (
        (TEMPLATES / "study.toml")
        .read_text("utf-8")
        .format(
            title=_quote_toml(f"The senses of {lemma}"),
            lemma=_quote_toml(lemma),
            per_lemma=min(per_lemma, len(usages)),
            tasks=", ".join(map(_quote_toml, tasks)),
        )
    )
    files = {
        "study.toml": study,
        "instructions.md": (TEMPLATES / "instructions.md").read_text("utf-8").format(lemma=lemma),
        "usages.jsonl": _format_usages(usages),
        "senses.jsonl": format_senses(view.profile, MAX_SENSES),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"study/{name}", text)
    return buffer.getvalue()


def _quote_toml(text: str) -> str:
    r"""A TOML string: JSON, but without surrogate pairs, which TOML refuses.

    >>> print(_quote_toml('a "kangaroo" 🦘'))
    "a \"kangaroo\" 🦘"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def format_senses(profile: WordProfile, limit: int | None = None) -> str:
    """The senses of a profile as JSON Lines, which a study reads, with shares and descriptive words."""
    lines, names = [], name_senses(profile.senses)
    for sense, name in zip(profile_inventory(profile)[profile.lemma][:limit], names, strict=False):
        words = dict.fromkeys(plain_text(feature) for feature, _ in sense.features)
        others = [word for word in words if word not in name.split(", ")][:GLOSS_WORDS]
        line = {
            "id": sense.id,
            "lemma": sense.lemma,
            "name": name,
            "gloss": f"{name} (described by: {', '.join(others)})" if others else name,
            "synonyms": [],
            "examples": [" ".join(usage.text.split()) for usage in best_examples(profile, sense.id, EXAMPLES)],
            "share": round(sense.frequency, 4),
            "recurrence": sense.recurrence,
            "features": dict(sense.features),
            "model": profile.model,
        }
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)


def _format_usages(usages: Iterable[Usage]) -> str:
    """Usages as JSON Lines."""
    fields = ({name: getattr(usage, name) for name in FIELD_TYPES} | {"meta": dict(usage.meta)} for usage in usages)
    return "".join(map(format_record, fields))


def _download(body: bytes, view: WordView, name: str, media_type: str) -> Response:
    """A file for the browser to save; its name has only characters that all systems allow."""
    word = re.sub(r"[^\w.-]+", "-", view.query.word, flags=re.ASCII).strip("-.") or "word"
    headers = {"Content-Disposition": f'attachment; filename="{word}-{name}"'}
    return Response(body, media_type=media_type, headers=headers)
