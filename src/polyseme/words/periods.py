"""Change of the shares of senses over time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polyseme.arrays import Floats, Ints
from polyseme.tasks.resampling import holm_correction
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

TIME_FIELDS = ("year", "date", "decade", "time", "period", "published")
"""Fields of the metadata that are tried first."""
DATE_WORDS = frozenset({"year", "years", "date", "dated", "decade", "published", "publication", "issued", "written"})
"""Fields with one of these words in their name are tried next, such as ``publication_year``."""
DOCUMENT = "document"
"""The name of the document is tried last, as it may start with its year."""

YEAR_ANYWHERE = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")
"""A year in a field of :data:`TIME_FIELDS`."""
YEAR_OR_DATE = re.compile(r"^(\d{4})(?:$|[-/.])")
"""A year, or a date that starts with one, in other fields."""
YEAR_PREFIX = re.compile(r"(?:^|/|#(?=\d{4}\D))(\d{4})(?!\d)")
"""A year at the start of a document's name or of a part of it; a bare number after # is a row number."""
PLAUSIBLE_YEARS = range(1400, 2101)
"""In fields other than :data:`TIME_FIELDS`, other numbers are not years."""

DATED_SHARE = 0.9
"""The share of the usages that must have a year in a field."""
WIDTHS = (10, 20, 30, 50)
"""The widths of periods in years."""
FEW_USAGES = 10
"""Shares of fewer usages mean little."""
LEAST_YEARS = 5
"""No trend and no peak is tested with fewer distinct years."""
FEW_YEARS = 10
"""So many distinct years, or fewer, are periods of their own."""
PERMUTATIONS = 2000
"""The number of random permutations of a test."""
SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class Period:
    """A period of time.

    Args:
        start: The first year.
        end: The last year, included.
        usages: The number of labelled usages.
        shares: The shares of the senses, in the order of the profile.
    """

    start: int
    end: int
    usages: int
    shares: tuple[float, ...]

    @property
    def few(self) -> bool:
        """Whether there are so few usages that the shares mean little."""
        return self.usages < FEW_USAGES


@dataclass(frozen=True)
class SenseChange:
    """The trend of a sense.

    Args:
        sense: The id of the sense.
        correlation: The correlation between the year and the sense's share of a document.
        p: The probability of a correlation as strong if the years are permuted among documents, corrected for the
            number of senses (Holm 1979).
        before: The share in the first third of the labelled usages.
        after: The share in the last third.
        early: The last year of the first third.
        late: The first year of the last third; no year is in both.
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
        """Whether chance gives as strong a trend in less than one of twenty cases."""
        return self.p < SIGNIFICANCE

    @property
    def clear(self) -> bool:
        """Whether the trend is significant, and the first and the last third confirm it."""
        return self.significant and (self.after - self.before) * self.correlation > 0

    @property
    def rose(self) -> bool:
        """Whether the sense became more frequent."""
        return self.correlation > 0


@dataclass(frozen=True)
class SensePeak:
    """The period in which a sense exceeds its overall share most clearly.

    Args:
        sense: The id of the sense.
        period: The period.
        share: The share of the sense in this period.
        elsewhere: Its share in the other periods.
        p: The probability of a peak as clear in any period if the years are permuted, corrected as for changes.
    """

    sense: str
    period: Period
    share: float
    elsewhere: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether chance gives as clear a peak in less than one of twenty cases."""
        return self.p < SIGNIFICANCE


# -- years ---------------------------------------------------------------------------------------------------------


def find_year(usage: Usage, field: str) -> int | None:
    """Find the year of a usage in a field of its metadata.

    >>> find_year(Usage("u", "bank", "bank", 0, 4, meta={"date": "1 May 1901"}), "date")
    1901
    >>> find_year(Usage("u", "bank", "bank", 0, 4, meta={"document": "letters/1901-Smith 1950"}), "document")
    1901
    """
    text, name = str(usage.meta.get(field, "")), field.lower()
    if name in TIME_FIELDS:
        return next(map(int, YEAR_ANYWHERE.findall(text)), None)
    years = [int(year) for year in (YEAR_PREFIX if name == DOCUMENT else YEAR_OR_DATE).findall(text)]
    return next((year for year in reversed(years) if year in PLAUSIBLE_YEARS), None)


def find_time_field(usages: Sequence[Usage]) -> str | None:
    """Find the field of the metadata in which almost all usages have a year, if there is one.

    Fields of :data:`TIME_FIELDS` come first, then those with a word of :data:`DATE_WORDS` in their name, then the name
    of the document. Other fields are ignored, as a number of four digits need not be a year.

    >>> documents = ("1900-Smith", "1901-Jones", "1902-Smith")
    >>> find_time_field([Usage(name, "bank", "bank", 0, 4, meta={"document": name}) for name in documents])
    'document'
    """
    names = dict.fromkeys(str(name) for usage in usages for name in usage.meta)
    ranks = {name: rank for name in names if (rank := _field_rank(name)) is not None}
    for name in sorted(ranks, key=lambda name: ranks[name]):
        years = [year for usage in usages if (year := find_year(usage, name)) is not None]
        if len(years) >= DATED_SHARE * len(usages) and len(set(years)) > 1:
            return name
    return None


def _field_rank(name: str) -> int | None:
    """The rank of a field among those whose name suggests a year; ``None`` for other fields.

    >>> [_field_rank(name) for name in ("Date", "pub_year", "dateWritten", "document", "candidate", "length")]
    [1, 6, 6, 7, None, None]
    """
    field = name.lower()
    if field in (*TIME_FIELDS, DOCUMENT):
        return TIME_FIELDS.index(field) if field in TIME_FIELDS else len(TIME_FIELDS) + 1
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    return len(TIME_FIELDS) if words & DATE_WORDS else None


def _dated_rows(profile: WordProfile, field: str) -> tuple[Ints, Ints]:
    """The rows of the labelled usages with a year, and their years."""
    name = field or find_time_field(profile.usages)
    years = {row: find_year(profile.usages[row], name) for row in profile.labelled.tolist()} if name else {}
    dated = {row: year for row, year in years.items() if year is not None}
    return np.array(list(dated), np.intp), np.array(list(dated.values()), np.intp)


def year_span(profile: WordProfile, field: str = "") -> tuple[int, int] | None:
    """The first and the last year of the labelled usages, if they have years."""
    _, years = _dated_rows(profile, field)
    return (int(years.min()), int(years.max())) if len(years) else None


# -- periods -------------------------------------------------------------------------------------------------------


def shares_by_period(profile: WordProfile, field: str = "", width: int = 10) -> list[Period]:
    """Compute the shares of the senses in periods; periods without usages are left out.

    Periods begin at the decade of the first year. The first and the last one are cut to the years of the usages.

    Args:
        profile: The word.
        field: The field of the metadata that has the year; by default, :func:`find_time_field`.
        width: The number of years of a period.
    """
    rows, years = _dated_rows(profile, field)
    if not len(rows):
        return []
    first, last = int(years.min()), int(years.max())
    origin, periods = first // 10 * 10, []
    for start in (np.unique((years - origin) // width) * width + origin).tolist():
        members = rows[(years >= start) & (years < start + width)]
        shares = profile.weights[members].mean(axis=0).tolist()
        ends = max(start, first), min(start + width - 1, last)
        periods.append(Period(*ends, len(members), tuple(shares)))
    return periods


def are_single_years(periods: Sequence[Period]) -> bool:
    """Whether each period is a single year."""
    return all(period.start == period.end for period in periods)


def choose_period_width(profile: WordProfile, field: str = "", enough: int = 15) -> int:
    """Choose the narrowest of :data:`WIDTHS` at which half of the periods have enough usages; 1 for a few years."""
    if len(np.unique(_dated_rows(profile, field)[1])) <= FEW_YEARS:
        return 1
    for width in WIDTHS[:-1]:
        sizes = [period.usages for period in shares_by_period(profile, field, width)]
        if sizes and np.median(sizes) >= enough:
            return width
    return WIDTHS[-1]


# -- changes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _DocumentShares:
    """The units that a test permutes: documents, since usages of one document are not independent.

    Args:
        years: The year of each document.
        sizes: The number of its usages.
        sums: A matrix of documents × senses: the summed weights of the usages.
    """

    years: Floats
    sizes: Floats
    sums: Floats


def _sum_by_document(profile: WordProfile, rows: Ints, years: Ints) -> _DocumentShares:
    names = [str(profile.usages[row].meta.get(DOCUMENT, profile.usages[row].id)) for row in rows.tolist()]
    _, first, document = np.unique(names, return_index=True, return_inverse=True)
    sums = np.zeros((len(first), len(profile.senses)))
    np.add.at(sums, document, profile.weights[rows])
    return _DocumentShares(years[first].astype(float), np.bincount(document).astype(float), sums)


def detect_changes(profile: WordProfile, field: str = "", *, seed: int = 0) -> list[SenseChange] | None:
    """Test whether senses become more or less frequent.

    The trend is the correlation over documents, weighted by their usages, between the rank of the year and the sense's
    share. The test permutes the years among documents :data:`PERMUTATIONS` times.

    Args:
        profile: The word.
        field: The field of the metadata that has the year; by default, :func:`find_time_field`.
        seed: The random seed of the permutations.

    Returns:
        The change of each sense, strongest trend first; ``None`` with fewer than :data:`LEAST_YEARS` distinct years or
        fewer than two senses, as nothing can be tested.
    """
    rows, years = _dated_rows(profile, field)
    if len(np.unique(years)) < LEAST_YEARS or len(profile.senses) < 2:
        return None
    documents = _sum_by_document(profile, rows, years)
    rng = np.random.default_rng(seed)
    trends = _trends(documents, documents.years)
    permuted = np.array([_trends(documents, rng.permutation(documents.years)) for _ in range(PERMUTATIONS)])
    p = _permutation_p(np.abs(permuted), np.abs(trends))
    early, late = _thirds(years)
    before = profile.weights[rows[years <= early]].mean(axis=0)
    after = profile.weights[rows[years >= late]].mean(axis=0)
    changes = [
        SenseChange(sense.id, float(trends[at]), p[at], float(before[at]), float(after[at]), early, late)
        for at, sense in enumerate(profile.senses)
    ]
    return sorted(changes, key=lambda change: (change.p, -abs(change.correlation)))


def _permutation_p(permuted: Floats, observed: Floats) -> list[float]:
    """The corrected p of each sense: how often a permutation gives a value as large as the observed one."""
    p = (1 + (permuted >= observed - 1e-12).sum(axis=0)) / (PERMUTATIONS + 1)
    return holm_correction(p.tolist())


def _thirds(years: Ints) -> tuple[int, int]:
    """The last year of the first third, and the first year of the last third, of two distinct years or more.

    Years are not divided. A year that holds the middle of the usages is in neither third, unless it is the first or
    the last of all.

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


def _trends(documents: _DocumentShares, years: Floats) -> Floats:
    """The weighted correlation of each sense's share with the rank of the year; 0 if nothing varies."""
    _, rank = np.unique(years, return_inverse=True)
    sizes, total = documents.sizes, documents.sizes.sum()
    x = rank - (sizes @ rank) / total
    y = documents.sums / sizes[:, None] - documents.sums.sum(axis=0) / total
    spread = np.sqrt((sizes @ x**2) * (sizes @ y**2))
    joint = (sizes * x) @ y
    correlations: Floats = np.divide(joint, spread, out=np.zeros_like(joint), where=spread > 1e-12)
    return correlations


def detect_peaks(profile: WordProfile, field: str = "", width: int = 10, *, seed: int = 0) -> list[SensePeak]:
    """Find, for each sense, the period in which it stands out most: (s_p − s) / √(s (1 − s) / n_p).

    Args:
        profile: The word.
        field: The field of the metadata that has the year; by default, :func:`find_time_field`.
        width: The number of years of a period.
        seed: The random seed of the permutations.

    Returns:
        The peaks, most certain first; none with fewer than :data:`LEAST_YEARS` distinct years, three periods or two
        senses.
    """
    rows, years = _dated_rows(profile, field)
    periods = shares_by_period(profile, field, width)
    if len(np.unique(years)) < LEAST_YEARS or len(periods) < 3 or len(profile.senses) < 2:
        return []
    documents = _sum_by_document(profile, rows, years)
    starts = np.array([period.start for period in periods])
    numbers = np.searchsorted(starts, documents.years, "right") - 1
    rng = np.random.default_rng(seed)
    excess = _excess(documents, numbers, len(periods))
    permuted = np.array(
        [_excess(documents, rng.permutation(numbers), len(periods)).max(axis=0) for _ in range(PERMUTATIONS)]
    )
    p = _permutation_p(permuted, excess.max(axis=0))
    peaks = [_peak(profile, periods, int(excess[:, sense].argmax()), sense, p[sense]) for sense in range(len(p))]
    return sorted(peaks, key=lambda peak: (peak.p, peak.elsewhere - peak.share))


def _excess(documents: _DocumentShares, numbers: Ints, periods: int) -> Floats:
    """A matrix of periods × senses: by how many standard errors a share exceeds the overall share."""
    sums = np.zeros((periods, documents.sums.shape[1]))
    np.add.at(sums, numbers, documents.sums)
    sizes = np.maximum(np.bincount(numbers, documents.sizes, periods), 1e-9)[:, None]
    share = documents.sums.sum(axis=0) / documents.sizes.sum()
    excess: Floats = (sums / sizes - share) / np.sqrt(np.maximum(share * (1 - share), 1e-12) / sizes)
    return excess


def _peak(profile: WordProfile, periods: Sequence[Period], number: int, sense: int, p: float) -> SensePeak:
    others = [period for position, period in enumerate(periods) if position != number]
    count = sum(period.usages for period in others)
    elsewhere = sum(period.usages * period.shares[sense] for period in others) / max(count, 1)
    return SensePeak(profile.senses[sense].id, periods[number], periods[number].shares[sense], elsewhere, p)
