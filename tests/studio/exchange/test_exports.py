"""Export and import: nothing is lost, an export shows one moment, and an import restores the same study."""

import json
import re
import threading
import uuid
import zipfile
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from cli.conftest import Run, cli  # noqa: F401 - a fixture
from polyseme.errors import InputError
from polyseme.formats import read_inventory, read_labelling, read_ratings, read_usages
from polyseme.formats.files import Blob
from polyseme.formats.phitag_folder import write_phitag_folder
from polyseme.formats.phitag_judgments import read_phitag_instances
from polyseme.inventory import Inventory, Sense
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.studio.exchange.exports import EXPORTS, export_bytes
from polyseme.studio.exchange.rating_import import import_ratings
from polyseme.studio.exchange.study_archive import read_study_archive
from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement, Page, Passage
from polyseme.usage import Usage
from studio.conftest import Begin, add, answer, answer_all, make_study, page

A, B, C = "win.v%a", "win.v%b", "win.v%c"
FOUR = 'a = ["WSsim", "Usim", "WSbest", "SYNbest"]'
HARD = 'two\nlines, a\ttab, "quotes" 🦜 <script>alert(1)</script> שלום \u202e'


def four_tasks() -> list[Page]:
    return [page(number, task) for task in ("WSsim", "Usim", "WSbest", "SYNbest") for number in (1, 3)]


def begin_busy_study(begin: Begin) -> Store:
    """Begin a study with changes, comments, an invalid usage and an unfinished annotator."""
    store = begin(make_study('instructions = "Judge."', tasks=FOUR), four_tasks())
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer_all(store, ann, value=4)
    first = store.page_at(ann, 1)
    again = [Judgement(target, 2) for target in first.page.targets if first.page.task in ("WSsim", "Usim")]
    store.record(ann, first.number, again, request="r1", comment=HARD, milliseconds=1200, client_time="now")
    for _ in range(5):
        answer(store, bob, value=5)
    store.record(bob, store.page_at(bob, 2).number, [], request="r2", invalid="unclear")
    usim = next(page for page in store.pages() if page.task == "Usim")
    assigned = next(candidate for n in range(1, 9) if (candidate := store.page_at(ann, n)).page.name == usim.name)
    store.record(ann, assigned.number, [Judgement(usim.other, None)], request="r3")
    wssim = next(page for page in store.pages() if page.task == "WSsim")
    store.adjudicate(boss, wssim.name, [Judgement(A, 1)], request="r4")
    return store


def unzip(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.parametrize("name", ["csv", "tsv", "parquet", "jsonl"])
def test_long_tables_have_every_current_answer(begin: Begin, tmp_path: Path, name: str) -> None:
    store = begin_busy_study(begin)
    path = tmp_path / f"out{EXPORTS[name].suffix}"
    path.write_bytes(export_bytes(store, name))
    ratings = read_ratings(path)
    assert ratings == store.ratings(adjudicated=True)
    assert ratings.adjudications == store.adjudications()
    assert len(ratings.annotations) > 15
    assert {HARD, ""} == {rating.comment for rating in ratings}
    assert ratings.undecided == 1
    assert {rating.order for rating in ratings} >= {1, 3}


def test_an_archive_restores_the_whole_study(begin: Begin, tmp_path: Path) -> None:
    store = begin_busy_study(begin)
    data = export_bytes(store, "study")
    contents = read_study_archive(Blob("study.jsonl", data))
    with closing(Store.open(str(tmp_path / "other.db"), create=True)) as other:
        other.restore(contents)
        for name in EXPORTS:
            assert export_bytes(other, name) == export_bytes(store, name), name
        assert other.progress() == store.progress()
        assert other.audit_log() == store.audit_log()
        bob = next(each.id for each in other.annotators() if each.name == "bob")
        assert len(answer_all(other, bob)) == 3
        assert Accounts(other).enter(Accounts(other).invite("bob"))[1].annotator.id == bob
    assert export_bytes(store, "study") == data


def test_nothing_secret_is_exported(begin: Begin) -> None:
    store = begin_busy_study(begin)
    accounts = Accounts(store)
    accounts.set_password(1, "correct horse battery")
    tokens = [
        accounts.invite("bob"),
        accounts.create_api_token(1),
        accounts.login("ann", "correct horse battery", origin="x"),
    ]
    assert tokens
    with store.database.read() as connection:
        people = connection.exec_driver_sql("SELECT password, invitation FROM annotator").all()
        sessions = connection.exec_driver_sql("SELECT token, csrf FROM session").all()
    secrets = [cell for row in (*people, *sessions) for cell in row if cell]
    assert len(secrets) > 4
    for name in EXPORTS:
        text = export_bytes(store, name).decode("latin-1")
        assert not [secret for secret in secrets if secret in text]
        assert "argon2" not in text


def test_events_include_changed_answers(begin: Begin) -> None:
    store = begin_busy_study(begin)
    events = [json.loads(line) for line in export_bytes(store, "events").decode().splitlines()]
    assert len(events) == len(list(store.events())) > len(store.ratings())
    assert {event["kind"] for event in events} == {"rating", "comment", "invalid", "adjudication"}
    assert [event["text"] for event in events if event["kind"] == "invalid"] == ["unclear"]
    assert {"r1", "r2", "r3"} <= {event["request"].partition("#")[0] for event in events}


def test_the_authors_tables_have_their_columns(begin: Begin, tmp_path: Path) -> None:
    store = begin_busy_study(begin)
    for name, task, column in [("usim-csv", "Usim", "lexsub_id2"), ("wssim-csv", "WSsim", "sense_id")]:
        (tmp_path / name).write_bytes(export_bytes(store, name))
        assert column in (tmp_path / name).read_text().splitlines()[0]
        expected = [Rating(*rating[:6]) for rating in store.ratings() if rating.task == task]
        assert read_ratings(tmp_path / name) == Ratings(expected)


def test_a_usage_graph_has_uses_senses_and_judgements(begin: Begin, tmp_path: Path) -> None:
    store = begin_busy_study(begin)
    folder = unzip(export_bytes(store, "usage-graph"), tmp_path / "graph")
    assert sorted(path.name for path in folder.iterdir()) == ["judgments.csv", "senses.csv", "uses.csv"]
    uses = list(read_usages(folder / "uses.csv"))
    assert {usage.id: (usage.target, usage.pos) for usage in uses} == {f"win.v.{n}": ("won", "v") for n in range(1, 5)}
    assert [sense.id for sense in read_inventory(folder / "senses.csv")["win.v"]] == [A, B, C]
    rated = [rating for rating in store.ratings() if rating.task in ("WSsim", "Usim")]
    judgements = read_ratings(folder / "judgments.csv")
    assert [rating[:5] for rating in judgements] == [rating[:5] for rating in rated]
    assert judgements.undecided == 1
    assert {rating.comment for rating in judgements} <= {"", HARD.replace("\n", " ").replace("\t", " ")}


def test_line_breaks_become_blanks_in_a_usage_graph(begin: Begin, tmp_path: Path) -> None:
    passage = Passage("u1", "First line,\n\tthen he won\r\nat last.", 21, 24)
    store = begin(make_study(), [replace(page(1), passages=(passage,))])
    folder = unzip(export_bytes(store, "usage-graph"), tmp_path / "graph")
    (usage,) = read_usages(folder / "uses.csv")
    assert (usage.target, usage.start, "\n" in usage.text) == ("won", 21, False)


def test_phitag_tables_are_read_back(begin: Begin, tmp_path: Path) -> None:
    store = begin_busy_study(begin)
    folder = unzip(export_bytes(store, "phitag"), tmp_path / "phitag")
    assert sorted(path.name for path in folder.iterdir()) == ["lexsub", "urel", "wsbest", "wssim"]
    rated = [
        rating._replace(comment=" ".join(re.split(r"[\n\t]", rating.comment)).strip()) for rating in store.ratings()
    ]
    assert {repr(rating) for rating in read_ratings(folder)} == {repr(rating) for rating in rated}
    assert {usage.id for usage in read_usages(folder / "urel")} == {f"win.v.{n}" for n in range(1, 5)}
    assert [sense.id for sense in read_inventory(folder)["win.v"]] == [A, B, C]


def test_unchosen_senses_of_phitag_are_no_choices(begin: Begin) -> None:
    """PhiTag asks for each sense alone, and so has 0 for those that do not fit."""
    store = begin(make_study(tasks='a = ["WSbest"]'), [page(1, "WSbest")])
    import_ratings(
        store, [Rating("ann", "WSbest", "win.v", "win.v.1", target, float(target == B)) for target in (A, B, C)]
    )
    assert [(rating.target, rating.value) for rating in store.ratings()] == [(B, 1)]


def test_a_study_without_answers_can_be_exported_to_phitag(begin: Begin, tmp_path: Path) -> None:
    folder = unzip(export_bytes(begin(make_study(), [page(1)]), "phitag"), tmp_path / "phitag")
    instances = read_phitag_instances(folder / "wssim" / "win.v" / "instances.tsv")
    assert [instance.target for instance in instances.values()] == [A, B, C]
    assert len(read_ratings(folder)) == 0


def test_gold_follows_annotators_and_adjudications(begin: Begin, tmp_path: Path) -> None:
    store = begin(make_study(tasks=FOUR), four_tasks())
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer_all(store, ann, value=5)
    answer_all(store, bob, value=4)
    folder = unzip(export_bytes(store, "gold"), tmp_path / "gold")
    names = {path.name for path in folder.iterdir()}
    assert names >= {"WSsim.key", "WSbest.key", "clusters.csv", "SYNbest.jsonl", "WSsim.key.json"}
    assert read_labelling(folder / "WSsim.key")["win.v.1"] == {A: 4.5, B: 4.5, C: 4.5}
    assert read_labelling(folder / "WSbest.key")["win.v.1"] == {A: 1}
    assert read_labelling(folder / "SYNbest.jsonl")["win.v.1"] == {"gain": 2}
    clusters = read_labelling(folder / "clusters.csv")
    assert clusters["win.v.1"] == clusters["win.v.2"] != clusters["win.v.3"] == clusters["win.v.4"]
    record = json.loads((folder / "WSsim.key.json").read_text())
    assert (record["annotators"], record["usages"]["labelled"]) == (2, 2)
    for task, judgements in [("WSsim", [Judgement(B, 1)]), ("WSbest", [Judgement(C, 1)])]:
        name = next(each.name for each in store.pages() if each.task == task and each.usage == "win.v.1")
        store.adjudicate(boss, name, judgements, request=uuid.uuid4().hex)
    after = unzip(export_bytes(store, "gold"), tmp_path / "adjudicated")
    assert read_labelling(after / "WSsim.key")["win.v.1"] == {A: 4.5, C: 4.5}
    assert read_labelling(after / "WSbest.key")["win.v.1"] == {C: 1}
    assert len(read_ratings(_save(tmp_path, export_bytes(store, "adjudications")))) == 2
    assert len(store.ratings()) == 2 * (6 + 2 + 2 + 2)


def _save(folder: Path, data: bytes) -> Path:
    (folder / "saved.csv").write_bytes(data)
    return folder / "saved.csv"


def test_impossible_exports_are_refused(begin: Begin) -> None:
    store = begin(make_study("scale = {lowest = 0, labels = ['no', 'yes']}", tasks='a = ["WSsim"]'), [page(1)])
    for name, message in [
        ("usim-csv", "this export is for Usim, but the study has WSsim; export csv instead"),
        ("usage-graph", "the scale goes from 0 to 1, but a usage graph needs values within 1 to 5"),
        ("gold", "there are no answers yet"),
        ("xml", "there is no export 'xml'; allowed are csv, tsv, parquet"),
    ]:
        with pytest.raises(InputError, match=message):
            export_bytes(store, name)
    assert export_bytes(store, "csv") == b"annotator,task,lemma,usage,target,value,comment,time,round\n"
    assert export_bytes(store, "wssim-csv").count(b"\n") == 1


def test_an_export_of_a_running_study_shows_one_moment(begin: Begin) -> None:
    """While annotators answer, every page is in an export as a whole, or not at all."""
    pages = [page(number, "WSsim") for number in range(1, 40)]
    store = begin(make_study(), pages)
    people = [add(store, f"ann{number}") for number in range(3)]
    threads = [threading.Thread(target=answer_all, args=(store, who)) for who in people]
    for thread in threads:
        thread.start()
    counts: list[int] = []
    while any(thread.is_alive() for thread in threads) or len(counts) < 3:
        contents = read_study_archive(Blob("running", export_bytes(store, "study")))
        done = {row["id"] for row in contents["assignment"] if row["complete"]}
        assert len(contents["event"]) == 3 * len(done)
        counts.append(len(contents["event"]))
    for thread in threads:
        thread.join()
    assert counts[-1] <= 3 * 39 * 3 == len(store.ratings())


# -- damaged archives ----------------------------------------------------------------------------------------------


def test_damaged_archives_are_refused(begin: Begin) -> None:
    text = export_bytes(begin_busy_study(begin), "study").decode()
    first, *rest = text.splitlines(keepends=True)
    at = next(number for number, line in enumerate(rest) if '"table": "event"' in line)
    event, page_ = json.loads(rest[at]), json.loads(rest[1])

    def with_changes(**changes: object) -> str:
        return first + "".join(rest[:at]) + json.dumps({**event, **changes}) + "\n" + "".join(rest[at + 1 :])

    for content, message in [
        ("", "this is not an exported study: the object lacks 'polyseme', 'version', 'rows'"),
        ("x", "this is not an exported study: not JSON"),
        (text.replace('"version": 1', '"version": 9', 1), "x:1: the file has version 9, but this polyseme reads"),
        ("".join([first, *rest[:-3]]), "the file is damaged or was changed"),
        ("".join([first, *rest, rest[-1]]), "there are two rows of audit with the id"),
        (with_changes(table="secret"), "there is no table 'secret'"),
        (with_changes(value="5"), "event: value is '5'; it must be a number"),
        (with_changes(kind="rumour"), "event: kind is 'rumour'; allowed are rating, comment"),
        (with_changes(assignment=999), "assignment of event is 999, but no earlier assignment has this id"),
        (with_changes(milliseconds=2**40), "event: milliseconds is 1099511627776; it must be a whole number below"),
        (with_changes(text="a\0b"), "event: text is 'a\\x00b'; it contains an invalid character"),
        (with_changes(time=None), "event: time is None; it must be text"),
        (with_changes(id=True), "event: id is True; it must be a whole number"),
        (with_changes(password="x"), "event: the key 'password' is not known"),
        (text.replace(rest[1], json.dumps({**page_, "content": {}}) + "\n"), "is invalid; export the study again"),
        (text.replace('title = \\"Test\\"', "title = Test"), "this is not TOML"),
        (text.replace('"name": "bob"', '"name": "ann"'), "two rows of 'annotator' have the name 'ann'"),
    ]:
        with pytest.raises(InputError) as error:
            read_study_archive(Blob("x", content.encode()))
        assert message in str(error.value)
        assert str(error.value).startswith("x")


# -- ratings into a study --------------------------------------------------------------------------------------------


def test_an_imported_table_is_exported_unchanged(begin: Begin, tmp_path: Path) -> None:
    study = make_study('repeats.share = 0.5\n[controls]\nanswers = "c.csv"\nevery = 2', tasks=FOUR)
    pages = [*four_tasks(), page(9, role="control", right={A: 3, B: 3, C: 3})]
    store = begin(study, pages)
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer_all(store, ann)
    answer(store, bob)
    store.record(ann, store.page_at(ann, 2).number, [], request="c", comment=HARD)
    store.adjudicate(boss, pages[0].name, [Judgement(A, 1)], request="d")
    table = export_bytes(store, "csv")
    assert {rating.role for rating in store.ratings(adjudicated=True)} == {"", "repeat", "control", "adjudication"}
    with closing(Store.open(str(tmp_path / "other.db"), create=True)) as other:
        other.begin(study, pages)
        added = import_ratings(other, read_ratings(_save(tmp_path, table)))
        assert added == (len(store.ratings(adjudicated=True)), 3)
        for name in ("csv", "tsv", "parquet", "jsonl", "usim-csv", "wssim-csv", "usage-graph", "gold"):
            assert export_bytes(other, name) == export_bytes(store, name)
        assert [(annotator.annotator, annotator.complete) for annotator in other.progress()] == [
            (annotator.annotator, annotator.complete) for annotator in store.progress()
        ]
        left = answer_all(other, next(annotator.id for annotator in other.annotators() if annotator.name == "bob"))
        assert len(left) == len(answer_all(store, bob))


def test_ratings_without_order_round_and_group_are_imported(begin: Begin) -> None:
    """Imported judgements count as judges of a page."""
    store = begin(make_study(overlap='[overlap]\ndesign = "per item"\njudgements = 2'), [page(1), page(2)])
    ratings = [
        Rating(who, "WSsim", "win.v", f"win.v.{number}", target, 3)
        for who in ("ann", "bob")
        for number in (1, 2)
        for target in (A, B, C)
    ]
    import_ratings(store, ratings)
    assert [rating[:6] for rating in store.ratings()] == [rating[:6] for rating in ratings]
    assert {(each.complete, each.state) for each in store.progress()} == {(2, "active")}
    cay = add(store, "cay")
    assert store.current_page(cay) is None


def test_ratings_that_do_not_fit_the_study_are_refused(begin: Begin) -> None:
    store = begin(make_study(tasks='a = ["WSsim", "WSbest"]'), [page(1), page(1, "WSbest")])
    add(store, "boss", kind="manager")
    good = Rating("ann", "WSsim", "win.v", "win.v.1", A, 3)
    for rows, message in [
        ([good._replace(usage="win.v.9")], "no page of the study asks for WSsim of 'win.v.9'; remove"),
        ([good._replace(value=9)], "ann on WSsim of 'win.v.1': the value 9 is not on the scale"),
        ([good._replace(value=UNDECIDED)], "does not accept 'cannot decide'"),
        ([good._replace(target="x")], "'x' is not on this page"),
        ([good._replace(group="z")], "the study has no group 'z'"),
        ([good._replace(annotator="boss")], "'boss' already manages this study"),
        (
            [good, good._replace(task="WSbest", value=1, order=1), good._replace(order=1)],
            "is invalid or belongs to another page",
        ),
        (
            [good._replace(task="WSbest", target=each, value=1) for each in (A, B)],
            "ann chose more in WSbest of 'win.v.1'",
        ),
        ([good._replace(comment="x" * 20_000)], "the comment has 20,000 characters"),
    ]:
        with pytest.raises(InputError, match=message):
            import_ratings(store, rows)
        assert len(store.annotators()) == 1
    import_ratings(store, [good])
    with pytest.raises(InputError, match="'ann' already manages this study or has pages in it"):
        import_ratings(store, [good])


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.fixture
def study_folder(cli: Run, tmp_path: Path) -> Path:  # noqa: ARG001, F811 - the folder that commands run in
    """Begin a study beside its usages, with the answers of one annotator; return its folder."""
    rows = [
        {"id": f"win.v.{number}", "lemma": "win.v", "text": f"They won {number}.", "start": 5, "end": 8}
        for number in range(1, 4)
    ]
    (tmp_path / "usages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "how.md").write_text("# How\n")
    study = 'title = "T"\ninstructions = "how.md"\nitems.usages = "usages.jsonl"\ntasks.a = ["Usim"]\n'
    (tmp_path / "study.toml").write_text(study)
    from polyseme.studio.store.startup import start_study

    with closing(start_study("study.toml")) as store:
        answer_all(store, add(store, "ann"))
    return tmp_path


def test_a_study_can_start_from_phitag_tables(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    usages = [Usage(f"win.v.{number}", "win.v", "We won.", 3, 6, "v") for number in (1, 2)]
    ratings = [Rating(who, "WSsim", "win.v", f"win.v.{n}", A, float(n)) for who in ("ann", "bob") for n in (1, 2)]
    write_phitag_folder("tables", usages, ratings, Inventory([Sense(A, "win.v", "be first")]))
    Path("study.toml").write_text(
        'title = "Wins"\nseed = 1\n[items]\nusages = "tables"\nsenses = "tables"\n[tasks]\na = ["WSsim"]\n'
    )
    assert cli("annotate", "import", "tables", "study.toml").out == "4 judgements of 2 annotators are in study.db.\n"
    assert cli("annotate", "export", "study.toml", "--format", "phitag", "-o", "again").code == 0
    assert {row[:6] for row in read_ratings("again")} == {row[:6] for row in ratings}
    assert list(read_usages("again")) == usages


def test_commands_export_and_import(cli: Run, study_folder: Path) -> None:  # noqa: F811
    for form in EXPORTS:
        if form != "wssim-csv":
            ran = cli("annotate", "export", "study.toml", "-o", f"out-{form}", "--format", form)
            assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (study_folder / "out-gold" / "clusters.csv").is_file()
    assert cli("annotate", "export", "study.db", "-o", "a.csv").code == 0
    assert (study_folder / "a.csv").read_bytes() == (study_folder / "out-csv").read_bytes()
    assert cli("annotate", "export", "study.toml", "-o", "graph.zip", "--format", "usage-graph").code == 0
    assert zipfile.is_zipfile("graph.zip")
    (study_folder / "new").mkdir()
    ran = cli("annotate", "import", "out-study", "new/study.toml")
    assert (ran.code, ran.err) == (0, "")
    assert "with 3 events of 1 person" in ran.out
    assert (study_folder / "new" / "how.md").read_text() == "# How\n"
    assert cli("annotate", "export", "new/study.toml", "-o", "again", "--format", "study").code == 0
    assert (study_folder / "again").read_bytes() == (study_folder / "out-study").read_bytes()
    assert "ann: http" in cli("annotate", "invite", "new/study.toml", "--again", "ann").out  # without the usages
    (study_folder / "other.toml").write_bytes((study_folder / "study.toml").read_bytes())
    assert "3 judgements of 1 annotator are in other.db" in cli("annotate", "import", "a.csv", "other.toml").out
    (study_folder / "third.toml").write_bytes((study_folder / "study.toml").read_bytes())
    assert "3 judgements of 1 annotator are in third.db" in cli("annotate", "import", "out-phitag", "third.toml").out
    assert cli("annotate", "export", "other.toml", "-o", "b.csv").code == 0
    assert (study_folder / "b.csv").read_bytes() == (study_folder / "a.csv").read_bytes()
    token = cli("annotate", "token", "study.toml", "ann").out.strip()
    with closing(Store.open("study.db")) as store:
        session = Accounts(store).find_session(token, "api")
    assert session is not None
    assert session.annotator.name == "ann"


@pytest.mark.usefixtures("study_folder")
def test_commands_explain_what_they_refuse(cli: Run) -> None:  # noqa: F811
    cli("annotate", "export", "study.toml", "-o", "whole.jsonl", "--format", "study")
    Path("full").mkdir()
    Path("full/x").touch()
    for arguments, message in [
        (["export", "study.toml", "-o", "out"], "out: no export has the suffix ''; add --format: csv"),
        (["export", "study.toml", "-o", "x", "--format", "doc"], "there is no export 'doc'"),
        (["export", "nowhere.toml", "-o", "x.csv"], "nowhere.db: this store does not exist"),
        (["export", "study.toml", "-o", "full", "--format", "gold"], "full: this path exists already"),
        (["export", "study.toml", "-o", "full/x/y", "--format", "gold"], "full/x/y: the folder cannot be created"),
        (["export", "study.toml", "-o", "no/x.csv"], "no/x.csv: cannot be written"),
        (["import", "whole.jsonl", "study.toml"], "study.toml: this file exists already"),
        (["import", "whole.jsonl", "new.toml", "--store", "study.db"], "a study has begun in this store"),
        (["import", "usages.jsonl", "study.toml"], "usages.jsonl: this is usages as JSON Lines, which does not hold"),
        (["import", "usages.jsonl", "none.toml"], "none.toml: there is no such study"),
        (["import", "nothing", "study.toml"], "nothing: there is no such file"),
        (["token", "study.toml", "zoe"], "the study has no annotator or manager 'zoe'"),
    ]:
        ran = cli("annotate", *arguments)
        assert ran.code == 2, arguments
        assert message in ran.err
        assert "Traceback" not in ran.err
    assert not Path("new.toml").exists()
