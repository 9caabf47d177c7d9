"""Personalised PageRank beside networkx and igraph, one sentence, a cold start, and how good the tags of glosses are.

Run with ``python bench/pagerank.py [CONTEXTS] [--glosses]``; needs WordNet 3.0 (``polyseme data install wordnet-3.0``)
and the data set wsd-evaluation-framework, and ``pip install networkx igraph`` to compare with. All walk on the same
graph, WordNet's relations and glosses, from the same contexts, for ``ppr_w2w``: networkx by ``pagerank`` (on scipy) to
its own tolerance, igraph by ``personalized_pagerank``, which is more exact than ours (10⁻¹⁰). The contexts are a sample
of real ones, of which the others get one in 128; it is printed for how many the best sense is the same.

Then: contexts a second by how many are given at once, and for usages of one word, where we walk from its senses; a
sentence, warm; and a new process that has the caches. The exit code is 1 if ours is not 100 times as fast as networkx
and 5 times as igraph, if one of them is missing, or if the first sentence takes 150 ms or the process 2 s.

``--glosses`` instead applies the tagging of glosses to SemCor and to the five test sets, and prints its accuracy.
"""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from polyseme import disambiguate
from polyseme.datasets import load
from polyseme.disambiguation.contexts import Context, build_contexts
from polyseme.disambiguation.gloss_edges import GlossTagging, tagging_quality
from polyseme.disambiguation.networks import SenseNetwork
from polyseme.disambiguation.ppr import PPR
from polyseme.disambiguation.sources import Sources
from polyseme.disambiguation.start_vectors import StartVectors
from polyseme.formats.semcor import extract_tagged_usages
from timing import time_best

CONTEXTS, FEW = 512, 32
FASTER = {"networkx": 100.0, "igraph": 5.0}
WARM, COLD = 0.15, 2.0

SENTENCES = (
    "He sat on the bank of the river",
    "The old man sat quietly on the muddy bank of the river and watched small boats pass",
)

PROCESS = """
import sys
from polyseme import disambiguate
disambiguate(sys.argv[1], "PPR()", wordnet="3.0")
"""

RANKS = PPR(strength=1.0, prior=0.0)
"""Ranks alone, to be compared."""


def sample(sources: Sources, count: int) -> list[Context]:
    """So many contexts of words that have several senses, from all five sets; from the first if they are few."""
    usages = load("wsd-evaluation-framework").usages
    result = build_contexts(usages if count > FEW else usages[: 10 * FEW], sources)
    several = [item for item in result if len(sources.wordnet.sense_rows(item.lemma)) > 1]
    return [several[int(place)] for place in np.linspace(0, len(several) - 1, count)]


# -- others --------------------------------------------------------------------------------------------------------


def networkx_walk(network: SenseNetwork) -> Callable[[Any], Any]:
    """PageRank of one context by networkx."""
    package: Any = importlib.import_module("networkx")
    graph = package.from_scipy_sparse_array(network.graph.edges)

    def walk(start: Any) -> Any:
        places = np.flatnonzero(start)
        result = package.pagerank(graph, 0.85, dict(zip(places.tolist(), start[places].tolist(), strict=True)))
        return np.array([result[node] for node in range(len(start))])

    return walk


def igraph_walk(network: SenseNetwork) -> Callable[[Any], Any]:
    """The same by igraph."""
    from scipy.sparse import triu

    package: Any = importlib.import_module("igraph")
    half = triu(network.graph.edges).tocoo()
    graph = package.Graph(n=len(network.graph), edges=np.stack([half.row, half.col], axis=1))
    weights = half.data.tolist()
    return lambda start: np.array(
        graph.personalized_pagerank(directed=False, damping=0.85, reset=start.tolist(), weights=weights)
    )


def compare(sources: Sources, inputs: Sequence[Context]) -> dict[str, float]:
    """Print contexts a second of all; how many times as fast ours is."""
    network: SenseNetwork = RANKS.graph.build_network(sources)
    weigh = RANKS.prepare(sources, [])
    weigh(inputs[:2])
    start = time.perf_counter()
    ours = weigh(inputs)
    item = (time.perf_counter() - start) / len(inputs)
    print(f"ppr_w2w, {len(network.graph):,} synsets, {network.graph.edges.nnz // 2:,} edges, {len(inputs)} contexts")
    print(f"  polyseme {1 / item:9.1f} contexts a second", flush=True)
    ratios = {}
    for name, make in (("networkx", networkx_walk), ("igraph", igraph_walk)):
        if importlib.util.find_spec(name) is None:
            print(f"  {name} is not installed, so that nothing can be compared. Type: pip install {name}", flush=True)
            ratios[name] = 0.0
            continue
        selected, mine = inputs[::128], ours[::128]
        theirs, same = timed(make(network), network, selected, mine)
        ratios[name] = theirs / item
        print(
            f"  {name:8} {1 / theirs:9.2f}, ratio {theirs / item:.0f}, {same}/{len(selected)} the same sense",
            flush=True,
        )
    return ratios


def timed(
    walk: Callable[[Any], Any], network: SenseNetwork, inputs: Sequence[Context], ours: Sequence[Any]
) -> tuple[float, int]:
    """Seconds a context, and for how many the best sense is ours."""
    matrix, column = StartVectors(network).build(inputs, with_target=False)
    starts = [matrix[:, [number]].toarray().ravel() for number in column.tolist()]
    begin = time.perf_counter()
    result = [walk(start) for start in starts]
    seconds = (time.perf_counter() - begin) / len(starts)
    senses = [network.senses(item.lemma) for item in inputs]
    theirs = [item.keys[int(np.argmax(rank[item.nodes]))] for item, rank in zip(senses, result, strict=True)]
    return seconds, sum(max(mine, key=mine.get) == key for mine, key in zip(ours, theirs, strict=True))


# -- ours ----------------------------------------------------------------------------------------------------------


def growth(sources: Sources, inputs: Sequence[Context]) -> None:
    """Print contexts a second by how many are given at once."""
    weigh = RANKS.prepare(sources, [])
    print("contexts given at once, and a second")
    for size in (1, 8, 64, 512):
        if size <= len(inputs):
            print(f"{size:6}{size / time_best(lambda size=size: weigh(inputs[:size])):12.1f}", flush=True)  # type: ignore[misc]
    of_one = [replace(item, lemma="bank.n") for item in inputs] * 8
    print(f"{len(of_one):6}{len(of_one) / time_best(lambda: weigh(of_one), 1):12.1f}  of one word, from its senses")


def sentences(sources: Sources) -> float:
    """Print how long sentences take, with all their words; the first's seconds."""
    taken = []
    for text in SENTENCES:
        words = len(disambiguate(text, "PPR()", wordnet=sources))
        taken.append(time_best(lambda text=text: disambiguate(text, "PPR()", wordnet=sources), 5))  # type: ignore[misc]
        print(f"a sentence with {words} words of WordNet, warm: {taken[-1] * 1000:.0f} ms")
    return taken[0]


def process() -> float:
    """Print and give the seconds of a new process that disambiguates one sentence."""
    command = [sys.executable, "-c", PROCESS, SENTENCES[0]]
    taken = time_best(lambda: subprocess.run(command, check=True))
    print(f"a new process, with imports: {taken:.2f} s")
    return taken


def glosses(sources: Sources) -> int:
    """Print how good the tags of glosses are, by what the same tagging makes of text."""
    framework = load("wsd-evaluation-framework")
    gold, listed = framework.gold, frozenset(sources.wordnet.sense_keys)
    semcor = [
        (usage, keys)
        for usage, keys in extract_tagged_usages(load("semcor-3.0").sentences())
        if listed.issuperset(keys)
    ]
    tests = [(usage, tuple(gold[usage.id])) for usage in framework.usages]
    ways: tuple[GlossTagging, ...] = ("first", "walked")
    print(f"{'':12}{'words':>9}{'found':>9}{'first':>9}{'walked':>9}")
    for name, tagged in (("SemCor", semcor), ("test sets", tests)):
        result = [tagging_quality(sources.wordnet, tagged, how) for how in ways]
        accuracy = "".join(f"{item.accuracy:9.3f}" for item in result)
        print(f"{name:12}{result[0].words:9,}{result[0].matched / result[0].words:9.3f}{accuracy}", flush=True)
    return 0


def main(count: int) -> int:
    """Print all; 1 if a limit is missed."""
    sources = Sources("3.0")
    inputs = sample(sources, count)
    ratios = compare(sources, inputs)
    growth(sources, inputs)
    warm, cold = sentences(sources), process()
    return int(any(ratios[name] < least for name, least in FASTER.items()) or warm > WARM or cold > COLD)


if __name__ == "__main__":
    if "--glosses" in sys.argv:
        sys.exit(glosses(Sources("3.0")))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else CONTEXTS))
