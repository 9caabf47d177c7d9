"""What is worked out of a running study, in both databases."""

import math

import pytest

pytest.importorskip("sqlalchemy", reason="the studio needs polyseme[annotate]")

from studio.conftest import Begin, add, answer_all, page, study_of
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


def test_everything_is_worked_out(begin: Begin) -> None:
    store = begin(
        study_of(tasks='a = ["WSsim", "Usim", "WSbest", "SYNbest"]'), [page(1), page(1, "Usim"), page(1, "WSbest")]
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
    assert set(overview.care().value) == {"WSsim", "Usim", "WSbest"}
    found = overview.disputed().value
    assert [each.page for each in found["WSsim"]] == ["1/WSsim/win.v.1"] * 3
    assert [each.page for each in found["Usim"]] == ["1/Usim/win.v.1"]
    assert found["WSbest"] == ()


def test_pages_are_found_by_their_items(begin: Begin) -> None:
    store = begin(
        study_of(), [page(1), page(1, round="2"), page(1, "Usim"), page(2, role="control", right={"win.v%a": 5})]
    )
    pair = Item("Usim", "win.v", "win.v.2", "win.v.1")
    sense, absent = Item("WSsim", "win.v", "win.v.1", "win.v%a"), Item("WSsim", "win.v", "win.v.9", "win.v%a")
    assert find_item_pages(store, [sense, pair, absent]) == {sense: "1/WSsim/win.v.1", pair: "1/Usim/win.v.1"}
    assert find_item_pages(store, []) == {}
    assert read_right_answers(store) == {Item("WSsim", "win.v", "win.v.2", "win.v%a"): 5.0}


def test_what_nobody_can_decide_is_expected_as_such(begin: Begin) -> None:
    store = begin(
        study_of(tasks='a = ["Usim"]'), [page(1, "Usim"), page(3, "Usim", role="control", right={"win.v.4": None})]
    )
    assert math.isnan(read_right_answers(store)[Item("Usim", "win.v", "win.v.3", "win.v.4")])


def test_a_dossier_has_all_that_was_said(begin: Begin) -> None:
    store = begin(study_of(), [page(1)])
    ann, boss = add(store, "ann"), add(store, "boss", kind="manager")
    (shown,) = answer_all(store, ann, 2)
    store.record(ann, shown.number, [Judgement("win.v%a", 4)], request="again", comment="hm")
    store.adjudicate(boss, "1/WSsim/win.v.1", [Judgement("win.v%a", 5)], request="d", comment="so")
    found = read_page_history(store, "1/WSsim/win.v.1")
    (given,), (decided,) = found.answers, found.decisions
    assert (given.annotator, given.page_answers.comment) == ("ann", "hm")
    assert given.page_answers.values == {"win.v%a": 4, "win.v%b": 2, "win.v%c": 2}
    assert decided.page_answers == PageAnswers({"win.v%a": 5}, "so")
    assert found.get_decision("boss") == decided.page_answers
    assert found.get_decision("ann") == PageAnswers()
    assert [each.value for each in found.events if each.kind == "rating"] == [2, 2, 2, 4]
    with pytest.raises(KeyError):
        read_page_history(store, "none")
