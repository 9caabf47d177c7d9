"""The page on which somebody tries a sentence of their own."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from polyseme.explorer.explorer import Explorer, edit_profile
from polyseme.explorer.lexicon import analyse_words
from polyseme.explorer.views import view_senses, view_usage
from polyseme.explorer.word_view import WordView, open_word_view, render_word_page
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

MAX_OCCURRENCES = 10
"""So many occurrences of a word in a pasted text are labelled."""


def sentence_page(request: Request) -> Response:
    """The senses of a word in a text that somebody has pasted."""
    looked = open_word_view(request)
    usages = find_occurrences(looked.here, looked.asked.word, looked.asked.text)
    found = []
    if usages:
        labelling = looked.here.model(looked.asked.word, looked.asked.model).label(usages)
        labelled = replace(looked.whole, usages=tuple(usages), labelling=labelling)
        seen = _edit_like_view(looked, labelled)
        found = [view_usage(usage, weights) for usage, weights in zip(usages, seen.weights.tolist(), strict=True)]
    return render_word_page(
        request, looked, "sentence.html", found=found, senses=view_senses(looked.edited), some=looked.edited.usages[:1]
    )


def _edit_like_view(looked: WordView, labelled: WordProfile) -> WordProfile:
    """New usages, with senses merged, named and ordered as those of the word are."""
    unchanged = looked.edited is looked.whole  # as it is, too, where the names and merges cannot be made
    changed = labelled if unchanged else edit_profile(labelled, looked.asked)
    return replace(changed, senses=looked.edited.senses)


def find_occurrences(here: Explorer, word: str, text: str) -> list[Usage]:
    """Where a word stands in a text: as the analyser of the index reads it, or else as it is written."""
    if not text:
        return []
    stem = here.lexicon.counted(word).stem
    read = analyse_words(here.index, text)
    places = [(start, end) for start, end, each in read if each == word]
    places = places or [(start, end) for start, end, each in read if each.split(".")[0] == stem]
    if not places and (at := text.lower().find(stem.lower())) >= 0:
        places = [(at, at + len(stem))]
    return [
        Usage(f"pasted.{number}", word, text, start, end, meta={"document": f"occurrence {number}"})
        for number, (start, end) in enumerate(places[:MAX_OCCURRENCES], start=1)
    ]
