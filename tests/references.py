"""The measures and mappings in plain Python, straight from their formulas: slow, short, and nothing shared with src."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from polyseme.labelling import Labelling

Labels = Mapping[str, float]
Side = Mapping[str, Labels]


def lemmas_of(gold: Labelling, system: Labelling) -> Iterable[tuple[str, dict[str, Labels], dict[str, Labels]]]:
    """Each of gold's lemmas with its usages on either side."""
    for lemma in gold.lemmas:
        yield lemma, *({u: s for row_lemma, u, s in side.rows() if row_lemma == lemma} for side in (gold, system))  # type: ignore[misc]


def by_max(side: Side) -> dict[str, dict[str, float]]:
    """Weights divided by each usage's largest."""
    return {
        usage: {sense: weight / (max(labels.values()) or 1.0) for sense, weight in labels.items()}
        for usage, labels in side.items()
    }


def mean(values: Collection[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def f_of(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


# -- one usage -----------------------------------------------------------------------------------------------------


def ksim(gold: Labels, system: Labels, sense_count: int, *, paper: bool = False) -> float:
    union = sorted({*gold, *system}, reverse=True)
    n = len(union)
    if n == 1:
        return 1.0
    by_gold = sorted(union, key=lambda sense: -gold.get(sense, 0.0))
    by_system = sorted(union, key=lambda sense: -system.get(sense, 0.0))
    delta = [(n - (i + 1)) / n if paper else 1 - i / sense_count for i in range(n)]
    p = [1 + sum(delta[:i]) for i in range(n)]

    def distance(sigma: Sequence[int]) -> float:
        bar = [1.0 if i == sigma[i] else (p[i] - p[sigma[i]]) / (i - sigma[i]) for i in range(n)]
        return sum(bar[i] * bar[j] for i, j in combinations(range(n), 2) if sigma[i] > sigma[j])

    return 1 - distance([by_system.index(sense) for sense in by_gold]) / distance(range(n)[::-1])


def wndcg(gold: Labels, system: Labels, *, paper: bool = False) -> float:
    gain = 0.0
    ranked = sorted(sorted({*gold, *system}), key=lambda sense: -system.get(sense, 0.0))
    for i, sense in enumerate(ranked, start=1):
        g, t = gold.get(sense, 0.0), system.get(sense, 0.0)
        agreement = 1.0 if g == t == 0 else min(g, t) / max(g, t)
        gain += agreement * (2 ** (g + 1) - 1) / math.log2(i + 1)
    ideal = sum(
        (2 ** (g + 1) - paper) / math.log2(i + 1) for i, g in enumerate(sorted(gold.values(), reverse=True), start=1)
    )
    return gain / ideal


def gamma(gold: Labels, system: Labels, senses: Collection[str]) -> float:
    def ranks(labels: Labels) -> dict[str, int]:
        applicable = sorted({weight for weight in labels.values() if weight > 0}, reverse=True)
        return {
            sense: applicable.index(labels[sense]) if labels.get(sense, 0.0) > 0 else len(labels) + 1
            for sense in senses
        }

    ours, theirs = ranks(gold), ranks(system)
    signs = [(ours[a] - ours[b]) * (theirs[a] - theirs[b]) for a, b in combinations(sorted(senses), 2)]
    concordant, discordant = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
    return (concordant - discordant) / (concordant + discordant) if concordant + discordant else 0.0


# -- covers of one lemma -------------------------------------------------------------------------------------------


def correctness(i: Labels, j: Labels, *, union: bool = False) -> float:
    senses = {*i, *j} if union else i.keys() & j.keys()
    return sum(1 - abs(i.get(sense, 0.0) - j.get(sense, 0.0)) for sense in senses)


def fuzzy_side(own: Side, other: Side, usages: Collection[str], *, union: bool) -> float:
    """Σ over usages of the mean of min(C, C')/C over the other usages that share a sense with it on this side."""
    total = 0.0
    for i in usages:
        values = []
        for j in usages:
            if i == j or own.get(i, {}).keys().isdisjoint(own.get(j, {})):
                continue
            ours, theirs = (correctness(side.get(i, {}), side.get(j, {}), union=union) for side in (own, other))
            values.append(min(ours, theirs) / ours if ours > 0 else 0.0)
        total += mean(values) if values else 0.0
    return total


def extended_side(own: Side, other: Side, usages: Collection[str]) -> float:
    """The mean, over the usages with a sense on this side, of the mean over those that share one, itself included."""

    def senses(side: Side, usage: str) -> set[str]:
        return {sense for sense, weight in side.get(usage, {}).items() if weight > 0}

    means = []
    for i in usages:
        shared = [(senses(own, i) & senses(own, j), senses(other, i) & senses(other, j)) for j in usages]
        values = [min(len(ours), len(theirs)) / len(ours) for ours, theirs in shared if ours]
        if values:
            means.append(mean(values))
    return sum(means)


def entropy(states: Iterable[object]) -> float:
    counts = Counter(states)
    total = counts.total()
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def h(p: float) -> float:
    return -p * math.log(p) if p > 0 else 0.0


def cover_information(gold: Side, system: Side, bin_of: Callable[[float], int]) -> tuple[list[float], ...]:
    """H(X_i), H(Y_j), H(X_i|Y) and H(Y_j|X) for the senses of either side, each a variable over the usages."""
    usages = list({**gold, **system})
    x, y = (
        {
            sense: [side.get(usage, {}).get(sense, 0.0) for usage in usages]
            for sense in sorted({sense for labels in side.values() for sense in labels})
        }
        for side in (gold, system)
    )

    def collect(these: Mapping[str, Sequence[float]], those: Mapping[str, Sequence[float]]) -> list[float]:
        lefts = {sense: [_left(a, b, bin_of) for b in those.values()] for sense, a in these.items()}
        return [
            min([left for left in lefts[sense] if left is not None], default=_own(a, bin_of))
            for sense, a in these.items()
        ]

    return [_own(a, bin_of) for a in x.values()], [_own(b, bin_of) for b in y.values()], collect(x, y), collect(y, x)


def _own(a: Sequence[float], bin_of: Callable[[float], int]) -> float:
    return entropy(map(bin_of, a))


def _left(a: Sequence[float], b: Sequence[float], bin_of: Callable[[float], int]) -> float | None:
    """H(a|b), or nothing where b is no candidate for a."""
    n = len(a)
    p = Counter((v > 0, w > 0) for v, w in zip(a, b, strict=True))
    agree, differ = h(p[True, True] / n) + h(p[False, False] / n), h(p[True, False] / n) + h(p[False, True] / n)
    if agree < differ - 1e-12:
        return None
    return entropy(zip(map(bin_of, a), map(bin_of, b), strict=True)) - entropy(map(bin_of, b))


def ten_bins(weight: float) -> int:
    return max(math.ceil(10 * weight), 1)


def two_bins(weight: float) -> int:
    return int(weight > 0)


def nmi_by_largest(gold: Side, system: Side, bin_of: Callable[[float], int]) -> float:
    parts = cover_information(gold, system, bin_of)
    x, y, x_given_y, y_given_x = (sum(part) for part in parts)
    if max(x, y) < 1e-12:
        return float(all(parts[:2]))
    return 0.5 * (x - x_given_y + y - y_given_x) / max(x, y)


def nmi_by_own(gold: Side, system: Side, bin_of: Callable[[float], int]) -> float:
    x, y, x_given_y, y_given_x = cover_information(gold, system, bin_of)
    shares = [
        mean([left / own for own, left in zip(owns, lefts, strict=True) if own > 1e-12])
        for owns, lefts in ((x, x_given_y), (y, y_given_x))
    ]
    if all(map(math.isnan, shares)):
        return float(bool(x and y))
    return 0.0 if any(map(math.isnan, shares)) else 1 - sum(shares) / 2


# -- clusterings of one lemma --------------------------------------------------------------------------------------


def clusters(gold: Side, system: Side) -> tuple[list[str], list[str]]:
    """The heaviest sense of each gold usage on either side; the unlabelled form a cluster."""
    firsts = [max(labels, key=lambda sense: labels[sense]) for labels in gold.values()]
    tops = {usage: max(labels, key=lambda sense: labels[sense]) for usage, labels in system.items()}
    return firsts, [f"={tops[usage]}" if usage in tops else "unlabelled" for usage in gold]


def v_measure(classes: Sequence[str], clusters: Sequence[str]) -> tuple[float, float, float]:
    h_s, h_k, both = entropy(classes), entropy(clusters), entropy(zip(classes, clusters, strict=True))
    homogeneity = 1 - (both - h_k) / h_s if h_s > 1e-12 else 1.0
    completeness = 1 - (both - h_s) / h_k if h_k > 1e-12 else 1.0
    return homogeneity, completeness, f_of(max(homogeneity, 0.0), max(completeness, 0.0))


def paired(classes: Sequence[str], clusters: Sequence[str]) -> tuple[float, float]:
    def instances(labels: Sequence[str]) -> set[tuple[int, int]]:
        alone = {(a, a) for a, label in enumerate(labels) if labels.count(label) == 1}
        return alone | {(a, b) for a, b in combinations(range(len(labels)), 2) if labels[a] == labels[b]}

    gold, system = instances(classes), instances(clusters)
    return len(gold & system) / len(system), len(gold & system) / len(gold)


def bcubed(classes: Sequence[str], clusters: Sequence[str]) -> tuple[float, float]:
    def share(labels: Sequence[str], within: Sequence[str], i: int) -> float:
        beside = [j for j in range(len(within)) if within[j] == within[i]]
        return mean([float(labels[j] == labels[i]) for j in beside])

    everyone = range(len(classes))
    return mean([share(classes, clusters, i) for i in everyone]), mean([share(clusters, classes, i) for i in everyone])


def expected_information(classes: Sequence[int], clusters: Sequence[int]) -> float:
    n = sum(classes)
    total = 0.0
    for a in classes:
        for b in clusters:
            for k in range(max(1, a + b - n), min(a, b) + 1):
                probability = Fraction(math.comb(a, k) * math.comb(n - a, b - k), math.comb(n, b))
                total += float(probability) * k / n * math.log(n * k / (a * b))
    return total


# -- mappings ------------------------------------------------------------------------------------------------------

Table = dict[str, dict[str, Fraction]]


def table(system: Side, gold: Side, weight: Callable[[float, float, int], Fraction]) -> Table:
    """P(gold | induced) of one lemma, exactly; ``weight`` is a pair's, given w_T, w_G and the usage's senses."""
    cells: Table = defaultdict(lambda: defaultdict(Fraction))
    for usage, labels in gold.items():
        for induced, w in system.get(usage, {}).items():
            for sense, g in labels.items():
                cells[induced][sense] += weight(w, g, len(labels))
    return {
        induced: {sense: value / (sum(row.values()) or 1) for sense, value in row.items()}
        for induced, row in cells.items()
    }


def together(_w: float, _g: float, _senses: int) -> Fraction:
    return Fraction(1)


def product(w: float, g: float, _senses: int) -> Fraction:
    return Fraction(w) * Fraction(g)


def share(_w: float, _g: float, senses: int) -> Fraction:
    return Fraction(1, senses)


def likeliest(row: Mapping[str, Fraction]) -> str:
    return min(row, key=lambda sense: (-row[sense], sense))


def summed(parts: Iterable[tuple[str, Fraction]]) -> dict[str, Fraction]:
    total: dict[str, Fraction] = defaultdict(Fraction)
    for sense, value in parts:
        total[sense] += value
    return dict(total)


def to_one(labels: Mapping[str, Fraction]) -> dict[str, Fraction]:
    total = sum(labels.values()) or Fraction(1)
    return {sense: value / total for sense, value in labels.items()}


def agirre(system: Side, gold: Side, labels: Labels) -> dict[str, Fraction]:
    m = table(system, gold, together)
    return summed((likeliest(m[induced]), Fraction(1, len(labels))) for induced in labels if induced in m)


def graded(system: Side, gold: Side, labels: Labels) -> dict[str, Fraction]:
    m = table(system, gold, product)
    return to_one(summed((likeliest(m[induced]), Fraction(w)) for induced, w in labels.items() if induced in m))


def distribution(system: Side, gold: Side, labels: Labels) -> dict[str, Fraction]:
    m = table(system, gold, product)
    return to_one(summed(cell for induced in labels for cell in m.get(induced, {}).items()))


def weighted_distribution(system: Side, gold: Side, labels: Labels) -> dict[str, Fraction]:
    m = table(system, gold, product)
    return summed((sense, Fraction(w) * p) for induced, w in labels.items() for sense, p in m.get(induced, {}).items())


def most_probable(system: Side, gold: Side, labels: Labels) -> dict[str, Fraction]:
    m = table(system, gold, share)
    weights = summed(
        (sense, Fraction(w) * p) for induced, w in labels.items() for sense, p in m.get(induced, {}).items()
    )
    return {likeliest(weights): max(weights.values())} if weights else {}
