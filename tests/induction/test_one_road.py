"""One road: the command line, Python, reports and the explorer make the same senses of the same usages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import polyseme as ps
from explorer_corpus import sentence_documents
from polyseme.cli import app
from polyseme.corpus.analysers import as_analyser
from polyseme.corpus.index import Index
from polyseme.corpus.indexing import build_index
from polyseme.explorer.background_tasks import InductionTask
from polyseme.explorer.models import SAMPLED_USAGES, full_specification, usage_limit
from polyseme.explorer.profile_cache import read_model, read_profile
from polyseme.induction.defaults import default_usage_limit
from polyseme.induction.model import SenseModel
from polyseme.parts import build
from polyseme.words.index_profiles import sample_passages
from polyseme.words.word_reports import make_word_reports

Senses = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """More usages of a word than any road samples."""
    folder = tmp_path_factory.mktemp("road")
    source = folder / "texts.jsonl"
    rows = [{"id": f"d{number}", "text": text} for number, text in enumerate(sentence_documents(SAMPLED_USAGES + 200))]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return build_index([source], folder / "my.index", as_analyser("Simple(lemmatise=False)"), processes=1)


def describe(model: SenseModel) -> Senses:
    [lemma] = model.inventory
    return [
        (sense.id, sense.frequency, sense.features, sense.recurrence, [usage.id for usage in sense.usages])
        for sense in model.inventory[lemma]
    ]


def test_all_roads_make_the_same_senses(index: Index, masked_model: str, tmp_path: Path) -> None:
    specification = f"Substitution({masked_model!r}, count=10, probability=0.9, most=40)"
    inducer = build(specification)
    expected = describe(index.induce("bank", specification))
    assert len(expected) > 1
    assert describe(ps.induce(index, specification, "bank")) == expected

    arguments = ["induce", str(index.folder), "bank", "--model", specification, "-o", str(tmp_path / "model")]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert describe(SenseModel.load(tmp_path / "model")) == expected

    limit = usage_limit(specification)
    InductionTask(full_specification(specification), "bank", tmp_path / "entry", limit).run(index)
    assert describe(read_model(tmp_path / "entry")) == expected

    [report] = make_word_reports(index, ["bank"], inducer, seeds=1, limit=default_usage_limit(inducer), wordnet="")
    profile = read_profile(tmp_path / "entry")
    assert report.profile.usages == profile.usages
    assert report.profile.labelling == profile.labelling
    senses = [(sense.id, sense.features, sense.recurrence) for sense in report.profile.senses]
    assert senses == [(sense.id, sense.features, sense.recurrence) for sense in profile.senses]
    assert sorted(senses) == sorted((sense[0], sense[2], sense[3]) for sense in expected)


def test_a_smaller_sample_is_part_of_a_larger_one(index: Index) -> None:
    larger, smaller = (sample_passages(index, "bank", limit=limit).usages for limit in (SAMPLED_USAGES, 300))
    assert (len(larger), len(smaller)) == (SAMPLED_USAGES, 300)
    assert {usage.id for usage in smaller} < {usage.id for usage in larger}
