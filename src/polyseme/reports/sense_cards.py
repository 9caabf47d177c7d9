"""The parts of a word's section: senses with their words and examples, ambiguous usages, the dictionary, certainty."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from polyseme.inventory import Sense
from polyseme.reports.tables import Table, table_to_html
from polyseme.reports.usage_map import sense_colour, sense_mark
from polyseme.usage import Usage
from polyseme.words.certainty import ON_HALVES, ONE_RUN
from polyseme.words.dictionary import DictionaryComparison
from polyseme.words.examples import ambiguous_examples, best_examples
from polyseme.words.summary import format_percent
from polyseme.words.word_report import WordReport, cite_source, descriptive_words, strip_pos

EXAMPLES = 3
AMBIGUOUS = 5
LONGEST = 260
"""So many characters of a usage are shown at most."""


def cards(story: WordReport) -> str:
    """The senses one beside the other: mark, name, share, the words that tell it, and its best examples."""
    made = "".join(_card(story, number, sense) for number, sense in enumerate(story.portrait.senses))
    return f'<ol class="cards">{made}</ol>'


def _card(story: WordReport, number: int, sense: Sense) -> str:
    share = format_percent(float(story.portrait.shares[number]))
    words = ", ".join(descriptive_words(sense))
    quotes = "".join(f"<li>{quoted(usage)}</li>" for usage in best_examples(story.portrait, sense.id, EXAMPLES))
    return (
        f'<li class="card s{number}" style="--sense: {sense_colour(number)}"><h4>{sense_mark(number)} '
        f"{html.escape(story.names[number])} <span class=share>{share}</span></h4>"
        f"<p class=words>{html.escape(words)}</p><ul class=quotes>{quotes}</ul></li>"
    )


def quoted(usage: Usage) -> str:
    """A usage as a quotation: the target marked, cut around it if it is long, with its source."""
    left, right = _cut(usage)
    source = cite_source(usage)
    cited = f" <cite>{html.escape(source)}</cite>" if source else ""
    return f"<q>{html.escape(left)}<mark>{html.escape(usage.target)}</mark>{html.escape(right)}</q>{cited}"


def _cut(usage: Usage) -> tuple[str, str]:
    """What stands before and after the target, with white space made one blank, and as much as there is room for."""
    left, right = (_flat(text) for text in (usage.left, usage.right))
    room = LONGEST - len(usage.target)
    before = max(room // 2, room - len(right))
    after = max(room - room // 2, room - len(left))
    start = left if len(left) <= before else "… " + left[-before:].partition(" ")[2]
    end = right if len(right) <= after else right[:after].rpartition(" ")[0] + " …"
    return start.lstrip(), end.rstrip()


def _flat(text: str) -> str:
    """The text on one line; blanks at its ends stay, as the target comes next."""
    inner = " ".join(text.split())
    if not inner:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{inner}{' ' if text[-1].isspace() else ''}"


def ambiguous(story: WordReport) -> str:
    """The usages that have several senses at once, with their weights as bars."""
    found = ambiguous_examples(story.portrait, AMBIGUOUS)
    if not found:
        return "<p>Each usage has one sense only.</p>"
    made = "".join(f"<li>{_bar(story, weights)}{quoted(usage)}</li>" for usage, weights in found)
    return f'<ul class="ambiguous">{made}</ul>'


def _bar(story: WordReport, weights: dict[str, float]) -> str:
    """The weights of one usage, in a bar whose parts are as wide as these, and in words for those who do not see it."""
    numbers = {sense: story.portrait.number(sense) for sense in weights}
    said = "; ".join(f"{story.names[numbers[sense]]} {format_percent(weight)}" for sense, weight in weights.items())
    parts = "".join(
        f'<span style="flex-grow: {max(weight, 0.001):.3f}; background: {sense_colour(numbers[sense])}"></span>'
        for sense, weight in weights.items()
    )
    label = html.escape(said, quote=True)
    return f'<div class=weights role="img" aria-label="{label}">{parts}</div><p class=said>{_keys(story, weights)}</p>'


def _keys(story: WordReport, weights: dict[str, float]) -> str:
    shown = [(story.portrait.number(sense), weight) for sense, weight in weights.items() if weight >= 0.05]
    return " ".join(
        f"<span>{sense_mark(number)} {html.escape(story.names[number])} {format_percent(weight)}</span>"
        for number, weight in shown
    )


def dictionary(story: WordReport) -> str:
    """The senses of the dictionary that each induced one resembles, and those that resemble none."""
    if story.beside is None:
        return f"<p>{html.escape(story.missing)}</p>"
    rows = "".join(_row(story, story.beside, number, sense) for number, sense in enumerate(story.portrait.senses))
    name = html.escape(story.dictionary)
    head = f"<thead><tr><th scope=col>Induced sense</th><th scope=col>Resembles in {name}</th></tr></thead>"
    table = f'<table class="beside">{head}<tbody>{rows}</tbody></table>'
    return table + _unmatched(story.beside.unmatched, story.dictionary)


def _row(story: WordReport, beside: DictionaryComparison, number: int, sense: Sense) -> str:
    said = "".join(
        f"<li>{_gloss(match.sense)} <span class=share>× {match.ratio:.1f}</span></li>"
        for match in beside.matches(sense.id)
    )
    like = f"<ul>{said}</ul>" if said else "nothing stands out"
    return f"<tr><th scope=row>{sense_mark(number)} {html.escape(story.names[number])}</th><td>{like}</td></tr>"


def _gloss(sense: Sense) -> str:
    synonyms = [strip_pos(each).replace("_", " ") for each in sense.synonyms]
    names = f"<b>{html.escape(', '.join(synonyms[:4]))}</b>: " if synonyms else ""
    return f"{names}{html.escape(sense.gloss)}"


def _unmatched(senses: Sequence[Sense], name: str) -> str:
    if not senses:
        return ""
    listed = "".join(f"<li>{_gloss(sense)}</li>" for sense in senses)
    summary = f"In {html.escape(name)}, but like no sense here: {len(senses)}"
    return f"<details><summary>{summary}</summary><ul>{listed}</ul></details>"


NOTE = (
    "A sense of the dictionary resembles an induced one if its gloss, and those around it, have words that tell the"
    " induced one; × says how many times as much as they have of the words of all induced senses. That is a guess by"
    " words alone: a dictionary's sense can resemble several, and one that resembles none may still occur."
)


def sureness(story: WordReport) -> str:
    """How far runs agree, beside baselines, sense by sense."""
    found = story.certainty
    if found is None:
        return f"<p>{html.escape(story.runs or ONE_RUN)}</p>"
    table = Table(
        f"Agreement of {found.runs} runs"
        + (" on different usages" if story.runs == ON_HALVES else " with different seeds"),
        ("Compared with", "Heaviest sense (adjusted mutual information)", "All weights (fuzzy B-cubed F1)"),
        (
            ("another run", found.agreement, found.graded),
            ("a run whose labels are dealt out anew", 0.0, found.shuffled),
            ("all usages in one sense", 0.0, found.one),
        ),
        digits=2,
    )
    again = zip(story.names, found.senses, strict=True)
    rows = "".join(
        f"<li>{sense_mark(number)} {html.escape(name)}: {format_percent(share)}</li>"
        for number, (name, share) in enumerate(again)
    )
    label = html.escape(f"Agreement of runs on {story.word}", quote=True)
    beyond = f"Beyond chance they agree to {found.agreement:.2f} (1: the same, 0: as by chance)."
    return (
        f"<p>{html.escape(found.words)} {beyond}</p>{_made(story)}"
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table_to_html(table)}</div>'
        f"<p>How much of each sense another run finds again:</p><ul class=plain>{rows}</ul>"
    )


def _made(story: WordReport) -> str:
    """What there is to know of how the runs were made."""
    return f"<p>{html.escape(story.runs)}</p>" if story.runs else ""


def listed(items: Iterable[str]) -> str:
    """Sentences as one paragraph."""
    return " ".join(html.escape(item) for item in items)
