"""Counting which words share a sentence, and the G² graph of all words, beside what one would do without polyseme.

Run with ``python bench/cooccurrence.py [TOKENS]``; needs the training text of SemEval-2010 Task 14 (environment
variable POLYSEME_DATA), which is cut into words at white space and into sentences at full stops. Each contender runs in
a process of its own, and starts from what its users have: an index (polyseme), the word numbers in its files (scipy),
or sentences as strings (scikit-learn) or lists of words (NLTK, gensim; where they are installed). polyseme counts each
pair once; "both" writes out the two halves of the symmetric matrix, as XᵀX does. NLTK has no sentences: it gets a
window of five words, and so does polyseme beside it; it is slow, so both get at most a million words. Times are
the best of five rounds. The exit code is 1 if polyseme takes longer than scipy, or more than 2 GB.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(os.environ.get("POLYSEME_DATA", "../shared/data"))
TOKENS = 7_500_000
FEW = 1_000_000
PART = 1_000_000
MEMORY = 2000
STRONG = 500.0
"""The G² above which Jurgens (2012) keeps an edge."""

Answer = tuple[float, int]
"""What was counted in all, and how many pairs."""


def documents() -> Iterator[list[list[str]]]:
    """The paragraphs of the training text, as sentences of words."""
    with tarfile.open(DATA / "semeval-2010-task-14" / "training_data.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(".xml") else None
            text = file.read().decode("utf-8", "replace") if file else ""
            for paragraph in re.findall(r"<[\w.]+\.\d+>(.*?)</[\w.]+\.\d+>", text, re.DOTALL):
                yield [words for part in re.split(r"(?<=[.!?])\s+", paragraph.lower()) if (words := part.split())]


def prepare(folder: Path, tokens: int) -> None:
    """Write an index, an array of word numbers and sentences as lines."""
    numbers: dict[str, int] = {}
    columns: list[tuple[int, int, int, int]] = []
    parts: list[int] = []
    sentence, size = 0, 0
    with (folder / "sentences.txt").open("w") as lines:
        for document, sentences in enumerate(documents()):
            for words in sentences:
                lines.write(" ".join(words) + "\n")
                word_numbers = (numbers.setdefault(word, len(numbers)) for word in words)
                columns += [(document, sentence, position, number) for position, number in enumerate(word_numbers)]
                sentence += 1
            if len(columns) >= PART or size + len(columns) >= tokens:
                write_part(folder, len(parts), columns, numbers, sum(parts))
                parts.append(len(numbers) - sum(parts))
                size, columns = size + len(columns), []
            if size >= tokens:
                break
    manifest = {"layout": 1, "finished": True, "documents": document + 1, "sentences": sentence, "tokens": size}
    manifest["parts"] = [{"number": number} for number in range(len(parts))]  # type: ignore[assignment]
    (folder / "manifest.json").write_text(json.dumps(manifest))


def write_part(folder: Path, number: int, rows: list[Any], numbers: dict[str, int], first_new: int) -> None:
    """Write a part of the index."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = np.array(rows, np.int32)
    names = ("document", "sentence", "position", "word")
    texts = list(numbers)
    counts = np.bincount(table[:, 3], minlength=len(texts))
    seen = np.flatnonzero(counts)
    words = {
        "word": pa.array(seen, pa.int32()),
        "text": pa.array([texts[at] if at >= first_new else None for at in seen.tolist()], pa.string()),
        "count": pa.array(counts[seen]),
    }
    for name, columns in {"tokens": dict(zip(names, table.T, strict=True)), "words": words}.items():
        (folder / name).mkdir(exist_ok=True)
        pq.write_table(pa.table(columns), folder / name / f"{number:05}.parquet", compression="zstd")


# -- contenders: each gives what prepares it, which is not measured, and what is ---------------------------------------


def ours(folder: Path) -> Callable[[], Answer]:
    """Polyseme, from the index on."""
    from polyseme.corpus.cooccurrence import count_cooccurrences
    from polyseme.corpus.index import Index

    def work() -> Answer:
        counts = count_cooccurrences(Index.open(folder))
        return 2.0 * counts.pairs.sum(), 2 * counts.pairs.nnz

    return work


def ours_whole(folder: Path) -> Callable[[], Answer]:
    """The same, with both halves of the matrix."""
    from polyseme.corpus.cooccurrence import count_cooccurrences
    from polyseme.corpus.index import Index

    def work() -> Answer:
        matrix = count_cooccurrences(Index.open(folder)).matrix
        return float(matrix.sum()), matrix.nnz

    return work


def ours_g2(folder: Path) -> Callable[[], Answer]:
    """Polyseme, and G² of all pairs."""
    from polyseme.corpus.association import G2, association_matrix
    from polyseme.corpus.cooccurrence import count_cooccurrences
    from polyseme.corpus.index import Index

    def work() -> Answer:
        graph = association_matrix(G2(), count_cooccurrences(Index.open(folder)), STRONG)
        return float(graph.sum()), graph.nnz

    return work


def ours_words(folder: Path) -> Callable[[], Answer]:
    """Polyseme, pairs of tokens at most five words apart, and their G²."""
    from polyseme.corpus.association import G2, association_matrix
    from polyseme.corpus.cooccurrence import count_cooccurrences
    from polyseme.corpus.index import Index
    from polyseme.corpus.windows import WordWindow

    def work() -> Answer:
        counts = count_cooccurrences(Index.open(folder), WordWindow(5), by="token")
        association_matrix(G2(), counts)
        return float(counts.total), 2 * counts.pairs.nnz

    return work


def numbers_of(folder: Path) -> tuple[Any, Any]:
    """The sentence and the word of each token, from the same files."""
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "tokens", columns=["sentence", "word"])
    return table.column("sentence").to_numpy(), table.column("word").to_numpy()


def products(sentence: Any, word: Any) -> tuple[Any, Any]:
    """X and XᵀX, as scipy's users write it."""
    import scipy.sparse as sp

    matrix = sp.csr_matrix((np.ones(len(word), np.int64), (sentence, word)))
    matrix.data[:] = 1
    return matrix, matrix.T @ matrix


def scipy_product(folder: Path) -> Callable[[], Answer]:
    """Scipy's XᵀX, from the tokens of the index on."""

    def work() -> Answer:
        pairs = products(*numbers_of(folder))[1]
        diagonal = pairs.diagonal()
        return float(pairs.sum() - diagonal.sum()), pairs.nnz - int((diagonal > 0).sum())

    return work


def g_squared(pairs: Any, totals: Any, total: int) -> Any:
    """G² of all entries, as the formula says."""
    from scipy.special import xlogy

    a, b, k = totals[pairs.row].astype(float), totals[pairs.col].astype(float), pairs.data.astype(float)
    value = xlogy(k, k * total / (a * b))
    value += xlogy(a - k, (a - k) * total / (a * (total - b)))
    value += xlogy(b - k, (b - k) * total / ((total - a) * b))
    value += xlogy(total - a - b + k, (total - a - b + k) * total / ((total - a) * (total - b)))
    return 2 * value


def scipy_g2(folder: Path) -> Callable[[], Answer]:
    """Scipy's XᵀX, and the formula of G² on all of it."""

    def work() -> Answer:
        matrix, product = products(*numbers_of(folder))
        pairs = product.tocoo()
        value = g_squared(pairs, np.asarray(matrix.sum(axis=0)).ravel(), matrix.shape[0])
        is_strong = (value >= STRONG) & (pairs.row != pairs.col)
        return float(value[is_strong].sum()), int(is_strong.sum())

    return work


def vectoriser(folder: Path) -> Callable[[], Answer]:
    """scikit-learn's CountVectorizer and XᵀX, from sentences on."""
    from sklearn.feature_extraction.text import CountVectorizer

    lines = (folder / "sentences.txt").read_text().splitlines()

    def work() -> Answer:
        matrix = CountVectorizer(analyzer=str.split, binary=True).fit_transform(lines)
        pairs = matrix.T @ matrix
        diagonal = pairs.diagonal()
        return float(pairs.sum() - diagonal.sum()), pairs.nnz - int((diagonal > 0).sum())

    return work


def gensim_bags(folder: Path) -> Callable[[], Answer]:
    """gensim's Dictionary and corpus2csc, and the product, from lists of words on."""
    dictionary_of: Any = importlib.import_module("gensim.corpora").Dictionary
    corpus2csc: Any = importlib.import_module("gensim.matutils").corpus2csc
    lines = [line.split() for line in (folder / "sentences.txt").read_text().splitlines()]

    def work() -> Answer:
        dictionary = dictionary_of(lines)
        matrix = corpus2csc((dictionary.doc2bow(line) for line in lines), len(dictionary), np.int64).tocsr()
        matrix.data[:] = 1
        pairs = matrix @ matrix.T
        diagonal = pairs.diagonal()
        return float(pairs.sum() - diagonal.sum()), pairs.nnz - int((diagonal > 0).sum())

    return work


def nltk_words(folder: Path) -> Callable[[], Answer]:
    """NLTK's finder of collocations at most five words apart, scored by G², from lists of words on."""
    nltk: Any = importlib.import_module("nltk.collocations")
    lines = [line.split() for line in (folder / "sentences.txt").read_text().splitlines()]
    padded = (word for line in lines for word in (*line, *[None] * 5))

    def work() -> Answer:
        finder = nltk.BigramCollocationFinder.from_words(padded, window_size=6)
        return 2.0 * finder.ngram_fd.N(), len(finder.score_ngrams(nltk.BigramAssocMeasures.likelihood_ratio))

    return work


Contender = tuple[str, Callable[[Path], Callable[[], Answer]], str]
RACES: dict[str, list[Contender]] = {
    "words in a sentence": [
        ("polyseme", ours, ""),
        ("scipy XᵀX", scipy_product, ""),
        ("polyseme, both", ours_whole, ""),
        ("CountVectorizer", vectoriser, "sklearn"),
        ("gensim", gensim_bags, "gensim"),
    ],
    "G² ≥ 500 of all words in a sentence": [("polyseme", ours_g2, ""), ("scipy XᵀX", scipy_g2, "")],
    "G² of words five apart": [("polyseme", ours_words, ""), ("NLTK", nltk_words, "nltk")],
}


def measure(race: str, number: int, folder: Path) -> dict[str, float]:
    """Seconds, peak memory in MB and answer of a contender, in a process of its own."""
    command = [sys.executable, __file__, "--run", race, str(number), str(folder)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(process.stderr)
    figures: dict[str, float] = json.loads(process.stdout)
    return figures


def run(race: str, number: int, folder: Path) -> None:
    """What that process does; importing is not measured."""
    for library in ("scipy.sparse", "scipy.special", "pyarrow.parquet"):
        importlib.import_module(library)
    work = RACES[race][number][1](folder)
    start = time.perf_counter()
    total, pairs = work()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": seconds, "peak": peak, "total": total, "pairs": pairs}))


def run_race(race: str, folder: Path, repeats: int) -> bool:
    """Print a race; whether polyseme is not behind scipy, nor over its memory."""
    print(f"\n{race}\n{'':18}{'seconds':>9}{'ratio':>8}{'peak MB':>9}{'pairs':>13}{'sum':>16}")
    contenders = {
        name: number
        for number, (name, _, library) in enumerate(RACES[race])
        if not library or importlib.util.find_spec(library)
    }
    rounds = [{name: measure(race, number, folder) for name, number in contenders.items()} for _ in range(repeats)]
    best = {name: min((done[name] for done in rounds), key=itemgetter("seconds")) for name in contenders}
    fastest = best["polyseme"]["seconds"]
    for name, figures in best.items():
        times = f"{figures['seconds']:9.2f}{figures['seconds'] / fastest:8.2f}{figures['peak']:9.0f}"
        print(f"{name:18}{times}{figures['pairs']:13,.0f}{figures['total']:16,.0f}")
    for name, _, library in RACES[race]:
        if name not in contenders:
            print(f"{name:18} not installed: {library}")
    slower = best.get("scipy XᵀX", best["polyseme"])["seconds"] < best["polyseme"]["seconds"]
    return not slower and best["polyseme"]["peak"] < MEMORY


def main(tokens: int) -> int:
    """Print times, ratios and memory; 1 if one is over its limit."""
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        many, few = Path(folder, "many"), Path(folder, "few")
        for place, size in ((many, tokens), (few, min(tokens, FEW))):
            place.mkdir()
            prepare(place, size)
        for race in RACES:
            words = race.endswith("five apart")
            print(f"\n{min(tokens, FEW) if words else tokens:,} words", end="")
            fine &= run_race(race, few if words else many, 5 if tokens >= TOKENS else 1)
    return int(not fine and tokens >= TOKENS)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TOKENS))
