"""The second walk of docs/architecture.md: a judgement, from a click to gold."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from polyseme.agreement.overview import measure_agreement
from polyseme.gold.rule import Gold
from walks import read_walk, record_calls

ANSWERS = {"rating1": "2", "rating2": "5", "rating3": "1", "rating4": "1"}


def test_a_judgement_walks_from_a_click_to_gold(studio: Any, visit: Any) -> None:
    walk = read_walk("A judgement: from a click to gold")
    store = studio("WSsim")
    first, second = visit(store), visit(store, name="bea")
    second.send("/page/1", **ANSWERS)
    with record_calls(walk) as calls:
        first.send("/page/1", **ANSWERS)
        ratings = store.ratings()
        measure_agreement(ratings)
        gold = Gold()(ratings)
    assert calls == walk, "\n".join(calls)
    assert gold.top()
