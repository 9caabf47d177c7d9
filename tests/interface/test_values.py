"""Values of the public interface can be pickled, copied and compared, and print briefly."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import polyseme as ps

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLD, KEY, OTHER = (str(EXAMPLES / name) for name in ("gold.key", "system-a.key", "system-b.key"))
INDUCER = "Pipeline(Bag(minimum=1, stop=0), number=2)"


def induce() -> ps.SenseModel:
    model: ps.SenseModel = ps.build(INDUCER).fit(ps.read_usages(EXAMPLES / "two-words.jsonl"))
    return model


VALUES: dict[str, Callable[[], object]] = {
    "labelling": lambda: ps.read_labelling(GOLD),
    "inventory": lambda: induce().inventory,
    "model": induce,
    "ratings": lambda: ps.read_ratings(EXAMPLES / "ratings.csv"),
    "scores": lambda: ps.Jaccard()(ps.read_labelling(GOLD), ps.read_labelling(KEY)),
    "semeval-2013": lambda: ps.score("semeval-2013", KEY, GOLD),
    "semeval-2010": lambda: ps.score("semeval-2010", KEY, GOLD),
    "jurgens-2012": lambda: ps.score("jurgens-2012", KEY, GOLD),
    "comparison": lambda: ps.compare(KEY, OTHER, GOLD, samples=100),
    "reproduction": lambda: ps.reproduce("senseval", "§3"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_are_copied_and_compared(name: str) -> None:
    value = VALUES[name]()
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    assert len(repr(value)) < 600


def test_dictionaries_are_written_and_swapped_arguments_are_refused(tmp_path: Path) -> None:
    ps.write_labelling({"bank.n.1": {"river": 1}}, tmp_path / "my.key")
    assert ps.read_labelling(tmp_path / "my.key").to_dict() == {"bank.n.1": {"river": 1.0}}
    with pytest.raises(ps.InputError, match="is not a table of a labelling"):
        ps.write_labelling("my.key", {})  # type: ignore[arg-type]


def test_agreement_and_gold_are_equal_after_pickling() -> None:
    ratings = ps.read_ratings(EXAMPLES / "ratings.csv")
    for value in (ps.make_gold(ratings, task="WSsim"), ps.measure_agreement(ratings, resamples=0)):
        assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value


def test_dictionaries_and_tables_are_written_as_values_are(tmp_path: Path) -> None:
    labelling, inventory = ps.read_labelling(GOLD), induce().inventory
    ps.write_labelling(labelling.to_frame(), tmp_path / "frame.key")
    ps.write_labelling(labelling, tmp_path / "value.key")
    assert ps.read_labelling(tmp_path / "frame.key").to_dict() == ps.read_labelling(tmp_path / "value.key").to_dict()
    ratings = ps.read_ratings(EXAMPLES / "ratings.csv")
    ps.write_ratings(ratings.to_records(), tmp_path / "ratings.csv")  # type: ignore[arg-type]
    assert ps.read_ratings(tmp_path / "ratings.csv") == ratings
    assert ps.read_inventory(inventory.to_dict()) == inventory
