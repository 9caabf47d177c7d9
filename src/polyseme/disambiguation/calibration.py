"""Weights of senses as ratings: on the scale on which people say how much a sense applies."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from polyseme.arrays import Floats
from polyseme.errors import InputError, quote_value
from polyseme.formats.files import read_text, write_text
from polyseme.labelling import Labelling
from polyseme.rating import WSSIM, Ratings, Scale

SCALE_PATTERN = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Calibration:
    """A curve from the weight of a sense to a rating, straight between the points given.

    A weight counts as its share of the greatest of its usage, and not of their sum: whether a sense applies does not
    depend on how many others do, nor on how many the dictionary lists. The best sense of a usage has a share of 1.
    ``model`` is the specification of the model that it was learnt for.

    >>> usage = Labelling.from_dict({"u": {"a": 0.5, "b": 0.25, "c": 0.25}}, lemma="win.v")
    >>> linear_calibration()(usage)["u"]
    {'a': 5.0, 'b': 3.0, 'c': 3.0}
    """

    shares: tuple[float, ...]
    ratings: tuple[float, ...]
    lowest: float = float(WSSIM.lowest)
    highest: float = float(WSSIM.highest)
    model: str = ""

    def __post_init__(self) -> None:
        points = [*self.shares, *self.ratings, self.lowest, self.highest]
        if len(self.shares) != len(self.ratings) or not self.shares or not all(map(math.isfinite, points)):
            raise InputError("a calibration has as many shares as ratings, one at least, and all are finite")
        if not self.lowest < self.highest:
            raise InputError(f"a scale begins below its end, and {self.lowest:g}-{self.highest:g} does not; write 1-5")
        if sorted(self.shares) != list(self.shares) or sorted(self.ratings) != list(self.ratings):
            raise InputError("the shares of a calibration rise from point to point, and so do its ratings")

    def __call__(self, labelling: Labelling) -> Labelling:
        """The labelling with ratings for weights; a sense that is not listed in it has none, see :meth:`rating`."""
        return labelling.with_weights(self.rating(labelling.normalise("max").weights))

    def rating(self, share: Floats | Sequence[float]) -> Floats:
        """The ratings for shares of the greatest weight; that of 0 is the one of a sense that is not listed."""
        return np.interp(share, self.shares, self.ratings)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as a small JSON file."""
        write_text(path, json.dumps(asdict(self), indent=1) + "\n")

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Calibration:
        """Read what was saved."""
        text = read_text(path)
        try:
            said = json.loads(text)
            ends, model = (said["lowest"], said["highest"]), str(said["model"])
            return Calibration(tuple(said["shares"]), tuple(said["ratings"]), *ends, model)
        except (ValueError, KeyError, TypeError, AttributeError, InputError):
            made = "polyseme.disambiguation.calibrate(ratings, labelling).save(path) makes one"
            raise InputError(f"this is not a calibration; {made}", path=path) from None


def linear_calibration(scale: Scale = WSSIM) -> Calibration:
    """The highest rating for the best sense of a usage, the lowest for no weight, in proportion between them."""
    return calibration_between(scale.lowest, scale.highest)


def calibration_between(lowest: float, highest: float) -> Calibration:
    """The same for a scale of any two numbers.

    >>> calibration_between(0, 10).rating([0.5]).tolist()
    [5.0]
    """
    return Calibration((0.0, 1.0), (float(lowest), float(highest)), float(lowest), float(highest))


def calibrate(ratings: Ratings, labelling: Labelling, *, scale: Scale = WSSIM, model: str = "") -> Calibration:
    """Learn the curve from ratings of senses and the labelling of the same usages by a model: isotonic regression.

    Of all curves that never fall it has the least squared distance to the mean ratings of usages and senses (Barlow et
    al. 1972; for probabilities Zadrozny & Elkan 2002). Ratings should tell of senses that nobody found to apply, too;
    where a source leaves these out, as the trial data of SemEval-2013 Task 13 does, complete them:
    ``calibrate(ratings.completed(wordnet), labelling)``.
    """
    from sklearn.isotonic import IsotonicRegression

    points = calibration_points(ratings, labelling)
    if not len(points.shares):
        raise InputError("none of the usages that were rated is labelled; label the usages of the ratings")
    curve = IsotonicRegression(y_min=scale.lowest, y_max=scale.highest, out_of_bounds="clip")
    curve.fit(points.shares, points.ratings)
    return Calibration(
        tuple(curve.X_thresholds_.tolist()),
        tuple(curve.y_thresholds_.tolist()),
        float(scale.lowest),
        float(scale.highest),
        model,
    )


class CalibrationPoints(NamedTuple):
    """Pairs of usage and sense: the lemma, the weight's share of the greatest of the usage, and the mean rating."""

    lemmas: tuple[str, ...]
    shares: Floats
    ratings: Floats


def calibration_points(ratings: Ratings, labelling: Labelling) -> CalibrationPoints:
    """The senses that were rated of usages that are labelled; one that is not listed there has a share of 0."""
    rows = list(_calibration_rows(ratings, labelling))
    return CalibrationPoints(
        tuple(lemma for lemma, _, _ in rows),
        np.array([share for _, share, _ in rows], float),
        np.array([rating for _, _, rating in rows], float),
    )


def _calibration_rows(ratings: Ratings, labelling: Labelling) -> Iterator[tuple[str, float, float]]:
    shares = labelling.normalise("max")
    for item, by_annotator in ratings.by_item().items():
        values = [value for value in by_annotator.values() if not math.isnan(value)]
        if values and item.usage in shares:
            share = shares[item.usage].get(item.target, 0.0)
            yield item.lemma, share, math.fsum(values) / len(values)


def open_calibration(name: str) -> Calibration:
    """The calibration that is meant by a scale, ``1-5``, or by a file.

    >>> open_calibration("1-5") == linear_calibration()
    True
    """
    if given := SCALE_PATTERN.fullmatch(name.strip().replace("–", "-")):
        return calibration_between(float(given[1]), float(given[2]))
    if not os.path.exists(name):  # noqa: PTH110 - the name may be anything
        raise InputError(
            f"the scale {quote_value(name)} is neither two numbers, as in 1-5, nor the file of a calibration"
        )
    return Calibration.load(name)
