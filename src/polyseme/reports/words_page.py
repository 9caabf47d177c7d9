"""The page about words: their senses, how these change, where usages lie, and how sure all that is."""

from __future__ import annotations

import html
from collections.abc import Sequence

from polyseme.reports.page import STYLE
from polyseme.reports.plots import as_figure
from polyseme.reports.sense_cards import NOTE, ambiguous, cards, dictionary, listed, sureness
from polyseme.reports.sense_style import SENSES_STYLE
from polyseme.reports.time_plot import time_plot
from polyseme.reports.usage_map import sense_colour, sense_mark, usage_map
from polyseme.words.summary import headline, summarise_word
from polyseme.words.word_report import WordReport

PARTS = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}

HOW = (
    "A model reads usages of a word, and groups those that stand among similar words, or in whose place similar words"
    " could stand: the groups are its induced senses, and no dictionary was asked which there are. A usage can have"
    " several senses, each to a degree; its weights sum to 100%."
    " Senses are named by the words that tell them. A sentence about change stands here only if years that are dealt"
    " out at random among documents give so strong a change less than once in twenty times, corrected for the number of"
    " senses."
)


def words_page(title: str, introduction: str, words: Sequence[WordReport]) -> str:
    """One self-contained page: what was found, a list of the words, then each of them."""
    models = list(dict.fromkeys(story.portrait.model for story in words))
    made = "".join(f"<p class=note>Model: <code>{html.escape(model)}</code></p>" for model in models)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{SENSES_STYLE}</style></head>"
        f'<body class="senses"><main><header><h1>{html.escape(title)}</h1><p class=lead>{html.escape(introduction)}</p>'
        f"{_contents(words)}</header>{''.join(map(_section, words))}<section><h2>How to read this page</h2>"
        f"<p>{html.escape(HOW)}</p><p>{html.escape(NOTE)}</p>{made}</section></main></body></html>\n"
    )


def _contents(words: Sequence[WordReport]) -> str:
    """The words, each with the one thing to know of it."""
    rows = "".join(
        f'<li><a href="#{_anchor(story)}"><b>{html.escape(story.word)}</b> {_strip(story)}'
        f"<span>{html.escape(headline(story))}</span></a></li>"
        for story in words
    )
    return f'<nav aria-label="Words"><ul class="gallery">{rows}</ul></nav>'


def _anchor(story: WordReport) -> str:
    """The name of a word's section; words may hold anything, so that what is no letter or digit becomes its number."""
    return "word-" + "".join(
        letter if letter.isascii() and letter.isalnum() else f"-{ord(letter):x}" for letter in story.portrait.lemma
    )


def _strip(story: WordReport) -> str:
    """The shares of the senses as a small bar, for the eye only."""
    parts = "".join(
        f'<i style="flex-grow: {max(share, 0.001):.3f}; background: {sense_colour(number)}"></i>'
        for number, share in enumerate(story.portrait.shares.tolist())
    )
    return f'<span class="strip" aria-hidden="true">{parts}</span>'


def _section(story: WordReport) -> str:
    stem, _, letter = story.portrait.lemma.rpartition(".")
    part = f" <small>{PARTS[letter]}</small>" if stem and letter in PARTS else ""
    pictures = (as_figure(time_plot(story)) if len(story.periods) > 1 else "") + usage_map(story)
    return (
        f'<section class="word" id="{_anchor(story)}"><h2>{html.escape(story.word)}{part}</h2>'
        f"<p class=story>{listed(summarise_word(story))}</p>{_legend(story)}<div class=pictures>{pictures}</div>"
        f"{_dated(story)}<h3>Senses</h3>{cards(story)}<h3>Several senses at once</h3>{ambiguous(story)}"
        f"<h3>Beside {html.escape(story.dictionary)}</h3>{dictionary(story)}<h3>How sure we are</h3>{sureness(story)}"
        "</section>"
    )


def _dated(story: WordReport) -> str:
    """Where the years are from, so that a field that has something else is seen."""
    if not story.periods or not story.field:
        return ""
    return f"<p class=note>Years are those in the field <code>{html.escape(story.field)}</code> of the usages.</p>"


def _legend(story: WordReport) -> str:
    """Which mark and colour is which sense, for both pictures."""
    rows = "".join(f"<li>{sense_mark(number)} {html.escape(name)}</li>" for number, name in enumerate(story.names))
    return f'<ul class="legend" aria-label="Marks of the senses">{rows}</ul>'
