"""The scores of the tasks with labellings."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from polyseme.errors import InputError, InputWarning
from polyseme.formats.splits import MappingSplit
from polyseme.labelling import Labelling
from polyseme.mapping import Agirre, WeightedDistribution, map_in_folds
from polyseme.measures.detection import Jaccard
from polyseme.measures.melamed_resnik import SenseHierarchy
from polyseme.measures.partitions import AdjustedMutualInformation
from polyseme.tasks.columns import ScoreColumn
from polyseme.tasks.jurgens_2012 import Jurgens2012
from polyseme.tasks.result import TaskResult
from polyseme.tasks.semeval_2010 import SemEval2010
from polyseme.tasks.semeval_2013 import SemEval2013
from polyseme.tasks.senseval import Senseval

Score = Callable[[Labelling, Labelling], TaskResult]


def make_labelling(seed: int, senses: str) -> Labelling:
    rng = np.random.default_rng(seed)
    usages = [(lemma, f"{lemma}.{number}") for lemma in ("add.v", "cat.n", "win.v") for number in range(12)]

    def labels() -> dict[str, float]:
        return {senses[position]: float(rng.integers(1, 5)) for position in rng.permutation(3)[: rng.integers(1, 4)]}

    return Labelling((lemma, usage, labels()) for lemma, usage in usages)


GOLD, SYSTEM = make_labelling(1, "abc"), make_labelling(2, "pqr")
HALVES = [MappingSplit(GOLD.restrict(list(GOLD)[side::2]), GOLD.restrict(list(GOLD)[1 - side :: 2])) for side in (0, 1)]
SPLITS = {"80_20": HALVES, "60_40": HALVES[:1]}
SCORES: dict[str, Score] = {
    "semeval-2013": SemEval2013().score,
    "semeval-2010": SemEval2010(splits=SPLITS).score,
    "senseval": Senseval().score,
    "jurgens-2012": Jurgens2012().score,
}
every_task = pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)


# -- every task --------------------------------------------------------------------------------------


@every_task
def test_a_system_without_a_gold_usage_is_an_error(score: Score) -> None:
    with pytest.raises(InputError, match="no usage in common"):
        score(GOLD, Labelling.hard(["u1"], ["a"], lemma="add.v"))


@every_task
def test_a_usage_has_one_lemma(score: Score) -> None:
    with pytest.raises(InputError, match=r"'add.v.0' belongs to 'add.v' in the gold key and to 'cat.n'"):
        score(GOLD, Labelling([("cat.n", "add.v.0", {"p": 1.0})]))


@every_task
def test_one_warning_for_usages_outside_gold(score: Score) -> None:
    more = SYSTEM | Labelling.hard(["add.v.99", "add.v.100"], list("pq"), lemma="add.v")
    with pytest.warns(InputWarning) as caught:
        score(GOLD, more)
    assert [str(warning.message) for warning in caught] == ["2 usages of the system are not in the gold key"]


@every_task
def test_lemmas_add_up_to_the_total(score: Score) -> None:
    """The statistics of the lemmas, summed, give the figures of all."""
    result = score(GOLD, SYSTEM)
    parts = result.by_lemmas({lemma: [lemma] for lemma in GOLD.lemmas})
    assert list(parts) == ["add.v", "cat.n", "win.v"]
    for name, scores in result.scores.items():
        sums = np.sum([part.scores[name].sums.sum(axis=0) for part in parts.values()], axis=0)
        total = {figure: float(value) for figure, value in scores.summary(sums).items()}
        assert total == pytest.approx(scores.total())
    assert result.by_lemmas({"all": GOLD.lemmas})["all"].figures() == pytest.approx(_without_extra(result))


@every_task
def test_a_group_of_all_usages_is_the_total(score: Score) -> None:
    result = score(GOLD, SYSTEM)
    assert result.by_usages({"all": list(GOLD)})["all"].figures() == pytest.approx(_without_extra(result))


@every_task
def test_a_group_of_usages_is_scored_alone(score: Score) -> None:
    """Scores of usages are summed over the group; scores of lemmas are computed on its usages alone."""
    result = score(GOLD, SYSTEM)
    group = [usage for usage in GOLD if usage.endswith(("1", "2", "3"))]
    part = result.by_usages({"group": group})["group"]
    alone = score(GOLD.restrict(group), SYSTEM.restrict(group))
    for name, scores in part.scores.items():
        if scores.units == scores.lemmas and name not in ("supervised", "senses"):
            assert scores.total() == pytest.approx(alone.scores[name].total(), nan_ok=True)
        elif name not in ("supervised", "senses"):
            assert set(scores.units) == set(group)


@every_task
def test_a_group_without_a_gold_usage_has_no_figures(score: Score) -> None:
    """It has no figures; it is not an error."""
    part = score(GOLD, SYSTEM).by_usages({"none": ["elsewhere.1"]})["none"]
    assert all(value == 0 or math.isnan(value) for value in part.figures().values())


def _without_extra(result: TaskResult) -> dict[str, float]:
    return {name: value for name, value in result.figures().items() if name not in result.extra}


# -- SemEval-2013 --------------------------------------------------------------------------------------------------


def test_options_of_semeval_2013_change_the_scores() -> None:
    result = SemEval2013().score(GOLD, SYSTEM)
    assert list(result.summary()) == ["jaccard", "ksim", "wndcg", "fuzzy_nmi", "fuzzy_bcubed", "clusters"]
    assert result.summary()["clusters"] == pytest.approx(SYSTEM.sizes.mean())
    by_name = SemEval2013(mapping=False).score(GOLD, SYSTEM)
    assert by_name.figures()["jaccard.f1"] == 0, "the system's senses have other names"
    assert by_name.figures()["fuzzy_nmi"] == result.figures()["fuzzy_nmi"], "clusters are not mapped"
    mapped = map_in_folds(WeightedDistribution(), GOLD.normalise("max"), SYSTEM.normalise("max")).labelling
    single = SemEval2013(single_sense=True).score(GOLD, SYSTEM).figures()
    assert single["jaccard.f1"] == pytest.approx(Jaccard()(GOLD, mapped.top()).figure())
    paper = SemEval2013(variant="paper").score(GOLD, SYSTEM).figures()
    for figure in ("ksim.f1", "wndcg.f1", "fuzzy_bcubed.f1"):
        assert paper[figure] != pytest.approx(result.figures()[figure])
    for figure in ("jaccard.f1", "fuzzy_nmi"):
        assert paper[figure] == result.figures()[figure]


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
def test_usages_outside_gold_count_in_the_cluster_measures() -> None:
    more = SYSTEM | Labelling.hard(["add.v.99", "add.v.100"], list("pq"), lemma="add.v")
    with_outside, without_outside, inside = (
        SemEval2013(outside=outside).score(GOLD, system).figures()
        for system, outside in ((more, True), (more, False), (SYSTEM, True))
    )
    assert without_outside["fuzzy_nmi"] == inside["fuzzy_nmi"] != with_outside["fuzzy_nmi"]
    assert without_outside["fuzzy_bcubed.f1"] == inside["fuzzy_bcubed.f1"] != with_outside["fuzzy_bcubed.f1"]
    assert without_outside["jaccard.f1"] == with_outside["jaccard.f1"]


def test_lines_without_a_sense_count_as_lines() -> None:
    result = SemEval2013().score(
        GOLD, SYSTEM, unlabelled=[("cat.n", f"cat.n.{number}") for number in range(100, 100 + len(SYSTEM))]
    )
    assert result.figures()["clusters"] == pytest.approx(SYSTEM.sizes.mean() / 2)
    part = result.by_lemmas({"win.v": ["win.v"]})["win.v"]
    assert part.figures()["clusters"] == pytest.approx(SYSTEM.for_lemma("win.v").sizes.mean()), (
        "they are of another lemma"
    )


def test_weights_are_divided_by_the_largest_first() -> None:
    scaled = SYSTEM.with_weights(SYSTEM.weights * 7)
    assert SemEval2013().score(GOLD, scaled).figures() == pytest.approx(SemEval2013().score(GOLD, SYSTEM).figures())


# -- SemEval-2010 --------------------------------------------------------------------------------------------------


def test_semeval_2010_without_splits_has_no_supervised_recall() -> None:
    summary = SemEval2010().score(GOLD, SYSTEM).summary()
    assert summary.keys() == {"v_measure", "homogeneity", "completeness", "paired_f", "supervised", "clusters"}
    assert summary["supervised"] is None
    assert summary["clusters"] == 3


def test_supervised_recall_is_as_computed_by_hand() -> None:
    gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    system = Labelling.hard(["u1", "u2", "u3"], list("ccd"), lemma="x")
    first = MappingSplit(gold.restrict(["u1", "u3"]), gold.restrict(["u2", "u4"]))
    second = MappingSplit(gold.restrict(["u1"]), gold.restrict(["u2"]))
    summary = SemEval2010(splits={"80_20": [first], "60_40": [first, second]}).score(gold, system).summary()
    assert summary["supervised"] == {"80_20": 0.5, "60_40": 0.75}
    assert summary["clusters"] == 3, "u4 is in a cluster of the unlabelled"


def test_senses_that_the_mapping_answers_with_are_counted_by_lemma() -> None:
    """Of two lemmas one is answered with two senses, the other with none; a split that tests one counts that alone."""
    senses = {"x1": "a", "x2": "b", "x3": "a", "x4": "b", "y1": "c", "y2": "c"}
    gold = Labelling((usage[0], usage, {sense: 1.0}) for usage, sense in senses.items())
    system = Labelling.hard(["x1", "x2", "x3", "x4"], list("1212"), lemma="x")
    both = MappingSplit(gold.restrict(["x1", "x2", "y1"]), gold.restrict(["x3", "x4", "y2"]))
    one = MappingSplit(gold.restrict(["x1", "x2"]), gold.restrict(["x3", "x4"]))
    result = SemEval2010(splits={"80_20": [both], "60_40": [both, one]}).score(gold, system)
    assert result.summary()["senses"] == {"80_20": 1.0, "60_40": 1.5}
    groups = result.by_lemmas({"x": ["x"], "y": ["y"]})
    assert groups["x"].figures()["senses.80_20"] == 2
    assert groups["y"].figures()["senses.80_20"] == 0


def test_mutual_information_is_adjusted_as_on_the_task_page() -> None:
    value = SemEval2010(more=True).score(GOLD, SYSTEM).figures()["adjusted_mutual_information"]
    assert value == AdjustedMutualInformation(average="max")(GOLD, SYSTEM).total()["score"]


def test_any_of_several_gold_senses_is_correct() -> None:
    gold = Labelling.from_dict({"u1": {"a": 1}, "u2": {"b": 1, "a": 1}}, lemma="x")
    system = Labelling.hard(["u1", "u2"], list("cc"), lemma="x")
    split = MappingSplit(gold.restrict(["u1"]), gold.restrict(["u2"]))
    assert SemEval2010(splits={"80_20": [split]}).score(gold, system).summary()["supervised"] == {"80_20": 1.0}


def test_splits_may_have_lemmas_that_gold_lacks() -> None:
    """A gold key of the nouns, with the splits of all lemmas."""
    nouns, words = GOLD.for_lemma("cat.n"), SYSTEM.for_lemma("cat.n")
    summary = SemEval2010(splits={"80_20": HALVES}).score(nouns, words).summary()
    of_nouns = [MappingSplit(*(side.for_lemma("cat.n") for side in split)) for split in HALVES]
    assert summary == SemEval2010(splits={"80_20": of_nouns}).score(nouns, words).summary()


# -- Senseval ------------------------------------------------------------------------------------------------------


def test_granularity_needs_a_hierarchy() -> None:
    with pytest.raises(InputError, match="coarse scoring needs a hierarchy"):
        Senseval(granularity="coarse").score(GOLD, SYSTEM)


def test_options_of_senseval_change_the_scores() -> None:
    gold = Labelling.from_dict({"u1": {"a1": 1}, "u2": {"b": 1, "c": 1}, "u3": {"b": 1}}, lemma="x")
    system = Labelling.from_dict({"u1": {"a2": 0.5}, "u2": {"b": 1}}, lemma="x")
    tree = SenseHierarchy({"a1": "a", "a2": "a"})
    assert Senseval().score(gold, system).summary() == pytest.approx(
        {"precision": 2 / 3, "recall": 1 / 3, "f1": 4 / 9, "attempted": 0.5, "clusters": 1.0}
    )
    assert Senseval(hierarchy=tree, granularity="coarse").score(gold, system).summary()["precision"] == 1.0
    assert Senseval(hierarchy=tree, granularity="mixed").score(gold, system).summary()["recall"] == pytest.approx(1 / 3)
    assert Senseval(single=True).score(gold, system).summary()["recall"] == 0


# -- Jurgens 2012 --------------------------------------------------------------------------------------------------


def test_mappings_of_jurgens_2012_change_the_scores() -> None:
    summary = Jurgens2012(mapping="agirre").score(GOLD, SYSTEM).summary()
    assert list(summary) == ["detection", "ranking", "perception", "jensen_shannon", "recall", "clusters"]
    mapped = map_in_folds(Agirre(), GOLD.normalise("sum"), SYSTEM.normalise("sum")).labelling
    assert summary["detection"] == pytest.approx(Jaccard()(GOLD, mapped).total()["precision"])
    assert Jurgens2012(mapping="none").score(GOLD, SYSTEM).summary()["detection"] == 0
    assert Jurgens2012(mapping="none").score(GOLD, GOLD).summary()["perception"] == pytest.approx(1)


def test_recall_is_the_share_of_usages_that_were_labelled_and_mapped() -> None:
    half = SYSTEM.restrict(list(SYSTEM)[::2])
    assert Jurgens2012(mapping="none").score(GOLD, half).summary()["recall"] == 0.5
    lone = Labelling((lemma, usage, {usage: 1.0}) for lemma, usage, _ in GOLD.rows())
    assert Jurgens2012(mapping="graded").score(GOLD, lone).summary()["recall"] == 0, "no cluster is seen twice"


# -- results -------------------------------------------------------------------------------------------------------


def test_gold_without_single_senses_is_an_error() -> None:
    gold = Labelling.from_dict({"u1": {"a": 1, "b": 1}}, lemma="x")
    with pytest.raises(InputError, match="no usage of the gold key has a single sense"):
        Senseval(single=True).score(gold, gold)


def test_a_column_of_two_figures_is_their_geometric_mean() -> None:
    column = ScoreColumn("AVG", "a*b")
    assert column.cell({"a": 0.25, "b": 1.0}) == 0.5
    assert column.cell({"a": -0.1, "b": 1.0}) == 0.0
    assert column.cell({"a": 0.25}) is None
