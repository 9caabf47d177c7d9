"""Tables of schemes, related senses and groups."""

from polyseme.agreement.group_similarity import compare_group_similarity
from polyseme.agreement.related_senses import correlate_senses, correlation_histogram
from polyseme.agreement.scheme_comparison import tabulate_usage_pairs
from polyseme.agreement.sense_conflicts import count_group_conflicts
from polyseme.agreement.sense_groups import SenseGrouping
from polyseme.labelling import Labelling
from polyseme.rating import Rating, Ratings
from polyseme.reports.sense_tables import (
    conflict_examples,
    conflicts_table,
    groups_table,
    histogram_table,
    lemmas_table,
    neighbours_table,
    related_table,
    schemes_matrix,
)
from polyseme.reports.tables import table_to_markdown
from polyseme.usage import Usage, UsagePair

PAIRS = [UsagePair("x.n", "1", "2", 5.0), UsagePair("x.n", "1", "3", 1.0), UsagePair("x.n", "2", "3", 2.0)]
SENSES = Labelling.hard(["1", "2", "3"], list("aab"), lemma="x.n")
USAGES = {name: Usage(name, "x.n", f"an x {name}", 3, 4) for name in ("1", "2", "3")}
VALUES = {"a": (5, 4, 1), "b": (4, 5, 2), "c": (1, 1, 1)}
RATINGS = Ratings(
    Rating("ann", "WSsim", "x.n", str(usage), sense, value)
    for sense, values in VALUES.items()
    for usage, value in enumerate(values, 1)
)


def test_schemes_are_compared_in_a_matrix() -> None:
    single = Labelling.hard(["1", "2", "3"], list("aaa"), lemma="x.n")
    table = tabulate_usage_pairs(
        PAIRS, labellings={"model": SENSES, "single sense": single, "few": SENSES.restrict(["1", "2"])}
    )
    matrix = schemes_matrix(table)
    assert matrix.columns == ("", "Usim", "model", "single sense", "few")
    assert matrix.rows[0][:2] == ("Usim", None)
    assert matrix.rows[0][2] == matrix.rows[1][1]
    assert matrix.notes[1] == "few: no value for 2 of 3 items"
    assert any("single sense has the same value for all 3 items" in note for note in matrix.notes)
    assert "| 0.866 |" in table_to_markdown(matrix)


def test_related_senses_come_first_and_undefined_ones_have_reasons() -> None:
    pairs = correlate_senses(RATINGS)
    table = related_table(pairs)
    assert [row[1:3] for row in table.rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert "c has the same value" in str(table.rows[-1][-1])
    assert histogram_table(correlation_histogram(pairs, bars=2)).notes == ("0 negative, 1 positive, 2 undefined",)


def test_conflicts_have_sentences() -> None:
    conflicts = count_group_conflicts(RATINGS, SenseGrouping.from_dict({"a": "1", "b": "2"}))
    table = conflicts_table(conflicts)
    assert table.rows[0] == ("two senses of different groups both rated ≥ 3", 2, 3, 2 / 3, "")
    examples = conflict_examples(conflicts[0], USAGES)
    assert examples.rows[0] == ("x.n", "a", 5.0, "b", 4.0, "an [x] 1")
    assert conflict_examples(conflicts[0], {}, limit=1).rows[0][-1] == "1", "without sentences, the name"


def test_groups_are_ranked_by_similarity() -> None:
    similarity = compare_group_similarity(PAIRS, SENSES)
    assert [row[:4] for row in lemmas_table(similarity).rows] == [("x.n", 5.0, 1, 1.5), ("all", 5.0, 1, 1.5)]
    assert groups_table(similarity, USAGES).rows == (("x.n", "a", 2, 1, 5.0, 5.0, "an [x] 1", "an [x] 2"),)
    assert groups_table(similarity).notes[1:] == ("no pairs in 1 group with only one usage",)
    assert neighbours_table(similarity).rows[0][:6] == ("x.n", "a", "b", 2, 1.5, 2.0)
