"""The papers' protocols."""

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
from polyseme.tasks import protocols
from polyseme.tasks.result import TaskResult, geometric_mean

Protocol = Callable[[Labelling, Labelling], TaskResult]


def labelled(seed: int, senses: str) -> Labelling:
    rng = np.random.default_rng(seed)
    usages = [(lemma, f"{lemma}.{number}") for lemma in ("add.v", "cat.n", "win.v") for number in range(12)]

    def labels() -> dict[str, float]:
        return {senses[at]: float(rng.integers(1, 5)) for at in rng.permutation(3)[: rng.integers(1, 4)]}

    return Labelling((lemma, usage, labels()) for lemma, usage in usages)


GOLD, SYSTEM = labelled(1, "abc"), labelled(2, "pqr")
HALVES = [MappingSplit(GOLD.restrict(list(GOLD)[side::2]), GOLD.restrict(list(GOLD)[1 - side :: 2])) for side in (0, 1)]
SPLITS = {"80_20": HALVES, "60_40": HALVES[:1]}
PROTOCOLS: dict[str, Protocol] = {
    "semeval-2013": protocols.semeval_2013,
    "semeval-2010": lambda gold, system: protocols.semeval_2010(gold, system, splits=SPLITS),
    "senseval": protocols.senseval,
    "jurgens-2012": protocols.jurgens_2012,
}
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)


# -- what every protocol does --------------------------------------------------------------------------------------


@every_protocol
def test_nothing_in_common(protocol: Protocol) -> None:
    with pytest.raises(InputError, match="no usage in common"):
        protocol(GOLD, Labelling.hard(["u1"], ["a"], lemma="add.v"))


@every_protocol
def test_a_usage_has_one_lemma(protocol: Protocol) -> None:
    with pytest.raises(InputError, match=r"'add.v.0' belongs to 'add.v' in the gold key and to 'cat.n'"):
        protocol(GOLD, Labelling([("cat.n", "add.v.0", {"p": 1.0})]))


@every_protocol
def test_one_warning_for_usages_outside_gold(protocol: Protocol) -> None:
    more = SYSTEM | Labelling.hard(["add.v.99", "add.v.100"], list("pq"), lemma="add.v")
    with pytest.warns(InputWarning) as caught:
        protocol(GOLD, more)
    assert [str(warning.message) for warning in caught] == ["2 usages of the system are not in the gold key"]


@every_protocol
def test_lemmas_add_up_to_the_total(protocol: Protocol) -> None:
    """The statistics of the lemmas, summed, give the figures of all."""
    result = protocol(GOLD, SYSTEM)
    parts = result.by_lemmas({lemma: [lemma] for lemma in GOLD.lemmas})
    assert list(parts) == ["add.v", "cat.n", "win.v"]
    for name, scores in result.scores.items():
        sums = np.sum([part.scores[name].sums.sum(axis=0) for part in parts.values()], axis=0)
        total = {figure: float(value) for figure, value in scores.summary(sums).items()}
        assert total == pytest.approx(scores.total())
    assert result.by_lemmas({"all": GOLD.lemmas})["all"].figures() == pytest.approx(_without_extra(result))


@every_protocol
def test_a_group_of_all_usages_is_the_total(protocol: Protocol) -> None:
    result = protocol(GOLD, SYSTEM)
    assert result.by_usages({"all": list(GOLD)})["all"].figures() == pytest.approx(_without_extra(result))


@every_protocol
def test_a_group_of_usages(protocol: Protocol) -> None:
    """Scores of usages are summed over the group; scores of lemmas are computed on its usages alone."""
    result = protocol(GOLD, SYSTEM)
    some = [usage for usage in GOLD if usage.endswith(("1", "2", "3"))]
    part = result.by_usages({"some": some})["some"]
    alone = protocol(GOLD.restrict(some), SYSTEM.restrict(some))
    for name, scores in part.scores.items():
        if scores.units == scores.lemmas and name not in ("supervised", "senses"):
            assert scores.total() == pytest.approx(alone.scores[name].total(), nan_ok=True)
        elif name not in ("supervised", "senses"):
            assert set(scores.units) == set(some)


@every_protocol
def test_a_group_without_a_gold_usage(protocol: Protocol) -> None:
    """It has no figures; it is not an error."""
    part = protocol(GOLD, SYSTEM).by_usages({"none": ["elsewhere.1"]})["none"]
    assert all(value == 0 or math.isnan(value) for value in part.figures().values())


def _without_extra(result: TaskResult) -> dict[str, float]:
    return {name: value for name, value in result.figures().items() if name not in result.extra}


# -- SemEval-2013 --------------------------------------------------------------------------------------------------


def test_options_of_semeval_2013() -> None:
    result = protocols.semeval_2013(GOLD, SYSTEM)
    assert list(result.summary()) == ["jaccard", "ksim", "wndcg", "fuzzy_nmi", "fuzzy_bcubed", "clusters"]
    assert result.summary()["clusters"] == pytest.approx(SYSTEM.sizes.mean())
    by_name = protocols.semeval_2013(GOLD, SYSTEM, mapping=False)
    assert by_name.figures()["jaccard.f1"] == 0, "the system's senses have other names"
    assert by_name.figures()["fuzzy_nmi"] == result.figures()["fuzzy_nmi"], "clusters are not mapped"
    mapped = map_in_folds(WeightedDistribution(), GOLD.normalise("max"), SYSTEM.normalise("max")).labelling
    single = protocols.semeval_2013(GOLD, SYSTEM, single_sense=True).figures()
    assert single["jaccard.f1"] == pytest.approx(Jaccard()(GOLD, mapped.top()).figure())
    paper = protocols.semeval_2013(GOLD, SYSTEM, variant="paper").figures()
    for figure in ("ksim.f1", "wndcg.f1", "fuzzy_bcubed.f1"):
        assert paper[figure] != pytest.approx(result.figures()[figure])
    for figure in ("jaccard.f1", "fuzzy_nmi"):
        assert paper[figure] == result.figures()[figure]


@pytest.mark.filterwarnings("ignore::polyseme.errors.InputWarning")
def test_usages_outside_gold_in_the_cluster_measures() -> None:
    more = SYSTEM | Labelling.hard(["add.v.99", "add.v.100"], list("pq"), lemma="add.v")
    kept, dropped, inside = (
        protocols.semeval_2013(GOLD, system, outside=outside).figures()
        for system, outside in ((more, True), (more, False), (SYSTEM, True))
    )
    assert dropped["fuzzy_nmi"] == inside["fuzzy_nmi"] != kept["fuzzy_nmi"]
    assert dropped["fuzzy_bcubed.f1"] == inside["fuzzy_bcubed.f1"] != kept["fuzzy_bcubed.f1"]
    assert dropped["jaccard.f1"] == kept["jaccard.f1"]


def test_lines_without_a_sense_count_as_lines() -> None:
    result = protocols.semeval_2013(
        GOLD, SYSTEM, unlabelled=[("cat.n", f"cat.n.{number}") for number in range(100, 100 + len(SYSTEM))]
    )
    assert result.figures()["clusters"] == pytest.approx(SYSTEM.sizes.mean() / 2)
    apart = result.by_lemmas({"win.v": ["win.v"]})["win.v"]
    assert apart.figures()["clusters"] == pytest.approx(SYSTEM.of("win.v").sizes.mean()), "they are of another lemma"


def test_weights_are_divided_by_the_largest_first() -> None:
    scaled = SYSTEM.with_weights(SYSTEM.weights * 7)
    assert protocols.semeval_2013(GOLD, scaled).figures() == pytest.approx(
        protocols.semeval_2013(GOLD, SYSTEM).figures()
    )


# -- SemEval-2010 --------------------------------------------------------------------------------------------------


def test_semeval_2010_without_splits() -> None:
    summary = protocols.semeval_2010(GOLD, SYSTEM).summary()
    assert summary.keys() == {"v_measure", "homogeneity", "completeness", "paired_f", "supervised", "clusters"}
    assert summary["supervised"] is None
    assert summary["clusters"] == 3


def test_supervised_recall_by_hand() -> None:
    gold = Labelling.hard(["u1", "u2", "u3", "u4"], list("aabb"), lemma="x")
    system = Labelling.hard(["u1", "u2", "u3"], list("ccd"), lemma="x")
    first = MappingSplit(gold.restrict(["u1", "u3"]), gold.restrict(["u2", "u4"]))
    second = MappingSplit(gold.restrict(["u1"]), gold.restrict(["u2"]))
    summary = protocols.semeval_2010(gold, system, splits={"80_20": [first], "60_40": [first, second]}).summary()
    assert summary["supervised"] == {"80_20": 0.5, "60_40": 0.75}
    assert summary["clusters"] == 3, "u4 is in a cluster of the unlabelled"


def test_senses_that_the_mapping_answers_with_are_counted_by_lemma() -> None:
    """Of two lemmas one is answered with two senses, the other with none; a split that tests one counts that alone."""
    senses = {"x1": "a", "x2": "b", "x3": "a", "x4": "b", "y1": "c", "y2": "c"}
    gold = Labelling((usage[0], usage, {sense: 1.0}) for usage, sense in senses.items())
    system = Labelling.hard(["x1", "x2", "x3", "x4"], list("1212"), lemma="x")
    both = MappingSplit(gold.restrict(["x1", "x2", "y1"]), gold.restrict(["x3", "x4", "y2"]))
    one = MappingSplit(gold.restrict(["x1", "x2"]), gold.restrict(["x3", "x4"]))
    result = protocols.semeval_2010(gold, system, splits={"80_20": [both], "60_40": [both, one]})
    assert result.summary()["senses"] == {"80_20": 1.0, "60_40": 1.5}
    groups = result.by_lemmas({"x": ["x"], "y": ["y"]})
    assert groups["x"].figures()["senses.80_20"] == 2
    assert groups["y"].figures()["senses.80_20"] == 0


def test_mutual_information_is_adjusted_as_on_the_task_page() -> None:
    ours = protocols.semeval_2010(GOLD, SYSTEM, more=True).figures()["adjusted_mutual_information"]
    assert ours == AdjustedMutualInformation(average="max")(GOLD, SYSTEM).total()["score"]


def test_any_of_several_gold_senses_is_correct() -> None:
    gold = Labelling.from_dict({"u1": {"a": 1}, "u2": {"b": 1, "a": 1}}, lemma="x")
    system = Labelling.hard(["u1", "u2"], list("cc"), lemma="x")
    split = MappingSplit(gold.restrict(["u1"]), gold.restrict(["u2"]))
    assert protocols.semeval_2010(gold, system, splits={"80_20": [split]}).summary()["supervised"] == {"80_20": 1.0}


def test_splits_with_lemmas_that_gold_has_not() -> None:
    """A gold key of the nouns, with the splits of all lemmas."""
    nouns, words = GOLD.of("cat.n"), SYSTEM.of("cat.n")
    summary = protocols.semeval_2010(nouns, words, splits={"80_20": HALVES}).summary()
    of_nouns = [MappingSplit(*(side.of("cat.n") for side in split)) for split in HALVES]
    assert summary == protocols.semeval_2010(nouns, words, splits={"80_20": of_nouns}).summary()


# -- Senseval ------------------------------------------------------------------------------------------------------


def test_granularity_needs_a_hierarchy() -> None:
    with pytest.raises(InputError, match="coarse scoring needs a hierarchy"):
        protocols.senseval(GOLD, SYSTEM, granularity="coarse")


def test_options_of_senseval() -> None:
    gold = Labelling.from_dict({"u1": {"a1": 1}, "u2": {"b": 1, "c": 1}, "u3": {"b": 1}}, lemma="x")
    system = Labelling.from_dict({"u1": {"a2": 0.5}, "u2": {"b": 1}}, lemma="x")
    tree = SenseHierarchy({"a1": "a", "a2": "a"})
    assert protocols.senseval(gold, system).summary() == pytest.approx(
        {"precision": 2 / 3, "recall": 1 / 3, "f1": 4 / 9, "attempted": 0.5, "clusters": 1.0}
    )
    assert protocols.senseval(gold, system, hierarchy=tree, granularity="coarse").summary()["precision"] == 1.0
    assert protocols.senseval(gold, system, hierarchy=tree, granularity="mixed").summary()["recall"] == pytest.approx(
        1 / 3
    )
    assert protocols.senseval(gold, system, single=True).summary()["recall"] == 0


# -- Jurgens 2012 --------------------------------------------------------------------------------------------------


def test_options_of_jurgens_2012() -> None:
    summary = protocols.jurgens_2012(GOLD, SYSTEM, mapping="agirre").summary()
    assert list(summary) == ["detection", "ranking", "perception", "jensen_shannon", "recall", "clusters"]
    mapped = map_in_folds(Agirre(), GOLD.normalise("sum"), SYSTEM.normalise("sum")).labelling
    assert summary["detection"] == pytest.approx(Jaccard()(GOLD, mapped).total()["precision"])
    assert protocols.jurgens_2012(GOLD, SYSTEM, mapping="none").summary()["detection"] == 0
    assert protocols.jurgens_2012(GOLD, GOLD, mapping="none").summary()["perception"] == pytest.approx(1)


def test_recall_is_the_share_of_usages_that_were_labelled_and_mapped() -> None:
    half = SYSTEM.restrict(list(SYSTEM)[::2])
    assert protocols.jurgens_2012(GOLD, half, mapping="none").summary()["recall"] == 0.5
    lone = Labelling((lemma, usage, {usage: 1.0}) for lemma, usage, _ in GOLD.rows())
    assert protocols.jurgens_2012(GOLD, lone, mapping="graded").summary()["recall"] == 0, "no cluster is seen twice"


# -- results -------------------------------------------------------------------------------------------------------


def test_nothing_with_a_single_sense() -> None:
    gold = Labelling.from_dict({"u1": {"a": 1, "b": 1}}, lemma="x")
    with pytest.raises(InputError, match="no usage of the gold key has a single sense"):
        protocols.senseval(gold, gold, single=True)


def test_average() -> None:
    assert geometric_mean({"a": 0.25, "b": 1.0}, "a", "b") == 0.5
    assert geometric_mean({"a": -0.1, "b": 1.0}, "a", "b") == 0.0
