"""Conditions on documents."""

import pytest

from polyseme.corpus.where import Where
from polyseme.errors import InputError

KNOWN = {"date": "1901", "day": "1901-05-01", "party": "Whig", "votes": "9"}


@pytest.mark.parametrize(
    "text, holds",
    [
        ("date > 1900", True),
        ("date > '1900'", True),
        ("1900 < date <= 1901", True),
        ("votes > 10", False),
        ("day >= '1901-04-30'", True),
        ("party == 'Whig' and date != 1901", False),
        ("party == 'Tory' or not date < 1900", True),
        ("party in ('Whig', 'Tory')", True),
        ("date in (1901, 1902)", True),
        ("party not in ['Whig']", False),
        ("nobody > 3", False),
        ("not nobody > 3", True),
        ("nobody == nothing", False),
    ],
)
def test_conditions(text: str, holds: bool) -> None:
    assert Where(text)(KNOWN) is holds


@pytest.mark.parametrize(
    "text",
    ["", "date >", "__import__('os')", "date + 1", "date.year > 3", "[x for x in y]", "a if b else c", "(" * 500],
)
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(InputError, match="a condition reads: date > 1900"):
        Where(text)
