"""Rules for all items at once give what the plain definitions give item by item."""

import statistics
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyseme.agreement.judgements import collect_judgements
from polyseme.errors import InputError
from polyseme.gold.combination import COMBINATIONS, check_combination
from polyseme.rating import UNDECIDED, Rating, Ratings, highest_mode

PLAIN: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "mode": highest_mode,
}

values = st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.5, 5.0, UNDECIDED]), max_size=6), max_size=6)


@given(said=values, rule=st.sampled_from(sorted(COMBINATIONS)))
def test_rules_against_their_definitions(said: list[list[float]], rule: str) -> None:
    rows = [
        Rating(str(who), "WSsim", "win.v", str(usage), "a", value)
        for usage, each in enumerate(said)
        for who, value in enumerate(each)
    ]
    found = COMBINATIONS[rule](collect_judgements(Ratings(rows)))
    decided = [[value for value in each if value == value] for each in said if each]
    expected = [PLAIN[rule](each) if each else np.nan for each in decided]
    assert found.tolist() == pytest.approx(expected, nan_ok=True)


def test_what_is_no_rule() -> None:
    check_combination("model")
    with pytest.raises(
        InputError, match="combine 'modal' is not known; allowed are mean, median, mode, model, or a part"
    ):
        check_combination("modal")
