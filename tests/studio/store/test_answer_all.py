"""Answers of many annotators in one transaction: a refused answer does not affect the others."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from polyseme.errors import InputError
from polyseme.studio.assignment.queue import PageQueue
from polyseme.studio.store import submissions
from polyseme.studio.store.assigned_page import AssignedPage
from polyseme.studio.store.page_service import AnswerRequest, PageNotOpen, SubmissionBuilder
from polyseme.studio.store.store import Store
from polyseme.studio.store.submissions import Submission
from polyseme.studio.study.pages import Judgement
from studio.conftest import Begin, add, make_study, page, right_answers

A = "win.v%a"
PER_ITEM = '[overlap]\ndesign = "per item"\njudgements = 2'


def rate(value: float, request: str) -> SubmissionBuilder:
    return lambda _: Submission((Judgement(A, value),), request)


def complete(request: str) -> SubmissionBuilder:
    return lambda assigned: Submission(tuple(right_answers(assigned)), request)


@pytest.fixture
def three(begin: Begin) -> tuple[Store, list[int]]:
    """A store with three annotators, each on the first page."""
    store = begin(make_study(), [page(number) for number in range(1, 4)])
    annotators = [add(store, name) for name in ("ann", "bob", "cy")]
    for annotator in annotators:
        store.current_page(annotator)
    return store, annotators


def test_results_come_in_the_order_of_the_requests(three: tuple[Store, list[int]]) -> None:
    store, annotators = three
    requests = [
        AnswerRequest(annotator, 1, rate(value, f"r{value}"))
        for value, annotator in enumerate(reversed(annotators), start=1)
    ]
    pages = store.answer_all(requests)
    assert [page.answers.values for page in pages if isinstance(page, AssignedPage)] == [{A: 1}, {A: 2}, {A: 3}]
    assert {event.annotator: event.value for event in store.events()} == {"cy": 1, "bob": 2, "ann": 3}


def test_a_refused_answer_does_not_affect_the_others(three: tuple[Store, list[int]]) -> None:
    store, (ann, bob, cy) = three
    requests = [AnswerRequest(ann, 1, rate(9, "a")), AnswerRequest(bob, 2, rate(3, "b"))]
    first, second, third = store.answer_all([*requests, AnswerRequest(cy, 1, rate(3, "c"))])
    assert isinstance(first, InputError)
    assert isinstance(second, PageNotOpen)
    assert isinstance(third, AssignedPage)
    assert [event.annotator for event in store.events()] == ["cy"]


def test_a_batch_that_fails_writes_nothing(three: tuple[Store, list[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    store, (ann, bob, cy) = three
    write = submissions.write_events

    def fail_for_bob(connection: Any, rows: Any) -> None:
        write(connection, rows)
        if any(row["annotator"] == bob for row in rows):
            raise RuntimeError("after it was written")

    monkeypatch.setattr(submissions, "write_events", fail_for_bob)
    with pytest.raises(RuntimeError):
        store.answer_all([AnswerRequest(annotator, 1, rate(3, f"r{annotator}")) for annotator in (ann, bob, cy)])
    assert not list(store.events())
    store.answer_all([AnswerRequest(annotator, 1, rate(3, f"r{annotator}")) for annotator in (ann, cy)])
    assert sorted(event.annotator for event in store.events()) == ["ann", "cy"]


def test_a_batch_equals_single_answers(begin: Begin) -> None:
    store = begin(make_study(), [page(number) for number in range(1, 4)])
    annotators = [add(store, name) for name in ("ann", "bob", "cy", "di")]
    for annotator in annotators:
        store.current_page(annotator)
    store.set_state("di", "paused", "")
    store.answer(annotators[0], 1, complete("before"))
    requests = [
        AnswerRequest(annotators[0], 2, rate(4, "a")),  # on the second page
        AnswerRequest(annotators[1], 1, rate(4, "b")),
        AnswerRequest(annotators[2], 10**12, rate(4, "c")),  # no such page
        AnswerRequest(annotators[3], 1, rate(4, "d")),  # paused
    ]
    first, second, third, fourth = store.answer_all(requests)
    assert isinstance(first, AssignedPage)
    assert isinstance(second, AssignedPage)
    assert (first.number, second.number) == (2, 1)
    assert isinstance(third, PageNotOpen)
    assert isinstance(fourth, InputError)
    assert store.answer_all(requests)[:2] == [first, second], "sent again, it changes nothing"
    assert len(list(store.events())) == 3 + 2


def test_a_fault_of_the_studio_is_not_reported_as_a_page_that_is_not_open(
    three: tuple[Store, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, (ann, *_) = three

    def fail(*_: object) -> None:
        raise KeyError("a fault")

    with monkeypatch.context() as patch:
        patch.setattr(PageQueue, "assign_next", fail)
        with pytest.raises(KeyError, match="a fault") as raised:
            store.answer_all([AnswerRequest(ann, 1, complete("a"))])
        assert type(raised.value) is KeyError
    assert isinstance(store.answer_all([AnswerRequest(ann, 9, rate(1, "x"))])[0], PageNotOpen)


def test_two_answers_of_one_annotator_are_saved_in_their_order(three: tuple[Store, list[int]]) -> None:
    store, (ann, bob, _) = three
    requests = [AnswerRequest(ann, 1, rate(1, "a")), AnswerRequest(bob, 1, rate(2, "b"))]
    first, _, third = store.answer_all([*requests, AnswerRequest(ann, 1, rate(5, "c"))])
    assert isinstance(first, AssignedPage)
    assert isinstance(third, AssignedPage)
    assert (first.answers.values, third.answers.values) == ({A: 1}, {A: 5})
    assert [event.value for event in store.events() if event.annotator == "ann"] == [1, 5]


def test_batches_of_two_processes_never_deadlock(begin: Begin) -> None:
    store = begin(make_study(overlap=PER_ITEM), [page(number) for number in range(1, 25)])
    annotators = [add(store, f"ann{number}") for number in range(6)]
    for annotator in annotators:
        store.current_page(annotator)
    start = threading.Barrier(2)

    def work(own: list[int]) -> None:
        """Complete page after page for all of these at once, as one process of the server does."""
        start.wait()
        numbers = dict.fromkeys(own, 1)
        while numbers:
            requests = [AnswerRequest(who, number, complete(f"{who}-{number}")) for who, number in numbers.items()]
            for annotator, result in zip(list(numbers), store.answer_all(requests), strict=True):
                if isinstance(result, PageNotOpen):  # no page is left
                    del numbers[annotator]
                else:
                    assert isinstance(result, AssignedPage), result
                    assert result.complete
                    numbers[annotator] += 1

    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(work, annotators[:3]), pool.submit(work, annotators[::-1][:3])]:
            job.result(timeout=60)
    judgements = [(rating.annotator, rating.item) for rating in store.ratings()]
    assert len(judgements) == len(set(judgements)) == 24 * 2 * 3
    assert len({(annotator, item.usage) for annotator, item in judgements}) == 24 * 2
