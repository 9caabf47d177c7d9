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


@given(answers=values, rule=st.sampled_from(sorted(COMBINATIONS)))
def test_rules_against_their_definitions(answers: list[list[float]], rule: str) -> None:
    rows = [
        Rating(str(name), "WSsim", "win.v", str(usage), "a", value)
        for usage, row in enumerate(answers)
        for name, value in enumerate(row)
    ]
    combined = COMBINATIONS[rule](collect_judgements(Ratings(rows)))
    decided = [[value for value in row if value == value] for row in answers if row]
    expected = [PLAIN[rule](row) if row else np.nan for row in decided]
    assert combined.tolist() == pytest.approx(expected, nan_ok=True)


def test_unknown_rules_are_refused() -> None:
    check_combination("model")
    with pytest.raises(
        InputError, match="combine 'modal' is not known; allowed are mean, median, mode, model, or a part"
    ):
        check_combination("modal")
