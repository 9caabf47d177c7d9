"""The manager's pages: access, contents and forms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs polyseme[annotate]")
pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")

from polyseme.studio.exchange.exports import EXPORTS
from polyseme.studio.monitoring import overview as overview_module
from polyseme.studio.monitoring.overview import StudyOverview, read_last_event
from polyseme.studio.store.store import Store
from polyseme.studio.study.pages import Page
from polyseme.studio.study.settings import parse_study
from polyseme.studio.web.manager_pages import NOTICES
from studies import SENSES, make_pages, make_study
from studio.web.conftest import SCRIPT, WSSIM, text, work

PAGES = ("/manage", "/manage/agreement", "/manage/quality", "/manage/disputed", "/manage/log")


# -- who gets in -----------------------------------------------------------------------------------------------------


def test_only_managers_see_the_pages(studio: Any, visit: Any) -> None:
    store = studio("WSsim")
    ann, stranger = visit(store), visit(store, "")
    csrf = ann.hidden("/page/1")
    before = len(store.audit_log())
    for address in (*PAGES, f"/manage/item?page={WSSIM}", "/manage/export", "/manage/export?format=study"):
        assert ann.get(address).status_code == 404, address
        assert str(stranger.get(address).url).endswith("/login"), address
    for address in ("/manage/invite", "/manage/link", "/manage/state", "/manage/item"):
        fields = {"name": "eve", "state": "paused", "page": WSSIM, "rating1": "3"}
        assert ann.client.post(address, data={"csrf": csrf, **fields}).status_code == 404, address
        assert ann.client.post(address, data=fields).status_code == 404, address
        assert stranger.client.post(address, data=fields).status_code == 401, address
    assert [each.name for each in store.annotators()] == ["ann"]
    assert len(store.audit_log()) == before
    assert not list(store.events())


def test_a_form_without_its_token_changes_nothing(studio: Any, visit: Any) -> None:
    store = studio("WSsim")
    store.add_annotator("ann")
    boss = visit(store, "boss", "manager")
    before = len(store.audit_log())
    for address in ("/manage/invite", "/manage/link", "/manage/state", "/manage/item"):
        for token in ({}, {"csrf": "forged"}):
            fields = {"name": "ann", "state": "paused", "page": WSSIM, "rating1": "3", **token}
            assert boss.client.post(address, data=fields).status_code == 403
    cross = {"csrf": boss.hidden("/manage"), "name": "eve"}
    assert boss.client.post("/manage/invite", data=cross, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert len(store.audit_log()) == before
    assert store.annotators()[0].state == "invited"


def test_the_start_page_of_a_manager_is_the_progress(studio: Any, visit: Any) -> None:
    boss = visit(studio("Usim"), "boss", "manager")
    assert str(boss.get("/").url).endswith("/manage")


# -- what the pages say ----------------------------------------------------------------------------------------------


def test_pages_of_a_study_without_judgements(studio: Any, visit: Any) -> None:
    boss = visit(studio("WSsim", "Usim", "WSbest", "SYNbest"), "boss", "manager")
    for address in PAGES:
        text(boss.get(address))
    assert "There are no annotators yet" in text(boss.get("/manage"))
    for address in PAGES[1:4]:
        assert "There are no judgements yet" in text(boss.get(address))


def test_undefined_figures_have_a_reason(studio: Any, visit: Any) -> None:
    store = studio("WSsim", "WSbest")
    work(store, "ann")
    boss = visit(store, "boss", "manager")
    content = text(boss.get("/manage/agreement"))
    assert "there are no two annotators to compare" in content
    assert "there is no other annotator yet" in content
    assert "nan" not in content.lower().replace("finance", "")
    assert "there is only one annotator" in text(boss.get("/manage/quality"))
    assert "The annotators agree on all items" in text(boss.get("/manage/disputed"))


def test_progress_lists_pages_pace_and_totals(busy: Store, visit: Any) -> None:
    busy.add_annotator("late")
    boss = visit(busy, "boss", "manager")
    content = text(boss.get("/manage"))
    for words in ("67%", "24 of 36", "12 of 12", "0 of 12", "never", "just now", "finished", "invited", "4 s"):
        assert words in content, words
    assert "Managers: boss" in content


def test_agreement_has_the_figures_of_the_library(busy: Store, visit: Any) -> None:
    from polyseme.agreement.overview import measure_agreement

    boss = visit(busy, "boss", "manager")
    content = text(boss.get("/manage/agreement"))
    agreement = measure_agreement(busy.ratings(), resamples=0)
    assert set(agreement) == {"WSsim", "Usim", "WSbest", "SYNbest"}
    for task, task_agreement in agreement.items():
        assert task in content
        for figure in task_agreement.whole.figures.values():
            assert f"{figure.value:.2f}".replace("-", "−") in content if figure.defined else figure.reason in content
    assert "Only one lemma has judgements" in content


def test_agreement_lists_each_lemma(studio: Any, visit: Any) -> None:
    first = make_pages("WSsim", 2)
    other = [replace(page, name=f"{page.name}!", lemma="shore.n") for page in make_pages("WSsim", 2)]
    store = studio(pages=[*first, *other], study=make_study("WSsim"))
    work(store, "ann", lambda usage, at: float(1 + (usage + at) % 5))
    work(store, "bob", lambda usage, at: float(1 + (usage + at * 2) % 5))
    content = text(visit(store, "boss", "manager").get("/manage/agreement"))
    assert content.count('<th scope="row"><bdi>shore.n</bdi>') == 1
    assert content.count('<th scope="row"><bdi>bank.n</bdi>') == 1


def make_controlled_pages() -> list[Page]:
    """Pages, and a control page with right answers for each task with senses."""
    pages = []
    for task, right in (("WSsim", {sense.id: 1.0 for sense in SENSES}), ("WSbest", {SENSES[0].id: 1.0})):
        ordinary = make_pages(task, 3)
        extra = make_pages(task, 4)[3]
        pages += [*ordinary, replace(extra, name=f"control/{task}", role="control", round="", right=right)]
    return pages


def test_attention_checks_cover_controls_repeats_speed_and_scale(studio: Any, visit: Any) -> None:
    more = "repeats.share = 0.4\ncontrols.answers = 'c.csv'\ncontrols.every = 2"
    study = make_study("WSsim", "WSbest", more=more)
    store = studio(pages=make_controlled_pages(), study=study)
    work(store, "ann", lambda page, at: float(1 + (page + at) % 5))
    work(store, "bob", lambda _page, _at: 5.0)
    roles = {row.role for row in store.ratings()}
    assert roles == {"", "repeat", "control"}
    content = text(visit(store, "boss", "manager").get("/manage/quality"))
    for words in ("Control items", "Repeats", "Speed", "too few control items to compare: 1", "use of the scale"):
        assert words in content, words
    assert "only judgements of pairs of usages (Usim) have triangles" in content


def test_a_careless_annotator_is_flagged_with_evidence(studio: Any, visit: Any) -> None:
    many = [
        replace(page, name=f"{page.name}/{number}", passages=(replace(page.passages[0], usage=f"bank.n.{number}"),))
        for number in range(12)
        for page in make_pages("WSsim", 1)
    ]
    store = studio(pages=many, study=make_study("WSsim"))
    for who in ("ann", "bob", "cy"):
        work(store, who, lambda page, at: float(1 + (page * 3 + at * 2) % 5))
    work(store, "eve", lambda _page, _at: 3.0)
    content = text(visit(store, "boss", "manager").get("/manage/quality"))
    assert "eve gave 3 to 100% of 48 items" in content
    assert "flagged" in content
    assert "the others' mean is" in content


def test_violations_of_the_triangle_inequality_are_listed(studio: Any, visit: Any) -> None:
    first, second = make_pages("Usim", 2)
    third = replace(first, name="Usim/1/far", passages=(second.passages[1], first.passages[0]))
    store = studio(pages=[first, second, third], study=make_study("Usim"))
    work(store, "ann", lambda usage, _at: 1.0 if usage == 3 else 5.0)
    content = text(visit(store, "boss", "manager").get("/manage/quality"))
    assert "Single annotators: 1 of 1 triple of usages (100.0%) violate it" in content
    assert "bank.n.1 and bank.n.2 rated 5, bank.n.2 and bank.n.3 rated 5, but bank.n.1 and bank.n.3 rated 1" in content


# -- people ----------------------------------------------------------------------------------------------------------


def test_a_manager_invites_pauses_and_resumes_annotators(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    boss = visit(store, "boss", "manager")
    answer = boss.send("/manage/invite", at="/manage", name=" cy  lee ", group="a")
    link = text(answer).partition("/invitation/")[2].partition("<")[0]
    assert store.annotators()[-1].name == "cy lee"
    assert link not in boss.get("/manage").text
    cy = visit(store, "")
    assert cy.send(f"/invitation/{link}", follow=True).status_code == 200
    answer = boss.send("/manage/state", at="/manage", name="cy lee", state="paused", follow=True)
    assert NOTICES["paused"] in text(answer)
    assert "Resume: cy lee" in answer.text
    assert cy.get("/page/1").status_code == 403
    boss.send("/manage/state", at="/manage", name="cy lee", state="active")
    assert cy.get("/page/1").status_code == 200
    fresh = text(boss.send("/manage/link", at="/manage", name="cy lee")).partition("/invitation/")[2].partition("<")[0]
    assert fresh != link
    assert cy.get(f"/invitation/{link}").status_code == 404
    assert visit(store, "").get(f"/invitation/{fresh}").status_code == 200
    log = text(boss.get("/manage/log"))
    for words in ("invited cy lee", "group a", "paused cy lee", "resumed cy lee", "cy lee got a new link"):
        assert words in log, words
    assert {(entry.user, entry.action) for entry in store.audit_log()} >= {
        ("boss", "invited cy lee"),
        ("boss", "paused cy lee"),
        ("boss", "cy lee got a new link"),
    }
    assert link not in log
    assert fresh not in log


def test_a_manager_sees_and_chooses_groups(studio: Any, visit: Any) -> None:
    groups = (
        "title = 'T'\nitems.usages = 'u'\nitems.senses = 's'\n[tasks]\na = ['WSsim', 'Usim']\nb = ['Usim', 'WSsim']"
    )
    store = studio(pages=[*make_pages("WSsim"), *make_pages("Usim")], study=parse_study(groups))
    boss = visit(store, "boss", "manager")
    assert "b: Usim, then WSsim" in text(boss.get("/manage"))
    assert "group b" in text(boss.send("/manage/invite", at="/manage", name="ann", group="b"))
    assert "group a" in text(boss.send("/manage/invite", at="/manage", name="bob", group=""))
    assert [each.group for each in store.annotators() if not each.is_manager] == ["b", "a"]
    again = boss.send("/manage/invite", at="/manage", name="ann ")
    assert again.status_code == 422
    assert "The study has somebody called &#39;ann&#39; already; choose another name or, for a new link" in again.text


@pytest.mark.parametrize(
    "address, fields",
    [
        ("invite", {"name": ""}),
        ("invite", {"name": "boss"}),
        ("invite", {"name": "x" * 101}),
        ("invite", {"name": "a\0b"}),
        ("invite", {"name": "eve", "group": "none such"}),
        ("state", {"name": "ann", "state": "invited"}),
        ("state", {"name": "ann", "state": SCRIPT}),
        ("state", {"name": "boss", "state": "paused"}),
        ("state", {"name": SCRIPT, "state": "paused"}),
        ("state", {}),
        ("link", {"name": "boss"}),
        ("link", {"name": "\0"}),
        ("link", {}),
    ],
)
def test_invalid_requests_are_refused_with_a_message(
    studio: Any, visit: Any, address: str, fields: dict[str, str]
) -> None:
    store = studio("Usim")
    store.add_annotator("ann")
    boss = visit(store, "boss", "manager")
    before = store.annotators(), len(store.audit_log())
    answer = boss.send(f"/manage/{address}", at="/manage", **fields)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert SCRIPT not in answer.text
    assert (store.annotators(), len(store.audit_log())) == before


def test_a_name_with_a_script_is_escaped(studio: Any, visit: Any) -> None:
    store = studio("Usim")
    work(store, SCRIPT)
    work(store, "ann", lambda usage, _: float(usage))
    boss = visit(store, "boss", "manager")
    for address in (*PAGES, "/manage/item?page=Usim/1/bank.n.1"):
        assert SCRIPT in text(boss.get(address)), address


# -- downloads, and what is worked out -------------------------------------------------------------------------------


def test_every_export_can_be_downloaded(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    page = boss.get("/manage").text
    for name, export in EXPORTS.items():
        assert f'"/manage/export?format={name}"' in page
        answer = boss.get(f"/manage/export?format={name}")
        assert answer.status_code == 200, (name, answer.text[:300])
        assert answer.headers["content-disposition"] == f'attachment; filename="{export.file_name}"'
        assert answer.headers["cache-control"] == "no-store"
    assert ("boss", "downloaded", "csv") in {(entry.user, entry.action, entry.detail) for entry in busy.audit_log()}
    refused = boss.get("/manage/export", params={"format": SCRIPT})
    assert refused.status_code == 422
    assert SCRIPT not in refused.text


def test_exports_of_other_tasks_are_not_offered(studio: Any, visit: Any) -> None:
    boss = visit(studio("WSsim"), "boss", "manager")
    page = boss.get("/manage").text
    assert "wssim-csv" in page
    assert "usim-csv" not in page.replace("wssim-csv", "")
    assert boss.get("/manage/export?format=usim-csv").status_code == 422


def test_statistics_are_cached_until_a_new_judgement(busy: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    overview = StudyOverview(busy)
    first = overview.agreement()
    assert overview.agreement() is first
    assert first.last_event == read_last_event(busy)
    work(busy, "cy")
    second = overview.agreement()
    assert second is not first
    assert len(second.value["WSsim"].annotators) == 3
    monkeypatch.setattr(overview_module, "SLOW_SECONDS", 0.0)  # as if it had taken long: then it rests for a while
    monkeypatch.setattr(overview_module, "SLOW_CACHE_FACTOR", 1e9)
    work(busy, "dee")
    assert overview.agreement() is second


def test_a_second_request_computes_nothing(busy: Store, visit: Any) -> None:
    boss = visit(busy, "boss", "manager")
    for _ in range(2):
        for address in PAGES:
            boss.get(address)
        cached = dict(boss.client.app.state.overview._cache)
    assert set(cached) == {"ratings", "agreement", "quality", "scale use", "triangles", "disputed"}
    assert all(boss.client.app.state.overview._cache[name] is result for name, result in cached.items())
