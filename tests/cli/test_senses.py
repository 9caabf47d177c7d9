"""Definitions of the senses of a model, in Python and by ``polyseme senses --definitions``."""

import json
from pathlib import Path

import pytest

import polyseme as ps
from cli.conftest import Run

INDUCER = "Pipeline(Bag(minimum=1), number=2)"


@pytest.fixture(scope="module")
def model(root: Path) -> ps.SenseModel:
    """Two senses of *interest*."""
    pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")
    return ps.induce(root / "examples" / "interest.jsonl", INDUCER)


@pytest.mark.usefixtures("wordnet_31")
def test_each_sense_is_defined(model: ps.SenseModel) -> None:
    definitions = ps.define_senses(model)
    assert [definition.sense for definition in definitions] == [sense.id for sense in model.inventory["interest"]]
    for definition in definitions:
        assert sum(row.probability for row in definition.candidates) + definition.none == pytest.approx(1)
        assert all(row.sense.gloss for row in definition.candidates)
    assert definitions == ps.define_senses(model, "Interests")
    assert [row.none for row in ps.define_senses(model, missing=0.9)] > [row.none for row in definitions]


@pytest.mark.usefixtures("wordnet_31")
def test_a_word_without_senses_is_refused(model: ps.SenseModel) -> None:
    with pytest.raises(ps.InputError, match="no senses of 'bank'; it has interest"):
        ps.define_senses(model, ["bank"])


@pytest.mark.usefixtures("wordnet_31")
def test_the_command_shows_definitions(cli: Run, model: ps.SenseModel, tmp_path: Path) -> None:
    model.save(tmp_path / "my.model")
    rows = json.loads(cli("senses", tmp_path / "my.model", "--definitions", "--json").out)
    definitions = ps.define_senses(model)
    assert [row["none"] for row in rows] == [definition.none for definition in definitions]
    assert [row["definitions"][0]["id"] for row in rows] == [row.candidates[0].sense.id for row in definitions]
    table = cli("senses", tmp_path / "my.model", "--definitions", "--format", "csv").out
    assert table.splitlines()[0].split(",")[3] == "WordNet"
    assert f"none {definitions[0].none:.2f}" in table
    assert "WordNet" not in cli("senses", tmp_path / "my.model", "--format", "csv").out


@pytest.mark.usefixtures("wordnet_31")
def test_the_small_model_defines_two_banks() -> None:
    pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")
    senses = [
        ps.Sense(f"bank.n.s{number}", "bank.n", usages=(ps.Usage("u", "bank.n", text, start, start + 4),))
        for number, text in enumerate(["We sat on the bank of the river.", "The bank lends money at high interest."])
        for start in [text.index("bank")]
    ]
    model = ps.SenseModel(ps.build(INDUCER), "english", ps.Inventory(senses))
    slope, institution = ps.define_senses(model)
    assert slope.best is not None
    assert institution.best is not None
    assert (slope.best.sense.id, institution.best.sense.id) == ("bank%1:17:01::", "bank%1:14:00::")
