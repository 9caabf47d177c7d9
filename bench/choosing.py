"""Settings of Substitution, chosen on data that are not the tests: usages of SemCor by sense, and WSsim's trial data.

Run with ``python bench/choosing.py [MODEL] [--every] [--answers FILE]``. Each setting is tried alone, from those that
were chosen, but with a fixed number of senses, so that nothing else changes. SemCor is looked at twice,
as the tests differ: sentences by the senses of WordNet, as in SemEval-2013 Task 13, and paragraphs by coarse senses,
the clusters of ``coarse-wordnet-2.1``, as in SemEval-2010 Task 14. Printed is how well these senses are found again, by
the measures of both tasks, and how well those that three people rated in the trial data of Task 13; and how well the
cosines of usages agree with those of their senses' weights. The sum of the average of Task 13 on sentences and that of
Task 14 on paragraphs decides, but for how many senses a usage has: SemCor has one for each, so ``temperature`` and
``least`` are between what it and the trial data want. Lemmas have about as many usages as in the tests. The model is
asked once, with ``--every`` with all patterns, which takes a quarter of an hour and more. With ``--answers`` what it
says is kept in a file, and is taken from there when there is one.
"""

from __future__ import annotations

import argparse
import pickle
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.stats import rankdata

from polyseme.arrays import Floats
from polyseme.clustering.agglomerative import Agglomerative
from polyseme.clustering.graders import InverseDistance, Nearest, PositiveCosine
from polyseme.clustering.number_of_clusters import PK2, PK3, AdaptedGap, Eigengap, Fixed, Silhouette, Sizeable
from polyseme.corpus.passages import passages_without_words
from polyseme.datasets import load
from polyseme.formats.checkpoint import last_modified
from polyseme.induction.model import SenseVectors
from polyseme.induction.substitution import ALL_PATTERNS, DEFAULT_PATTERNS, Substitution
from polyseme.induction.vector_induction import grade_usages
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL, package_versions
from polyseme.matrices import dot_products, unit_rows
from polyseme.tasks.protocols import semeval_2010, semeval_2013
from polyseme.usage import Usage

TWO = ALL_PATTERNS[:2]
"""The patterns that the model is asked with if not with all."""

NUMBER = 5
"""How many senses there are while other things are tried."""

RARE = 5
"""What has fewer usages is no sense that a lemma is chosen for."""

WORDS = 72
"""How many words a usage of Task 14 has, in the mean: sentences are added to a usage of SemCor up to that."""

DEEPEST = 200
"""How many substitutes are kept, so that fewer can be tried."""

COLUMNS = ("FNMI", "FBC", "13", "V", "F", "14", "senses")
"""How senses are scored; 13 and 14 are the geometric means of the two before them."""

SHOWN = {"sentences": (*COLUMNS, "ρ"), "paragraphs": ("13", "V", "F", "14", "senses"), "trial": ("13", "14", "ρ")}
"""What is printed of each set."""

DECIDES = {"sentences": "13", "paragraphs": "14"}
"""What is summed."""


class Known(NamedTuple):
    """What a model says of the usages of a lemma: substitutes by pattern, as usages × words, and vectors."""

    usages: tuple[Usage, ...]
    substitutes: Mapping[str, Any]
    vectors: Floats


class Material(NamedTuple):
    """Usages by lemma, and who said what of them."""

    known: Mapping[str, Known]
    gold: Labelling


class Drawn(NamedTuple):
    """Which lemmas: how many, with how many usages, how many senses that are not rare, and how frequent the first; half
    of them nouns, half of some other parts of speech."""

    lemmas: int
    least: int
    most: int
    senses: int
    first: float
    seed: int
    pos: tuple[str, ...]


FINE, COARSE = Drawn(60, 80, 100, 3, 1.0, 0, (".v", ".a")), Drawn(80, 30, 150, 2, 0.8, 1, (".v",))
"""As in Task 13, and as in Task 14, whose lemmas have 12 to 865 usages and seldom one sense alone."""


def sentences() -> tuple[list[Usage], Labelling]:
    """Usages of SemCor, each a sentence, by the senses of WordNet."""
    data = load("semcor-3.0")
    gold, usages = data.gold, {usage.id: usage for usage in data.usages}
    senses = {name: next(iter(gold[name])) for name in gold if name in usages and len(gold[name]) == 1}
    kept = _drawn({name: (gold.lemma(name), sense) for name, sense in senses.items()}, FINE)
    return [usages[name] for name in kept], gold.restrict(kept)


def paragraphs() -> tuple[list[Usage], Labelling]:
    """Usages of SemCor with the sentences around them, by coarse senses."""
    data = load("semcor-3.0")
    inventory = load("coarse-wordnet-2.1").inventory
    clusters = {sense.id: sense.parent for lemma in inventory for sense in inventory[lemma]}
    gold, usages = data.gold, {usage.id: usage for usage in data.usages}
    senses = {name: clusters.get(next(iter(gold[name]))) for name in gold if name in usages and len(gold[name]) == 1}
    kept = _drawn({name: (gold.lemma(name), sense) for name, sense in senses.items() if sense}, COARSE)
    texts: dict[str, dict[str, str]] = {}
    for usage in data.usages:
        texts.setdefault(str(usage.meta["document"]), {})[_sentence(usage)] = usage.text
    widened = [_widened(usages[name], texts[str(usages[name].meta["document"])]) for name in kept]
    return widened, Labelling((gold.lemma(name), name, {str(senses[name]): 1.0}) for name in kept)


def _drawn(senses: Mapping[str, tuple[str, str]], how: Drawn) -> list[str]:
    """Usages of lemmas that have several senses: half of these nouns, half verbs (and adjectives, of sentences)."""
    by_lemma: dict[str, list[str]] = {}
    for name, (lemma, _) in senses.items():
        by_lemma.setdefault(lemma, []).append(name)
    fitting = []
    for lemma, names in by_lemma.items():
        counts = sorted(Counter(senses[name][1] for name in names).values(), reverse=True)
        several = len(counts) >= how.senses and counts[how.senses - 1] >= RARE and counts[0] <= how.first * len(names)
        if len(names) >= how.least and several:
            fitting.append(lemma)
    draw = np.random.default_rng(how.seed)
    nouns = sorted(lemma for lemma in fitting if lemma.endswith(".n"))
    others = sorted(lemma for lemma in fitting if lemma[-2:] in how.pos)
    half = how.lemmas // 2
    chosen = [*draw.permutation(nouns)[:half], *draw.permutation(others)[: how.lemmas - half]]
    return [name for lemma in chosen for name in sorted(draw.permutation(by_lemma[lemma])[: how.most].tolist())]


def _sentence(usage: Usage) -> str:
    return usage.id.rpartition(".")[0]


def _widened(usage: Usage, texts: Mapping[str, str]) -> Usage:
    """With sentences after and before it in turn, until there are words enough."""
    names = list(texts)
    first = last = names.index(_sentence(usage))
    number = len(usage.text.split())
    while number < WORDS and (first > 0 or last < len(names) - 1):
        if last < len(names) - 1:
            last += 1
            number += len(texts[names[last]].split())
        if number < WORDS and first > 0:
            first -= 1
            number += len(texts[names[first]].split())
    here = names.index(_sentence(usage))
    before = "".join(f"{texts[name]} " for name in names[first:here])
    after = "".join(f" {texts[name]}" for name in names[here + 1 : last + 1])
    start, end = (place + len(before) for place in (usage.start, usage.end))
    return replace(usage, text=f"{before}{usage.text}{after}", start=start, end=end)


def trial() -> tuple[list[Usage], Labelling]:
    """The trial data of Task 13."""
    data = load("semeval-2013-task-13-trial")
    return list(data.usages), data.gold


def asked(usages: Sequence[Usage], gold: Labelling, model: str, patterns: Sequence[str] = ALL_PATTERNS) -> Material:
    """Ask the model, once."""
    known: dict[str, Known] = {}
    for lemma, each in passages_without_words(usages).items():
        joined: Any = Substitution(model, patterns=tuple(patterns), count=DEEPEST, power=1.0).representation()
        parts = joined.fit(each).parts
        found = {pattern: sp.csr_array(part(each)) for pattern, part in zip(patterns, parts, strict=False)}
        known[lemma] = Known(each.usages, found, np.asarray(parts[-1](each)))
    return Material(known, gold)


Answers = dict[str, Material]
"""What a model says of some sets of usages."""


def answers(model: str, patterns: Sequence[str]) -> Answers:
    """What the model says of all sets on which settings are chosen."""
    drawn = {"sentences": sentences, "paragraphs": paragraphs, "trial": trial}
    return {name: asked(*given(), model, patterns) for name, given in drawn.items()}


def kept(path: Path | None, question: tuple[Any, ...], ask: Callable[[], Answers]) -> Answers:
    """Answers to a question, from a file if there is one; else they are asked for, and kept in it if it has a name."""
    question = *question, FINE, COARSE, WORDS, DEEPEST
    if path and path.exists():
        with path.open("rb") as file:
            if pickle.load(file) != repr(question):
                raise SystemExit(f"{path} has answers to another question; name another file, or delete this one")
            return dict(pickle.load(file))
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
    sets = ask()
    if path:
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(pickle.dumps(repr(question)) + pickle.dumps(sets))
        part.replace(path)
    return sets


def of_model(model: str) -> tuple[Any, ...]:
    """Which weights are asked: another version, or another file in the same folder, says other things."""
    return model, package_versions(model), last_modified(model)


@dataclass(frozen=True)
class Setting:
    """A Substitution, with what is no option of it."""

    part: Substitution = Substitution(SMALL_MODEL)
    more: Mapping[str, Any] = field(default_factory=dict)
    """Options of its pipeline that are others, such as the clusterer."""


def matrix(known: Known, part: Substitution) -> Any:
    """The vectors that Substitution makes."""
    blocks = [unit_rows(_first(known.substitutes[pattern], part.count, part.power)) for pattern in part.patterns]
    if part.vectors:
        blocks.append(sp.csr_array(unit_rows(known.vectors) * sqrt(part.vectors)))
    return sp.csr_array(sp.hstack(blocks))


def _first(rows: Any, count: int, power: float) -> Any:
    """The heaviest entries of each row, as shares, raised to a power."""
    made = rows.copy()
    for row in range(rows.shape[0]):
        span = slice(rows.indptr[row], rows.indptr[row + 1])
        data = made.data[span]
        if len(data) > count:
            data[data < np.partition(data, -count)[-count]] = 0
        made.data[span] = (data / max(data.sum(), 1e-12)) ** power
    made.eliminate_zeros()
    return made


def labelled(material: Material, setting: Setting) -> Labelling:
    """The senses of all usages."""
    steps = replace(setting.part.steps(), **setting.more)
    rows = []
    for lemma, known in material.known.items():
        given = matrix(known, setting.part)
        known_already: Any = lambda _, given=given: given  # noqa: E731
        learnt = SenseVectors(known_already, steps.senses(given))
        weights = grade_usages(steps, learnt, passages_without_words(known.usages)[lemma])
        for usage, row in zip(known.usages, weights.tolist(), strict=True):
            rows.append((lemma, usage.id, {f"{lemma}.{at}": weight for at, weight in enumerate(row) if weight > 0}))
    return Labelling(rows)


def scores(gold: Labelling, found: Labelling) -> dict[str, float]:
    """FNMI, FBC and their geometric mean; V, F and theirs; senses per lemma. All but the last are in per cent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fuzzy = semeval_2013(gold, found, mapping=False)
        hard = semeval_2010(gold, found)
    nmi, cubed = (100 * fuzzy.scores[name].figure() for name in ("fuzzy_nmi", "fuzzy_bcubed"))
    v, f = (100 * hard.scores[name].figure() for name in ("v_measure", "paired_f"))
    number = hard.scores["clusters"].figure()
    return {"FNMI": nmi, "FBC": cubed, "13": sqrt(nmi * cubed), "V": v, "F": f, "14": sqrt(v * f), "senses": number}


def agreement(material: Material, part: Substitution) -> float:
    """The mean over lemmas of Spearman's ρ of the cosines of usages and of their weights of senses, in per cent."""
    found = []
    for known in material.known.values():
        senses = sorted({sense for usage in known.usages for sense in material.gold[usage.id]})
        given = [material.gold[usage.id] for usage in known.usages]
        weights = np.array([[each.get(sense, 0.0) for sense in senses] for each in given])
        pairs = np.triu_indices(len(given), 1)
        ours, theirs = (
            rankdata(dot_products(rows, rows)[pairs]) for rows in (unit_rows(matrix(known, part)), unit_rows(weights))
        )
        if np.ptp(ours) and np.ptp(theirs):
            found.append(np.corrcoef(ours, theirs)[0, 1])
    return 100 * float(np.mean(found))


def varied(chosen: Substitution, patterns: Sequence[str]) -> dict[str, Setting]:
    """What was chosen; and one change at a time with a fixed number, with the patterns that were asked."""
    found = {"chosen": Setting(chosen)}
    chosen = replace(chosen, number=Fixed(NUMBER))
    found[f"number={NUMBER}"] = Setting(chosen)
    for pattern in patterns:
        if pattern not in DEFAULT_PATTERNS:
            found[f"only {pattern}"] = Setting(replace(chosen, patterns=(pattern,)))
            found[f"and {pattern}"] = Setting(replace(chosen, patterns=(*DEFAULT_PATTERNS, pattern)))
    if len(patterns) > len(TWO):
        found["all patterns"] = Setting(replace(chosen, patterns=tuple(patterns)))
    tries: dict[str, Sequence[Any]] = {
        "count": (10, 20, 50, 200),
        "power": (0.25, 0.35, 0.75, 1.0),
        "vectors": (0.0, 0.5, 1.5, 2.0, 4.0),
        "draws": (0, 30, 300),
        "smallest": (0.0, 0.03, 0.05, 0.1),
        "temperature": (0.03, 0.05, 0.07, 0.15, 0.2),
        "least": (0.0, 0.1, 0.2, 0.4, 0.5, 1.0),
        "number": (3, 4, 6, 7, 8, 10),
    }
    for option, values in tries.items():
        for value in values:
            changed: dict[str, Any] = {option: Fixed(value) if option == "number" else value}
            found[f"{option}={value}"] = Setting(replace(chosen, **changed))
    for name, criterion in CRITERIA.items():
        found[f"number={name}"] = Setting(replace(chosen, number=criterion))
    for grade in (Nearest(), PositiveCosine(), PositiveCosine(4.0), InverseDistance(metric="cosine")):
        found[f"grade={grade}"] = Setting(chosen, {"grade": grade})
    for link in ("complete", "single"):
        found[f"{link} link"] = Setting(chosen, {"cluster": Agglomerative(link, "cosine")})
    return found


CRITERIA: dict[str, Any] = {
    "Sizeable(2)": Sizeable(2),
    "Sizeable(4)": Sizeable(4),
    "Sizeable(3, 0.05)": Sizeable(3, 0.05),
    "Sizeable(3, 0.08)": Sizeable(3, 0.08),
    "Silhouette": Silhouette(),
    "AdaptedGap": AdaptedGap(),
    "Eigengap": Eigengap(),
    "PK2": PK2(),
    "PK3": PK3(),
}
"""Ways to say how many senses a lemma has that look at no gold."""


def main() -> None:
    """Ask the model, try the settings, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default=SMALL_MODEL, help="a masked language model; ours, if none is named")
    parser.add_argument("--every", action="store_true", help="ask with all patterns, not with two of them")
    parser.add_argument("--answers", type=Path, help="a file for what the model says")
    options = parser.parse_args()
    patterns = ALL_PATTERNS if options.every else TWO
    question = *of_model(options.model), tuple(patterns)
    sets = kept(options.answers, question, partial(answers, options.model, patterns))
    print("| setting | sum | " + " | ".join(f"{name} {column}" for name in sets for column in SHOWN[name]) + " |")
    print("|---|--:|" + "--:|" * sum(map(len, SHOWN.values())))
    for name, setting in varied(Substitution(options.model), patterns).items():
        found = {of: tried(material, setting) for of, material in sets.items()}
        total = sum(found[of][column] for of, column in DECIDES.items())
        cells = (f"{each[column]:.1f}" for of, each in found.items() for column in SHOWN[of])
        print(f"| {name} | {total:.1f} | " + " | ".join(cells) + " |", flush=True)


def tried(material: Material, setting: Setting) -> dict[str, float]:
    """How a setting does."""
    return {**scores(material.gold, labelled(material, setting)), "ρ": agreement(material, setting.part)}


if __name__ == "__main__":
    main()
