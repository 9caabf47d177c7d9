"""The pages of the explorer on a planted corpus, whose senses are known."""

from __future__ import annotations

import io
import json
import re
import shutil
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the explorer needs polyseme[explore]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from starlette.testclient import TestClient

from explorer_corpus import EVIL, MODEL, MONEY, SHORE, build_planted_index
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.explorer.app import ROUTES, create_explorer_app
from polyseme.explorer.background import TaskFailed, WorkersBusy
from polyseme.explorer.explorer import Explorer, fingerprint_senses
from polyseme.explorer.export_pages import _quote_toml
from polyseme.explorer.models import OFFERED_MODELS, build_inducer
from polyseme.formats import read_usages
from polyseme.studio.study.checks import check_study
from polyseme.studio.study.settings import read_study
from polyseme.studio.study.sources import load_study_inventory
from polyseme.web.middleware import SECURITY_HEADERS

Get = Callable[..., Any]
MARKED = re.compile(r"<blockquote[^>]*>(.*?)</blockquote>", re.DOTALL)


def passages(page: str) -> list[str]:
    """The usages on a page, below its senses."""
    return [
        unescape(re.sub("<[^>]*>", "", quotation)) for quotation in MARKED.findall(page.partition('id="usages"')[2])
    ]


def is_of_money(text: str) -> bool:
    return sum(word in text for word in MONEY) > sum(word in text for word in SHORE)


def test_the_senses_of_a_word_are_the_planted_ones(get: Get) -> None:
    page = get().text
    heads = re.findall(r"<h3><span.*?</span>\d</span> (.*?)</h3>", page)
    titles = [{*head.split(", ")} for head in heads]
    assert len(titles) == 2
    assert any(words < set(MONEY) for words in titles)
    assert any(words < set(SHORE) for words in titles)
    assert "121 usages" in page


def test_pages_begin_with_the_finding_and_end_with_the_procedure(get: Get) -> None:
    page = get().text
    assert re.search(r'<p class="lead finding">The main senses? (is|are) “', page)
    assert "induced 2 senses from 121 usages" in page[page.index("How these senses were made") :]
    finding = re.search(r'<p class="lead finding">The main sense is “([^”]*)”', early_page(get, "/word"))
    assert finding
    assert {*finding[1].split(", ")} < set(SHORE)


def test_buttons_have_the_names_that_people_expect(get: Get) -> None:
    paths = (path for path in ROUTES if not path.endswith(("jsonl", "zip")))
    pages = [get(path, other="MultiPrototype(clusters=2)").text for path in paths]
    buttons = {name for page in pages for name in re.findall(r"<button[^>]*>(.*?)</button>", page)}
    expected = {"Search", "Apply", "Compare", "Show senses", "Apply changes", "Download senses", "Download study"}
    assert buttons == expected
    for page in pages:
        assert not re.search(r"\bLook\b|could be said instead|drawn at random", page)


def test_usages_are_listed_sense_by_sense_and_page_by_page(get: Get) -> None:
    first = [is_of_money(text) for text in passages(get(by="sense").text)]
    last = [is_of_money(text) for text in passages(get(by="sense", page=7).text)]
    assert len(first) == 20
    assert len(last) == 1
    assert len(set(first)) == 1
    assert first[0] is not last[0]
    assert passages(get(page=10**6).text) == passages(get(page=7).text)


def test_one_sense_can_be_chosen(get: Get, explorer: Explorer) -> None:
    for sense in explorer.profile("bank", MODEL).senses:
        kinds = {is_of_money(text) for text in passages(get(sense=sense.id).text)}
        assert len(kinds) == 1


def test_usages_are_filtered_by_metadata(get: Get) -> None:
    page = get(where="year < 1815 and party == 'Tory'").text
    assert re.search(r"4 of\s+121", page)
    assert len(passages(page)) == 4
    wrong = get(where="colour == 'red'")
    assert wrong.status_code == 200
    assert unescape(wrong.text).count("no document has 'colour'") == 2  # at the top and below the field
    assert "Filtered by" not in wrong.text
    assert "in documents where" not in get("/export", where="colour == 'red'").text
    assert 'placeholder="year &gt;= 1' in wrong.text
    assert "is not a condition" in unescape(get(where="__import__('os')").text) or "condition" in get(where="(").text


def test_similar_usages_have_the_same_sense(get: Get, explorer: Explorer) -> None:
    usage = next(use for use in explorer.profile("bank", MODEL).usages if is_of_money(use.text))
    page = get("/like", usage=usage.id).text
    texts = [unescape(re.sub("<[^>]*>", "", quotation)) for quotation in MARKED.findall(page)]
    assert texts[0] == usage.text
    assert len(texts) > 5
    assert all(is_of_money(text) for text in texts)
    assert "Usage not found" in get("/like", usage="nothing").text


def test_a_condition_applies_to_similar_usages(get: Get, explorer: Explorer) -> None:
    usage = next(use for use in explorer.profile("bank", MODEL).usages if use.meta["year"] == "1974")
    page = get("/like", usage=usage.id, where="year < 1860").text
    first, *others = re.findall(r'<p class="document[^>]*>[^<]*year (\d+)', page)
    assert first == "1974"
    assert others
    assert all(int(year) < 1860 for year in others)


def test_change_over_time_is_computed_once(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    get("/time", where="year < 1950")
    monkeypatch.setattr("numpy.random.default_rng", None)
    assert get("/time", where="year < 1950").status_code == 200


def test_change_over_time_is_reported(get: Get) -> None:
    page = get("/time").text
    assert re.search(r"rose from \d+% of usages \(before 18\d\d\)", page)
    assert '<svg class="chart"' in page


@pytest.mark.usefixtures("wordnet_31")
def test_senses_are_looked_up_in_wordnet(get: Get) -> None:
    page = get("/wordnet").text
    first, second = re.findall(r"<h3>.*?</h3>(.*?)</li>\s*</ul>", page, re.DOTALL)
    assert "sloping land" in first + second
    assert "Senses in WordNet that resemble none of these" in page
    assert "Senses that are more frequent in SemCor weigh a little more." in page
    assert re.search(r"WordNet 3.1 lists \d+ senses; \w+ of them may resemble senses of this corpus", page)
    assert "has no entry" in get("/wordnet", word="the").text
    shares = [
        re.findall(r'<span class="muted small">(\d+)%</span></h3>', text)
        for text in (page, early_page(get, "/wordnet"))
    ]
    assert shares[0] != shares[1]


def early_page(get: Get, path: str) -> str:
    """A page of documents that are mostly about shores."""
    return str(get(path, where="year < 1815").text)


def test_two_models_are_compared(get: Get) -> None:
    form = get("/compare").text
    assert "Compare <i>" in form
    page = get("/compare", other="MultiPrototype(clusters=2)").text
    assert "Both models label 121 of these usages" in page
    assert "The two models give almost the same senses." in page
    assert "Corresponding senses" in page


def test_a_sentence_is_graded(get: Get, explorer: Explorer) -> None:
    text = "She paid a deposit of money at the bank, with credit. The boat lay in the river by the bank with water."
    page = get("/sentence", text=text).text.partition('aria-label="Senses in this text"')[2]
    assert page.count("<blockquote") == 2
    assert "does not contain <i>bank</i>" in get("/sentence", text="Nothing of the kind.").text
    money = next(
        number
        for number, sense in enumerate(explorer.profile("bank", MODEL).senses, 1)
        if sense.features[0][0] in MONEY
    )
    only = get("/sentence", text="A loan from the bank, on credit, and a deposit of money.").text
    label = re.search(r'aria-label="sense (\d) (?:over )?(\d+)%', only.partition('aria-label="Senses in this text"')[2])
    assert label
    assert int(label[1]) == money
    assert int(label[2]) > 70


def test_senses_are_renamed_and_merged_on_every_page(get: Get) -> None:
    renamed = get(name1="<i>one</i>").text
    assert "&lt;i&gt;one&lt;/i&gt;" in renamed
    assert "<i>one</i>" not in renamed
    assert "All usages have the same sense" in get(into2="1").text
    circle = get(into2="1", into1="2")
    assert circle.status_code == 200
    assert "circle" in circle.text
    assert "two senses would be called" in unescape(get(name1="a", name2="a").text)
    for fields, message in (({"name1": "a", "name2": "a"}, "two senses"), ({"into2": "1", "into1": "2"}, "circle")):
        response = get("/sentence", text="The bank had money.", **fields)
        assert response.status_code == 200
        assert message in response.text
        assert "Senses in this text" in response.text


@pytest.mark.parametrize("edited", ["bank:0123456789ab", ""])
def test_edits_of_other_senses_are_not_applied(get: Get, edited: str) -> None:
    page = get(name1="cash", into2="1", edited=edited).text
    assert "belong to other senses of the word, and are not applied" in page
    assert "cash" not in page
    assert page.count('<li class="card sense') == 2
    assert "You have edited these senses" not in page


def test_edits_are_bound_to_the_senses_of_a_model(explorer: Explorer) -> None:
    profile = explorer.profile("bank", MODEL)
    swapped = replace(profile, senses=profile.senses[::-1])
    described = replace(profile, senses=(replace(profile.senses[0], features=(("quokka", 1.0),)), profile.senses[1]))
    fingerprints = [fingerprint_senses(other) for other in (profile, replace(profile), swapped, described)]
    assert fingerprints[0] == fingerprints[1]
    assert len(set(fingerprints)) == 3


def test_a_search_carries_the_edits_of_the_same_word(get: Get) -> None:
    form = get(name1="cash").text.partition("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form))
    assert fields.keys() == {"name1", "edited"}
    assert "You have edited these senses" in get(**fields).text
    other_word = get(**{**fields, "word": "boat"}).text
    assert "cash" not in other_word
    assert "other senses" not in other_word


def test_changes_are_saved_by_the_form_that_makes_them(get: Get) -> None:
    form = get("/edit").text.partition('<form action="/word" class="card">')[2].partition("</form>")[0]
    assert re.search(r'name="edited" value="bank:[0-9a-f]{12}"', form)
    assert "press <i>Apply changes</i>, then bookmark the page" in form


# -- coarser, finer and unsure senses ----------------------------------------------------------------------------------


@pytest.fixture
def get_substitution(get: Get, explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> Get:
    """Gets a page of a model with a fineness; its first sense is unsure."""
    profile = explorer.profile("bank", MODEL)
    shares = (0.3, 0.85)
    senses = (replace(sense, recurrence=share) for sense, share in zip(profile.senses, shares, strict=True))
    unsure = replace(profile, senses=tuple(senses))
    monkeypatch.setattr(explorer, "profile", lambda *_: unsure)
    return lambda path="/word", **fields: get(path, **{"model": "Substitution()", **fields})


def links(page: str, title: str) -> list[str]:
    return [unescape(link) for link in re.findall(rf'<a [^>]*href="([^"]*)">{title}</a>', page)]


def test_links_lead_to_coarser_and_finer_senses(get_substitution: Get) -> None:
    page = get_substitution(where="year < 1815", by="corpus", name1="cash", sense="cash", page="2").text
    address = "/word?word=bank&model=Substitution%28probability%3D{}%29&where=year+%3C+1815&by=corpus#senses-title"
    assert links(page, "Coarser senses") == [address.format("0.34")]
    assert links(page, "Finer senses") == [address.format("0.5")]
    assert "Fineness .42 (default)" in page
    finer = get_substitution(model="Substitution(probability=0.5)").text
    assert "Fineness .50<" in finer
    assert links(finer, "Coarser senses") == ["/word?word=bank&model=Substitution%28%29#senses-title"]
    assert "selected>Substitutes (small model), finer: .50</option>" in finer


def test_the_finest_senses_have_no_link_to_finer_ones(get_substitution: Get, get: Get) -> None:
    page = get_substitution(model="Substitution(probability=0.74)").text
    assert links(page, "Finer senses") == []
    assert 'aria-disabled="true">Finer senses' in page
    for model in ("Substitution(number=2)", MODEL):
        assert "Finer senses" not in get(model=model).text


def test_unsure_senses_are_marked(get_substitution: Get) -> None:
    page = get_substitution().text
    assert page.count('class="unsure"') == 1
    assert 'title="Unsure: of random halves of the usages, only 30% have this sense again."' in page
    assert "recurs in 85% of random halves" in page
    assert [json.loads(line)["recurrence"] for line in get_substitution("/senses.jsonl").text.splitlines()] == [
        0.3,
        0.85,
    ]


def test_remote_users_can_choose_coarser_and_finer_senses(
    get_substitution: Get, explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explorer, "any_model", False)
    monkeypatch.setattr(explorer, "offered", OFFERED_MODELS)
    page = get_substitution(model="Substitution(probability=0.5)")
    assert page.status_code == 200
    assert "selected>Substitutes (small model), finer: .50</option>" in page.text
    assert get_substitution(model="Substitution(probability=0.53)").status_code == 422


# -- downloads ---------------------------------------------------------------------------------------------------------


def test_chosen_usages_are_exported(get: Get, tmp_path: Path) -> None:
    response = get("/usages.jsonl", where="year < 1815", by="corpus")
    assert response.headers["content-disposition"] == 'attachment; filename="bank-usages.jsonl"'
    (tmp_path / "usages.jsonl").write_bytes(response.content)
    usages = list(read_usages(tmp_path / "usages.jsonl"))
    assert len(usages) == 11
    assert {usage.target for usage in usages} == {"bank"}
    assert all(abs(sum(usage.meta["senses"].values()) - 1) < 0.01 for usage in usages)  # type: ignore[attr-defined]


def test_an_inventory_is_saved_with_names_and_merges(get: Get, tmp_path: Path) -> None:
    (tmp_path / "senses.jsonl").write_bytes(get("/senses.jsonl", name1="first one").content)
    senses = load_study_inventory("senses.jsonl", tmp_path)["bank"]
    assert [sense.id for sense in senses] == ["first one", "bank.s2"]
    assert senses[0].gloss.startswith("first one (described by: ")
    names = [json.loads(line)["name"] for line in get("/senses.jsonl", name1="first one").text.splitlines()]
    for page in (get(name1="first one").text, get("/compare", name1="first one", other=MODEL).text):
        assert re.findall(r"<h3><span.*?</span>\d</span> (.*?)</h3>", page)[:2] == names
    assert f"</span> {names[1]} <span" in get("/edit").text
    assert len(senses[0].examples) == 3
    assert len(get("/senses.jsonl", into1="2").text.splitlines()) == 1
    assert sum(json.loads(line)["share"] for line in get("/senses.jsonl").text.splitlines()) == pytest.approx(
        1, abs=1e-3
    )


def test_a_condition_applies_to_exported_senses(get: Get) -> None:
    lines = [json.loads(line) for line in early_page(get, "/senses.jsonl").splitlines()]
    shore = next(line for line in lines if next(iter(line["features"])) in SHORE)
    whole = [json.loads(line) for line in get("/senses.jsonl").text.splitlines()]
    assert shore["share"] > next(line["share"] for line in whole if line["id"] == shore["id"]) + 0.1
    with zipfile.ZipFile(io.BytesIO(get("/study.zip", where="year < 1815").content)) as archive:
        assert [json.loads(line) for line in archive.read("study/senses.jsonl").splitlines()] == lines


@pytest.mark.parametrize("fields", [{"where": "colour == 'red'"}, {"name1": "a", "edited": "bank:0"}])
@pytest.mark.parametrize("path", ["/senses.jsonl", "/usages.jsonl", "/study.zip"])
def test_a_request_that_cannot_be_fulfilled_has_no_download(get: Get, path: str, fields: dict[str, str]) -> None:
    assert get(path, **fields).status_code == 422


def test_a_study_without_usages_is_an_error(get: Get) -> None:
    response = get("/study.zip", where="year < 1700")
    assert response.status_code == 422
    assert "the selection has no usages of bank" in response.text


@pytest.mark.parametrize("text", ["🦘", 'a "b" \\ c', "\x7f", "می\u200cخواهم"])
def test_study_files_quote_any_word(text: str) -> None:
    assert tomllib.loads(f"title = {_quote_toml(text)}") == {"title": text}


@pytest.mark.parametrize("tasks", [["WSsim"], ["WSbest", "Usim", "SYNbest", "WSsim"], ["nonsense"]])
def test_the_studio_accepts_an_exported_study(get: Get, tmp_path: Path, tasks: list[str]) -> None:
    response = get("/study.zip", task=tasks, count="12", name1='a "quoted" name')
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        archive.extractall(tmp_path)
    study = read_study(tmp_path / "study" / "study.toml")
    problems, outline = check_study(study)
    assert problems == []
    assert outline is not None
    assert outline.usages == 12
    assert {workload.task for workload in outline.tasks} == ({*tasks} - {"nonsense"} or {"WSsim"})


# -- missing and strange words -----------------------------------------------------------------------------------------

STRANGE = [
    "", " ", "x" * 10_000, "\x00\x1b[31m", "'; DROP TABLE words; --", "<script>alert(1)</script>", "🦘🦘", "בנק",
    "\u202eknab", "../../etc/passwd", "{{ 7*7 }}", "%", "a" * 99 + "é", "\ud83e",
]  # fmt: skip


@pytest.mark.parametrize("word", STRANGE)
def test_strange_words_get_a_helpful_page(get: Get, word: str) -> None:
    response = get(word=word.encode(errors="ignore").decode())
    assert response.status_code == 200
    assert "<h2>Frequent words</h2>" in response.text
    assert "<script>alert" not in response.text
    assert "49" not in response.text.partition("</header>")[2].partition("<section>")[0]


def test_a_misspelt_word_gets_suggestions(get: Get) -> None:
    assert "Did you mean" in get(word="rivver").text


def test_a_rare_word_is_shown_without_senses(get: Get) -> None:
    page = get(word="quokka").text
    assert "<h2>1 usage</h2>" in page
    assert "<mark>quokka</mark>" in page


@pytest.mark.parametrize(
    "model",
    [
        "Nonsense",
        "Pipeline(",
        "__import__('os')",
        "FuzzyNMI",
        "x" * 10_000,
        f"UoY(p1={'9' * 400})",
        f"MultiPrototype(clusters={'-' * 450}1)",
    ],
)
def test_a_wrong_specification_is_explained(get: Get, model: str) -> None:
    response = get(model=model)
    assert response.status_code == 422
    assert "part" in response.text or "inducer" in response.text


def test_metadata_and_texts_are_escaped_everywhere(get: Get) -> None:
    for path in ROUTES:
        if path.endswith((".zip", ".jsonl")):
            continue
        for fields in ({}, {"where": f"party == {EVIL!r}"}, {"text": f"{EVIL} bank", "usage": EVIL, "sense": EVIL}):
            page = get(path, by="corpus", **fields).text
            assert EVIL not in page, (path, fields)
            assert "<img src=x" not in page, path
    assert "&lt;script&gt;" in get(by="corpus").text


def test_pages_obey_the_content_security_policy(get: Get) -> None:
    for path in ROUTES:
        response = get(path, text="the bank", other="MultiPrototype(clusters=2)")
        for name, value in SECURITY_HEADERS.items():
            assert response.headers[name] == value
        if "html" in response.headers["content-type"]:
            assert not re.search(r"<script|<style|<[^>]*\s(style|on\w+)=", response.text), path


def test_the_start_page_skips_models_that_no_longer_exist(get: Get, explorer: Explorer) -> None:
    entry = explorer.folder / "0123456789"
    entry.mkdir()
    (entry / "profile.json").write_text('{"lemma": "bank", "model": "Gone(by=3)", "senses": [], "usages": []}')
    try:
        page = get("/")
    finally:
        shutil.rmtree(entry)
    assert page.status_code == 200
    assert "Gone" not in page.text


@pytest.mark.parametrize(
    "error, message",
    [
        (TaskFailed("it took too long"), "</i> failed: it took too long"),
        (InputError("few"), "</i> induces no senses: few"),
    ],
)
def test_a_failed_task_differs_from_a_word_without_senses(
    get: Get, explorer: Explorer, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def wait_for(*_: object) -> bool:
        raise error

    monkeypatch.setattr(explorer._workers, "wait_for", wait_for)
    assert message in get(word="river").text


def test_busy_workers_are_reported(get: Get, explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait_for(*_: object) -> bool:
        raise WorkersBusy("8 words and models are waiting")

    monkeypatch.setattr(explorer._workers, "wait_for", wait_for)
    response = get(word="river")
    assert response.status_code == 503
    assert "8 words and models are waiting" in response.text
    assert int(response.headers["retry-after"]) > 0


# -- access -----------------------------------------------------------------------------------------------------------


def test_only_local_names_are_served(get: Get) -> None:
    assert get("/", headers={"host": "127.0.0.1:8001"}).status_code == 200
    assert get("/", headers={"host": "[::1]:8001"}).status_code == 200
    assert get("/", headers={"host": "evil.example"}).status_code == 421
    assert get("/", headers={"host": ""}).status_code == 421


def test_other_sites_can_link_to_the_start_page_only(get: Get) -> None:
    for site in ("cross-site", "same-site"):
        assert get("/word", headers={"sec-fetch-site": site}).status_code == 403
        assert get("/", headers={"sec-fetch-site": site}).status_code == 200
    assert get("/word", headers={"sec-fetch-site": "same-origin"}).status_code == 200


def test_remote_users_can_use_listed_models_only(get: Get, explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    get("/compare", other="UoY()")
    monkeypatch.setattr(explorer, "any_model", False)
    for response in (get(model=MODEL), get("/compare", model="", other=MODEL), get(model="UoY(p1=10)")):
        assert response.status_code == 422
        assert "only the listed models" in response.text
    assert get(model="").status_code == 200
    assert get("/compare", model=repr(build_inducer(explorer.model_or_default("")))).status_code == 200
    for page in (get("/").text, get("/compare", model="").text):
        assert "Another model" not in page


def test_only_get_requests_are_accepted(explorer: Explorer) -> None:
    client = TestClient(create_explorer_app(explorer), base_url="http://localhost")
    for path in ROUTES:
        for method in ("post", "put", "delete", "patch"):
            assert getattr(client, method)(path).status_code == 405
    assert client.get("/nowhere").status_code == 404
    assert client.get("/static/../app.py").status_code == 404
    assert "base" not in client.get("/static/base.css").url.params


# -- slow tasks --------------------------------------------------------------------------------------------------------


def test_a_page_reloads_itself_until_the_senses_are_induced(tmp_path: Path) -> None:
    index = build_planted_index(tmp_path)
    before = sorted((path, path.stat().st_mtime_ns) for path in index.folder.rglob("*"))
    explorer = Explorer(Index.open(index.folder), tmp_path / "cache", patience=0)
    try:
        client = TestClient(create_explorer_app(explorer), base_url="http://localhost")
        waiting = client.get("/word", params={"word": "bank", "model": MODEL})
        assert waiting.status_code == 202
        assert waiting.headers["refresh"] == "1"
        assert "Please wait" in waiting.text
        assert client.get("/").status_code == 200
        explorer.patience = 120
        assert client.get("/word", params={"word": "bank", "model": MODEL}).status_code == 200
    finally:
        explorer.stop()
    assert sorted((path, path.stat().st_mtime_ns) for path in index.folder.rglob("*")) == before
