"""The data of Jurgens (2012): 400 usages of eight words that people rated, and what baselines score on them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from polyseme.baselines import ASE, ASF, ASR, MFS, RS, RSM, Baseline
from polyseme.inventory import Inventory
from polyseme.labelling import Labelling
from polyseme.tasks import protocols

Figures = dict[tuple[str, str], tuple[float, float]]
"""System and figure → value, and its standard deviation where it depends on chance."""

BASELINE_SEEDS = 100
"""How often a baseline that draws lots is run."""

PAPER_BASELINES: dict[str, Sequence[Baseline]] = {
    "MFS": (MFS(),),
    "RS": tuple(RS(seed) for seed in range(BASELINE_SEEDS)),
    "ASF": (ASF(),),
    "ASR": tuple(ASR(seed) for seed in range(BASELINE_SEEDS)),
    "ASE": (ASE(),),
    "RSM": tuple(RSM(seed, equal=True) for seed in range(BASELINE_SEEDS)),
}
"""The six of §5.3. RSM's senses weigh the same here, because only so does its Perception come out as printed."""


def senses_per_usage(gold: Labelling, dictionary: Inventory) -> Figures:
    """Table 1: how many senses a word has, and how many apply to a usage on average."""
    found: Figures = {}
    for lemma in gold.lemmas:
        found[lemma, "senses"] = float(len(dictionary[lemma])), 0.0
        found[lemma, "senses_per_usage"] = fmean(len(senses) for _, _, senses in gold.of(lemma).rows()), 0.0
    return found


def tied_usages(gold: Labelling, _: Inventory) -> Figures:
    """§2.2: the share of usages in which at least two of the senses that apply weigh the same."""
    ties = [len(set(senses.values())) < len(senses) for _, _, senses in gold.rows()]
    return {("usages with ties", "share"): (fmean(ties), 0.0)}


def compute_baseline_figures(gold: Labelling, dictionary: Inventory) -> Figures:
    """Table 3: Detection, Ranking and Perception of the baselines, over many seeds where they draw lots."""
    found: Figures = {}
    for name, baselines in PAPER_BASELINES.items():
        runs = [_scored(gold, baseline(gold, dictionary), dictionary) for baseline in baselines]
        for figure in ("detection", "ranking", "perception"):
            values = [run[figure] for run in runs]
            spread = stdev(values) if max(values) > min(values) else 0.0
            found[name, figure] = fmean(values), spread
    return found


def _scored(gold: Labelling, system: Labelling, dictionary: Inventory) -> dict[str, float]:
    return protocols.jurgens_2012(gold, system, mapping="none", inventory=dictionary).figures()
