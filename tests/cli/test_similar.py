"""``polyseme similar``: pairs that ``polyseme score usim`` reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from polyseme.cli import app
from polyseme.errors import InputError
from polyseme.formats.files import Blob
from polyseme.formats.usage_pairs import read_pairs
from polyseme.induction.substitution import Substitution
from polyseme.induction.usage_similarity import compare_usages
from polyseme.usage import Usage
from polyseme.vectors.bag_of_words import Bag

TEXTS = ["the bank lends money", "a bank lends money", "the river bank floods", "a river bank floods"]


@pytest.fixture
def usages(tmp_path: Path) -> str:
    lines = [
        {"id": f"u{at}", "lemma": "bank", "text": text, "start": text.index("bank"), "end": text.index("bank") + 4}
        for at, text in enumerate(TEXTS)
    ]
    (tmp_path / "usages.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return str(tmp_path / "usages.jsonl")


def test_pairs_are_written(usages: str, tmp_path: Path) -> None:
    out = tmp_path / "pairs.tsv"
    done = CliRunner().invoke(app, ["similar", "Bag(minimum=1)", usages, "-o", str(out)], catch_exceptions=False)
    assert done.exit_code == 0
    result = {(pair.first, pair.second): pair.similarity for pair in read_pairs(out)}
    assert len(result) == 6
    assert result["u0", "u1"] > result["u0", "u2"]
    assert result["u2", "u3"] > result["u1", "u2"]


def test_pairs_are_printed_as_a_table_or_as_json_lines(usages: str) -> None:
    arguments = ["similar", "Bag(minimum=1)", usages]
    table = CliRunner().invoke(app, arguments, catch_exceptions=False).stdout_bytes
    records = list(map(json.loads, CliRunner().invoke(app, [*arguments, "--json"]).stdout.splitlines()))
    assert records[0] == {"first": "u0", "second": "u1", "similarity": pytest.approx(0.667, abs=0.001), "lemma": "bank"}
    assert [pair._asdict() for pair in read_pairs(Blob("pairs.tsv", table))] == records
    assert len(records) == 6


def test_json_with_a_file_has_its_path_and_count(usages: str, tmp_path: Path) -> None:
    out = str(tmp_path / "pairs.tsv")
    done = CliRunner().invoke(app, ["similar", "Bag(minimum=1)", usages, "-o", out, "--json"], catch_exceptions=False)
    assert json.loads(done.stdout) == {"path": out, "pairs": 6}


@pytest.mark.parametrize(
    "part, out, message",
    [
        ("Bag(minimum=1)", "pairs.csv", "ends in .tsv"),
        ("Bag(minimum=1)", "nowhere/pairs.tsv", "no folder"),
        ("Squares", "pairs.tsv", "makes no vectors"),
        ("Bag(minimum=9)", "pairs.tsv", "cannot be compared"),
    ],
)
def test_what_is_wrong_is_said(usages: str, tmp_path: Path, part: str, out: str, message: str) -> None:
    done = CliRunner().invoke(app, ["similar", part, usages, "-o", str(tmp_path / out)])
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)


def test_a_table_of_texts_leads_to_an_index(tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("id,text\n1,The bank lends money.\n")
    arguments = ["similar", "Bag(minimum=1)", str(tmp_path / "texts.csv"), "-o", str(tmp_path / "pairs.tsv")]
    message = str(CliRunner().invoke(app, arguments).exception)
    assert "the first line names 'id', 'text', but not 'lemma'" in message
    assert "`polyseme index FILE -o my.index`, then `polyseme kwic my.index WORD --json > usages.jsonl`" in message


def test_words_need_an_analyser() -> None:
    with pytest.raises(InputError, match="analyser"):
        list(compare_usages(Bag(), [Usage("1", "bank", "bank", 0, 4)]))


def test_only_calibrated_inducers_have_probabilities() -> None:
    for part in (Bag(), Substitution("a-model", number=2)):
        with pytest.raises(InputError, match="has no probability of the same sense; name Substitution"):
            list(compare_usages(part, [], probability=True))
