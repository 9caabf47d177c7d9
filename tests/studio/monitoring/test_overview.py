"""The overview of a running study, in both databases."""

import math

import pytest

pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")

from polyseme.rating import Item
from polyseme.studio.monitoring.overview import (
    StudyOverview,
    count_recent_judgements,
    find_item_pages,
    read_last_event,
    read_right_answers,
)
from polyseme.studio.monitoring.page_history import read_page_history
from polyseme.studio.study.pages import Judgement, PageAnswers
from studio.conftest import Begin, add, answer_all, make_study, page


def test_the_overview_computes_every_result(begin: Begin) -> None:
    store = begin(
        make_study(tasks='a = ["WSsim", "Usim", "WSbest", "SYNbest"]'), [page(1), page(1, "Usim"), page(1, "WSbest")]
    )
    overview = StudyOverview(store)
    assert read_last_event(store) == (0, 0)
    assert overview.agreement().value == {}
    assert overview.triangles().value is None
    for name, value in (("ann", 1), ("bob", 5)):
        answer_all(store, add(store, name), value)
    assert count_recent_judgements(store) == {"ann": 5, "bob": 5}
    assert count_recent_judgements(store, days=-1) == {}
    assert list(overview.agreement().value) == ["WSsim", "Usim", "WSbest"]
    assert overview.scale_use().value["Usim"].overall.counts == (1, 0, 0, 0, 1)
    assert set(overview.quality().value) == {"WSsim", "Usim", "WSbest"}
    disputed = overview.disputed().value
    assert [each.page for each in disputed["WSsim"]] == ["1/WSsim/win.v.1"] * 3
    assert [each.page for each in disputed["Usim"]] == ["1/Usim/win.v.1"]
    assert disputed["WSbest"] == ()


def test_items_are_found_on_their_pages(begin: Begin) -> None:
    store = begin(
        make_study(), [page(1), page(1, round="2"), page(1, "Usim"), page(2, role="control", right={"win.v%a": 5})]
    )
    pair = Item("Usim", "win.v", "win.v.2", "win.v.1")
    sense, absent = Item("WSsim", "win.v", "win.v.1", "win.v%a"), Item("WSsim", "win.v", "win.v.9", "win.v%a")
    assert find_item_pages(store, [sense, pair, absent]) == {sense: "1/WSsim/win.v.1", pair: "1/Usim/win.v.1"}
    assert find_item_pages(store, []) == {}
    assert read_right_answers(store) == {Item("WSsim", "win.v", "win.v.2", "win.v%a"): 5.0}


def test_cannot_decide_is_a_right_answer(begin: Begin) -> None:
    store = begin(
        make_study(tasks='a = ["Usim"]'), [page(1, "Usim"), page(3, "Usim", role="control", right={"win.v.4": None})]
    )
    assert math.isnan(read_right_answers(store)[Item("Usim", "win.v", "win.v.3", "win.v.4")])


def test_the_history_of_a_page_has_all_events(begin: Begin) -> None:
    store = begin(make_study(), [page(1)])
    ann, boss = add(store, "ann"), add(store, "boss", kind="manager")
    (assigned,) = answer_all(store, ann, 2)
    store.record(ann, assigned.number, [Judgement("win.v%a", 4)], request="again", comment="hm")
    store.adjudicate(boss, "1/WSsim/win.v.1", [Judgement("win.v%a", 5)], request="d", comment="so")
    history = read_page_history(store, "1/WSsim/win.v.1")
    (answers,), (decision,) = history.answers, history.decisions
    assert (answers.annotator, answers.page_answers.comment) == ("ann", "hm")
    assert answers.page_answers.values == {"win.v%a": 4, "win.v%b": 2, "win.v%c": 2}
    assert decision.page_answers == PageAnswers({"win.v%a": 5}, "so")
    assert history.get_decision("boss") == decision.page_answers
    assert history.get_decision("ann") == PageAnswers()
    assert [each.value for each in history.events if each.kind == "rating"] == [2, 2, 2, 4]
    with pytest.raises(KeyError):
        read_page_history(store, "none")
