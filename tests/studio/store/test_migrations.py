"""Stores of an older version are brought up to date on opening, or left as they were."""

import json
from typing import Any

import pytest
from sqlalchemy import create_engine, insert, inspect, text

from polyseme.errors import InputError
from polyseme.studio.store import migrations, schema
from polyseme.studio.store.database import Database
from polyseme.studio.store.migrations import LATEST_VERSION, read_schema_version
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement
from studio.conftest import answer_all, make_study, page

FIRST = """
CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY);
CREATE TABLE study (id {serial}, toml TEXT NOT NULL, digest TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE page (id {serial}, name TEXT NOT NULL UNIQUE, task TEXT NOT NULL, round TEXT NOT NULL,
    lemma TEXT NOT NULL, usage TEXT NOT NULL, other TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE annotator (id {serial}, name TEXT NOT NULL UNIQUE, email TEXT NOT NULL, "group" TEXT NOT NULL,
    kind TEXT NOT NULL, state TEXT NOT NULL, password TEXT NOT NULL, invitation TEXT NOT NULL,
    invitation_expires TEXT NOT NULL, created TEXT NOT NULL);
CREATE INDEX annotator_invitation ON annotator (invitation);
CREATE TABLE assignment (id {serial}, annotator INTEGER NOT NULL REFERENCES annotator (id),
    page INTEGER NOT NULL REFERENCES page (id), number INTEGER NOT NULL, role TEXT NOT NULL,
    UNIQUE (annotator, number));
CREATE TABLE event (id {serial}, annotator INTEGER NOT NULL REFERENCES annotator (id),
    assignment INTEGER NOT NULL REFERENCES assignment (id), kind TEXT NOT NULL, target TEXT NOT NULL, value {float},
    text TEXT NOT NULL, request TEXT NOT NULL, milliseconds INTEGER, client_time TEXT NOT NULL, time TEXT NOT NULL,
    UNIQUE (assignment, request, kind, target));
CREATE INDEX event_latest ON event (assignment, kind, target, id);
CREATE TABLE session (token TEXT NOT NULL PRIMARY KEY, annotator INTEGER NOT NULL REFERENCES annotator (id),
    csrf TEXT NOT NULL, created TEXT NOT NULL, expires TEXT NOT NULL);
CREATE TABLE attempt (id {serial}, "key" TEXT NOT NULL, time TEXT NOT NULL);
CREATE INDEX attempt_key ON attempt ("key", time);
CREATE TABLE audit (id {serial}, time TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL);
INSERT INTO schema_version VALUES (1)
"""
"""The tables of version 1, as they were."""

PAGES = [page(number) for number in (1, 2, 3)]


def create_first_version(database: Database) -> None:
    """Tables of version 1 with a study in which one page is complete, and one is not."""
    kinds = {"serial": "INTEGER NOT NULL PRIMARY KEY", "float": "FLOAT"}
    if database.is_postgresql:
        kinds = {"serial": "SERIAL PRIMARY KEY", "float": "FLOAT"}
    with database.write() as connection:
        for statement in FIRST.format(**kinds).split(";"):
            connection.execute(text(statement))
        connection.execute(text(schema.ANSWER_VIEW))
        schema.create_triggers(connection)
        source = make_study().source
        rows: dict[str, list[dict[str, Any]]] = {
            "study": [{"id": 1, "toml": source, "digest": "x", "created": "2026"}],
            "page": [
                {"name": page.name, "task": page.task, "round": "1", "lemma": page.lemma, "usage": page.usage}
                | {"other": "", "role": "", "content": json.dumps(page.content())}
                for page in PAGES
            ],
            "annotator": [
                {"name": "ann", "email": "", "group": "a", "kind": "annotator", "state": "active", "password": ""}
                | {"invitation": "", "invitation_expires": "", "created": "2026"}
            ],
            "assignment": [{"annotator": 1, "page": number, "number": number, "role": ""} for number in (1, 2)],
            "event": [
                {"annotator": 1, "assignment": place, "kind": "rating", "target": target, "value": value, "text": ""}
                | {"request": f"{place}{target}{value}", "client_time": "", "time": "2026"}
                for place, target, value in (
                    (1, "win.v%a", 2),
                    (1, "win.v%a", 4),
                    (1, "win.v%b", 1),
                    (1, "win.v%c", 1),
                    (2, "win.v%a", 5),
                )
            ],
        }
        for table, values in rows.items():
            columns = [name for name in values[0] if name not in ("slot", "complete")]
            old = schema.METADATA.tables[table]
            connection.execute(insert(old).values(dict.fromkeys(columns)), values)


def describe_schema(database: Database) -> dict[str, Any]:
    """The columns, indexes and keys of all tables."""
    engine = create_engine(database.url)
    inspector = inspect(engine)
    tables = {}
    for name in sorted(inspector.get_table_names()):
        columns = {row["name"]: (str(row["type"]), row["nullable"]) for row in inspector.get_columns(name)}
        indexes = {(str(row["name"]), tuple(row["column_names"]), row["unique"]) for row in inspector.get_indexes(name)}
        unique = {tuple(row["column_names"]) for row in inspector.get_unique_constraints(name)}
        foreign = {(*row["constrained_columns"], row["referred_table"]) for row in inspector.get_foreign_keys(name)}
        tables[name] = (columns, indexes, unique, foreign)
    views = inspector.get_view_names()
    engine.dispose()
    return {"tables": tables, "views": views}


@pytest.fixture
def old(database: str) -> Database:
    opened = Database(database)
    create_first_version(opened)
    opened.close()
    return Database(database)


def test_an_old_store_continues(old: Database) -> None:
    store = Store.open(old.url.render_as_string(hide_password=False))
    with store.database.read() as connection:
        assert read_schema_version(connection) == LATEST_VERSION
    page = store.current_page(1)
    assert page is not None
    assert (page.number, dict(page.answers.values), page.total) == (2, {"win.v%a": 5}, 3)
    assert store.page_at(1, 1).complete
    assert len(list(store.events())) == 5
    store.record(1, page.number, [Judgement("win.v%b", 1), Judgement("win.v%c", 1)], request="new")
    assert len(answer_all(store, 1)) == 1
    assert len(store.ratings()) == 9
    store.close()
    old.close()


def test_a_migrated_store_has_the_schema_of_a_new_one(
    old: Database, request: pytest.FixtureRequest, tmp_path: Any
) -> None:
    Store.open(old.url.render_as_string(hide_password=False)).close()
    other = f"sqlite:///{tmp_path / 'new.db'}"
    fresh = request.getfixturevalue("postgresql").database() if old.is_postgresql else other
    Store.open(fresh, create=True).close()
    assert describe_schema(old) == describe_schema(Database(fresh))


def test_a_migration_that_fails_changes_nothing(old: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    before = describe_schema(old)

    def broken(connection: Any) -> None:
        migrations._migrate_to_version_2(connection)
        raise RuntimeError("the power went")

    monkeypatch.setattr(migrations, "MIGRATIONS", {2: broken})
    with pytest.raises(RuntimeError):
        Store.open(old.url.render_as_string(hide_password=False))
    assert describe_schema(old) == before


def test_a_store_of_a_newer_version_is_refused(database: str) -> None:
    store = Store.open(database, create=True)
    with store.database.write() as connection:
        connection.execute(text(f"UPDATE schema_version SET version = {LATEST_VERSION + 1}"))
    store.close()
    message = f"version {LATEST_VERSION + 1}, but this polyseme reads up to version {LATEST_VERSION}"
    with pytest.raises(InputError, match=message):
        Store.open(database)
