"""The page on which somebody tries a sentence of their own."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from polyseme.explore.explorer import Explorer, edited
from polyseme.explore.looking import Looked, looked_at, page_of
from polyseme.explore.shown import senses_of, shown
from polyseme.explore.words import words_in
from polyseme.portrait.portrait import Portrait
from polyseme.usage import Usage

TRIED = 10
"""So many occurrences of a word in a pasted text are labelled."""


def sentence(request: Request) -> Response:
    """The senses of a word in a text that somebody has pasted."""
    looked = looked_at(request)
    usages = occurrences(looked.here, looked.asked.word, looked.asked.text)
    found = []
    if usages:
        labelling = looked.here.model(looked.asked.word, looked.asked.model).label(usages)
        labelled = replace(looked.whole, usages=tuple(usages), labelling=labelling)
        seen = _as_edited(looked, labelled)
        found = [shown(usage, weights) for usage, weights in zip(usages, seen.weights.tolist(), strict=True)]
    return page_of(
        request, looked, "sentence.html", found=found, senses=senses_of(looked.edited), some=looked.edited.usages[:1]
    )


def _as_edited(looked: Looked, labelled: Portrait) -> Portrait:
    """New usages, with senses merged, named and ordered as those of the word are."""
    unchanged = looked.edited is looked.whole  # as it is, too, where the names and merges cannot be made
    changed = labelled if unchanged else edited(labelled, looked.asked)
    return replace(changed, senses=looked.edited.senses)


def occurrences(here: Explorer, word: str, text: str) -> list[Usage]:
    """Where a word stands in a text: as the analyser of the index reads it, or else as it is written."""
    if not text:
        return []
    stem = here.lexicon.counted(word).stem
    read = words_in(here.index, text)
    places = [(start, end) for start, end, each in read if each == word]
    places = places or [(start, end) for start, end, each in read if each.split(".")[0] == stem]
    if not places and (at := text.lower().find(stem.lower())) >= 0:
        places = [(at, at + len(stem))]
    return [
        Usage(f"pasted.{number}", word, text, start, end, meta={"document": f"occurrence {number}"})
        for number, (start, end) in enumerate(places[:TRIED], start=1)
    ]
