"""The second walk of docs/explanation/architecture.md: a judgement, from a click to gold."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from polyseme.agreement.overview import measure_agreement
from polyseme.gold.rule import Gold
from walks import read_walk, record_calls

ANSWERS = {"rating1": ["2"], "rating2": ["5"], "rating3": ["1"], "rating4": ["1"]}


def test_a_judgement_walks_from_a_click_to_gold(studio: Any, visit: Any) -> None:
    walk = read_walk("A judgement: from a click to gold")
    store = studio("WSsim")
    ann, bea = visit(store), visit(store, name="bea")
    bea.answer(1, ANSWERS)
    ann.get("/page/1")
    with record_calls(walk) as calls:
        assert ann.answer(1, ANSWERS).status_code == 200
        ratings = store.ratings()
        measure_agreement(ratings)
        gold = Gold()(ratings)
    assert calls == walk, "\n".join(calls)
    assert gold.top()
