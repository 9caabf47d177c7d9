"""Invitation links, passwords, sessions, and the limit on failed logins."""

from pathlib import Path

import pytest
from sqlalchemy import text

from polyseme.errors import InputError
from polyseme.studio.store import accounts as module
from polyseme.studio.store.accounts import FAILURE_LIMITS, Accounts, LoginRefused, LoginThrottled
from polyseme.studio.store.store import Store
from studio.conftest import Begin, add, make_study, page

GOOD = "correct horse battery"


@pytest.fixture
def store(begin: Begin) -> Store:
    return begin(make_study(), [page(1)])


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make password hashes cheap, so that the tests are quick."""
    from argon2 import PasswordHasher

    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(module, "_hasher", lambda: quick)


def test_an_invitation_can_be_used_again(store: Store) -> None:
    token = store.add_annotator("ann")
    accounts = Accounts(store)
    invited = accounts.find_invited(token)
    assert invited is not None
    assert invited.name == "ann"
    first, second = accounts.enter(token), accounts.enter(token)
    assert first[0] != second[0]
    session = accounts.find_session(first[0])
    assert session is not None
    assert (session.annotator.name, session.csrf) == ("ann", first[1].csrf)


@pytest.mark.parametrize("token", ["", "forged", "x" * 5000, "\ud800", "' OR 1=1 --"])
def test_a_forged_link_is_refused(store: Store, token: str) -> None:
    store.add_annotator("ann")
    accounts = Accounts(store)
    assert accounts.find_invited(token) is None
    assert accounts.find_session(token) is None
    with pytest.raises(LoginRefused, match="this link no longer works"):
        accounts.enter(token)


def test_an_empty_link_is_refused_even_if_a_user_has_none(store: Store) -> None:
    ann, accounts = add(store, "ann"), Accounts(store)
    accounts.set_password(ann, GOOD)
    with pytest.raises(LoginRefused):
        accounts.enter("")


def test_links_expire_and_are_replaced(store: Store) -> None:
    accounts = Accounts(store)
    old = store.add_annotator("ann")
    session, _ = accounts.enter(old)
    new = accounts.invite("ann", by="boss")
    assert accounts.find_invited(old) is None
    assert accounts.find_session(session) is None
    assert accounts.find_invited(new) is not None
    assert store.audit_log(1)[0].user == "boss"
    assert accounts.find_invited(accounts.invite("ann", days=-1)) is None
    with pytest.raises(InputError, match="has no annotator or manager 'eve'"):
        accounts.invite("eve")


def test_a_password_replaces_the_link(store: Store) -> None:
    token = store.add_annotator("ann")
    accounts, ann = Accounts(store), store.annotators()[0].id
    accounts.set_password(ann, GOOD)
    assert accounts.find_invited(token) is None
    assert store.annotators()[0].has_password
    session, login = accounts.login("ann", GOOD, origin="1.2.3.4")
    assert login.annotator.id == ann
    assert accounts.find_session(session) is not None
    accounts.logout(session)
    assert accounts.find_session(session) is None


@pytest.mark.parametrize(
    "name, password", [("ann", "wrong"), ("ann", ""), ("eve", GOOD), ("ann", "\ud800"), ("ann", GOOD * 99)]
)
def test_a_refused_login_does_not_reveal_which_part_is_wrong(store: Store, name: str, password: str) -> None:
    ann, accounts = add(store, "ann"), Accounts(store)
    accounts.set_password(ann, GOOD)
    with pytest.raises(LoginRefused, match="this name and this password do not match"):
        accounts.login(name, password, origin="1.2.3.4")


def test_a_user_without_password_cannot_log_in(store: Store) -> None:
    add(store, "ann")
    with pytest.raises(LoginRefused):
        Accounts(store).login("ann", "", origin="1.2.3.4")


@pytest.mark.parametrize("password", ["short", "x" * 201, ""])
def test_passwords_of_a_wrong_length_are_refused(store: Store, password: str) -> None:
    with pytest.raises(InputError, match="choose one with 10 to 200"):
        Accounts(store).set_password(add(store, "ann"), password)


def test_too_many_failures_of_one_name_are_throttled(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, accounts = add(store, "ann"), Accounts(store)
    accounts.set_password(ann, GOOD)
    for number in range(FAILURE_LIMITS["name"]):
        with pytest.raises(LoginRefused):
            accounts.login("ann", "wrong", origin=f"10.0.0.{number}")
    with pytest.raises(LoginThrottled) as refused:
        accounts.login("ann", GOOD, origin="1.2.3.4")
    assert 1 <= refused.value.seconds <= module.FAILURE_WINDOW_SECONDS
    monkeypatch.setattr(module, "FAILURE_WINDOW_SECONDS", 0)
    assert accounts.login("ann", GOOD, origin="1.2.3.4")


def test_too_many_failures_from_one_address_are_throttled(store: Store) -> None:
    accounts = Accounts(store)
    for number in range(FAILURE_LIMITS["origin"]):
        with pytest.raises(LoginRefused):
            accounts.login(f"eve{number}", "wrong", origin="6.6.6.6")
    with pytest.raises(LoginThrottled):
        accounts.login("ann", GOOD, origin="6.6.6.6")
    with pytest.raises(LoginRefused, match="this name and this password"):
        accounts.login("ann", GOOD, origin="1.2.3.4")


def test_sessions_expire(store: Store) -> None:
    accounts = Accounts(store)
    session, _ = accounts.enter(store.add_annotator("ann"))
    with store.database.write() as connection:
        connection.execute(text("UPDATE session SET expires = '2000-01-01T00:00:00.000+00:00'"))
    assert accounts.find_session(session) is None
    accounts.enter(store.add_annotator("bob"))
    with store.database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM session")).scalar() == 1


def test_several_sessions_are_found_at_once(store: Store) -> None:
    accounts = Accounts(store)
    ann, bob = (accounts.enter(store.add_annotator(name)) for name in ("ann", "bob"))
    api_token = accounts.create_api_token(bob[1].annotator.id)
    sessions = accounts.find_sessions([bob[0], "forged", ann[0], api_token, bob[0], ""])
    assert [each and each.annotator.name for each in sessions] == ["bob", None, "ann", None, "bob", None]
    assert sessions == [accounts.find_session(token) for token in (bob[0], "forged", ann[0], api_token, bob[0], "")]
    accounts.logout(bob[0])
    assert [each and each.annotator.name for each in accounts.find_sessions([bob[0], ann[0]])] == [None, "ann"]


def test_api_tokens_are_not_browser_sessions(store: Store) -> None:
    boss, accounts = add(store, "boss", kind="manager"), Accounts(store)
    token = accounts.create_api_token(boss)
    assert accounts.find_session(token) is None
    session = accounts.find_session(token, "api")
    assert session is not None
    assert session.annotator.is_manager
    with pytest.raises(KeyError):
        accounts.create_api_token(999)


def test_secrets_are_stored_only_as_hashes(store: Store, tmp_path: Path) -> None:
    accounts = Accounts(store)
    token = store.add_annotator("ann")
    session, _ = accounts.enter(token)
    accounts.set_password(store.annotators()[0].id, GOOD)
    if store.database.file is None:
        return
    store.backup(tmp_path / "copy.db")
    content = (tmp_path / "copy.db").read_bytes()
    assert b"argon2id" in content
    assert not any(secret.encode() in content for secret in (token, session, GOOD))
