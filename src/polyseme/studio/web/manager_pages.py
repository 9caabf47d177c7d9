"""The manager's pages: progress, agreement, care, disputes and their adjudication, invitations, the audit log.

Whoever does not manage the study is told that they do not exist. What changes anything is sent by a form, and noted in
the audit log.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse

from polyseme.errors import InputError, PolysemeError, quote_value
from polyseme.studio.exchange.exports import EXPORTS, Export, export_bytes, get_export
from polyseme.studio.monitoring.overview import StudyOverview, count_recent_judgements
from polyseme.studio.monitoring.page_history import PageHistory, read_page_history
from polyseme.studio.store.accounts import LoginSession
from polyseme.studio.store.annotators import INVITATION_DAYS, MAX_ANNOTATOR_NAME, Annotator
from polyseme.studio.study.pages import MAX_TEXT_LENGTH, Judgement
from polyseme.studio.study.tasks import TASKS
from polyseme.studio.web import manager_items, manager_tables
from polyseme.studio.web.forms import FORMS
from polyseme.studio.web.rendering import render_page
from polyseme.studio.web.security import CurrentStudio, ManagerSession, Studio, VisitorForm, text_field

router = APIRouter(prefix="/manage", include_in_schema=False)

DISPUTES_PER_PAGE = 25
"""Disputed items of each task that are listed at once."""
MAX_LOG_ENTRIES = 500
"""Entries of the audit log that are shown."""
NOTICES = {
    "recorded": "Your decision is recorded, beside what the annotators said.",
    "unchanged": "Nothing was recorded, because nothing was changed.",
    "state": "The change is made, and noted in the log.",
}
"""What a page says after a form was sent, by the name that is in its address."""


async def get_overview(request: Request, here: CurrentStudio) -> StudyOverview:
    """What is worked out of the judgements, and kept for as long as the application runs."""
    state = request.app.state
    if not hasattr(state, "overview"):
        state.overview = StudyOverview(here.store)
    found: StudyOverview = state.overview
    return found


CurrentOverview = Annotated[StudyOverview, Depends(get_overview)]


async def require_manager_form(_: ManagerSession, form: VisitorForm) -> FormData:
    """A form that a manager sends; to all others, the address does not exist, whatever they send."""
    return form


ManagerForm = Annotated[FormData, Depends(require_manager_form)]


def _render_manager_page(
    request: Request, here: Studio, session: LoginSession, template: str, status: int = 200, /, **context: Any
) -> Response:
    visitor = {"name": session.annotator.name, "csrf": session.csrf}
    known = {"visitor": visitor, "tone": "good", "said": NOTICES.get(request.query_params.get("said", ""), "")}
    return render_page(request, here, template, status, **(known | context))


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


# -- progress and people ---------------------------------------------------------------------------------------------


@router.get("")
def show_progress(request: Request, here: CurrentStudio, session: ManagerSession) -> Response:
    """How far everybody is."""
    return _render_progress(request, here, session)


def _render_progress(
    request: Request, here: Studio, session: LoginSession, status: int = 200, /, **context: Any
) -> Response:
    found = here.store.progress()
    return _render_manager_page(
        request,
        here,
        session,
        "manage.html",
        status,
        **{
            "totals": manager_tables.study_totals(found),
            "people": manager_tables.build_progress_rows(found, count_recent_judgements(here.store)),
            "managers": [each for each in here.store.annotators() if each.is_manager],
            "groups": {name: ", then ".join(tasks) for name, tasks in here.store.study.groups.items()},
            "longest": MAX_ANNOTATOR_NAME,
            "days": INVITATION_DAYS,
            "downloads": _available_exports(here),
            "invited": None,
            "given": "",
            **context,
        },
    )


def _render_refusal(
    request: Request, here: Studio, session: LoginSession, error: PolysemeError, given: str = ""
) -> Response:
    text = str(error)
    words = {"said": text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else "."), "tone": "bad"}
    return _render_progress(request, here, session, 422, **words, given=given)


@router.post("/invite")
def submit_invitation(request: Request, here: CurrentStudio, session: ManagerSession, form: ManagerForm) -> Response:
    """Add an annotator, and show the link, this once."""
    name, group = " ".join(text_field(form, "name").split()), text_field(form, "group")
    try:
        token = here.store.add_annotator(name, group=group)
    except InputError as error:
        return _render_refusal(request, here, session, error, name)
    here.store.audit(session.annotator.name, f"invited {name}", f"group {group}" if group else "")
    return _render_link(request, here, session, name, token)


def _render_link(request: Request, here: Studio, session: LoginSession, name: str, token: str) -> Response:
    """The page with a link; it is in no address, so that nothing keeps it."""
    link = str(request.url_for("invitation_page", token=token))
    return _render_progress(request, here, session, invited={"name": name, "link": link})


@router.post("/link")
def submit_new_link(request: Request, here: CurrentStudio, session: ManagerSession, form: ManagerForm) -> Response:
    """A new link for someone who lost theirs; the one before ends."""
    try:
        who = _get_annotator(here, text_field(form, "name"))
    except InputError as error:
        return _render_refusal(request, here, session, error)
    token = here.accounts.invite(who.name, session.annotator.name)
    return _render_link(request, here, session, who.name, token)


@router.post("/state")
def submit_state(request: Request, here: CurrentStudio, session: ManagerSession, form: ManagerForm) -> Response:
    """Pause an annotator, or let one go on."""
    try:
        who = _get_annotator(here, text_field(form, "name"))
        here.store.set_state(who.name, text_field(form, "state"), session.annotator.name)
    except InputError as error:
        return _render_refusal(request, here, session, error)
    return _go("/manage?said=state")


def _get_annotator(here: Studio, name: str) -> Annotator:
    """An annotator by name; managers cannot shut one another out here."""
    found = next((each for each in here.store.annotators() if each.name == name and not each.is_manager), None)
    if found is None:
        raise InputError(f"no annotator is called {quote_value(name)}; invite them first")
    return found


# -- downloads -------------------------------------------------------------------------------------------------------


def _available_exports(here: Studio) -> list[Export]:
    """What can be downloaded; not the tables of tasks that the study does not have."""
    absent = {task.lower() for task in TASKS if task not in here.store.study.tasks}
    return [each for each in EXPORTS.values() if each.name.partition("-")[0] not in absent]


@router.get("/export")
def download_export(request: Request, here: CurrentStudio, session: ManagerSession, format: str = "csv") -> Response:
    """Everything, in one of the ways of :mod:`polyseme.studio.exchange.exports`; who took it is noted."""
    try:
        found, content = get_export(format), export_bytes(here.store, format)
    except PolysemeError as error:
        return _render_refusal(request, here, session, error)
    here.store.audit(session.annotator.name, "downloaded", found.name)
    file = {"Content-Disposition": f'attachment; filename="{found.name}{found.suffix}"'}
    return Response(content, media_type=found.media, headers=file)


# -- agreement and care ----------------------------------------------------------------------------------------------


@router.get("/agreement")
def show_agreement(
    request: Request, here: CurrentStudio, session: ManagerSession, looking: CurrentOverview
) -> Response:
    """How annotators agree."""
    found = looking.agreement()
    tasks = [manager_tables.build_agreement_tables(each) for each in found.value.values()]
    return _render_manager_page(request, here, session, "manage_agreement.html", tasks=tasks, time=found.time)


@router.get("/care")
def show_attention_checks(
    request: Request, here: CurrentStudio, session: ManagerSession, looking: CurrentOverview
) -> Response:
    """How the scale is used, control items, repeats, speed and triangles."""
    found, triangles, scale = looking.care(), looking.triangles().value, here.store.study.scale
    return _render_manager_page(
        request,
        here,
        session,
        "manage_care.html",
        scales=[manager_tables.build_scale_table(task, use, scale) for task, use in looking.scale_use().value.items()],
        tasks=[manager_tables.build_attention_table(task, each) for task, each in found.value.items()],
        triangles=triangles,
        explained=manager_tables.CHECK_EXPLANATIONS,
        lines=list(manager_tables.describe_triangles(triangles)) if triangles else [],
        time=found.time,
    )


# -- disputes and adjudication ---------------------------------------------------------------------------------------


@router.get("/disputed")
def show_disputes(
    request: Request,
    here: CurrentStudio,
    session: ManagerSession,
    looking: CurrentOverview,
    most: Annotated[int, Query(ge=1, le=100)] = DISPUTES_PER_PAGE,
) -> Response:
    """The items on which annotators are farthest apart, the usages called invalid, and the comments."""
    found, decided = looking.disputed(), manager_items.find_adjudicated_pages(here.store)
    return _render_manager_page(
        request,
        here,
        session,
        "manage_disputed.html",
        tasks={
            task: (manager_items.build_dispute_rows(here.store, some[:most], decided), len(some) > most)
            for task, some in found.value.items()
        },
        cut=manager_items.concordance_lines,
        invalid=manager_items.build_invalid_rows(here.store.invalid()),
        comments=manager_items.build_comment_rows(here.store, looking.ratings().value, 4 * DISPUTES_PER_PAGE),
        time=found.time,
        most=most,
    )


@router.get("/item")
def show_item(request: Request, here: CurrentStudio, session: ManagerSession, page: str = "") -> Response:
    """A page with all that was said of it, and the form to decide."""
    return _render_item(request, here, session, page)


def _render_item(request: Request, here: Studio, session: LoginSession, name: str, refused: str = "") -> Response:
    found = _get_page_history(here, name)
    page, mine = found.page, found.get_decision(session.annotator.id)
    return _render_manager_page(
        request,
        here,
        session,
        "manage_item.html",
        422 if refused else 200,
        page=page,
        found=found,
        questions=FORMS[page.task].questions(page, mine),
        chips=manager_items.judgement_chips(found),
        right=manager_items.expected_answers(page),
        remarks=[(each, manager_items.describe_remark(page, each)) for each in found.events],
        comment=mine.comment,
        refused=refused,
        nonce=secrets.token_hex(16),
        longest=MAX_TEXT_LENGTH,
    )


def _get_page_history(here: Studio, name: str) -> PageHistory:
    if "\0" in name:  # which one of the databases cannot even look for
        raise HTTPException(404)
    try:
        return read_page_history(here.store, name)
    except KeyError:
        raise HTTPException(404) from None


@router.post("/item")
def submit_adjudication(request: Request, here: CurrentStudio, session: ManagerSession, form: ManagerForm) -> Response:
    """Add a manager's judgement; it stands beside those of the annotators."""
    name = text_field(form, "page")
    found = _get_page_history(here, name)
    page, mine = found.page, found.get_decision(session.annotator.id)
    shape, comment = FORMS[page.task], text_field(form, "comment").replace("\r\n", "\n").strip()
    before = shape.filled(page, mine)
    fields = {each: [value for value in form.getlist(each) if isinstance(value, str)] for each in before}
    try:
        judgements = [
            each for each in shape.judgements(page, fields, before) if each.value != 0 or each.target in mine.values
        ]
        new = comment if comment != mine.comment else None
        said = _save_adjudication(here, session, name, judgements, text_field(form, "form"), new)
    except InputError as error:
        return _render_item(request, here, session, name, refused=str(error))
    return _go(f"/manage/item?{urlencode({'page': name, 'said': said})}")


def _save_adjudication(
    here: Studio, session: LoginSession, page: str, judgements: list[Judgement], form: str, comment: str | None
) -> str:
    """Record what is new, if anything is; what is to be said of it."""
    if not judgements and comment is None:
        return "unchanged"
    request = form or secrets.token_hex(16)
    here.store.adjudicate(session.annotator.id, page, judgements, request=request, comment=comment)
    return "recorded"


# -- the log ---------------------------------------------------------------------------------------------------------


@router.get("/log")
def show_log(request: Request, here: CurrentStudio, session: ManagerSession) -> Response:
    """Who did what, the latest first."""
    return _render_manager_page(
        request, here, session, "manage_log.html", entries=here.store.audited(MAX_LOG_ENTRIES), most=MAX_LOG_ENTRIES
    )
