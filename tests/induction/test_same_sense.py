"""The probability that two usages have the same sense, and the senses that follow from it."""

import numpy as np
import pytest

from polyseme.induction.pipeline import Pipeline
from polyseme.induction.same_sense import SameSense
from polyseme.usage import Usage


def list_usages(lemma: str, count: int, words: int) -> list[Usage]:
    text = " ".join(["word"] * words)
    return [Usage(f"{lemma}.{number}", lemma, text, 0, 4) for number in range(count)]


def planted_rows(senses: int, usages: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Rows with a cosine of 1 within senses and of 0.2 between them."""
    return np.repeat(np.linalg.cholesky(np.full((senses, senses), 0.2) + 0.8 * np.eye(senses)), usages, axis=0)


def test_probabilities_depend_on_length_and_part_of_speech() -> None:
    cosines = np.full((1, 1), 0.5)
    short, long, verb, adjective = (
        SameSense().probabilities(cosines, list_usages(lemma, 1, words))[0, 0]
        for lemma, words in (("bank.n", 10), ("bank.n", 100), ("bank.v", 10), ("bank.a", 10))
    )
    assert long < short
    assert verb < short < adjective


def test_words_that_the_model_does_not_read_change_no_probability() -> None:
    cosines = np.full((1, 1), 0.5)
    long, longer = (SameSense().probabilities(cosines, list_usages("bank.n", 1, words))[0, 0] for words in (128, 2000))
    assert long == longer


def test_the_threshold_is_the_cosine_of_the_target_probability() -> None:
    part, usages = SameSense(probability=0.6), list_usages("bank.v", 3, 40)
    threshold = part.for_usages(usages).threshold
    assert part.probabilities(np.full((3, 3), threshold), usages) == pytest.approx(np.full((3, 3), 0.6))


def test_probabilities_of_other_usages_take_the_mean_of_both_lengths() -> None:
    short, long = list_usages("bank.n", 1, 4), list_usages("bank.n", 1, 100)
    cosines = np.full((1, 1), 0.5)
    middle = SameSense().probabilities(cosines, short, long)
    assert middle == pytest.approx(SameSense().probabilities(cosines, list_usages("bank.n", 1, 20)))


@pytest.mark.parametrize("senses", [1, 2, 4])
def test_the_pairs_decide_the_number_of_senses(senses: int) -> None:
    rows, usages = planted_rows(senses, 15), list_usages("bank.n", 15 * senses, 25)
    means, recurs = Pipeline(cluster=SameSense(), smallest=0.02).senses(rows, usages)
    assert means.shape[0] == senses
    assert recurs is not None
    assert recurs.tolist() == [1.0] * senses


def test_one_usage_of_many_is_no_sense_of_its_own() -> None:
    rows, usages = np.vstack([planted_rows(1, 29), [[-1.0]]]), list_usages("bank.n", 30, 25)
    assert Pipeline(cluster=SameSense(), smallest=0.02).senses(rows, usages).means.shape[0] == 1
    assert Pipeline(cluster=SameSense(), smallest=0).senses(rows, usages).means.shape[0] == 2
    assert Pipeline(cluster=SameSense(), smallest=0.02).senses(rows[-5:], usages[-5:]).means.shape[0] == 2
