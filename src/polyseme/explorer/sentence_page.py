"""The page that labels a word in a text of the user."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from polyseme.explorer.explorer import Explorer, edit_profile
from polyseme.explorer.lexicon import analyse_words
from polyseme.explorer.word_view import (
    WordView,
    open_word_view,
    render_word_page,
    view_page_senses,
    view_page_usage,
)
from polyseme.lemma import strip_pos
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile
from polyseme.words.views import UsageView

MAX_OCCURRENCES = 10
"""The number of occurrences of the word that are labelled."""


def sentence_page(request: Request) -> Response:
    """The senses of a word in a text of the user."""
    view = open_word_view(request)
    usages = find_occurrences(view.explorer, view.query.word, view.query.text)
    return render_word_page(
        request, view, "sentence.html", usages=_label_usages(view, usages), senses=view_page_senses(view.edited)
    )


def _label_usages(view: WordView, usages: list[Usage]) -> list[UsageView]:
    """Label usages; senses are merged, named and ordered as those of the word."""
    if not usages:
        return []
    labelling = view.explorer.model(view.query.word, view.query.model).label(usages, progress=False)
    profile: WordProfile = replace(view.whole, usages=tuple(usages), labelling=labelling)
    if view.edited is not view.whole:  # it is also unchanged if the edits are impossible
        profile = edit_profile(profile, view.query)
    profile = replace(profile, senses=view.edited.senses)
    return [view_page_usage(profile, row) for row in range(len(usages))]


def find_occurrences(explorer: Explorer, lemma: str, text: str) -> list[Usage]:
    """Find a lemma in a text: by the analyser of the index, or else by its spelling."""
    if not text:
        return []
    word, words = strip_pos(lemma), analyse_words(explorer.index, text)
    spans = [(start, end) for start, end, analysed in words if analysed == lemma]
    spans = spans or [(start, end) for start, end, analysed in words if analysed.split(".")[0] == word]
    if not spans and (start := text.lower().find(word.lower())) >= 0:
        spans = [(start, start + len(word))]
    return [
        Usage(f"pasted.{number}", lemma, text, start, end, meta={"document": f"occurrence {number}"})
        for number, (start, end) in enumerate(spans[:MAX_OCCURRENCES], start=1)
    ]
