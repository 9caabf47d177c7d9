"""Options of inducers and of graph parts: allowed values, and the errors of others."""

from typing import Any

import pytest

from polyseme.errors import InputError
from polyseme.graphs.chinese_whispers import ChineseWhispers
from polyseme.induction.link import Link
from polyseme.induction.squares import Squares
from polyseme.induction.uos import UoS
from polyseme.induction.uoy import UoY
from polyseme.parts import build, part_signature, parts_by_name

SHARE, ANY, POSITIVE = "a number from 0 to 1", "0 or more", "1 or more"


@pytest.mark.parametrize(
    "specification, allowed",
    [
        ("Squares(delta=-0.1)", SHARE),
        ("Squares(delta=1.5)", SHARE),
        ("Squares(sigma=2)", SHARE),
        ("Squares(minimum=-1)", ANY),
        ("Link(tau=-1)", ANY),
        ("Link(minimum=-1)", ANY),
        ("Link(passes=0)", POSITIVE),
        ("UoY(p1=-1)", ANY),
        ("UoY(p2=-5)", ANY),
        ("UoY(p3=1.1)", SHARE),
        ("UoY(p4=-0.2)", SHARE),
        ("UoY(sentences=0)", POSITIVE),
        ("UoS(senses=0)", "1 or more, or 'all', or 'wordnet'"),
        ("UoS(top=0)", "1 or more, or 'all'"),
        ("UoS(words=0)", POSITIVE),
        ("UoS(reach=0)", POSITIVE),
        ("UoS(separable=-1)", ANY),
        ("UoS(minimum=-1)", ANY),
        ("ChineseWhispers(rounds=0)", POSITIVE),
        ("SentenceWindow(sentences=0)", POSITIVE),
        ("WordWindow(words=0)", POSITIVE),
    ],
)
def test_values_outside_their_range_are_refused(specification: str, allowed: str) -> None:
    with pytest.raises(InputError) as error:
        build(specification)
    name, options = specification.removesuffix(")").split("(")
    option, value = options.split("=")
    problem, _, rule = str(error.value).partition("; it must be ")
    assert rule == allowed
    assert problem.startswith(f"{name}: {option} is ")
    assert float(problem.rpartition(" ")[2]) == float(value)


def test_values_that_are_no_numbers_are_refused() -> None:
    """Also without ``build``, which checks types."""
    for wrong in (float("nan"), "0.5", None):
        with pytest.raises(InputError, match=r"Squares: delta is .*; it must be a number from 0 to 1"):
            Squares(delta=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "part",
    [
        Squares(delta=0, sigma=1, minimum=0),
        Link(tau=0),
        UoY(p1=0, p2=0, p3=0, p4=1, sentences=1),
        UoS(senses="wordnet", top="all"),
        UoS(senses=1, top=1, words=1, reach=1, separable=0, minimum=0),
        ChineseWhispers(rounds=1),
    ],
)
def test_the_ends_of_a_range_are_allowed(part: Any) -> None:
    assert build(repr(part)) == part


def test_all_values_of_the_grids_are_allowed() -> None:
    for name, part in parts_by_name().items():
        for option, values in getattr(part, "grid", {}).items():
            assert [getattr(part(**{option: value}), option) for value in values] == list(values), part_signature(part)
            assert values, name
