"""Conditions on the metadata of documents."""

import pytest

from polyseme.corpus.document_filter import DocumentFilter
from polyseme.errors import InputError

META = {
    "date": "1901",
    "day": "1901-05-01",
    "party": "Whig",
    "votes": "9",
    "name": "Nan",
    "pub-date": "1901-05",
    "low": "-60",
    "blank": "",
}


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
        ("nobody", False),
        ("not nobody", True),
        ("party", True),
        ("blank", False),
        ("nobody or date > 1900", True),
        ("date > -50", True),
        ("low < -50", True),
        ("low > +50", False),
        ("low in (-60, 'x')", True),
        ("name == 'Nan'", True),
        ("name in ('Nan',)", True),
        ("name != 'Inf'", True),
        ("meta['pub-date'] >= '1901-04'", True),
        ("meta['pub-date']", True),
        ("meta['date'] == date", True),
        ("'9' in date", True),
        ("90 in date", True),
        ("'05' not in meta['pub-date']", False),
        ("'W' in nobody", False),
        ("'W' not in nobody", False),
        ("date in 1901", True),
        ("date in 1900", False),
        ("date in '1901 and 1902'", True),
        ("date in ('1901.0',)", True),
        ("'1901' in (date, nobody)", True),
        ("date not in ()", True),
        ("party == 'W\\ig'", False),
        ("date > 1_900", True),
        ("party < 5", False),
    ],
)
def test_conditions_are_evaluated(text: str, holds: bool) -> None:
    assert DocumentFilter(text)(META) is holds


@pytest.mark.parametrize(
    "text",
    [
        *("", "date >", "__import__('os')", "date + 1", "date.year > 3", "[x for x in y]", "a if b else c", "(" * 500),
        *("(1, 2) < date", "date < (1, 2)", "(1, 2) in date", "date in (1, 2) in date", "date in ((1, 2), 3)"),
        *("date in (*party,)", "date is 3", "-date > 3", "-'x' == date", "~3 > date", "date == None", "date == b'x'"),
        *("1900", "'news'", "(1, 2)", "genre == 'news' or 'diary'", "not 3", "-50", "other['x'] > 3", "meta[3] > 3"),
        *("meta[date] > 3", "meta['x':] > 3", "date > f'{1}'", "not " * 5000 + "date"),
    ],
)
def test_other_syntax_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="a condition reads: date > 1900"):
        DocumentFilter(text)


def test_long_numbers_are_exact() -> None:
    meta = {"id": "12345678901234567"}
    assert DocumentFilter("id == 12345678901234567")(meta)
    assert not DocumentFilter("id == 12345678901234568")(meta)
    assert not DocumentFilter("id > 1e999")({"id": "9" * 400})


def test_missing_fields_are_reported() -> None:
    condition = DocumentFilter("date > 1900 and (meta['pub-date'] in ('x', party) or not date)")
    assert condition.fields == ("date", "pub-date", "party")
    condition.check({"date", "pub-date", "party", "votes"})
    with pytest.raises(InputError, match=r"no document has 'pub-date' or 'party', .*; the fields are: date, votes$"):
        condition.check(["votes", "date"])


@pytest.mark.parametrize(
    "condition, document, hint",
    [
        ("year > 1970", "1969-Nixon-1.txt", ". Names of documents begin with a year; write: document >= '1969'"),
        ("year > 1970", "letters.jsonl#1", ""),
        ("party == 'Whig'", "1969-Nixon-1.txt", ""),
    ],
)
def test_a_missing_year_may_be_in_the_names_of_documents(condition: str, document: str, hint: str) -> None:
    with pytest.raises(InputError) as problem:
        DocumentFilter(condition).check(["document"], document)
    assert str(problem.value).endswith(f"the fields are: document{hint}")
