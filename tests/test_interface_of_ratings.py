"""Agreement, gold standards and reports in Python: any source, and values that can be stored."""

import pickle
from pathlib import Path

import pytest

import polyseme as ps

RATINGS = Path(__file__).parents[1] / "examples" / "ratings.csv"


def test_agreement_is_a_value_with_tables_figures_and_a_page() -> None:
    agreement = ps.measure_agreement(RATINGS, sections="all", resamples=0)
    assert repr(pickle.loads(pickle.dumps(agreement)).to_records()) == repr(agreement.to_records())
    assert {row["task"] for row in agreement.to_records()} == {"WSsim", "WSbest", "Usim"}
    assert list(agreement.to_dict()) == ["WSsim", "WSbest", "Usim", "notes"]
    assert agreement.report().title == "Agreement: ratings.csv"
    with pytest.raises(ps.InputError, match="the figures are in the section agreement"):
        ps.measure_agreement(RATINGS, task="WSsim", sections="scale").to_records()


def test_a_gold_standard_is_taken_where_a_labelling_is() -> None:
    gold = ps.make_gold(ps.read_ratings(RATINGS), task="WSsim")
    assert ps.read_labelling(gold) == gold.labelling
    result = ps.score("semeval-2013", gold, gold=gold, mapping=False)
    assert result.figures()["jaccard.f1"] == 1
    assert gold.to_dict()["labelling"] == {usage: dict(senses) for usage, senses in gold.labelling.items()}


def test_ratings_of_a_table_need_no_file() -> None:
    rows = ps.read_ratings(RATINGS).to_records()
    assert ps.make_gold(rows, task="WSsim").labelling == ps.make_gold(RATINGS, task="WSsim").labelling
    groups = {"first": [rows[0]["annotator"]]}
    assert ps.measure_agreement(rows, task="WSsim", group=groups, resamples=0).sections.keys() == {"WSsim"}


def test_unknown_reports_are_refused() -> None:
    with pytest.raises(ps.InputError, match="there is no report of 'nothing'; allowed are results, annotation, senses"):
        ps.report("nothing")
