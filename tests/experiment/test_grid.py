"""Grids: chosen on some lemmas and tested on others; what is shared is counted once, and changes nothing."""

from dataclasses import replace
from typing import Any

import pytest

from induce.corpora import background, usages
from polyseme.corpus.english import English
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.errors import InputError
from polyseme.experiment.grid import folds_of, labellings, try_grid, variants
from polyseme.experiment.scoring import scorer
from polyseme.induce.link import Link
from polyseme.induce.squares import Squares
from polyseme.induce.uos import UoS
from polyseme.induce.uoy import UoY
from polyseme.labelling import Labelling
from polyseme.usage import Usage


def of_piers(count: int, seed: int) -> list[Usage]:
    """The same usages, of *pier*: a second lemma."""
    return [
        replace(usage, id=f"pier{usage.id[4:]}", lemma="pier.n", text=usage.text.replace("bank", "pier"))
        for usage in usages(count, seed)
    ]


def all_usages(count: int, seed: int) -> list[Usage]:
    return [*usages(count, seed), *of_piers(count, seed + 50)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    given = [*all_usages(240, 0), *background()]
    return build_index(given, tmp_path_factory.mktemp("grid") / "i", English())


TEST = all_usages(30, 7)
GOLD = Labelling.from_dict(
    {usage.id: {("river", "money")[int(usage.id.rpartition(".")[2]) % 2]: 1.0} for usage in TEST},
    lemma={usage.id: usage.lemma for usage in TEST},
)


def test_the_best_options_are_chosen(index: Index) -> None:
    shown: list[tuple[int, int]] = []
    found = try_grid(
        Squares(sigma=0.3),
        index,
        TEST,
        GOLD,
        scorer("semeval-2013"),
        "fuzzy_bcubed.f1",
        grid={"delta": (0.9, 0.2)},
        show=lambda done, of: shown.append((done, of)),
    )
    assert [each.inducer.delta for each in found.tried] == [0.9, 0.2]
    assert found.best.inducer == Squares(delta=0.2, sigma=0.3)
    assert found.folds == (("bank.n",), ("pier.n",))
    assert [chosen.delta for chosen, _ in found.choices] == [0.2, 0.2]
    values = [value for _, value in found.choices]
    assert found.held_out == pytest.approx(sum(values) / 2)
    assert min(values) > 0.5
    assert found.tried[0].facts["labelled"] == 0.0
    assert shown == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    "inducer, grid",
    [
        (Squares(delta=0.3, sigma=0.3), {"delta": (0.15, 0.25, 0.35), "sigma": (0.2, 0.5)}),
        (UoY(p2=5.0, p3=0.2, p4=0.9, sentences=1), {"p1": (5, 30), "p2": (2.0, 40.0)}),
        (Link(tau=30.0), {"tau": (30.0, 60.0)}),
        (UoS(keep=2), {"separable": (1.0, 2.0)}),
    ],
)
def test_what_is_counted_once_changes_nothing(index: Index, inducer: Any, grid: dict[str, Any]) -> None:
    every = variants(inducer, grid)
    assert len({repr(each) for each in every}) == len(every)
    for variant, labelling in labellings(inducer, every, index, TEST, grid):
        made = variant.fit(index, ["bank.n", "pier.n"], processes=1)
        assert cover(labelling) == cover(made.label(TEST)), variant


def cover(labelling: Labelling) -> dict[str, list[float]]:
    """The weights of each usage, whatever its senses are called."""
    return {usage: sorted(round(weight, 9) for weight in senses.values()) for usage, senses in labelling.items()}


def test_grids_of_the_papers() -> None:
    assert len(variants(Squares())) == 85 * 7
    assert len(variants(Link())) == 7
    assert len(variants(UoY())) == 2 * 3 * 3 * 3
    assert variants(UoS()) == [UoS()]


def test_errors(index: Index) -> None:
    score = scorer("semeval-2013")
    with pytest.raises(InputError, match=r"there is no figure 'perception' to choose by; there are jaccard"):
        try_grid(Squares(delta=0.2), index, TEST, GOLD, score, "perception", grid={"sigma": (0.3,)})
    with pytest.raises(InputError, match=r"Squares has no option tau; it has delta, minimum, sigma"):
        variants(Squares(), {"tau": (1,)})
    with pytest.raises(InputError, match="a grid needs two folds of lemmas or more; there are 1 lemmas and 5 folds"):
        folds_of(["bank.n"], 5)
    with pytest.raises(InputError, match="task is 'usim'; allowed are semeval-2013, semeval-2010, jurgens-2012"):
        scorer("usim")
