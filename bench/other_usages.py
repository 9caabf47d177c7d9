"""What other usages of a word add: senses of a few usages, alone and together with usages of a corpus.

Run with ``python bench/other_usages.py [--text FOLDER] [--lemmas N]``. Lemmas of the development part of SemCor-WSI
with three to ten usages, and at least a hundred in the texts of a folder, are clustered alone and with up to 30 and 100
usages of these texts: ``Substitution(add=30)``. B-Cubed F of the usages of SemCor-WSI is the mean over lemmas; the
difference has its standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np

import polyseme as ps
from polyseme.tasks.semcor_wsi import SemCorWSI
from single_sense_words import read_documents

LEAST, MOST, IN_TEXTS = 3, 10, 100
ADDED = (0, 30, 100)
DOCUMENTS = 6_000


def _frequency(index: ps.Index, lemma: str) -> int:
    """Return how often a lemma occurs in an index."""
    try:
        return index.count(lemma).total
    except ps.InputError:
        return 0


def main() -> int:
    """Index the texts, induce with more and more usages, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    texts = Path(os.environ.get("POLYSEME_DATA", "../shared/data")).parent / "text"
    parser.add_argument("--text", type=Path, default=texts, help="a folder of texts, one document a line, as .txt.xz")
    parser.add_argument("--lemmas", type=int, default=120, help="how many lemmas")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="how many documents, a few of each file")
    options = parser.parse_args()
    if not options.text.is_dir():
        print(f"{options.text} is no folder; name one with --text", file=sys.stderr)
        return 2
    data = ps.load("semcor-wsi")
    counts = Counter(usage.lemma for usage in data.usages)
    step = max(1, sum(1 for _ in read_documents(options.text)) // options.documents)
    documents = dict(enumerate(islice(read_documents(options.text), 0, None, step)))
    with tempfile.TemporaryDirectory() as folder:
        index = ps.build_index({str(number): text for number, text in documents.items()}, Path(folder, "texts.index"))
        few = sorted(lemma for lemma, count in counts.items() if LEAST <= count <= MOST)
        chosen = [lemma for lemma in few if _frequency(index, lemma) >= IN_TEXTS]
        lemmas = np.random.default_rng(0).permutation(chosen)[: options.lemmas].tolist()
        usages = [usage for usage in data.usages if usage.lemma in set(lemmas)]
        gold, scores = data.gold.restrict([usage.id for usage in usages]), []
        print(f"{len(lemmas)} lemmas, {len(usages)} usages; {len(documents):,} documents")
        for added in ADDED:
            model = ps.induce(index, ps.Substitution(add=added), lemmas, usages=usages)
            result = SemCorWSI().score(gold, model.label(usages))
            scores.append(np.array([row["f1"] for row in result.scores["bcubed"].per_unit().values()]))
            difference = scores[-1] - scores[0]
            error = difference.std() / len(difference) ** 0.5
            print(f"add={added}: B-Cubed F {scores[-1].mean():.3f}, {difference.mean():+.3f} ± {error:.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
