"""The one registry."""

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyseme import parts
from polyseme.baselines import RandomClusters
from polyseme.errors import InputError
from polyseme.induction.pipeline import Pipeline
from polyseme.measures.bcubed import FuzzyBCubed
from polyseme.measures.detection import Jaccard
from polyseme.parts import build, part_signature, parts_by_name, relocate_folders, short_specification
from polyseme.vectors.encoders import TokenEncoder


@pytest.mark.parametrize(
    "specification, part",
    [
        ("Jaccard", Jaccard()),
        ("Jaccard()", Jaccard()),
        ("  Jaccard ( )\n", Jaccard()),
        ("FuzzyBCubed(variant='paper')", FuzzyBCubed("paper")),
        ('FuzzyBCubed("paper", outside=False)', FuzzyBCubed("paper", False)),
        ("RandomClusters(seed=-3)", RandomClusters(seed=-3)),
        ("jaccard", Jaccard()),
        ("FUZZYbCubed('paper')", FuzzyBCubed("paper")),
    ],
)
def test_build(specification: str, part: object) -> None:
    assert build(specification) == part


def test_every_part_is_what_its_signature_says() -> None:
    assert {part.kind for part in parts_by_name().values()} == {
        "analyser",
        "association",
        "annotators",
        "baseline",
        "clusterer",
        "clustering",
        "disambiguator",
        "embedding",
        "gold",
        "grader",
        "graph",
        "inducer",
        "mapping",
        "measure",
        "number",
        "representation",
        "substituter",
        "task",
        "window",
    }
    for name, part in parts_by_name().items():
        assert build(name) == build(part_signature(part)) == build(repr(part())) == part()


def test_parts_are_found_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is registered by hand: whatever a module of a stage holds is there."""

    @dataclasses.dataclass(frozen=True)
    class Both:
        first: object = None
        second: object = None
        kind = "measure"

    monkeypatch.setattr(parts, "parts_by_name", lambda: {"Both": Both, "Jaccard": Jaccard})
    assert build("Both(Jaccard, second=Both(first=[1, (2, 'x')]))") == Both(Jaccard(), Both([1, (2, "x")]))


def test_letters_matter_where_two_parts_differ_in_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "parts_by_name", lambda: {"JACCARD": RandomClusters, "Jaccard": Jaccard})
    assert build("Jaccard") == Jaccard()
    assert build("JACCARD") == RandomClusters()
    with pytest.raises(InputError, match="there is no part 'jaccard'; did you mean Jaccard"):
        build("jaccard")


@pytest.mark.parametrize(
    "specification, message",
    [
        ("Jacard", "there is no part 'Jacard'; did you mean Jaccard"),
        ("FuzyNmi()", "did you mean FuzzyNMI"),
        ("jaccard(delta=1)", "Jaccard has no option 'delta'; it has: none"),
        ("Zzzzzz", "there is no part 'Zzzzzz'; type 'polyseme parts' for the list. A part of your own must"),
        ("Jaccard(delta=1)", "Jaccard has no option 'delta'; it has: none"),
        ("FuzzyBCubed(varient='paper')", "FuzzyBCubed has no option 'varient'; did you mean 'variant'"),
        ("FuzzyBCubed(**{'variant': 'paper'})", r"no option '\*\*'"),
        ("Jaccard(1)", r"'Jaccard\(1\)'"),
        ("FuzzyBCubed('paper', variant='paper')", "multiple values"),
        ("", "'' is not a part"),
        ("Jaccard(", "is not a part: write Name or Name"),
        ("Jaccard; MFS", "is not a part"),
        ("x = 1", "is not a part"),
        ("Jaccard(" * 500, "is not a part"),
        ("\0", "is not a part"),
    ],
)
def test_what_cannot_be_built(specification: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(specification)


@pytest.mark.parametrize("specification", ["1", "'Jaccard'", "[Jaccard]", "None", "{}"])
def test_a_plain_value_is_not_a_part(specification: str) -> None:
    with pytest.raises(InputError):
        build(specification)


@pytest.mark.parametrize(
    "specification", ["Ksim(variant='offical')", "FuzzyNMI(outside='no')", "RandomClusters(clusters='many')"]
)
def test_an_option_has_a_value_of_its_type(specification: str) -> None:
    """A slip in a value must not quietly choose another variant."""
    with pytest.raises(InputError):
        build(specification)


@pytest.mark.parametrize(
    "specification",
    [
        "__import__('os').system('touch owned')",
        "__import__('os')",
        "open('owned', 'w')",
        "Jaccard(open('owned', 'w'))",
        "(lambda: open('owned', 'w'))()",
        "[open('owned', 'w') for _ in [1]]",
        "Jaccard.__class__",
        "Jaccard().__init__.__globals__",
        "RandomClusters(seed=10**10**10)",
        "RandomClusters(seed=().__class__)",
        "f'{open(chr(111))}'",
        "(x := Jaccard)",
        "Jaccard if True else MFS",
    ],
)
def test_only_names_and_literals_are_read(specification: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        build(specification)
    assert not list(tmp_path.iterdir())


def test_a_part_of_the_wrong_kind() -> None:
    assert build("MFS", "baseline") == build("MFS")
    with pytest.raises(InputError, match="'MFS' is not a mapping; allowed are Agirre, "):
        build("MFS", "mapping")


@pytest.mark.parametrize(
    "specification",
    ["RandomClusters(clusters=4, clusters=5)", "MelamedResnik('mixed', hierarchy=3)", "GoodmanKruskal(inventory=5)"],
)
def test_an_option_given_twice_or_of_another_kind(specification: str) -> None:
    with pytest.raises(InputError):
        build(specification)


def test_a_part_that_is_no_dataclass_is_described_by_its_repr() -> None:
    assert short_specification(Path("mine")) == repr(Path("mine"))


def test_no_two_parts_have_the_same_name() -> None:
    """One of them would be hidden: parts are asked for by name alone."""
    every = [
        part for module in parts._import_modules() for part in vars(module).values() if parts._is_part(part, module)
    ]
    names = Counter(part.__name__ for part in every)
    assert [name for name, times in names.items() if times > 1] == []


MADE_OF = [name for name, part in parts_by_name().items() if part.__module__.startswith("polyseme.induction.")]
"""What models are made of: they are saved with its specification."""


@pytest.mark.parametrize("name", MADE_OF)
def test_scalars_of_numpy_are_those_of_python(name: str) -> None:
    part = parts_by_name()[name]
    plain = {option.name: option.default for option in dataclasses.fields(part) if not_a_part(option.default)}
    rebuilt = part(**{option: np.array(value)[()] for option, value in plain.items()})
    assert [type(getattr(rebuilt, option)) for option in plain] == [type(value) for value in plain.values()]
    assert repr(rebuilt) == repr(part())
    assert build(repr(rebuilt)) == part()


def not_a_part(value: Any) -> bool:
    return isinstance(value, bool | int | float | str)


def test_folders_in_parts() -> None:
    """Only options that are declared to name a folder; in parts inside too."""
    pipeline = Pipeline(TokenEncoder("here", layer=-2), on="corpus")
    assert relocate_folders(pipeline, lambda name: f"there/{name}") == Pipeline(
        TokenEncoder("there/here", layer=-2), on="corpus"
    )
    assert relocate_folders(build("AIKU(lm='corpus')"), str.upper) == build("AIKU(lm='corpus')")
    assert relocate_folders(build("AIKU"), lambda _: "there") == build("AIKU"), "nothing is named"
    for part in parts_by_name().values():
        assert relocate_folders(part(), str) == part()


@pytest.mark.parametrize("value", ["1" + "0" * 400, "-" * 2000 + "1"])
def test_what_is_too_large_or_too_deep_is_an_error_in_words(value: str) -> None:
    with pytest.raises(InputError, match="is not a part"):
        build(f"UoY(p2={value})")
