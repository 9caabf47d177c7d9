"""Indexing text, beside what one would do without polyseme, each in a process of its own.

Run with ``python bench/indexing.py [TOKENS]``; needs the training text of SemEval-2010 Task 14 (environment variable
POLYSEME_DATA), as JSON Lines with a document for each hundred paragraphs. All read that file, cut it into words and
leave a result on disk, but not the same: a matrix of documents × words (scikit-learn, gensim) or of sentences × words
(with NLTK's sentences), the words of sentences as lines (NLTK), or all of words, sentences, places, text and metadata
(polyseme), which also goes on after a kill. NLTK and gensim take part where they are installed. Times are the best of
three rounds.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from scale import write_corpus

TOKENS = 7_500_000


def texts(source: Path) -> Iterator[str]:
    """The documents."""
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def index_with_polyseme(source: Path, folder: Path) -> None:
    """Polyseme, without lemmas, as the others have none."""
    from polyseme.corpus.indexing import build_index
    from polyseme.corpus.simple_analyser import Simple

    build_index([source], folder / "index", Simple(lemmatise=False))


def vectoriser(source: Path, folder: Path) -> None:
    """scikit-learn's CountVectorizer, with its own pattern for words."""
    import scipy.sparse as sp
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer()
    sp.save_npz(folder / "counts.npz", counter.fit_transform(texts(source)))
    (folder / "words.json").write_text(json.dumps(counter.get_feature_names_out().tolist()))


def sentences(source: Path, folder: Path) -> None:
    """NLTK's sentences and scikit-learn's CountVectorizer, for a matrix of sentences × words."""
    import scipy.sparse as sp
    from sklearn.feature_extraction.text import CountVectorizer

    punkt: Any = importlib.import_module("nltk.tokenize.punkt").PunktSentenceTokenizer()
    counter = CountVectorizer()
    split_sentences = (sentence for text in texts(source) for sentence in punkt.tokenize(text))
    sp.save_npz(folder / "counts.npz", counter.fit_transform(split_sentences))
    (folder / "words.json").write_text(json.dumps(counter.get_feature_names_out().tolist()))


def gensim(source: Path, folder: Path) -> None:
    """gensim's tokeniser, Dictionary and corpus in Matrix Market form."""
    corpora: Any = importlib.import_module("gensim.corpora")
    cut: Any = importlib.import_module("gensim.utils").simple_preprocess
    dictionary = corpora.Dictionary(cut(text) for text in texts(source))
    dictionary.save(str(folder / "words.dict"))
    corpora.MmCorpus.serialize(str(folder / "counts.mm"), (dictionary.doc2bow(cut(text)) for text in texts(source)))


def nltk(source: Path, folder: Path) -> None:
    """NLTK's sentences and words, as lines."""
    punkt: Any = importlib.import_module("nltk.tokenize.punkt").PunktSentenceTokenizer()
    words: Any = importlib.import_module("nltk.tokenize").NLTKWordTokenizer()
    with (folder / "sentences.txt").open("w") as out:
        for text in texts(source):
            for sentence in punkt.tokenize(text):
                out.write(" ".join(words.tokenize(sentence)) + "\n")


CONTENDERS: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "polyseme": (index_with_polyseme, "polyseme"),
    "CountVectorizer": (vectoriser, "sklearn"),
    "NLTK, then that": (sentences, "nltk"),
    "gensim": (gensim, "gensim"),
    "NLTK": (nltk, "nltk"),
}


def run(name: str, source: Path, folder: Path) -> None:
    """One contender, in this process."""
    contender, library = CONTENDERS[name]
    importlib.import_module(library)
    start = time.perf_counter()
    contender(source, folder)
    seconds = time.perf_counter() - start
    peaks = [resource.getrusage(who).ru_maxrss / 1000 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"seconds": seconds, "peak": sum(peaks)}))


def measure(name: str, source: Path, folder: Path) -> dict[str, float]:
    """Seconds, peak memory in MB and size on disk of a contender, in a process of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    process = subprocess.run(
        [sys.executable, __file__, "--run", name, str(source), str(folder)], capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise RuntimeError(process.stderr)
    figures: dict[str, float] = json.loads(process.stdout)
    return figures | {"disk": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6}


def main(tokens: int) -> None:
    """Print times and ratios."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "corpus.jsonl")
        write_corpus(source, tokens)
        print(f"{tokens:,} words\n{'':18}{'seconds':>9}{'ratio':>8}{'peak MB':>9}{'disk MB':>9}")
        fastest = 0.0
        for name, (_, library) in CONTENDERS.items():
            if importlib.util.find_spec(library) is None:
                print(f"{name:18} not installed: {library}")
                continue
            rounds = 3 if tokens >= TOKENS else 1
            rounds_done = [measure(name, source, Path(scratch, "out")) for _ in range(rounds)]
            figures = min(rounds_done, key=lambda run_figures: run_figures["seconds"])
            fastest = fastest or figures["seconds"]
            times = f"{figures['seconds']:9.1f}{figures['seconds'] / fastest:8.2f}"
            print(f"{name:18}{times}{figures['peak']:9.0f}{figures['disk']:9.0f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else TOKENS)
