"""Grids of options: chosen on some lemmas, tested on others; shared material is gathered once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from pathlib import Path
from typing import Any, ClassVar

import pytest

from induction.corpora import MONEY, RIVER, background, usages
from polyseme.corpus.english_analyser import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.corpus.windows import SentenceWindow, Window
from polyseme.errors import InputError
from polyseme.experiments.grid import (
    GridSearch,
    GridTrial,
    _choose_for_fold,
    expand_grid,
    get_grid_task,
    label_variants,
    search_grid,
    split_into_folds,
)
from polyseme.induction.fitting import NothingInduced
from polyseme.induction.graph_induction import SenseFeatures, overlap
from polyseme.induction.inducer import GraphInducer
from polyseme.induction.link import Link
from polyseme.induction.squares import Squares
from polyseme.induction.uos import UoS
from polyseme.induction.uoy import UoY
from polyseme.labelling import Labelling
from polyseme.tasks.task import NothingMappedError
from polyseme.usage import Usage


def make_piers(count: int, seed: int) -> list[Usage]:
    """The same usages, of *pier*: a second lemma."""
    return [
        replace(usage, id=f"pier{usage.id[4:]}", lemma="pier.n", text=usage.text.replace("bank", "pier"))
        for usage in usages(count, seed)
    ]


def all_usages(count: int, seed: int) -> list[Usage]:
    return [*usages(count, seed), *make_piers(count, seed + 50)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    corpus = [*all_usages(240, 0), *background()]
    return build_index(corpus, tmp_path_factory.mktemp("grid") / "i", English())


TEST = all_usages(30, 7)
GOLD = Labelling.from_dict(
    {usage.id: {("river", "money")[int(usage.id.rpartition(".")[2]) % 2]: 1.0} for usage in TEST},
    lemma={usage.id: usage.lemma for usage in TEST},
)


def test_the_best_options_are_chosen(index: Index) -> None:
    progress: list[tuple[int, int]] = []
    search = search_grid(
        Squares(sigma=0.3),
        index,
        TEST,
        GOLD,
        get_grid_task("semeval-2013").score_mapped,
        "fuzzy_bcubed.f1",
        grid={"delta": (0.9, 0.2)},
        show=lambda done, total: progress.append((done, total)),
    )
    assert [trial.inducer.delta for trial in search.trials] == [0.9, 0.2]
    assert search.best.inducer == Squares(delta=0.2, sigma=0.3)
    assert search.folds == (("bank.n",), ("pier.n",))
    assert [chosen.delta for chosen, _ in search.choices] == [0.2, 0.2]
    values = [value for _, value in search.choices]
    assert search.held_out == pytest.approx(sum(values) / 2)
    assert min(values) > 0.5
    assert search.trials[0].facts["labelled"] == 0.0
    assert progress == [(1, 2), (2, 2)]


@dataclass(frozen=True)
class Parted(GraphInducer):
    """Two senses of each word, or one with the words of both."""

    senses: int = 2
    grid: ClassVar[dict[str, tuple[int, ...]]] = {"senses": (1, 2)}
    context: ClassVar[Window] = SentenceWindow()

    def gather(self, index: Index, words: Sequence[str]) -> dict[str, None]:
        return dict.fromkeys(words)

    def induce(self, word: str, material: None) -> list[SenseFeatures]:
        fields = (RIVER, MONEY) if self.senses == 2 else (RIVER + MONEY,)
        return [{f"{name}.n": 1.0 for name in field} for field in fields]

    def weigh(self, present: Any, members: Any, sizes: Any) -> Any:
        return overlap(present, members)


def with_one_sense(*lemmas: str) -> Labelling:
    """The gold labelling, but that some lemmas have a single sense."""
    senses = {usage: {"any": 1.0} if GOLD.lemma(usage) in lemmas else labels for usage, labels in GOLD.items()}
    return Labelling.from_dict(senses, lemma=GOLD.lemma)


def test_options_of_a_fold_do_not_depend_on_its_gold(index: Index) -> None:
    """It is what suits the other lemma."""
    for one, expected in {(): [2, 2], ("bank.n",): [2, 1], ("pier.n",): [1, 2], ("bank.n", "pier.n"): [1, 1]}.items():
        search = search_grid(
            Parted(), index, TEST, with_one_sense(*one), get_grid_task("semeval-2010").score_mapped, "paired_f"
        )
        assert search.folds == (("bank.n",), ("pier.n",))
        assert [chosen.senses for chosen, _ in search.choices] == expected, one
        right = [2 - (lemma in one) == senses for lemma, senses in zip(("bank.n", "pier.n"), expected, strict=True)]
        assert [value == 1.0 for _, value in search.choices] == right
        assert (search.held_out == 1.0) == all(right)


@pytest.mark.parametrize(
    "task, criterion",
    [("semeval-2013", "jaccard.f1"), ("semeval-2013", "fuzzy_nmi"), ("jurgens-2012", "perception*recall")],
)
def test_the_value_of_a_fold_depends_on_its_own_gold(index: Index, task: str, criterion: str) -> None:
    both, one = (
        search_grid(Parted(), index, TEST, gold, get_grid_task(task).score_mapped, criterion).trials
        for gold in (GOLD, with_one_sense("bank.n"))
    )
    assert [trial.by_fold[1] for trial in both] == pytest.approx([trial.by_fold[1] for trial in one])
    assert [trial.by_fold[0] for trial in both] != pytest.approx([trial.by_fold[0] for trial in one])


def test_a_criterion_can_be_a_product(index: Index) -> None:
    """Multiplied over all and in each fold."""
    score, grid = get_grid_task("jurgens-2012").score_mapped, {"delta": (0.2, 0.3, 0.35), "sigma": (0.3,)}
    perception, recall, both = (
        search_grid(Squares(), index, TEST, GOLD, score, criterion, grid=grid).trials
        for criterion in ("perception", "recall", "perception * recall")
    )
    assert any(trial.overall < 1 for trial in recall)
    for one, other, product in zip(perception, recall, both, strict=True):
        assert product.overall == pytest.approx(one.overall * other.overall, nan_ok=True)
        factors = zip(one.by_fold, other.by_fold, strict=True)
        assert product.by_fold == pytest.approx([a * b for a, b in factors], nan_ok=True)


def test_labels_that_cannot_be_mapped_are_undefined(index: Index) -> None:
    """A single usage is labelled: that is little, and no error."""
    lone = Labelling.from_dict({TEST[0].id: {"a": 1.0}}, lemma="bank.n")
    with pytest.raises(NothingMappedError, match=r"1 usage labelled, but Distribution.* can map none of them"):
        get_grid_task("jurgens-2012").score_mapped(GOLD, lone)
    few = [TEST[0], *(replace(usage, text="The bank.", start=4, end=8) for usage in TEST[1:])]
    search = search_grid(Parted(), index, few, GOLD, get_grid_task("jurgens-2012").score_mapped, "perception")
    assert [trial.facts["labelled"] for trial in search.trials] == [1 / len(TEST)] * 2
    assert all(isnan(value) for trial in search.trials for value in (trial.overall, *trial.by_fold))
    assert search.held_out == 0.0


@pytest.mark.parametrize(
    "inducer, grid",
    [
        (Squares(delta=0.3, sigma=0.3), {"delta": (0.15, 0.25, 0.35), "sigma": (0.2, 0.5)}),
        (Squares(delta=0.2, sigma=0.3), {"minimum": (1, 60)}),
        (Squares(delta=0.2, sigma=0.3), {"minimum": (60,)}),
        (UoY(p2=5.0, p3=0.2, p4=0.9, sentences=1), {"p1": (5, 30), "p2": (2.0, 40.0)}),
        (UoY(p1=5, p2=2.0, p3=0.2, p4=0.9), {"sentences": (1, 3)}),
        (Link(tau=30.0), {"tau": (30.0, 60.0)}),
        (UoS(senses=2), {"separable": (1.0, 2.0)}),
        (UoS(separable=0.0), {"senses": (1, 2), "top": (1, 2)}),
    ],
)
def test_shared_material_does_not_change_the_labels(index: Index, inducer: Any, grid: dict[str, Any]) -> None:
    """The labels are those of the model that would be written, also by name."""
    every = expand_grid(inducer, grid)
    assert len({repr(each) for each in every}) == len(every)
    for variant, labelling in label_variants(every, index, TEST, grid):
        try:
            expected = variant.fit(index, ["bank.n", "pier.n"], processes=1).label(TEST)
        except NothingInduced:
            expected = Labelling([])
        assert round_weights(labelling) == round_weights(expected), variant


def round_weights(labelling: Labelling) -> dict[str, list[tuple[str, float]]]:
    """The senses and weights of each usage, in order."""
    return {
        usage: [(sense, round(weight, 9)) for sense, weight in senses.items()] for usage, senses in labelling.items()
    }


def test_senses_have_the_names_of_a_saved_model(tmp_path: Path) -> None:
    """The most frequent is the first, whatever was induced first."""
    corpus = [usage for usage in all_usages(80, 0) if int(usage.id.rpartition(".")[2]) % 8 in (0, 1, 3, 5, 7)]
    index = build_index([*corpus, *background()], tmp_path / "i", English(), processes=1)
    ((_, labelling),) = label_variants([Parted()], index, TEST, {})
    assert round_weights(labelling) == round_weights(Parted().fit(index, ["bank.n", "pier.n"], processes=1).label(TEST))
    assert [list(labelling[f"bank.n.{number}"]) for number in (0, 1)] == [["bank.n.s2"], ["bank.n.s1"]]


@pytest.mark.parametrize(
    "inducer, grid, times",
    [
        (Squares(), {"delta": (0.2, 0.3), "sigma": (0.2, 0.5)}, 1),
        (Squares(), {"delta": (0.2, 0.3), "minimum": (5, 6)}, 2),
        (Squares(), {"minimum": (5, 6), "sigma": (0.2, 0.5)}, 2),
        (UoS(), {"separable": (1.0, 2.0), "top": (1, 2)}, 1),
        (UoS(), {"words": (100, 200), "top": (1, 2)}, 2),
        (Link(tau=30.0), {"tau": (30.0, 60.0)}, 2),
        (Parted(), {"senses": (1, 2)}, 2),
    ],
)
def test_material_is_gathered_as_rarely_as_possible(
    index: Index, monkeypatch: pytest.MonkeyPatch, inducer: Any, grid: dict[str, Any], times: int
) -> None:
    """Once, unless an option varies on which gathering depends, and which cannot be loosened."""
    gather, seen = type(inducer).gather, []

    def count_and_gather(self: Any, *arguments: Any) -> Any:
        seen.append(self)
        return gather(self, *arguments)

    monkeypatch.setattr(type(inducer), "gather", count_and_gather)
    assert len(list(label_variants(expand_grid(inducer, grid), index, TEST, grid))) == len(expand_grid(inducer, grid))
    assert len(seen) == len(set(seen)) == times


def test_only_gold_of_the_usages_counts(index: Index) -> None:
    half = [usage for usage in TEST if int(usage.id.rpartition(".")[2]) < 20]
    search = search_grid(Parted(), index, half, GOLD, get_grid_task("jurgens-2012").score_mapped, "recall")
    assert [trial.overall for trial in search.trials] == [1.0, 1.0]
    assert [trial.facts["labelled"] for trial in search.trials] == [1.0, 1.0]


@pytest.mark.parametrize("figures", [(-0.1, -0.1), (-0.1, 0.0)])
def test_undefined_values_are_worse_than_any_number(figures: tuple[float, float]) -> None:
    """Rankings can be negative; options that label nothing are not better than these."""
    nothing, all_of_them = GridTrial("nothing", nan, (nan, nan), {}), GridTrial("all", -0.05, figures, {})
    for fold in (0, 1):
        assert _choose_for_fold([nothing, all_of_them], fold, [1, 1]) == ("all", figures[fold])


def test_an_undefined_fold_does_not_decide() -> None:
    """Of its lemmas there is no text; the others are chosen by."""
    worse, better = GridTrial("worse", 0.1, (nan, 0.1, 0.1), {}), GridTrial("better", 0.2, (nan, 0.2, 0.2), {})
    assert _choose_for_fold([worse, better], 2, [3, 1, 1]) == ("better", 0.2)
    search = GridSearch(
        (worse, better), better, (("a",), ("b",), ("c",)), (("better", nan), ("better", 0.2), ("x", 0.4))
    )
    assert search.held_out == pytest.approx(0.2), "the undefined one counts 0"


@pytest.mark.parametrize("task, figure", [("semeval-2010", "clusters"), ("semeval-2013", "senses")])
def test_counts_are_no_criterion(index: Index, task: str, figure: str) -> None:
    with pytest.raises(InputError, match=rf"there is no figure '{figure}' to choose by; there are ") as error:
        search_grid(Parted(), index, TEST, GOLD, get_grid_task(task).score_mapped, figure)
    assert "clusters" not in str(error.value).partition("there are ")[2]


def test_grids_of_the_papers() -> None:
    assert len(expand_grid(Squares())) == 85 * 7
    assert len(expand_grid(Link())) == 7
    assert len(expand_grid(UoY())) == 2 * 3 * 3 * 3
    assert expand_grid(UoS()) == [UoS()]


def test_wrong_grids_are_errors(index: Index) -> None:
    score = get_grid_task("semeval-2013").score_mapped
    with pytest.raises(InputError, match=r"there is no figure 'perception' to choose by; there are jaccard"):
        search_grid(Squares(delta=0.2), index, TEST, GOLD, score, "perception", grid={"sigma": (0.3,)})
    with pytest.raises(InputError, match=r"SentenceWindow cannot be tried in a grid; those can that gather"):
        search_grid(SentenceWindow(), index, TEST, GOLD, score, "fuzzy_nmi", grid={"sentences": (1, 2)})
    with pytest.raises(InputError, match=r"Squares has no option tau; it has delta, minimum, sigma"):
        expand_grid(Squares(), {"tau": (1,)})
    with pytest.raises(InputError, match="a grid needs two folds of lemmas or more; 1 lemma and 5 folds were given"):
        split_into_folds(["bank.n"], 5)
    with pytest.raises(InputError, match="task is 'usim'; allowed are jurgens-2012, semcor-wsi, semeval-2010"):
        get_grid_task("usim")
