"""The map of usages."""

import numpy as np
import pytest

from polyseme.words.layout import lay_out_usages, sample_rows
from word_profiles import bank_profile, changing_profile, usage


def test_senses_are_separated_on_the_map() -> None:
    profile = changing_profile(60)
    positions = lay_out_usages(profile)
    assert positions.shape == (60, 2)
    assert np.abs(positions).max() <= 1.0
    first, second = (positions[profile.main == sense] for sense in (0, 1))
    within = max(np.linalg.norm(cloud - cloud.mean(axis=0), axis=1).mean() for cloud in (first, second))
    assert np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)) > 2 * within


def test_the_map_is_reproducible() -> None:
    profile = changing_profile(30)
    assert lay_out_usages(profile).tolist() == lay_out_usages(profile).tolist()


def test_the_map_shows_a_sample() -> None:
    profile = changing_profile(60)
    rows = sample_rows(profile, 20)
    assert len(rows) == len(set(rows.tolist())) == 20
    assert lay_out_usages(profile, limit=20).shape == (20, 2)


@pytest.mark.parametrize("count", range(6))
def test_few_usages_have_finite_positions(count: int) -> None:
    profile = bank_profile([(0.5, 0.5)] * count, [usage(number, "{}") for number in range(count)])
    assert lay_out_usages(profile).shape == (count, 2)
    assert np.isfinite(lay_out_usages(profile)).all()
