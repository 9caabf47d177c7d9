"""The queue: overlap, groups, controls and repeats, training, implied pairs."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import text

from polyseme.errors import InputError
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement
from studio.conftest import Begin, add, answer, answer_all, make_study, page, state

A, B, C = "win.v%a", "win.v%b", "win.v%c"
PER_ITEM = '[overlap]\ndesign = "per item"\njudgements = {}'


def judges(store: Store) -> Counter[str]:
    """How many annotators were given each page, repeats and controls not counted."""
    with store.database.read() as connection:
        query = "SELECT page.name FROM assignment JOIN page ON page.id = assignment.page WHERE assignment.role = ''"
        return Counter(connection.execute(text(query)).scalars())


def test_every_page_has_as_many_judges_as_the_study_says(begin: Begin) -> None:
    store = begin(make_study(overlap=PER_ITEM.format(2)), [page(number) for number in range(1, 8)])
    people = [add(store, name) for name in ("ann", "bob", "cy", "di")]
    while sum(answer(store, who) is not None for who in people):
        pass
    assert set(judges(store).values()) == {2}
    assert len(store.ratings()) == 7 * 2 * 3
    assert all(each.state == "finished" for each in store.annotators())
    assert sum(each.total for each in store.progress()) == 14


def test_concurrent_annotators_do_not_exceed_the_number_of_judges(begin: Begin) -> None:
    pages = [page(number, "Usim") for number in range(1, 25, 2)]
    study = make_study(tasks='a = ["Usim"]', overlap=PER_ITEM.format(3))
    stores = [begin(study, pages) for _ in range(2)]  # as two processes would
    people = [add(stores[0], f"ann{number}") for number in range(8)]
    together = threading.Barrier(len(people))

    def work(who: int) -> int:
        together.wait()
        return len(answer_all(stores[who % 2], who))

    with ThreadPoolExecutor(len(people)) as pool:
        done = list(pool.map(work, people))
    assert sum(done) == 36
    assert set(judges(stores[0]).values()) == {3}
    assert Counter(each.usage for each in stores[1].ratings()) == dict.fromkeys((each.usage for each in pages), 3)


def test_pages_of_paused_annotators_go_to_others(begin: Begin) -> None:
    store = begin(make_study(overlap=PER_ITEM.format(1)), [page(1)])
    ann, bob = add(store, "ann"), add(store, "bob")
    first = store.current_page(ann)
    assert first is not None
    store.record(ann, first.number, [Judgement(A, 2)], request="1")
    store.set_state("ann", "paused", "boss")
    second = store.current_page(bob)
    assert second is not None
    assert second.page == first.page
    assert second.answers.values == {}
    answer_all(store, bob)
    assert [each.annotator for each in store.ratings()] == ["ann", "bob", "bob", "bob"]


def test_annotators_who_continue_take_their_slots_again(begin: Begin) -> None:
    store = begin(make_study(overlap=PER_ITEM.format(1)), [page(1), page(3)])
    ann, bob = add(store, "ann"), add(store, "bob")
    first = store.current_page(ann)
    assert first is not None
    store.set_state("ann", "paused", "boss")
    store.set_state("ann", "active", "boss")
    others = answer_all(store, bob)
    assert [each.page.name for each in others] != [first.page.name], "it has its judge"
    answer_all(store, ann)
    assert set(judges(store).values()) == {1}


def test_one_annotator_judges_everything_and_others_a_share(begin: Begin) -> None:
    overlap = '[overlap]\ndesign = "second"\nshare = 0.25'
    pages = [page(number, lemma=lemma) for lemma in ("win.v", "ask.v") for number in range(1, 9)]
    store = begin(make_study(overlap=overlap), pages)
    ann, bob, cy = (add(store, name) for name in ("ann", "bob", "cy"))
    done: dict[str, list[str]] = {"bob": [], "cy": [], "ann": []}
    names = {bob: "bob", cy: "cy", ann: "ann"}
    waiting = list(names)
    while waiting:
        for who in list(waiting):
            assigned = answer(store, who)
            if assigned is None:
                waiting.remove(who)
            else:
                done[names[who]].append(assigned.page.name)
    assert len(done["ann"]) == 16
    seconds = done["bob"] + done["cy"]
    assert len(seconds) == len(set(seconds)) == 4
    assert Counter(name.split("/")[2].rpartition(".")[0] for name in seconds) == {"win.v": 2, "ask.v": 2}


def test_the_study_can_name_who_judges_everything(begin: Begin) -> None:
    store = begin(
        make_study(overlap='[overlap]\ndesign = "second"\nshare = 0.5\nfirst = "bob"'), [page(n) for n in (1, 3)]
    )
    ann, bob = add(store, "ann"), add(store, "bob")
    assert (len(answer_all(store, ann)), len(answer_all(store, bob))) == (1, 2)


def test_groups_are_balanced_and_order_the_tasks(begin: Begin) -> None:
    study = make_study(tasks='a = ["WSsim", "WSbest"]\nb = ["WSbest", "WSsim"]')
    store = begin(study, [page(1), page(1, "WSbest")])
    people = [add(store, name) for name in ("ann", "bob", "cy")]
    add(store, "boss", kind="manager")
    people.append(add(store, "di"))
    assert [each.group for each in store.annotators()] == ["a", "b", "a", "", "b"]
    orders = [[assigned.page.task for assigned in answer_all(store, who)] for who in people]
    assert orders == [["WSsim", "WSbest"], ["WSbest", "WSsim"]] * 2
    assert {each.group for each in store.ratings()} == {"a", "b"}


@pytest.mark.parametrize(
    "name, group, kind, message",
    [
        ("ann", "", "annotator", "the name 'ann' is in use"),
        ("", "", "annotator", "is empty, or contains extra blanks"),
        (" bob", "", "annotator", "is empty, or contains extra blanks"),
        ("b\nob", "", "annotator", "is empty, or contains extra blanks"),
        ("x" * 101, "", "annotator", "at most 100"),
        ("bob", "z", "annotator", "the study has no group 'z'; its groups: a"),
        ("bob", "a", "manager", "managers have no group"),
        ("bob", "", "king", "'king' is not a kind of user; allowed: annotator, manager"),
    ],
)
def test_wrong_names_groups_and_kinds_are_refused(begin: Begin, name: str, group: str, kind: str, message: str) -> None:
    store = begin(make_study(), [page(1)])
    add(store, "ann")
    with pytest.raises(InputError, match=message):
        store.add_annotator(name, group=group, kind=kind)
    assert len(store.annotators()) == 1


# -- controls, repeats, training, implied pairs ----------------------------------------------------------------------


def test_controls_and_repeats_are_hidden_among_the_others(begin: Begin) -> None:
    settings = '[controls]\nanswers = "c.csv"\nevery = 4\n[repeats]\nshare = 0.2'
    controls = [page(number, role="control", right={A: 5, B: 1, C: 1}) for number in (101, 102)]
    store = begin(make_study(overlap=settings), [*(page(number) for number in range(1, 21)), *controls])
    ann = add(store, "ann")
    assigned = answer_all(store, ann)
    assert Counter(each.role for each in assigned) == {"": 20, "repeat": 4, "control": 2}
    assert len(assigned) == assigned[-1].total == 26
    assert [each.number for each in assigned] == list(range(1, 27))
    assert Counter(each.role for each in store.ratings()) == {"": 60, "repeat": 12, "control": 6}
    names = [each.page.name for each in assigned]
    for repeat in assigned:
        if repeat.role == "repeat":
            assert names.index(repeat.page.name) < repeat.number - 2
            assert repeat.answers.values == {A: 3, B: 3, C: 3}


def begin_training(begin: Begin, attempts: int = 2) -> tuple[Store, int]:
    pages = [page(number, role="training", right={A: 5, B: 1, C: 1}, tolerance=1) for number in (101, 102)]
    study = make_study(overlap=f'[training]\nanswers = "t.csv"\nattempts = {attempts}')
    store = begin(study, [page(1), page(2), *pages])
    return store, add(store, "ann")


def answer_training(store: Store, who: int, values: tuple[int, int, int]) -> None:
    assigned = store.current_page(who)
    assert assigned is not None
    assert assigned.role == "training"
    assert not assigned.feedback
    judgements = [Judgement(target, value) for target, value in zip((A, B, C), values, strict=True)]
    assigned = store.record(who, assigned.number, judgements, request=f"{assigned.number}")
    assert [each.right for each in assigned.feedback] == [5, 1, 1]


def test_training_comes_first_with_feedback(begin: Begin) -> None:
    store, ann = begin_training(begin)
    answer_training(store, ann, (4, 1, 2))
    answer_training(store, ann, (5, 1, 5))
    assigned = answer_all(store, ann)
    assert [(each.role, each.number, each.total) for each in assigned] == [("", 3, 4), ("", 4, 4)]
    assert not assigned[0].feedback
    assert Counter(each.role for each in store.ratings()) == {"training": 6, "": 6}


def test_changed_answers_do_not_pass_the_training(begin: Begin) -> None:
    store, ann = begin_training(begin)
    answer_training(store, ann, (1, 5, 5))
    for target, value in ((A, 5), (B, 1), (C, 1)):
        store.record(ann, store.page_at(ann, 1).number, [Judgement(target, value)], request=f"better {target}")
    answer_training(store, ann, (5, 1, 1))
    answer_training(store, ann, (5, 1, 1))
    answer_training(store, ann, (5, 1, 1))
    assigned = store.current_page(ann)
    assert assigned is not None
    assert (assigned.role, assigned.number) == ("", 5)


def test_annotators_who_fail_the_training_are_paused(begin: Begin) -> None:
    store, ann = begin_training(begin, attempts=2)
    for _ in range(4):
        answer_training(store, ann, (1, 5, 5))
    assert store.current_page(ann) is None
    assert state(store, ann) == "paused"
    assert store.audit_log(1)[0].detail == "the training was not passed"


def test_implied_pairs_are_skipped(begin: Begin) -> None:
    study = make_study(tasks='a = ["Usim"]', overlap='[[rounds]]\nname = "1"\npairs = "triangle"')
    names = "abcde"
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    pages = []
    for one, other in pairs:
        template = page(1, "Usim")
        passages = tuple(replace(template.passages[0], usage=each) for each in (one, other))
        pages.append(replace(template, name=f"1/Usim/{one}/{other}", passages=passages))
    store = begin(study, pages)
    ann, bob = add(store, "ann"), add(store, "bob")
    assert len(answer_all(store, ann, value=5)) == 4
    assert len(answer_all(store, bob, value=3)) == 10
    assert [(each.complete, each.total) for each in store.progress()] == [(4, 4), (10, 10)]
