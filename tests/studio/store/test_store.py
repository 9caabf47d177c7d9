"""The store: every answer is stored once, and only for its own annotator."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from polyseme.errors import InputError
from polyseme.studio.store.page_service import PageService
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement, Page
from studio.conftest import Begin, add, answer, answer_all, make_study, page, right_answers, state

A, B, C = "win.v%a", "win.v%b", "win.v%c"
FOUR = 'a = ["WSsim", "Usim", "WSbest", "SYNbest"]'


def four_tasks() -> list[Page]:
    return [page(number, task) for task in ("WSsim", "Usim", "WSbest", "SYNbest") for number in (1, 3)]


def test_an_annotator_answers_a_whole_study(begin: Begin) -> None:
    store = begin(make_study(tasks=FOUR), four_tasks())
    ann = add(store, "ann")
    assert state(store, ann) == "invited"
    pages = answer_all(store, ann)
    assert [each.number for each in pages] == list(range(1, 9))
    assert [each.page.task for each in pages] == [task for task in ("WSsim", "Usim", "WSbest", "SYNbest") for _ in "12"]
    assert all(each.complete and each.total == 8 for each in pages)
    assert store.current_page(ann) is None
    assert state(store, ann) == "finished"
    ratings = store.ratings()
    assert Counter(each.task for each in ratings) == {"WSsim": 6, "Usim": 2, "WSbest": 2, "SYNbest": 2}
    assert {(each.annotator, each.group, each.round, each.role) for each in ratings} == {("ann", "a", "1", "")}
    assert sorted({each.order for each in ratings if each.order}) == list(range(1, 9))


def test_the_same_study_can_begin_again_and_another_cannot(begin: Begin, database: str) -> None:
    study, pages = make_study(), [page(1), page(2)]
    begin(study, pages)
    store = begin(replace(study, title="Other", source=study.source.replace("Test", "Other")), pages)
    assert store.study.title == "Other"
    assert [entry.action for entry in store.audit_log()] == ["the text of the study was changed"]
    assert list(store.pages()) == pages
    assert store.page(pages[1].name) == pages[1]
    for other, content in ((replace(study, seed=9), pages), (study, pages[:1])):
        with pytest.raises(InputError, match="another study has begun here, or this one has changed"):
            begin(other, content)
    again = Store.open(database)
    assert again.has_study
    again.close()


def test_a_store_without_a_study(database: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="polyseme annotate serve"):
        Store.open(database)
    store = Store.open(database, create=True)
    assert not store.has_study
    with pytest.raises(InputError, match="no study has begun here"):
        store.add_annotator("ann")
    store.close()
    with pytest.raises(InputError, match="the folder does not exist"):
        Store.open(f"sqlite:///{tmp_path}/nowhere/x.db", create=True)


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "postgresql://", "nonsense://"])
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="is not a store"):
        Store.open(url, create=True)


def test_an_unreachable_server_is_reported() -> None:
    with pytest.raises(InputError, match="the database cannot be opened"):
        Store.open("postgresql://nobody@127.0.0.1:1/nothing")


# -- recording -------------------------------------------------------------------------------------------------------


@pytest.fixture
def wssim(begin: Begin) -> tuple[Store, int, int]:
    """A store, an annotator, and the number of their first page."""
    store = begin(make_study(), [page(1), page(2)])
    ann = add(store, "ann")
    assigned = store.current_page(ann)
    assert assigned is not None
    return store, ann, assigned.number


def test_every_click_is_stored_and_the_last_counts(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    assigned = store.record(
        ann, first, [Judgement(A, 3)], request="1", milliseconds=900, client_time="2026-01-01T10:00:00Z"
    )
    assert (dict(assigned.answers.values), assigned.complete, len(assigned.missing)) == ({A: 3}, False, 2)
    assert store.record(ann, first, [Judgement(A, 4)], request="2").answers.values == {A: 4}
    assert store.record(ann, first, [Judgement(B, 1), Judgement(C, 1)], request="3").complete
    assert [(each.target, each.value) for each in store.ratings()] == [(A, 4), (B, 1), (C, 1)]
    assert [(each.target, each.value) for each in store.ratings(all_events=True)] == [(A, 3), (A, 4), (B, 1), (C, 1)]
    event = next(store.events())
    assert (event.annotator, event.target, event.value, event.milliseconds) == ("ann", A, 3, 900)
    assert (event.client_time, event.number, event.task, event.kind) == ("2026-01-01T10:00:00Z", 1, "WSsim", "rating")


def test_a_submission_that_is_sent_again_changes_nothing(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    store.record(ann, first, [Judgement(A, 3)], request="1", comment="hm")
    store.record(ann, first, [Judgement(A, 5)], request="2")
    before = list(store.events())
    assigned = store.record(ann, first, [Judgement(A, 3)], request="1", comment="hm")
    assert list(store.events()) == before
    assert assigned.answers.values == {A: 5}


def test_an_edited_form_is_a_new_submission(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    store.record(ann, first, [Judgement(A, 3)], request="1")
    assert store.record(ann, first, [Judgement(A, 4)], request="1").answers.values == {A: 4}


def test_comments_and_invalid_usages_are_stored_and_withdrawn(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    store.record(ann, first, [Judgement(A, 3)], request="1", comment="", invalid="")
    assert len(list(store.events())) == 1
    assigned = store.record(ann, first, [], request="2", comment="🙂 <b>مرحبا</b>", invalid="unclear")
    assert (assigned.complete, assigned.answers.comment, assigned.answers.invalid) == (
        True,
        "🙂 <b>مرحبا</b>",
        "unclear",
    )
    assert len(store.ratings()) == 0
    assert [(each.comment, each.target) for each in store.ratings(all_events=True)] == [("🙂 <b>مرحبا</b>", A)]
    assert [(each.annotator, each.text) for each in store.invalid_usages()] == [("ann", "unclear")]
    assigned = store.record(ann, first, [], request="3", invalid="")
    assert (assigned.complete, assigned.answers.invalid, assigned.answers.comment) == (False, "", "🙂 <b>مرحبا</b>")
    assert not store.invalid_usages()
    assert [each.comment for each in store.ratings()] == ["🙂 <b>مرحبا</b>"]


def test_bad_input_stores_nothing(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    bad: list[Callable[[], object]] = [
        lambda: store.record(ann, first, [Judgement(A, 3), Judgement(B, 9)], request="1"),
        lambda: store.record(ann, first, [Judgement(A, 3), Judgement("x", 3)], request="1"),
        lambda: store.record(ann, first, [Judgement(A, 3)], request=""),
        lambda: store.record(ann, first, [Judgement(A, 3)], request="x" * 101),
        lambda: store.record(ann, first, [Judgement(A, 3)], request="1", comment="x" * 10_001),
        lambda: store.record(ann, first, [Judgement(A, 3)], request="1", comment="\0"),
        lambda: store.record(ann, first, [Judgement(A, 3)], request="1", milliseconds=-1),
    ]
    for call in bad:
        with pytest.raises(InputError):
            call()
    assert not list(store.events())
    assert store.record(ann, first, [Judgement(A, 3)], request="1", milliseconds=10**12).answers.values == {A: 3}


def test_users_cannot_answer_pages_of_others(begin: Begin) -> None:
    store = begin(make_study(), [page(1), page(2)])
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer(store, ann)
    store.current_page(ann)
    store.current_page(bob)
    before = list(store.events())
    for annotator, number in ((bob, 2), (ann, 999), (999, 1), (boss, 1)):
        with pytest.raises(KeyError):
            store.record(annotator, number, [Judgement(A, 3)], request="1")
    assert list(store.events()) == before
    assert store.current_page(boss) is None
    for number in (0, 3, -1, 999):
        with pytest.raises(KeyError):
            store.page_at(ann, number)
    with pytest.raises(KeyError):
        store.current_page(999)


def test_annotators_can_revise_earlier_pages_but_not_skip_ahead(begin: Begin) -> None:
    store = begin(make_study(tasks='a = ["WSbest"]'), [page(number, "WSbest") for number in (1, 2, 3)])
    ann = add(store, "ann")
    answer(store, ann)
    answer(store, ann)
    first, third = store.page_at(ann, 1), store.current_page(ann)
    assert third is not None
    assert (third.number, first.complete) == (3, True)
    with pytest.raises(KeyError):
        store.page_at(ann, 4)
    assigned = store.record(ann, first.number, [Judgement(A, 0)], request="withdrawn")
    assert (assigned.complete, assigned.missing) == (False, ["Choose the meaning that fits best."])
    now = store.current_page(ann)
    assert now is not None
    assert now.number == 1
    with pytest.raises(KeyError):
        store.page_at(ann, 3)
    with pytest.raises(KeyError):
        store.record(ann, third.number, [Judgement(B, 1)], request="early")
    store.record(ann, first.number, [Judgement(C, 1)], request="other")
    store.record(ann, third.number, [Judgement(B, 1)], request="late")
    assert store.current_page(ann) is None
    assert [(rating.order, rating.target) for rating in store.ratings()] == [(2, A), (1, C), (3, B)]


def test_a_paused_annotator_saves_nothing_until_resumed(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    store.set_state("ann", "paused", "boss")
    with pytest.raises(InputError, match="your work is paused"):
        store.record(ann, first, [Judgement(A, 3)], request="1")
    store.set_state("ann", "active", "boss")
    assert store.record(ann, first, [Judgement(A, 3)], request="1").answers.values == {A: 3}
    assert [(entry.user, entry.action) for entry in store.audit_log()][:2] == [
        ("boss", "resumed ann"),
        ("boss", "paused ann"),
    ]
    with pytest.raises(InputError, match="'dead' is not a state"):
        store.set_state("ann", "dead", "boss")
    with pytest.raises(InputError, match="has no annotator or manager 'eve'"):
        store.set_state("eve", "paused", "boss")


def test_answers_can_be_changed_after_the_end(begin: Begin) -> None:
    store = begin(make_study(), [page(1)])
    ann = add(store, "ann")
    answer_all(store, ann)
    assigned = store.page_at(ann, 1)
    store.record(ann, assigned.number, [Judgement(A, 5)], request="late")
    assert (state(store, ann), store.current_page(ann)) == ("finished", None)
    assert next(each.value for each in store.ratings() if each.target == A) == 5


# -- events are append-only ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", ["UPDATE event SET value = 1", "DELETE FROM event", "UPDATE page SET lemma = ''"])
def test_events_and_pages_cannot_be_changed(wssim: tuple[Store, int, int], statement: str) -> None:
    store, ann, first = wssim
    store.record(ann, first, [Judgement(A, 3)], request="1")
    before = list(store.events())
    with pytest.raises(DBAPIError, match="is append-only"), store.database.write() as connection:
        connection.execute(text(statement))
    assert list(store.events()) == before


def test_events_cannot_be_replaced_or_truncated(wssim: tuple[Store, int, int]) -> None:
    store, ann, first = wssim
    store.record(ann, first, [Judgement(A, 3)], request="1")
    before = list(store.events())
    way = "TRUNCATE event" if store.database.is_postgresql else "REPLACE INTO event SELECT * FROM event"
    with pytest.raises(DBAPIError, match="is append-only"), store.database.write() as connection:
        connection.execute(text(way))
    assert list(store.events()) == before


def test_a_transaction_that_fails_stores_nothing(
    wssim: tuple[Store, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, ann, first = wssim

    def broken(*_: object) -> None:
        raise RuntimeError("the power went")

    with monkeypatch.context() as patch:
        patch.setattr("polyseme.studio.store.submissions.mark_completeness", broken)
        with pytest.raises(RuntimeError):
            store.record(ann, first, right_answers(store.page_at(ann, 1)), request="1")
    assert not list(store.events())
    assert answer(store, ann) is not None
    assert len(store.ratings()) == 3


def test_a_page_whose_assignment_failed_is_assigned_again(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    store = begin(make_study(), [page(number) for number in range(1, 6)])
    ann = add(store, "ann")
    answer(store, ann)
    with monkeypatch.context() as patch:
        patch.setattr(PageService, "advance", lambda *_: (_ for _ in ()).throw(RuntimeError("the power went")))
        with pytest.raises(RuntimeError):
            answer(store, ann)
    assigned = answer_all(store, ann)
    assert [each.number for each in assigned] == [2, 3, 4, 5]
    assert len({each.page.name for each in assigned}) == 4


# -- results ---------------------------------------------------------------------------------------------------------


def test_progress_counts_pages_judgements_and_time(begin: Begin) -> None:
    store = begin(make_study(), [page(number) for number in range(1, 5)])
    ann, _ = add(store, "ann"), add(store, "bob")
    add(store, "boss", kind="manager")
    for number, took in enumerate((1000, 3000, 9000), start=1):
        assigned = store.current_page(ann)
        assert assigned is not None
        store.record(ann, assigned.number, right_answers(assigned), request=f"{number}", comment="c", milliseconds=took)
    mine, theirs = store.progress()
    assert (mine.annotator, mine.complete, mine.total, mine.judgements, mine.comments) == ("ann", 3, 4, 9, 3)
    assert (mine.seconds, mine.state, mine.started <= mine.last) == (3.0, "active", True)
    assert (theirs.complete, theirs.total, theirs.state, theirs.started) == (0, 4, "invited", "")
    assert theirs.seconds != theirs.seconds


def test_adjudication_adds_judgements_and_deletes_none(begin: Begin) -> None:
    store = begin(make_study(), [page(1)])
    ann, boss = add(store, "ann"), add(store, "boss", kind="manager")
    answer_all(store, ann)
    before, name = store.ratings(), next(store.pages()).name
    with pytest.raises(PermissionError):
        store.adjudicate(ann, name, [Judgement(A, 1)], request="1")
    with pytest.raises(KeyError):
        store.adjudicate(boss, "nothing", [Judgement(A, 1)], request="1")
    assert store.adjudicate(boss, name, [Judgement(A, 1)], request="1", comment="so it is").values == {A: 1}
    assert store.adjudicate(boss, name, [Judgement(A, 2)], request="2").values == {A: 2}
    assert store.ratings() == before
    assert [(each.annotator, each.target, each.value, each.comment) for each in store.adjudications()] == [
        ("boss", A, 2, "so it is")
    ]
    assert store.current_page(boss) is None
    with pytest.raises(KeyError):
        store.page_at(boss, 1)
    assert store.progress()[0].judgements == 3


# -- backups ---------------------------------------------------------------------------------------------------------


def test_a_backup_of_a_running_store_can_be_opened(begin: Begin, tmp_path: Path) -> None:
    store = begin(make_study(), [page(number) for number in range(1, 30)])
    ann = add(store, "ann")
    answer(store, ann)
    copy = tmp_path / "copy.db"
    if store.database.is_postgresql:
        with pytest.raises(InputError, match="pg_dump"):
            store.backup(copy)
        return
    with ThreadPoolExecutor(2) as pool:
        working = pool.submit(answer_all, store, ann)
        pool.submit(store.backup, copy).result()
        working.result()
    with pytest.raises(InputError, match="this file exists"):
        store.backup(copy)
    restored = Store.open(str(copy))
    whole, part = list(store.events()), list(restored.events())
    assert part == whole[: len(part)]
    assert 3 <= len(part) <= len(whole) == 87
    assert len(part) % 3 == 0
    answer_all(restored, ann)
    assert len(restored.ratings()) == 87
    restored.close()


def test_contents_restore_the_same_store(begin: Begin, tmp_path: Path) -> None:
    store = begin(make_study(tasks=FOUR), four_tasks())
    ann, bob = add(store, "ann"), add(store, "bob")
    answer_all(store, ann)
    answer(store, bob)
    contents = store.contents()
    assert not {"password", "invitation"} & contents["annotator"][0].keys()
    other = Store.open(str(tmp_path / "other.db"), create=True)
    other.restore(contents)
    assert list(other.events()) == list(store.events())
    assert (other.ratings(), other.study) == (store.ratings(), store.study)
    assert list(other.pages()) == list(store.pages())
    assert len(answer_all(other, bob)) == 7
    with pytest.raises(InputError, match="a study has begun in this store"):
        other.restore(contents)
    other.close()


def test_contents_of_a_file_can_be_restored_elsewhere(begin: Begin, tmp_path: Path, database: str) -> None:
    file = begin(make_study(), [page(1), page(2)], f"sqlite:///{tmp_path / 'first.db'}")
    ann = add(file, "ann")
    answer(file, ann)
    store = Store.open(database, create=True)
    store.restore(file.contents())
    assert store.ratings() == file.ratings()
    assert len(answer_all(store, ann)) == 1
    add(store, "bob")
    store.close()


def test_commits_are_durable(begin: Begin) -> None:
    store = begin(make_study(), [page(1)])
    if store.database.file is None:
        with store.database.write() as connection:
            assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"
        return
    with store.database.write() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2}
    with closing(sqlite3.connect(store.database.file)) as other:
        assert other.execute("SELECT count(*) FROM page").fetchone() == (1,)
