"""Maps of usages."""

import numpy as np
import pytest

from polyseme.words.layout import lay_out_usages, sample_rows
from word_profiles import planted, portrait, usage


def test_senses_lie_apart() -> None:
    found = planted(60)
    at = lay_out_usages(found)
    assert at.shape == (60, 2)
    assert np.abs(at).max() <= 1.0
    first, second = (at[found.main == sense] for sense in (0, 1))
    within = max(np.linalg.norm(each - each.mean(axis=0), axis=1).mean() for each in (first, second))
    assert np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)) > 2 * within


def test_the_same_again() -> None:
    found = planted(30)
    assert lay_out_usages(found).tolist() == lay_out_usages(found).tolist()


def test_a_sample() -> None:
    found = planted(60)
    rows = sample_rows(found, 20)
    assert len(rows) == len(set(rows.tolist())) == 20
    assert lay_out_usages(found, most=20).shape == (20, 2)


@pytest.mark.parametrize("count", range(6))
def test_few_usages(count: int) -> None:
    found = portrait([(0.5, 0.5)] * count, [usage(number, "{}") for number in range(count)])
    assert lay_out_usages(found).shape == (count, 2)
    assert np.isfinite(lay_out_usages(found)).all()
