"""Facets of the metadata."""

from __future__ import annotations

import pytest

from polyseme.corpus.document_filter import DocumentFilter
from polyseme.explorer.facets import add_condition, equality_condition, example_condition, facets
from polyseme.usage import Usage

ODD = ["Whig", "it's", 'a "b"', "back\\slash", "<b>", "x' or 'y", "日本", ""]


def usage(number: int, **meta: object) -> Usage:
    return Usage(f"u{number}", "bank", "bank", 0, 4, meta=meta)


@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize("field", ["party", "pub-date", "class", "meta", "it's"])
def test_a_condition_chooses_any_value(field: str, value: str) -> None:
    condition = DocumentFilter(equality_condition(field, value))
    assert condition({field: value})
    assert not condition({field: f"{value}."})


def test_fields_with_few_values_are_offered() -> None:
    usages = [usage(number, party="Whig" if number % 3 else "Tory", id=str(number), same="x") for number in range(60)]
    (facet,) = facets(usages, "year > 1900")
    assert facet.field == "party"
    assert facet.values[0] == ("Whig", 40, "year > 1900 and party == 'Whig'")


@pytest.mark.parametrize(
    "meta, example",
    [
        ({"year": 1900, "party": "Whig"}, "year >= 1904"),
        ({"document": "a.jsonl#x", "party": "Whig"}, "party == 'Whig'"),
        ({"document": "1900-Smith"}, "document >= '1904'"),
        ({"document": "a.txt"}, "'a.txt' in document"),
    ],
)
def test_the_example_of_a_condition_is_true_of_a_usage(meta: dict[str, object], example: str) -> None:
    usages = [
        usage(number, **{name: varied(name, value, number) for name, value in meta.items()}) for number in range(9)
    ]
    assert example_condition(usages) == example
    assert any(DocumentFilter(example)({name: str(value) for name, value in use.meta.items()}) for use in usages)


def varied(field: str, value: object, number: int) -> object:
    """Another year in every usage, and another party in every third."""
    if field == "party":
        return value if number % 3 else "Tory"
    return f"{value}".replace("1900", str(1900 + number))


def test_combined_conditions_both_hold() -> None:
    both = DocumentFilter(add_condition("a == '1' or b == '1'", "c == '1'"))
    assert both({"a": "1", "b": "0", "c": "1"})
    assert not both({"a": "1", "b": "0", "c": "0"})
