"""Cells of published tables: what is printed, what we get, and whether that is known to differ."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

SCORER_TOLERANCE = {"v_measure": 0.001, "clusters": 0.005, "supervised.80_20": 1e-6, "supervised.60_40": 1e-6}
"""How close one can come to what a scorer prints with few digits; everything else must agree to 1e-9."""

MISSING = "not here"
"""What a cell has instead of our figure if the data that the figure needs are missing."""


class ReproducedFigure(NamedTuple):
    """One figure: where it is printed, as what, and ours.

    ``noise`` is the standard deviation of a figure that depends on chance, of which ours is the mean. ``elsewhere``
    says from what other data ours is, where it cannot be the same.
    """

    task: str
    source: str
    system: str
    figure: str
    printed: str
    ours: float | str
    noise: float = 0.0
    elsewhere: str = ""

    @property
    def difference(self) -> float:
        """Ours less the printed figure; for words 0 if they agree, else not a number."""
        if isinstance(self.ours, str):
            return 0.0 if self.ours == self.printed else float("nan")
        return self.ours - float(Fraction(self.printed))

    @property
    def agrees(self) -> bool:
        """Whether ours is the printed figure, as exactly as it is printed; with noise, within two deviations of it."""
        if isinstance(self.ours, str):
            return self.ours == self.printed
        if self.noise:
            return abs(self.difference) <= 2 * self.noise
        if self.source == "scorer":
            return abs(self.difference) <= SCORER_TOLERANCE.get(self.figure, 1e-9)
        if "/" in self.printed:
            return abs(self.difference) < 1e-9
        return round(self.ours, len(self.printed.partition(".")[2])) == float(self.printed)

    @property
    def known(self) -> dict[str, Any] | None:
        """Why ours differs: other data; or what the list of known differences says, if ours is what it expects."""
        if self.elsewhere:
            return {"reason": self.elsewhere}
        entry = known_differences().get((self.task, self.source, self.system, self.figure))
        if entry is None:
            return None
        if isinstance(self.ours, str):
            return entry if self.ours == entry["ours"] else None
        return entry if abs(self.ours - entry["ours"]) <= 0.00005 + 1e-9 else None


@cache
def known_differences() -> dict[tuple[str, str, str, str], dict[str, Any]]:
    """The shipped list of figures that the published data do not give, each with its reason."""
    text = files("polyseme.tasks").joinpath("figures", "known_differences.toml").read_text(encoding="utf-8")
    return {
        (entry["task"], entry["source"], entry["system"], entry["figure"]): entry
        for entry in tomllib.loads(text)["difference"]
    }
