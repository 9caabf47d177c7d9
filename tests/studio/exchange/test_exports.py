"""Export and import: nothing lost, at one moment, and what comes back is the same study."""

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

from studio.conftest import Begin, add, answer, answer_all, page, study_of
from cli.conftest import Run, cli  # noqa: F401 - a fixture
from polyseme.errors import InputError
from polyseme.formats import read_inventory, read_labelling, read_ratings, read_usages
from polyseme.formats.files import Blob
from polyseme.formats.phitag_folder import write_phitag_folder
from polyseme.formats.phitag_judgments import read_phitag_instances
from polyseme.inventory import Inventory, Sense
from polyseme.rating import UNDECIDED, Rating, Ratings
from polyseme.studio.exchange.exports import EXPORTS, export_bytes
from polyseme.studio.exchange.gold_folder import apply_adjudications
from polyseme.studio.exchange.rating_import import import_ratings
from polyseme.studio.exchange.study_archive import read_study_archive
from polyseme.studio.store.accounts import Accounts
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Judgement, Page, Passage
from polyseme.usage import Usage

A, B, C = "win.v%a", "win.v%b", "win.v%c"
FOUR = 'a = ["WSsim", "Usim", "WSbest", "SYNbest"]'
HARD = 'two\nlines, a\ttab, "quotes" 🦜 <script>alert(1)</script> שלום \u202e'


def four_tasks() -> list[Page]:
    return [page(number, task) for task in ("WSsim", "Usim", "WSbest", "SYNbest") for number in (1, 3)]


def lived(begin: Begin) -> Store:
    """A study in which much has happened: changes, comments, an invalid usage, somebody who is half-way."""
    store = begin(study_of('instructions = "Judge."', tasks=FOUR), four_tasks())
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer_all(store, ann, value=4)
    first = store.page_at(ann, 1)
    again = [Judgement(target, 2) for target in first.page.targets if first.page.task in ("WSsim", "Usim")]
    store.record(ann, first.number, again, request="r1", comment=HARD, milliseconds=1200, client_time="now")
    for _ in range(5):
        answer(store, bob, value=5)
    store.record(bob, store.page_at(bob, 2).number, [], request="r2", invalid="unclear")
    usim = next(page for page in store.pages() if page.task == "Usim")
    shown = next(each for n in range(1, 9) if (each := store.page_at(ann, n)).page.name == usim.name)
    store.record(ann, shown.number, [Judgement(usim.other, None)], request="r3")
    wssim = next(page for page in store.pages() if page.task == "WSsim")
    store.adjudicate(boss, wssim.name, [Judgement(A, 1)], request="r4")
    return store


def unzipped(data: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.parametrize("name", ["csv", "tsv", "parquet", "jsonl"])
def test_long_tables_hold_every_current_answer(begin: Begin, tmp_path: Path, name: str) -> None:
    store = lived(begin)
    path = tmp_path / f"out{EXPORTS[name].suffix}"
    path.write_bytes(export_bytes(store, name))
    found = read_ratings(path)
    assert found == store.ratings()
    assert len(found) > 15
    assert {HARD, ""} == {rating.comment for rating in found}
    assert found.undecided == 1
    assert {rating.order for rating in found} >= {1, 3}


def test_everything_comes_back(begin: Begin, tmp_path: Path) -> None:
    store = lived(begin)
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
    store = lived(begin)
    accounts = Accounts(store)
    accounts.set_password(1, "correct horse battery")
    tokens = [accounts.invite("bob"), accounts.create_api_token(1), accounts.login("ann", "correct horse battery", origin="x")]
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


def test_events_keep_what_was_changed(begin: Begin) -> None:
    store = lived(begin)
    events = [json.loads(line) for line in export_bytes(store, "events").decode().splitlines()]
    assert len(events) == len(list(store.events())) > len(store.ratings())
    assert {event["kind"] for event in events} == {"rating", "comment", "invalid", "adjudication"}
    assert [event["text"] for event in events if event["kind"] == "invalid"] == ["unclear"]
    assert {"r1", "r2", "r3"} <= {event["request"].partition("#")[0] for event in events}


def test_the_authors_tables(begin: Begin, tmp_path: Path) -> None:
    store = lived(begin)
    for name, task, column in [("usim-csv", "Usim", "lexsub_id2"), ("wssim-csv", "WSsim", "sense_id")]:
        (tmp_path / name).write_bytes(export_bytes(store, name))
        assert column in (tmp_path / name).read_text().splitlines()[0]
        kept = [Rating(*rating[:6]) for rating in store.ratings() if rating.task == task]
        assert read_ratings(tmp_path / name) == Ratings(kept)


def test_a_usage_graph(begin: Begin, tmp_path: Path) -> None:
    store = lived(begin)
    folder = unzipped(export_bytes(store, "usage-graph"), tmp_path / "graph")
    assert sorted(path.name for path in folder.iterdir()) == ["judgments.csv", "senses.csv", "uses.csv"]
    uses = list(read_usages(folder / "uses.csv"))
    assert {usage.id: (usage.target, usage.pos) for usage in uses} == {f"win.v.{n}": ("won", "v") for n in range(1, 5)}
    assert [sense.id for sense in read_inventory(folder / "senses.csv")["win.v"]] == [A, B, C]
    rated = [rating for rating in store.ratings() if rating.task in ("WSsim", "Usim")]
    found = read_ratings(folder / "judgments.csv")
    assert [rating[:5] for rating in found] == [rating[:5] for rating in rated]
    assert found.undecided == 1
    assert {rating.comment for rating in found} <= {"", HARD.replace("\n", " ").replace("\t", " ")}


def test_usages_with_line_ends_in_a_usage_graph(begin: Begin, tmp_path: Path) -> None:
    passage = Passage("u1", "First line,\n\tthen he won\r\nat last.", 21, 24)
    store = begin(study_of(), [replace(page(1), passages=(passage,))])
    folder = unzipped(export_bytes(store, "usage-graph"), tmp_path / "graph")
    (usage,) = read_usages(folder / "uses.csv")
    assert (usage.target, usage.start, "\n" in usage.text) == ("won", 21, False)


def test_the_tables_of_phitag_come_back(begin: Begin, tmp_path: Path) -> None:
    store = lived(begin)
    folder = unzipped(export_bytes(store, "phitag"), tmp_path / "phitag")
    assert sorted(path.name for path in folder.iterdir()) == ["lexsub", "urel", "wsbest", "wssim"]
    rated = [
        rating._replace(comment=" ".join(re.split(r"[\n\t]", rating.comment)).strip()) for rating in store.ratings()
    ]
    assert {repr(rating) for rating in read_ratings(folder)} == {repr(rating) for rating in rated}
    assert {usage.id for usage in read_usages(folder / "urel")} == {f"win.v.{n}" for n in range(1, 5)}
    assert [sense.id for sense in read_inventory(folder)["win.v"]] == [A, B, C]


def test_choices_from_phitag_say_what_was_not_chosen_too(begin: Begin) -> None:
    """PhiTag asks for each sense alone, and so has 0 for those that do not fit."""
    store = begin(study_of(tasks='a = ["WSbest"]'), [page(1, "WSbest")])
    import_ratings(
        store, [Rating("ann", "WSbest", "win.v", "win.v.1", target, float(target == B)) for target in (A, B, C)]
    )
    assert [(rating.target, rating.value) for rating in store.ratings()] == [(B, 1)]


def test_a_study_nobody_has_answered_can_go_to_phitag(begin: Begin, tmp_path: Path) -> None:
    folder = unzipped(export_bytes(begin(study_of(), [page(1)]), "phitag"), tmp_path / "phitag")
    instances = read_phitag_instances(folder / "wssim" / "win.v" / "instances.tsv")
    assert [instance.target for instance in instances.values()] == [A, B, C]
    assert len(read_ratings(folder)) == 0


def test_gold_keys(begin: Begin, tmp_path: Path) -> None:
    store = begin(study_of(tasks=FOUR), four_tasks())
    ann, bob, boss = add(store, "ann"), add(store, "bob"), add(store, "boss", kind="manager")
    answer_all(store, ann, value=5)
    answer_all(store, bob, value=4)
    folder = unzipped(export_bytes(store, "gold"), tmp_path / "gold")
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
    after = unzipped(export_bytes(store, "gold"), tmp_path / "adjudicated")
    assert read_labelling(after / "WSsim.key")["win.v.1"] == {A: 4.5, C: 4.5}
    assert read_labelling(after / "WSbest.key")["win.v.1"] == {C: 1}
    assert len(read_ratings(_saved(tmp_path, export_bytes(store, "adjudications")))) == 2
    assert len(store.ratings()) == 2 * (6 + 2 + 2 + 2)


def _saved(folder: Path, data: bytes) -> Path:
    (folder / "saved.csv").write_bytes(data)
    return folder / "saved.csv"


def test_a_decision_stands_for_what_annotators_said() -> None:
    said = Rating("ann", "WSsim", "win.v", "u1", "a", 5)
    other, repeat = said._replace(target="b"), said._replace(role="repeat")
    boss = said._replace(annotator="boss", value=1)
    assert apply_adjudications(Ratings([said, other, repeat]), Ratings([boss])) == Ratings([other, boss])


def test_what_cannot_be_exported(begin: Begin) -> None:
    store = begin(study_of("scale = {lowest = 0, labels = ['no', 'yes']}", tasks='a = ["WSsim"]'), [page(1)])
    for name, said in [
        ("usim-csv", "the study has no Usim, which this table is for; it has WSsim: export csv"),
        ("usage-graph", "the scale goes from 0 to 1, and that of a usage graph from 1 to 5 at most"),
        ("gold", "there are no answers yet"),
        ("xml", "there is no export 'xml'; allowed are csv, tsv, parquet"),
    ]:
        with pytest.raises(InputError, match=said):
            export_bytes(store, name)
    assert export_bytes(store, "csv") == b"annotator,task,lemma,usage,target,value,comment,time,round\n"
    assert export_bytes(store, "wssim-csv").count(b"\n") == 1


def test_an_export_of_a_running_study_is_of_one_moment(begin: Begin) -> None:
    """While annotators answer, every page is in an export as a whole, or not at all."""
    pages = [page(number, "WSsim") for number in range(1, 40)]
    store = begin(study_of(), pages)
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


# -- what is no export -----------------------------------------------------------------------------------------------


def test_files_that_are_no_studies(begin: Begin) -> None:
    text = export_bytes(lived(begin), "study").decode()
    first, *rest = text.splitlines(keepends=True)
    at = next(number for number, line in enumerate(rest) if '"table": "event"' in line)
    event, page_ = json.loads(rest[at]), json.loads(rest[1])

    def with_(**changes: object) -> str:
        return first + "".join(rest[:at]) + json.dumps({**event, **changes}) + "\n" + "".join(rest[at + 1 :])

    for given, said in [
        ("", "this is no exported study: the object lacks 'polyseme', 'version', 'rows'"),
        ("x", "this is no exported study: not JSON"),
        (text.replace('"version": 1', '"version": 9', 1), "x:1: the version is 9, and this polyseme reads 1"),
        ("".join([first, *rest[:-3]]), "the file is cut short or was changed"),
        ("".join([first, *rest, rest[-1]]), "there are two rows of audit with the id"),
        (with_(table="secret"), "the table 'secret' is not known"),
        (with_(value="5"), "event: value is '5'; it must be a number"),
        (with_(kind="rumour"), "event: kind is 'rumour'; allowed are rating, comment"),
        (with_(assignment=999), "assignment of event is 999, and no assignment before it has this id"),
        (with_(milliseconds=2**40), "event: milliseconds is 1099511627776; it must be a whole number below"),
        (with_(text="a\0b"), "event: text is 'a\\x00b'; it contains an invalid character"),
        (with_(time=None), "event: time is None; it must be text"),
        (with_(id=True), "event: id is True; it must be a whole number"),
        (with_(password="x"), "event: the key 'password' is not known"),
        (text.replace(rest[1], json.dumps({**page_, "content": {}}) + "\n"), "is not that of a page"),
        (text.replace('title = \\"Test\\"', "title = Test"), "this is not TOML"),
        (text.replace('"name": "bob"', '"name": "ann"'), "two rows of 'annotator' have the name 'ann'"),
    ]:
        with pytest.raises(InputError) as error:
            read_study_archive(Blob("x", given.encode()))
        assert said in str(error.value)
        assert str(error.value).startswith("x")


# -- ratings into a study --------------------------------------------------------------------------------------------


def test_a_long_table_comes_back(begin: Begin, tmp_path: Path) -> None:
    study = study_of('repeats.share = 0.5\n[controls]\nanswers = "c.csv"\nevery = 2', tasks=FOUR)
    pages = [*four_tasks(), page(9, role="control", right={A: 3, B: 3, C: 3})]
    store = begin(study, pages)
    ann, bob = add(store, "ann"), add(store, "bob")
    answer_all(store, ann)
    answer(store, bob)
    store.record(ann, store.page_at(ann, 2).number, [], request="c", comment=HARD)
    table = export_bytes(store, "csv")
    assert {rating.role for rating in store.ratings()} == {"", "repeat", "control"}
    with closing(Store.open(str(tmp_path / "other.db"), create=True)) as other:
        other.begin(study, pages)
        added = import_ratings(other, read_ratings(_saved(tmp_path, table)))
        assert added == (len(store.ratings()), 2)
        for name in ("csv", "tsv", "parquet", "jsonl", "usim-csv", "wssim-csv", "usage-graph", "gold"):
            assert export_bytes(other, name) == export_bytes(store, name)
        assert [(each.annotator, each.complete) for each in other.progress()] == [
            (each.annotator, each.complete) for each in store.progress()
        ]
        left = answer_all(other, next(each.id for each in other.annotators() if each.name == "bob"))
        assert len(left) == len(answer_all(store, bob))


def test_ratings_of_another_tool(begin: Begin) -> None:
    """Without order, round and group; as many of each item as are wanted are then there."""
    store = begin(study_of(overlap='[overlap]\ndesign = "per item"\njudgements = 2'), [page(1), page(2)])
    given = [
        Rating(who, "WSsim", "win.v", f"win.v.{number}", target, 3)
        for who in ("ann", "bob")
        for number in (1, 2)
        for target in (A, B, C)
    ]
    import_ratings(store, given)
    assert [rating[:6] for rating in store.ratings()] == [rating[:6] for rating in given]
    assert {(each.complete, each.state) for each in store.progress()} == {(2, "active")}
    cay = add(store, "cay")
    assert store.current_page(cay) is None


def test_ratings_that_are_not_of_the_study(begin: Begin) -> None:
    store = begin(study_of(tasks='a = ["WSsim", "WSbest"]'), [page(1), page(1, "WSbest")])
    add(store, "boss", kind="manager")
    good = Rating("ann", "WSsim", "win.v", "win.v.1", A, 3)
    for rows, said in [
        ([good._replace(usage="win.v.9")], "no page of the study asks for WSsim of 'win.v.9' in round ''"),
        ([good._replace(value=9)], "ann on WSsim of 'win.v.1': the value 9 is not on the scale"),
        ([good._replace(value=UNDECIDED)], "'cannot decide' is no answer here"),
        ([good._replace(target="x")], "'x' is not judged on this page"),
        ([good._replace(group="z")], "the study has no group 'z'"),
        ([good._replace(annotator="boss")], "'boss' manages this study"),
        ([good, good._replace(task="WSbest", value=1, order=1), good._replace(order=1)], "is not allowed or has another page"),
        ([good._replace(task="WSbest", target=each, value=1) for each in (A, B)], "ann chose more in WSbest of 'win.v.1'"),
        ([good._replace(comment="x" * 20_000)], "the comment has 20,000 characters"),
    ]:
        with pytest.raises(InputError, match=said):
            import_ratings(store, rows)
        assert len(store.annotators()) == 1
    import_ratings(store, [good])
    with pytest.raises(InputError, match="'ann' manages this study, or has pages in it already"):
        import_ratings(store, [good])


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.fixture
def beside(cli: Run, tmp_path: Path) -> Path:  # noqa: ARG001, F811 - the folder that commands run in
    """A study beside its usages, in which somebody has answered."""
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


def test_a_study_begins_with_the_tables_of_phitag(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    usages = [Usage(f"win.v.{number}", "win.v", "We won.", 3, 6, "v") for number in (1, 2)]
    said = [Rating(who, "WSsim", "win.v", f"win.v.{n}", A, float(n)) for who in ("ann", "bob") for n in (1, 2)]
    write_phitag_folder("tables", usages, said, Inventory([Sense(A, "win.v", "be first")]))
    Path("study.toml").write_text(
        'title = "Wins"\nseed = 1\n[items]\nusages = "tables"\nsenses = "tables"\n[tasks]\na = ["WSsim"]\n'
    )
    assert cli("annotate", "import", "tables", "study.toml").out == "4 judgements of 2 annotators are in study.db.\n"
    assert cli("annotate", "export", "study.toml", "--format", "phitag", "-o", "again").code == 0
    assert {row[:6] for row in read_ratings("again")} == {row[:6] for row in said}
    assert list(read_usages("again")) == usages


def test_export_and_import_commands(cli: Run, beside: Path) -> None:  # noqa: F811
    for form in EXPORTS:
        if form != "wssim-csv":
            ran = cli("annotate", "export", "study.toml", "-o", f"out-{form}", "--format", form)
            assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (beside / "out-gold" / "clusters.csv").is_file()
    assert cli("annotate", "export", "study.db", "-o", "a.csv").code == 0
    assert (beside / "a.csv").read_bytes() == (beside / "out-csv").read_bytes()
    assert cli("annotate", "export", "study.toml", "-o", "graph.zip", "--format", "usage-graph").code == 0
    assert zipfile.is_zipfile("graph.zip")
    (beside / "new").mkdir()
    ran = cli("annotate", "import", "out-study", "new/study.toml")
    assert (ran.code, ran.err) == (0, "")
    assert "with 3 events of 1 person" in ran.out
    assert (beside / "new" / "how.md").read_text() == "# How\n"
    assert cli("annotate", "export", "new/study.toml", "-o", "again", "--format", "study").code == 0
    assert (beside / "again").read_bytes() == (beside / "out-study").read_bytes()
    assert "ann: http" in cli("annotate", "invite", "new/study.toml", "--again", "ann").out  # without the usages
    (beside / "other.toml").write_bytes((beside / "study.toml").read_bytes())
    assert "3 judgements of 1 annotator are in other.db" in cli("annotate", "import", "a.csv", "other.toml").out
    (beside / "third.toml").write_bytes((beside / "study.toml").read_bytes())
    assert "3 judgements of 1 annotator are in third.db" in cli("annotate", "import", "out-phitag", "third.toml").out
    assert cli("annotate", "export", "other.toml", "-o", "b.csv").code == 0
    assert (beside / "b.csv").read_bytes() == (beside / "a.csv").read_bytes()
    token = cli("annotate", "token", "study.toml", "ann").out.strip()
    with closing(Store.open("study.db")) as store:
        session = Accounts(store).find_session(token, "api")
    assert session is not None
    assert session.annotator.name == "ann"


@pytest.mark.usefixtures("beside")
def test_what_commands_refuse(cli: Run) -> None:  # noqa: F811
    cli("annotate", "export", "study.toml", "-o", "whole.jsonl", "--format", "study")
    Path("full").mkdir()
    Path("full/x").touch()
    for arguments, said in [
        (["export", "study.toml", "-o", "out"], "out: no export has the suffix ''; name one with --format: csv"),
        (["export", "study.toml", "-o", "x", "--format", "doc"], "there is no export 'doc'"),
        (["export", "nowhere.toml", "-o", "x.csv"], "nowhere.db: this store does not exist"),
        (["export", "study.toml", "-o", "full", "--format", "gold"], "full: this exists already"),
        (["export", "study.toml", "-o", "no/x", "--format", "gold"], "no: there is no such folder"),
        (["export", "study.toml", "-o", "no/x.csv"], "no/x.csv: cannot be written"),
        (["import", "whole.jsonl", "study.toml"], "study.toml: there is a file already"),
        (["import", "whole.jsonl", "new.toml", "--store", "study.db"], "a study has begun in this store"),
        (["import", "usages.jsonl", "study.toml"], "usages.jsonl: this is usages as JSON Lines, which does not hold"),
        (["import", "usages.jsonl", "none.toml"], "none.toml: there is no such study"),
        (["import", "nothing", "study.toml"], "nothing: there is no such file"),
        (["token", "study.toml", "zoe"], "the study has no annotator or manager 'zoe'"),
    ]:
        ran = cli("annotate", *arguments)
        assert ran.code == 2, arguments
        assert said in ran.err
        assert "Traceback" not in ran.err
    assert not Path("new.toml").exists()
