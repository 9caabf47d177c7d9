"""How the shares of senses change with time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

TIME_FIELDS = ("year", "date", "decade", "time", "period", "published")
"""Fields with such names are looked at first."""
DATE_WORDS = frozenset({"year", "years", "date", "dated", "decade", "published", "publication", "issued", "written"})
"""A field of another name must have one of these words in it, as ``publication_year`` has."""
DOCUMENT = "document"
"""The name of a document is looked at last: it may begin with its year."""

YEAR_ANYWHERE = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")
"""A year in a field that is called after time."""
YEAR_OR_DATE = re.compile(r"^(\d{4})(?:$|[-/.])")
"""A year, or a date that begins with one: all that counts in other fields."""
YEAR_PREFIX = re.compile(r"(?:^|/|#(?=\d{4}\D))(\d{4})(?!\d)")
"""A year at the start of a name, or of a part of it; a bare number after # is that of a row."""
PLAUSIBLE_YEARS = range(1400, 2101)
"""Where a field is not called after time, other numbers are no years."""

DATED_SHARE = 0.9
"""For so many of the usages a field must have a year."""
FEW_USAGES = 10
"""Shares of fewer usages say little."""
LEAST_YEARS = 5
"""With fewer different years no trend is tested."""
PERMUTATIONS = 2000
"""So many times years are dealt out at random."""


@dataclass(frozen=True)
class Period:
    """The years from ``start`` to ``end``, both included, how many labelled usages they have, and the senses' shares.

    The shares are in the order of the portrait's senses.
    """

    start: int
    end: int
    usages: int
    shares: tuple[float, ...]

    @property
    def few(self) -> bool:
        """Whether there are so few usages that the shares say little."""
        return self.usages < FEW_USAGES


@dataclass(frozen=True)
class SenseChange:
    """What time did to a sense.

    ``correlation`` is that of the years with the sense's share of a document; ``p`` is how often years that are dealt
    out at random among documents give one as strong, corrected for the number of senses (Holm 1979). ``before`` and
    ``after`` are the shares in the first and in the last third of the labelled usages, which end with ``early`` and
    begin with ``late``: whole years, of which none is in both.
    """

    sense: str
    correlation: float
    p: float
    before: float
    after: float
    early: int
    late: int

    @property
    def significant(self) -> bool:
        """Whether chance gives as strong a trend less than once in twenty times."""
        return self.p < 0.05

    @property
    def clear(self) -> bool:
        """Whether it is significant, and the first and the last third say the same as the trend."""
        return self.significant and (self.after - self.before) * self.correlation > 0

    @property
    def rose(self) -> bool:
        """Whether the sense became more common."""
        return self.correlation > 0


@dataclass(frozen=True)
class SensePeak:
    """The period in which a sense has its greatest share, for the number of usages there are.

    ``p``: how often years dealt out at random give any period that stands out so much, corrected as for changes.
    """

    sense: str
    period: Period
    share: float
    elsewhere: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether chance gives such a peak less than once in twenty times."""
        return self.p < 0.05


# -- years ---------------------------------------------------------------------------------------------------------


def find_year(usage: Usage, field: str) -> int | None:
    """The year that stands in a field of a usage's metadata, if one does.

    It may be anywhere in a field that is called after time; a document's name begins with it; and another field has it
    alone or as the start of a date.

    >>> find_year(Usage("u", "bank", "bank", 0, 4, meta={"date": "1 May 1901"}), "date")
    1901
    >>> find_year(Usage("u", "bank", "bank", 0, 4, meta={"document": "letters/1901-Smith 1950"}), "document")
    1901
    """
    text, called = str(usage.meta.get(field, "")), field.lower()
    if called in TIME_FIELDS:
        return next(map(int, YEAR_ANYWHERE.findall(text)), None)
    found = [int(year) for year in (YEAR_PREFIX if called == DOCUMENT else YEAR_OR_DATE).findall(text)]
    return next((year for year in reversed(found) if year in PLAUSIBLE_YEARS), None)


def find_time_field(usages: Sequence[Usage]) -> str | None:
    """The field of the metadata that says when a usage was written: almost all usages have a year there.

    Fields that are called so come first, then those with such a word in their name, and last the name of the document;
    no other is looked at, as numbers of four digits are not always years.

    >>> find_time_field([Usage(f"u{n}", "bank", "bank", 0, 4, meta={"document": f"{1900 + n}-Smith"}) for n in range(3)])
    'document'
    """
    names = dict.fromkeys(str(name) for usage in usages for name in usage.meta)
    for name in sorted(filter(_names_date, names), key=_field_rank):
        years = [year for usage in usages if (year := find_year(usage, name)) is not None]
        if len(years) >= DATED_SHARE * len(usages) and len(set(years)) > 1:
            return name
    return None


def _field_rank(name: str) -> int:
    """Where a field comes among those that may have the time."""
    called = name.lower()
    return TIME_FIELDS.index(called) if called in TIME_FIELDS else len(TIME_FIELDS) + (called == DOCUMENT)


def _names_date(name: str) -> bool:
    """Whether a field's name says that it has a year.

    >>> [name for name in ("Date", "pub_year", "dateWritten", "candidate", "length") if _names_date(name)]
    ['Date', 'pub_year', 'dateWritten']
    """
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    return name.lower() in (*TIME_FIELDS, DOCUMENT) or bool(words & DATE_WORDS)


def _dated_rows(portrait: WordProfile, field: str) -> tuple[Ints, Ints]:
    """The rows of labelled usages whose year is known, and their years."""
    name = field or find_time_field(portrait.usages)
    found = [(row, find_year(portrait.usages[row], name)) for row in portrait.labelled.tolist()] if name else []
    known = [(row, year) for row, year in found if year is not None]
    return np.array([row for row, _ in known], np.intp), np.array([year for _, year in known], np.intp)


def year_span(portrait: WordProfile, field: str = "") -> tuple[int, int] | None:
    """The first and the last year of the labelled usages, if years are known."""
    _, years = _dated_rows(portrait, field)
    return (int(years.min()), int(years.max())) if len(years) else None


# -- periods -------------------------------------------------------------------------------------------------------


def shares_by_period(portrait: WordProfile, field: str = "", width: int = 10) -> list[Period]:
    """The shares of the senses in periods of so many years; periods without a usage are left out.

    ``field`` is the metadata's name of what has the year; it is looked for if it is not given.
    """
    rows, years = _dated_rows(portrait, field)
    found = []
    for start in np.unique(years // width * width).tolist():
        there = rows[(years >= start) & (years < start + width)]
        shares = portrait.weights[there].mean(axis=0).tolist()
        found.append(Period(start, start + width - 1, len(there), tuple(shares)))
    return found


def choose_period_width(portrait: WordProfile, field: str = "", enough: int = 15) -> int:
    """The narrowest of 10, 20 and 50 years in which half of the periods have enough usages."""
    for width in (10, 20):
        sizes = [period.usages for period in shares_by_period(portrait, field, width)]
        if sizes and np.median(sizes) >= enough:
            return width
    return 50


# -- changes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _DocumentShares:
    """What is dealt out at random: documents, as the usages in one are not independent of each other."""

    years: Floats
    sizes: Floats
    sums: Floats
    """Documents × senses: the weights of their usages together."""


def _sum_by_document(portrait: WordProfile, rows: Ints, years: Ints) -> _DocumentShares:
    names = [str(portrait.usages[row].meta.get(DOCUMENT, portrait.usages[row].id)) for row in rows.tolist()]
    _, first, place = np.unique(names, return_index=True, return_inverse=True)
    sums = np.zeros((len(first), len(portrait.senses)))
    np.add.at(sums, place, portrait.weights[rows])
    return _DocumentShares(years[first].astype(float), np.bincount(place).astype(float), sums)


def detect_changes(portrait: WordProfile, field: str = "", *, seed: int = 0) -> list[SenseChange] | None:
    """How each sense rose or fell, the strongest trend first.

    ``None`` where that cannot be tested: there are fewer than :data:`LEAST_YEARS` different years, or than two senses.

    The trend is the correlation over documents, weighted by their usages, between the rank of the year and the sense's
    share; the test deals the years out anew among documents, :data:`ROUNDS` times.
    """
    rows, years = _dated_rows(portrait, field)
    if len(np.unique(years)) < LEAST_YEARS or len(portrait.senses) < 2:
        return None
    given = _sum_by_document(portrait, rows, years)
    rng = np.random.default_rng(seed)
    real = _trends(given, given.years)
    dealt = np.array([_trends(given, rng.permutation(given.years)) for _ in range(PERMUTATIONS)])
    p = _holm((1 + (np.abs(dealt) >= np.abs(real) - 1e-12).sum(axis=0)) / (PERMUTATIONS + 1))
    early, late = _thirds(years)
    before = portrait.weights[rows[years <= early]].mean(axis=0)
    after = portrait.weights[rows[years >= late]].mean(axis=0)
    found = [
        SenseChange(sense.id, float(real[at]), float(p[at]), float(before[at]), float(after[at]), early, late)
        for at, sense in enumerate(portrait.senses)
    ]
    return sorted(found, key=lambda change: (change.p, -abs(change.correlation)))


def _thirds(years: Ints) -> tuple[int, int]:
    """The last year of the first third, and the first of the last; there must be two different years.

    Years are not divided. So one that has the middle of the usages is in neither third, unless it is the first or the
    last of all.

    >>> _thirds(np.array([1900, 1910, 1920, 1930, 1940, 1950, 1960]))
    (1920, 1940)
    >>> _thirds(np.array([1900, 1910, 1920, 1920, 1920, 1930, 1940]))
    (1910, 1930)
    >>> _thirds(np.array([1900, 1900, 1900, 1900, 1900, 1910, 1920]))
    (1900, 1910)
    """
    early, late = np.quantile(years, [1 / 3, 2 / 3], method="nearest").tolist()
    if early < late:
        return int(early), int(late)
    earlier, later = years[years < early], years[years > early]
    return int(max(earlier, default=early)), int(min(later, default=early))


def _trends(given: _DocumentShares, years: Floats) -> Floats:
    """The weighted correlation of each sense's share with the rank of the year; 0 where nothing varies."""
    _, rank = np.unique(years, return_inverse=True)
    total = given.sizes.sum()
    x = rank - (given.sizes @ rank) / total
    y = given.sums / given.sizes[:, None] - given.sums.sum(axis=0) / total
    spread = np.sqrt((given.sizes @ x**2) * (given.sizes @ y**2))
    joint = (given.sizes * x) @ y
    found: Floats = np.divide(joint, spread, out=np.zeros_like(joint), where=spread > 1e-12)
    return found


def detect_peaks(portrait: WordProfile, field: str = "", width: int = 10, *, seed: int = 0) -> list[SensePeak]:
    """For each sense the period in which it stands out most, (s_p − s) / √(s (1 − s) / n_p), the surest first."""
    rows, years = _dated_rows(portrait, field)
    periods = shares_by_period(portrait, field, width)
    if len(periods) < 3 or len(portrait.senses) < 2:
        return []
    given = _sum_by_document(portrait, rows, years)
    starts = np.array([period.start for period in periods])
    place = np.searchsorted(starts, given.years, "right") - 1
    rng = np.random.default_rng(seed)
    real = _excess(given, place, len(periods))
    dealt = np.array([_excess(given, rng.permutation(place), len(periods)).max(axis=0) for _ in range(PERMUTATIONS)])
    p = _holm((1 + (dealt >= real.max(axis=0) - 1e-12).sum(axis=0)) / (PERMUTATIONS + 1))
    found = [_peak(portrait, periods, int(real[:, at].argmax()), at, float(p[at])) for at in range(len(p))]
    return sorted(found, key=lambda peak: (peak.p, peak.elsewhere - peak.share))


def _excess(given: _DocumentShares, place: Ints, periods: int) -> Floats:
    """Periods × senses: by how many standard errors the share of a sense is above that in all periods."""
    sums = np.zeros((periods, given.sums.shape[1]))
    np.add.at(sums, place, given.sums)
    sizes = np.maximum(np.bincount(place, given.sizes, periods), 1e-9)[:, None]
    share = given.sums.sum(axis=0) / given.sizes.sum()
    found: Floats = (sums / sizes - share) / np.sqrt(np.maximum(share * (1 - share), 1e-12) / sizes)
    return found


def _peak(portrait: WordProfile, periods: Sequence[Period], at: int, sense: int, p: float) -> SensePeak:
    others = [period for place, period in enumerate(periods) if place != at]
    count = sum(period.usages for period in others)
    elsewhere = sum(period.usages * period.shares[sense] for period in others) / max(count, 1)
    return SensePeak(portrait.senses[sense].id, periods[at], periods[at].shares[sense], elsewhere, p)


def _holm(values: Iterable[float]) -> Floats:
    """Probabilities corrected for their number, as Holm (1979) does it.

    >>> _holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(list(values), float)
    order = np.argsort(given, kind="stable")
    raised = given[order] * np.arange(len(given), 0, -1)
    found = np.empty(len(given))
    found[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return found
