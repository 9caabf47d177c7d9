"""The model that is shipped, for real: it is small, works without PyTorch and a network, and induces senses."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import polyseme as ps
from polyseme.induction.substitution import Substitution
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL, load_masked_model, locate_model
from polyseme.lm.masked import MaskedLM
from polyseme.measures.partitions import VMeasure
from polyseme.models import load_model
from polyseme.usage import Usage

pytest.importorskip("polyseme_small", reason="the small model is not installed; type: pip install ./models/small")

MONEY = """the bank lent him the money for his house
the bank refused to give the company another loan
she opened an account at the bank and deposited her wages
the bank raised its interest rates again last month
he works as a cashier at a bank in the city
the bank will charge a fee for every overdraft
two men robbed the bank and took all the cash
the bank announced heavy losses on its mortgages""".splitlines()

RIVER = """they sat on the bank of the river and fished
the boat ran aground on the muddy bank of the stream
willows grew along the bank of the river
he swam across and climbed up the far bank
the river rose over its bank and flooded the fields
we walked along the grassy bank of the canal
a heron stood in the reeds by the bank
they moored the boat to the left bank of the river""".splitlines()


def usages() -> list[Usage]:
    drawn = []
    for sense, texts in (("money", MONEY), ("river", RIVER)):
        for at, text in enumerate(texts):
            start = text.index("bank")
            drawn.append(Usage(f"{sense}.{at}", "bank.n", text, start, start + 4))
    return drawn


def gold() -> Labelling:
    names = [usage.id for usage in usages()]
    return Labelling.hard(names, [name.partition(".")[0] for name in names], lemma="bank.n")


def test_it_is_small() -> None:
    files = [path for path in Path(locate_model(SMALL_MODEL)).rglob("*") if path.suffix in (".onnx", ".json")]
    assert {path.name for path in files} == {"model.onnx", "tokenizer.json", "config.json"}
    assert sum(path.stat().st_size for path in files) < 64_000_000


def test_it_needs_neither_torch_nor_a_network() -> None:
    code = f"""
import socket, sys
def refuse(*arguments, **options):
    raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refuse
from polyseme.lm.masked import MaskedLM
from polyseme.usage import Usage
found = MaskedLM({SMALL_MODEL!r}, own=False).substitutes([Usage("1", "bank.n", "The bank raised its rates.", 4, 8)], 5)
assert len(found[0]) == 5
assert not {{"torch", "transformers"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_substitutes_are_of_the_sense() -> None:
    part = MaskedLM(SMALL_MODEL, own=False, lemmas=True, pattern="T and _")
    one, other = (set(each.words) for each in part.substitutes([usages()[0], usages()[8]], 50))
    assert {"lender", "company", "mortgage", "credit", "broker", "insurance", "loan", "treasury"} & (one - other)
    assert {"river", "shore", "stream", "water", "bridge", "lake", "pond", "shoreline", "bush"} & (other - one)


def test_substitutes_are_reproducible_and_hardly_depend_on_the_batch() -> None:
    part = MaskedLM(SMALL_MODEL, own=False, lemmas=True, pattern="T and _")
    first, again = part.substitutes(usages(), 20), part.substitutes(usages(), 20)
    assert [each.words for each in first] == [each.words for each in again]
    assert all((one.probabilities == other.probabilities).all() for one, other in zip(first, again, strict=True))
    alone = part.substitutes(usages()[:1], 20)[0]
    assert len(set(alone.words) & set(first[0].words)) >= 17


def test_senses_are_induced_and_described(tmp_path: Path) -> None:
    part = Substitution(number=2, smallest=2)
    model = part.fit(usages(), ["bank.n"], usages=usages())
    labels = model.label(usages())
    assert VMeasure()(gold(), labels.top()).only("score").figure() > 0.6
    descriptions = [[word for word, _ in sense.features[:10]] for sense in model.inventory["bank.n"]]
    assert not set(descriptions[0][:5]) & set(descriptions[1][:5])
    model.save(tmp_path / "model")
    new = Usage("new", "bank.n", "The bank of the stream was steep and muddy.", 4, 8)
    assert load_model(tmp_path / "model").label([new]) == model.label([new])
    river = max(model.label([new])["new"].items(), key=lambda pair: pair[1])[0]
    most = [next(iter(labels.top()[f"river.{at}"])) for at in range(8)]
    assert river == max(set(most), key=most.count)


def test_tokens_and_length_are_those_of_the_configuration() -> None:
    model = load_masked_model(SMALL_MODEL)
    assert model.max_tokens == 128
    assert {"bank", "the", "river"} <= set(model.words.words)
    assert model.special_tokens.mask is not None


def test_the_card_describes_the_version_of_the_weights(root: Path) -> None:
    project = tomllib.loads((root / "models" / "small" / "pyproject.toml").read_text("utf-8"))["project"]
    card = (root / "docs" / "models" / "small.md").read_text("utf-8")
    assert f"describes version {project['version']} of the weights" in card
    assert f"| version | {project['version']}, package `{project['name']}`" in card


def test_half_of_a_character_is_read_as_an_unknown_one() -> None:
    half, unknown = (Usage(end, "bank.n", f"the bank {end}", 4, 8) for end in ("\ud800", "\ufffd"))
    assert ps.similarity(half, unknown) == pytest.approx(1)
