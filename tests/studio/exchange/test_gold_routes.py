"""Agreement and gold of a study by every route: its database, its exports and its archive."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run, cli  # noqa: F401 - a fixture
from polyseme.errors import InputError
from polyseme.formats import read_labelling
from polyseme.interface.annotation import find_disputed_items, make_gold, measure_agreement
from polyseme.interface.rating_sources import open_rating_source
from polyseme.interface.reading import read_ratings
from polyseme.studio.exchange.exports import EXPORTS, export_bytes
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement
from studio.conftest import Begin, add, answer_all, make_study, page

A, B, C = "win.v%a", "win.v%b", "win.v%c"
TASKS = 'a = ["WSsim", "Usim", "WSbest"]'
ROUTES = ("csv", "tsv", "parquet", "jsonl", "study")


@pytest.fixture
def store(begin: Begin) -> Store:
    """A study in which a manager decided on a rating, a pair and a choice."""
    pages = [page(number, task) for task in ("WSsim", "Usim", "WSbest") for number in (1, 3)]
    store = begin(make_study(tasks=TASKS), pages)
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer_all(store, ann, value=5)
    answer_all(store, bob, value=4)
    store.adjudicate(boss, pages[0].name, [Judgement(A, 2), Judgement(C, 1)], request="1")
    store.adjudicate(boss, pages[2].name, [Judgement(pages[2].other, 1)], request="2")
    store.adjudicate(boss, pages[4].name, [Judgement(C, 1)], request="3")
    return store


def get_address(store: Store) -> str:
    """Return the file of a store, or the address of its server."""
    return str(store.database.file or store.database.url.render_as_string(hide_password=False))


def list_routes(store: Store, folder: Path) -> list[str]:
    routes = [get_address(store)]
    for name in ROUTES:
        path = folder / f"{name}{EXPORTS[name].suffix}"
        path.write_bytes(export_bytes(store, name))
        routes.append(str(path))
    return routes


OPTIONS: tuple[dict[str, Any], ...] = ({"task": "WSsim"}, {"task": "WSbest", "combine": "mode"}, {"clusters": True})


@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_every_route_gives_the_same_gold(store: Store, tmp_path: Path) -> None:
    routes = list_routes(store, tmp_path)
    for options, expected, items in zip(
        OPTIONS, ({A: 2.0, B: 4.5}, {C: 1.0}, {"win.v.2": 1.0}), (2, 1, 1), strict=True
    ):
        golds = [make_gold(path, **options) for path in routes]
        assert all(gold.labelling == golds[0].labelling for gold in golds)
        rules = dict.fromkeys(("rule", "rule in words"))
        assert all({**gold.record, **rules} == {**golds[0].record, **rules} for gold in golds)
        assert golds[0].labelling["win.v.1"] == expected
        assert golds[0].record["adjudicated"]["items"] == items


# -- of a SQLite file --------------------------------------------------------------------------------------------------

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@SQLITE
def test_the_gold_of_the_command_is_that_of_the_gold_export(cli: Run, store: Store, tmp_path: Path) -> None:  # noqa: F811
    routes = list_routes(store, tmp_path)
    for route in routes[:2]:
        ran = cli("gold", route, "--task", "WSsim", "-o", "gold.key")
        assert (ran.code, "2 items adjudicated" in ran.err) == (0, True), ran.err
        assert json.loads(Path("gold.key.json").read_text())["adjudicated"] == {"items": 2, "judgements replaced": 4}
        exported = cli("annotate", "export", routes[0], "--format", "gold", "-o", f"folder-{Path(route).suffix[1:]}")
        assert exported.code == 0, exported.err
        assert read_labelling(f"folder-{Path(route).suffix[1:]}/WSsim.key") == read_labelling("gold.key")


@SQLITE
def test_an_export_without_place_for_decisions_says_so(cli: Run, store: Store) -> None:  # noqa: F811
    path = get_address(store)
    for name in ("wssim-csv", "usage-graph", "phitag"):
        ran = cli("annotate", "export", path, "--format", name, "-o", f"out-{name}")
        assert ran.code == 0
        assert f"the format {name} leaves out 4 decisions of managers" in ran.err
    assert cli("annotate", "export", path, "-o", "all.csv").err == ""


@SQLITE
def test_agreement_of_a_study_leaves_decisions_out_and_knows_its_senses(store: Store, tmp_path: Path) -> None:
    routes = list_routes(store, tmp_path)
    figures = [measure_agreement(route, task="WSsim", resamples=0) for route in (routes[0], routes[1], routes[-1])]
    records = [agreement.to_records() for agreement in figures]
    assert records[0] == records[1] == records[2]
    assert "Left out: 4 decisions of managers, who are not annotators." in figures[0].notes
    assert "WSsim" in figures[0]._repr_html_()
    source = open_rating_source(routes[0])
    assert source.inventory is not None
    assert [sense.id for sense in source.inventory["win.v"]] == [A, B, C]
    assert {usage.id for usage in source.usages} == {f"win.v.{number}" for number in range(1, 5)}
    assert source.scale is not None
    assert read_ratings(routes[0]) == store.ratings(adjudicated=True)
    assert all(
        A not in item.item and C not in item.item
        for item in find_disputed_items(routes[0], task="WSsim")
        if item.item.usage == "win.v.1"
    )


@SQLITE
def test_judgements_with_a_reported_problem_are_counted(store: Store) -> None:
    ann = next(user.id for user in store.annotators() if user.name == "ann")
    pages = {(page := store.page_at(ann, number)).page.name: page.number for number in range(1, 7)}
    for name, reason in (("1/WSsim/win.v.1", "unclear"), ("1/WSbest/win.v.1", "no sense fits")):
        store.record(ann, pages[name], [], request=name, invalid=reason)
    path = get_address(store)
    notes = [
        "WSsim: left out 3 judgements on 1 page whose annotator reported a problem (unclear: 1).",
        "WSbest: left out 1 judgement on 1 page whose annotator reported a problem (no sense fits: 1).",
    ]
    assert make_gold(path, task="WSsim").notes == (notes[0],)
    assert {*notes} < {*measure_agreement(path, resamples=0).notes}
    assert notes[0] not in measure_agreement(path, task="Usim", resamples=0).notes


@SQLITE
def test_the_name_of_a_study_is_checked(store: Store, tmp_path: Path) -> None:
    path = get_address(store)
    title = store.study.title
    assert len(read_ratings(path, study=title)) == len(store.ratings(adjudicated=True))
    with pytest.raises(InputError, match=f"this store has no study 'Cups'; its studies: '{title}'"):
        read_ratings(str(path), study="Cups")
    table = tmp_path / "table.csv"
    table.write_bytes(export_bytes(store, "csv"))
    with pytest.raises(InputError, match="study 'Cups' names a study of a database, but this is not a database"):
        make_gold(table, study="Cups")
    with pytest.raises(InputError, match="this store does not exist"):
        read_ratings("none.db")


@SQLITE
def test_several_sources_are_combined(store: Store) -> None:
    ratings = store.ratings(adjudicated=True)
    ann = ratings.filter(lambda rating: rating.annotator == "ann")
    others = ratings.filter(lambda rating: rating.annotator != "ann")
    assert make_gold([ann, others], task="WSsim").labelling == make_gold(ratings, task="WSsim").labelling
    with pytest.raises(InputError, match="it has judgements that the ratings also has"):
        make_gold([ann, ratings], task="WSsim")
