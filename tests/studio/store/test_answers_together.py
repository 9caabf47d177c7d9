"""Answers of many at once: one transaction, and nobody's error is another's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from studio.conftest import Begin, add, page, right_answers, study_of
from polyseme.errors import InputError
from polyseme.studio.assignment.queue import PageQueue
from polyseme.studio.store import submissions
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import AnswerRequest, PageNotOpen
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import Submission
from polyseme.studio.study.pages import Judgement

A = "win.v%a"
PER_ITEM = '[overlap]\ndesign = "per item"\njudgements = 2'


def rating(value: float, request: str) -> Callable[[AssignedPage], Submission]:
    return lambda _: Submission((Judgement(A, value),), request)


def everything(request: str) -> Callable[[AssignedPage], Submission]:
    return lambda shown: Submission(tuple(right_answers(shown)), request)


@pytest.fixture
def three(begin: Begin) -> tuple[Store, list[int]]:
    """A store with three annotators, each on the first page."""
    store = begin(study_of(), [page(number) for number in range(1, 4)])
    people = [add(store, name) for name in ("ann", "bob", "cy")]
    for who in people:
        store.current_page(who)
    return store, people


def test_results_come_in_the_order_of_what_was_asked(three: tuple[Store, list[int]]) -> None:
    store, people = three
    asked = [AnswerRequest(who, 1, rating(value, f"r{value}")) for value, who in enumerate(reversed(people), start=1)]
    found = store.answer_all(asked)
    assert [shown.answers.values for shown in found if isinstance(shown, AssignedPage)] == [{A: 1}, {A: 2}, {A: 3}]
    assert {event.annotator: event.value for event in store.events()} == {"cy": 1, "bob": 2, "ann": 3}


def test_an_error_is_nobody_elses(three: tuple[Store, list[int]]) -> None:
    store, (ann, bob, cy) = three
    asked = [
        AnswerRequest(ann, 1, rating(9, "a")),
        AnswerRequest(bob, 2, rating(3, "b")),
        AnswerRequest(cy, 1, rating(3, "c")),
    ]
    first, second, third = store.answer_all(asked)
    assert isinstance(first, InputError)
    assert isinstance(second, KeyError)
    assert isinstance(third, AssignedPage)
    assert [event.annotator for event in store.events()] == ["cy"]


def test_what_breaks_one_transaction_is_tried_one_by_one(
    three: tuple[Store, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, (ann, bob, cy) = three
    write = submissions.write_events

    def broken(connection: Any, rows: Any) -> None:
        write(connection, rows)
        if any(row["annotator"] == bob for row in rows):
            raise RuntimeError("after it was written")

    monkeypatch.setattr(submissions, "write_events", broken)
    found = store.answer_all([AnswerRequest(who, 1, rating(3, f"r{who}")) for who in (ann, bob, cy)])
    assert [type(each) for each in found] == [AssignedPage, RuntimeError, AssignedPage]
    assert sorted(event.annotator for event in store.events()) == ["ann", "cy"]


def test_together_they_are_what_they_are_one_by_one(begin: Begin) -> None:
    store = begin(study_of(), [page(number) for number in range(1, 4)])
    people = [add(store, name) for name in ("ann", "bob", "cy", "di")]
    for who in people:
        store.current_page(who)
    store.set_state("di", "paused", "")
    store.answer(people[0], 1, everything("before"))
    asked = [
        AnswerRequest(people[0], 2, rating(4, "a")),  # on the second page
        AnswerRequest(people[1], 1, rating(4, "b")),
        AnswerRequest(people[2], 10**12, rating(4, "c")),  # no such page
        AnswerRequest(people[3], 1, rating(4, "d")),  # paused
    ]
    first, second, third, fourth = store.answer_all(asked)
    assert isinstance(first, AssignedPage)
    assert isinstance(second, AssignedPage)
    assert (first.number, second.number) == (2, 1)
    assert isinstance(third, KeyError)
    assert isinstance(fourth, InputError)
    assert store.answer_all(asked)[:2] == [first, second], "sent again, it changes nothing"
    assert len(list(store.events())) == 3 + 2


def test_a_fault_of_ours_is_not_taken_for_a_page_that_is_not_there(
    three: tuple[Store, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, (ann, bob, _) = three

    def fault(*_: object) -> None:
        raise KeyError("a fault")

    monkeypatch.setattr(PageQueue, "assign_next", fault)
    found = store.answer_all([AnswerRequest(ann, 1, everything("a")), AnswerRequest(bob, 1, rating(3, "b"))])
    assert type(found[0]) is KeyError
    assert isinstance(found[1], AssignedPage)
    assert isinstance(store.answer_all([AnswerRequest(ann, 9, rating(1, "x"))])[0], PageNotOpen)


def test_two_of_one_annotator_are_taken_in_their_order(three: tuple[Store, list[int]]) -> None:
    store, (ann, *_) = three
    first, second = store.answer_all([AnswerRequest(ann, 1, rating(1, "a")), AnswerRequest(ann, 1, rating(5, "b"))])
    assert isinstance(first, AssignedPage)
    assert isinstance(second, AssignedPage)
    assert second.answers.values == {A: 5}
    assert [event.value for event in store.events()] == [1, 5]


def test_many_go_on_at_once_and_none_waits_for_ever(begin: Begin) -> None:
    store = begin(study_of(overlap=PER_ITEM), [page(number) for number in range(1, 25)])
    people = [add(store, f"ann{number}") for number in range(6)]
    for who in people:
        store.current_page(who)
    start = threading.Barrier(2)

    def work(mine: list[int]) -> None:
        """Complete page after page for all of these at once, as one process of the server does."""
        start.wait()
        numbers = dict.fromkeys(mine, 1)
        while numbers:
            asked = [AnswerRequest(who, number, everything(f"{who}-{number}")) for who, number in numbers.items()]
            for who, found in zip(list(numbers), store.answer_all(asked), strict=True):
                if isinstance(found, KeyError):  # no page is left
                    del numbers[who]
                else:
                    assert isinstance(found, AssignedPage), found
                    assert found.complete
                    numbers[who] += 1

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, people[:3]), pool.submit(work, people[::-1][:3])]:
            done.result(timeout=60)
    judged = [(rating.annotator, rating.item) for rating in store.ratings()]
    assert len(judged) == len(set(judged)) == 24 * 2 * 3
    assert len({(annotator, item.usage) for annotator, item in judged}) == 24 * 2
