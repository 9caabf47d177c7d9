"""Topics by a hierarchical Dirichlet process: ours beside gensim's, tomotopy's, and the sampler of Teh et al. (2006).

Run with ``python bench/topics.py [DOCUMENTS] [WORDS] [TOPICS] [VOCABULARY] [ITERATIONS]``. Documents of so many words
are made from planted topics: four words in five are of the document's own topic, the others of any. All programs get
the same documents, one thread and the same γ, α₀ and η to begin with. An iteration is one pass over all words:

- polyseme's ``HDP``, compiled: ``pip install 'polyseme[fast]'``
- direct assignment: the Gibbs sampler of Teh et al. (2006), §5.3, alone, which looks at every topic for every word, as
  the program does that Lau et al. (2012) used. No package has that program; these are our loops without what we do
  beside: words that move together, and concentrations that are drawn
- tomotopy's ``HDPModel``, which begins with twice the planted topics, since it keeps as many as it is given:
  ``pip install 'polyseme[topics]'``
- gensim's ``HdpModel``: online variational inference (Wang, Paisley & Blei 2011), all else as it comes:
  ``pip install gensim``

Each is run anew with 1, 2, 4, … iterations, until one run takes more than 20 s. Seconds are those of the processor, so
that other work on the machine matters less. Those of an iteration are from the longest run less the shortest, so that
what is done once does not count; they are not told if that is less than a tenth of a second. They grow with the number
of topics, so compare programs that found as many. To recover takes all of the first run in which the topics were found.
A topic counts if it has half a per cent of all words or more, as in ``HDP()``; for gensim, if that is its expected
share. How well topics are recovered is the V-measure of the documents' main topics; 0.9 is enough. The exit code is 1
if ours does not recover them in any run.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from polyseme import Labelling
from polyseme.arrays import Ints
from polyseme.corpus.passages import Passages
from polyseme.measures.partitions import VMeasure
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag
from polyseme.vectors.topics import HDP, _import_tomotopy

DOCUMENTS, WORDS, TOPICS, VOCABULARY, ITERATIONS = 2000, 40, 10, 2000, 256
OWN = 0.8
"""The share of words that are of a document's own topic."""
SPARSE = 0.05
"""The prior of the words of a planted topic: the smaller, the fewer they are."""
RECOVERED, LONGEST, SHORTEST = 0.9, 20.0, 0.1
CHUNK = 256
"""How many documents gensim takes at a time: its default."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents, word after word; where each starts; and which topic each is of."""

    tokens: Ints
    starts: Ints
    planted: Ints

    @property
    def size(self) -> int:
        """How many words there are; all of them occur."""
        return int(self.tokens.max()) + 1

    @property
    def rows(self) -> Ints:
        """Of which document each word is."""
        return np.repeat(np.arange(len(self.planted)), np.diff(self.starts))


@dataclass(frozen=True, eq=False)
class Learnt:
    """How long a program took, how many topics it found, and each document's main one."""

    seconds: float
    topics: int
    main: Ints


def draw_corpus(documents: int, words: int, topics: int, vocabulary: int, seed: int = 0) -> Corpus:
    """Documents of planted topics."""
    rng = np.random.default_rng(seed)
    likely = rng.dirichlet(np.full(vocabulary, SPARSE), topics)
    planted = rng.integers(topics, size=documents)
    is_own = rng.random((documents, words)) < OWN
    token_topics = np.where(is_own, planted[:, None], rng.integers(topics, size=(documents, words)))
    drawn = np.empty((documents, words), np.intp)
    for topic in range(topics):
        drawn[token_topics == topic] = rng.choice(vocabulary, size=int((token_topics == topic).sum()), p=likely[topic])
    tokens = np.unique(drawn.ravel(), return_inverse=True)[1]
    return Corpus(tokens, np.arange(documents + 1) * words, planted)


# -- polyseme and tomotopy -----------------------------------------------------------------------------------------


def ours(corpus: Corpus, spec: HDP) -> Learnt:
    """By polyseme, as it is used, but that no word is left out."""
    usages = tuple(Usage(f"u{number}", "word", "word", 0, 4) for number in range(len(corpus.planted)))
    names = [f"w{number}" for number in range(corpus.size)]
    passages = Passages(usages, names, corpus.tokens, corpus.starts, np.full(len(usages), -1))
    start = time.process_time()
    fitted = spec.fit(passages)
    seconds = time.process_time() - start
    return Learnt(seconds, len(fitted.topics), fitted(passages).argmax(axis=1))


def more_topics(corpus: Corpus, spec: HDP) -> Learnt:
    """By tomotopy, from twice the planted topics."""
    package = _import_tomotopy()
    documents = [
        [f"w{number}" for number in tokens.tolist()] for tokens in np.split(corpus.tokens, corpus.starts[1:-1].tolist())
    ]
    concentrations = {"alpha": spec.alpha, "gamma": spec.gamma, "eta": spec.eta}
    start = time.process_time()
    model = package.HDPModel(initial_k=2 * (int(corpus.planted.max()) + 1), seed=spec.seed, **concentrations)
    for document in documents:
        model.add_doc(document)
    model.train(spec.iterations, workers=1)
    seconds = time.process_time() - start
    main = np.array([np.argmax(document.get_topic_dist()) for document in model.docs])
    return Learnt(seconds, _large(np.array(model.get_count_by_topics()), spec), main)


def _large(sizes: Any, spec: HDP) -> int:
    return int((sizes >= spec.smallest * sizes.sum()).sum())


# -- gensim --------------------------------------------------------------------------------------------------------


def variational(corpus: Corpus, spec: HDP) -> Learnt:
    """By gensim."""
    package: Any = importlib.import_module("gensim.models.hdpmodel")
    counts = sp.csr_array((np.ones(len(corpus.tokens), int), (corpus.rows, corpus.tokens)))
    counts.sum_duplicates()
    ends = zip(counts.indptr[:-1].tolist(), counts.indptr[1:].tolist(), strict=True)
    columns, numbers = counts.indices.tolist(), counts.data.tolist()
    bags = [list(zip(columns[first:last], numbers[first:last], strict=True)) for first, last in ends]
    names = {number: f"w{number}" for number in range(corpus.size)}
    chunks = spec.iterations * -(-len(bags) // CHUNK)
    options = {"alpha": spec.alpha, "gamma": spec.gamma, "eta": spec.eta, "random_state": spec.seed}
    start = time.process_time()
    model = package.HdpModel(bags, names, max_chunks=chunks, chunksize=CHUNK, **options)
    seconds = time.process_time() - start
    return Learnt(seconds, _large(model.lda_alpha, spec), model.inference(bags).argmax(axis=1))


# -- direct assignment ---------------------------------------------------------------------------------------------


def direct(corpus: Corpus, spec: HDP) -> Learnt:
    """By direct assignment alone."""
    from polyseme.vectors import _hdp_sampler as loops

    rng, priors = np.random.default_rng(spec.seed), (spec.gamma, spec.alpha, spec.eta)
    start = time.process_time()
    rows, topic, used = corpus.rows, np.full(len(corpus.tokens), -1), 0
    counts = loops._empty_counts(len(corpus.planted), corpus.size, 2 * loops.INITIAL_ROOM)
    for _ in range(spec.iterations):
        loops._sweep_words(corpus.tokens, rows, topic, counts, priors, used, rng)
        counts, used = loops._sort_topics(counts, topic)
        tables = loops._draw_tables(counts.by_document, counts.beta, spec.alpha, used, rng)
        shares = rng.standard_gamma([*tables, spec.gamma])
        counts.beta[:] = 0.0
        counts.beta[:used], counts.beta[-1] = shares[:-1] / shares.sum(), shares[-1] / shares.sum()
    seconds = time.process_time() - start
    return Learnt(seconds, _large(counts.total, spec), counts.by_document.argmax(axis=1))


# -- all -----------------------------------------------------------------------------------------------------------

OURS = "polyseme HDP"
Program = Callable[[Corpus, HDP], Learnt]
PROGRAMS: dict[str, tuple[Program, str, str]] = {
    OURS: (ours, "numba", "'polyseme[fast]'"),
    "direct assignment": (direct, "numba", "'polyseme[fast]'"),
    "tomotopy HDPModel": (more_topics, "tomotopy", "'polyseme[topics]'"),
    "gensim HdpModel": (variational, "gensim", "gensim"),
}


def agreement(planted: Ints, main: Ints) -> float:
    """The V-measure of the main topics."""
    names = [f"u{number}" for number in range(len(planted))]
    gold, system = (Labelling.hard(names, [f"t{one}" for one in each], lemma="x") for each in (planted, main))
    return VMeasure()(gold, system).figure()


def runs(program: Program, corpus: Corpus, iterations: int) -> dict[int, Learnt]:
    """What was learnt with 1, 2, 4, … iterations."""
    threads: Any = importlib.import_module("threadpoolctl")  # scikit-learn has brought it
    results: dict[int, Learnt] = {}
    count = 1
    with threads.threadpool_limits(1):
        program(draw_corpus(20, 10, 2, 20), _spec(1))
        while count <= iterations and (not results or results[count // 2].seconds < LONGEST):
            results[count] = program(corpus, _spec(count))
            count *= 2
    return results


def _spec(iterations: int) -> HDP:
    return HDP(of=Bag(minimum=1, stop=0), iterations=iterations)


def compared(corpus: Corpus, iterations: int) -> bool:
    """Print a line for each program; whether ours recovers the topics."""
    right, mine = False, 0.0
    for name, (program, package, extra) in PROGRAMS.items():
        if importlib.util.find_spec(package) is None:
            print(f"{name:18} {package} is not installed; type: pip install {extra}")
            continue
        results = runs(program, corpus, iterations)
        last = max(results)
        more = results[last].seconds - results[1].seconds
        per_iteration = more / (last - 1) if more > SHORTEST else 0.0
        values = {count: agreement(corpus.planted, learnt.main) for count, learnt in results.items()}
        enough = next((count for count, value in values.items() if value >= RECOVERED), None)
        recovered = f"{results[enough].seconds:11.2f} s, {enough:8}" if enough else f"{'not in':>13}  {last:8}"
        if name == OURS:
            mine, right = per_iteration, enough is not None
        speed = f"{'too short to tell':>29}"
        if per_iteration:
            speed = f"{per_iteration * 1e3:10.2f} ms{len(corpus.tokens) / per_iteration:16,.0f}"
        speed += f"{per_iteration / mine:8.2f}" if per_iteration and mine else f"{'-':>8}"
        print(f"{name:18}{speed}{results[last].topics:8}{values[last]:11.3f}{recovered}", flush=True)
    return right


def main(arguments: list[str]) -> int:
    """Print all; 1 if ours does not recover the topics."""
    numbers = [int(argument) for argument in arguments[:5]]
    defaults = [DOCUMENTS, WORDS, TOPICS, VOCABULARY, ITERATIONS]
    documents, words, topics, vocabulary, iterations = numbers + defaults[len(numbers) :]
    spec = HDP()
    if importlib.util.find_spec("numba") is None:
        print("numba is not installed, so that nothing can be compared. Type: pip install 'polyseme[fast]'")
        return 0
    print(
        f"{documents:,} documents of {words} words from {topics} topics, γ {spec.gamma}, α₀ {spec.alpha}, η {spec.eta}"
    )
    head = f"{'an iteration':>13}{'words a second':>16}{'ratio':>8}{'topics':>8}{'V-measure':>11}"
    print(f"{'':18}{head}   to recover, iterations")
    right = compared(draw_corpus(documents, words, topics, vocabulary), iterations)
    if not right:
        print(f"polyseme does not recover the topics: its V-measure is less than {RECOVERED}")
    return int(not right)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
