"""Weights of senses as ratings, on the scale on which annotators say how far a sense applies."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Sequence
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
    """A curve from the weight of a sense to a rating, linear between its points.

    A weight counts as its share of the usage's greatest weight, not of their sum. Whether a sense applies does not
    depend on how many others do, nor on how many the dictionary lists. The best sense of a usage has a share of 1.

    Args:
        shares: The shares of the points, ascending.
        ratings: The ratings of the points, ascending.
        lowest: The lowest value of the scale.
        highest: The highest value of the scale.
        model: The specification of the model that the curve was learnt for.

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
            raise InputError("a calibration needs as many shares as ratings, at least one, and all finite")
        if not self.lowest < self.highest:
            raise InputError(f"a scale starts below its end, and {self.lowest:g}-{self.highest:g} does not; write 1-5")
        if sorted(self.shares) != list(self.shares) or sorted(self.ratings) != list(self.ratings):
            raise InputError("the shares and the ratings of a calibration must ascend from point to point")

    def __call__(self, labelling: Labelling) -> Labelling:
        """Replace weights by ratings; senses that are not listed have none, see :meth:`rating`."""
        return labelling.with_weights(self.rating(labelling.normalise("max").weights))

    def rating(self, share: Floats | Sequence[float]) -> Floats:
        """Return the ratings for shares of the greatest weight; the rating of 0 is that of senses not listed."""
        return np.interp(share, self.shares, self.ratings)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the curve as a small JSON file."""
        write_text(path, json.dumps(asdict(self), indent=1) + "\n")

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Calibration:
        """Read a curve that :meth:`save` wrote."""
        text = read_text(path)
        try:
            fields = json.loads(text)
            ends, model = (fields["lowest"], fields["highest"]), str(fields["model"])
            return Calibration(tuple(fields["shares"]), tuple(fields["ratings"]), *ends, model)
        except (ValueError, KeyError, TypeError, AttributeError, InputError):
            advice = "write one with polyseme.disambiguation.calibrate(ratings, labelling).save(path)"
            raise InputError(f"this is not a calibration; {advice}", path=path) from None


def linear_calibration(scale: Scale = WSSIM) -> Calibration:
    """Return the highest rating for the best sense of a usage, the lowest for no weight, linear between them."""
    return calibration_between(scale.lowest, scale.highest)


def calibration_between(lowest: float, highest: float) -> Calibration:
    """Return the linear calibration to a scale of any two numbers.

    >>> calibration_between(0, 10).rating([0.5]).tolist()
    [5.0]
    """
    return Calibration((0.0, 1.0), (float(lowest), float(highest)), float(lowest), float(highest))


def calibrate(ratings: Ratings, labelling: Labelling, *, scale: Scale = WSSIM, model: str = "") -> Calibration:
    """Learn the curve from ratings of senses and a model's labelling of the same usages, by isotonic regression.

    Of all curves that never fall it has the least squared distance to the mean ratings of usages and senses (Barlow et
    al. 1972; for probabilities Zadrozny & Elkan 2002). Ratings should cover senses that do not apply. If a source omits
    them, as the trial data of SemEval-2013 Task 13 does, complete them:
    ``calibrate(ratings.complete(wordnet), labelling)``.

    Args:
        ratings: Ratings of senses.
        labelling: The labelling of the same usages.
        scale: The scale of the ratings.
        model: The specification of the model.
    """
    from sklearn.isotonic import IsotonicRegression

    points = calibration_points(ratings, labelling)
    if not len(points.shares):
        raise InputError("none of the rated usages is labelled; label the usages of the ratings")
    curve = IsotonicRegression(y_min=scale.lowest, y_max=scale.highest, out_of_bounds="clip")
    curve.fit(points.shares, points.ratings)
    coordinates = tuple(curve.X_thresholds_.tolist()), tuple(curve.y_thresholds_.tolist())
    return Calibration(*coordinates, float(scale.lowest), float(scale.highest), model)


class CalibrationPoints(NamedTuple):
    """Pairs of usage and sense.

    Args:
        lemmas: The lemmas.
        shares: The shares of the greatest weight of the usage.
        ratings: The mean ratings.
    """

    lemmas: tuple[str, ...]
    shares: Floats
    ratings: Floats


def calibration_points(ratings: Ratings, labelling: Labelling) -> CalibrationPoints:
    """Collect the rated senses of labelled usages; a sense that is not listed has a share of 0."""
    weights = labelling.normalise("max")
    lemmas, shares, means = [], [], []
    for item, by_annotator in ratings.group_by_item().items():
        values = [value for value in by_annotator.values() if not math.isnan(value)]
        if values and item.usage in weights:
            lemmas.append(item.lemma)
            shares.append(weights[item.usage].get(item.target, 0.0))
            means.append(math.fsum(values) / len(values))
    return CalibrationPoints(tuple(lemmas), np.array(shares, float), np.array(means, float))


def open_calibration(name: str) -> Calibration:
    """Open the calibration of a scale, ``1-5``, or of a file.

    >>> open_calibration("1-5") == linear_calibration()
    True
    """
    if ends := SCALE_PATTERN.fullmatch(name.strip().replace("–", "-")):
        return calibration_between(float(ends[1]), float(ends[2]))
    if not os.path.exists(name):  # noqa: PTH110 - the name may be anything
        problem = f"the scale {quote_value(name)} is neither two numbers, such as 1-5, nor the file of a calibration"
        raise InputError(problem)
    return Calibration.load(name)
