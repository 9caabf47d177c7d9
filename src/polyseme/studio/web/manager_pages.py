"""The manager's pages: progress, invitations, agreement, quality, disputed items, adjudication, and the audit log.

For other users these addresses do not exist. Every change comes from a form and is written to the audit log.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from starlette.datastructures import FormData

from polyseme.errors import InputError, PolysemeError, quote_value
from polyseme.studio.exchange.exports import EXPORTS, Export, export_bytes, get_export
from polyseme.studio.monitoring.overview import StudyOverview, count_recent_judgements
from polyseme.studio.monitoring.page_history import PageHistory, read_page_history
from polyseme.studio.store.annotators import INVITATION_DAYS, MAX_ANNOTATOR_NAME, Annotator
from polyseme.studio.study.pages import MAX_TEXT_LENGTH
from polyseme.studio.study.tasks import TASKS
from polyseme.studio.web import manager_items, manager_tables
from polyseme.studio.web.forms import FORMS, build_submission
from polyseme.studio.web.rendering import redirect, to_sentence
from polyseme.studio.web.security import CurrentStudio, ManagerVisit, UserForm, Visit, text_field

router = APIRouter(prefix="/manage", include_in_schema=False)

DISPUTES_PER_PAGE = 25
"""Disputed items of each task that are listed by default."""
MAX_LOG_ENTRIES = 500
"""Entries of the audit log that are listed."""
NOTICES = {
    "recorded": "Your decision is saved beside the annotators’ judgements.",
    "next": "Your decision is saved beside the annotators’ judgements. Here is the next disputed item.",
    "unchanged": "You changed nothing, so nothing was saved.",
    "paused": "Paused: the annotator cannot save answers until you press Resume.",
    "active": "The annotator can work again.",
}
"""The notice on a page after a form was sent, by the value of ``notice`` in its address."""


async def get_overview(request: Request, studio: CurrentStudio) -> StudyOverview:
    """Return the statistics of the study, which are cached as long as the application runs."""
    state = request.app.state
    if not hasattr(state, "overview"):
        state.overview = StudyOverview(studio.store)
    overview: StudyOverview = state.overview
    return overview


CurrentOverview = Annotated[StudyOverview, Depends(get_overview)]


async def require_manager_form(_: ManagerVisit, form: UserForm) -> FormData:
    """Return a form that a manager sends; for other users the address does not exist."""
    return form


ManagerForm = Annotated[FormData, Depends(require_manager_form)]


def _render(visit: Visit, template: str, status: int = 200, /, **context: Any) -> Response:
    notice = NOTICES.get(visit.request.query_params.get("notice", ""), "")
    return visit.render(template, status, **{"tone": "good", "notice": notice, **context})


# -- progress and invitations ----------------------------------------------------------------------------------------


@router.get("")
def show_progress(visit: ManagerVisit) -> Response:
    """Show the progress of all annotators."""
    return _render_progress(visit)


def _render_progress(visit: Visit, status: int = 200, /, **context: Any) -> Response:
    rows, recent = visit.store.progress(), count_recent_judgements(visit.store)
    defaults = {
        "totals": manager_tables.study_totals(rows),
        "rows": [manager_tables.build_progress_row(row, recent.get(row.annotator, 0)) for row in rows],
        "managers": [user for user in visit.store.annotators() if user.is_manager],
        "groups": {name: ", then ".join(tasks) for name, tasks in visit.store.study.groups.items()},
        "max_length": MAX_ANNOTATOR_NAME,
        "days": INVITATION_DAYS,
        "downloads": _available_exports(visit),
        "invitation": None,
        "name": "",
    }
    return _render(visit, "manage.html", status, **{**defaults, **context})


def _render_refusal(visit: Visit, error: PolysemeError, name: str = "") -> Response:
    return _render_progress(visit, 422, notice=to_sentence(error), tone="bad", name=name)


@router.post("/invite")
def submit_invitation(visit: ManagerVisit, form: ManagerForm) -> Response:
    """Add an annotator and show the link once."""
    name, group = " ".join(text_field(form, "name").split()), text_field(form, "group")
    if name in {user.name for user in visit.store.annotators()}:
        problem = f"the study has somebody called {quote_value(name)} already"
        advice = "choose another name or, for a new link, press New link beside the name"
        return _render_refusal(visit, InputError(f"{problem}; {advice}"), name)
    try:
        token = visit.store.add_annotator(name, group=group)
    except InputError as error:
        return _render_refusal(visit, error, name)
    visit.store.audit(visit.user.name, f"invited {name}", f"group {group}" if group else "")
    return _render_link(visit, name, token)


def _render_link(visit: Visit, name: str, token: str) -> Response:
    """Render the page with a link. The address does not contain it, so no browser history stores it."""
    link = str(visit.request.url_for("show_invitation", token=token))
    return _render_progress(visit, invitation={"name": name, "link": link})


@router.post("/link")
def submit_new_link(visit: ManagerVisit, form: ManagerForm) -> Response:
    """Create a new link for an annotator; the previous one stops working."""
    try:
        annotator = _get_annotator(visit, text_field(form, "name"))
    except InputError as error:
        return _render_refusal(visit, error)
    return _render_link(visit, annotator.name, visit.studio.accounts.invite(annotator.name, visit.user.name))


@router.post("/state")
def submit_state(visit: ManagerVisit, form: ManagerForm) -> Response:
    """Pause or resume the work of an annotator."""
    try:
        annotator = _get_annotator(visit, text_field(form, "name"))
        state = text_field(form, "state")
        visit.store.set_state(annotator.name, state, visit.user.name)
    except InputError as error:
        return _render_refusal(visit, error)
    return redirect(f"/manage?notice={state}")


def _get_annotator(visit: Visit, name: str) -> Annotator:
    """Return an annotator by name; managers cannot lock one another out."""
    for user in visit.store.annotators():
        if user.name == name and not user.is_manager:
            return user
    raise InputError(f"the study has no annotator {quote_value(name)}; invite them first")


# -- downloads -------------------------------------------------------------------------------------------------------


def _available_exports(visit: Visit) -> list[Export]:
    """Return the exports, except those of tasks that are not part of the study."""
    absent = {task.lower() for task in TASKS if task not in visit.store.study.tasks}
    return [export for export in EXPORTS.values() if export.name.partition("-")[0] not in absent]


@router.get("/export")
def download_export(visit: ManagerVisit, format: str = "csv") -> Response:
    """Send an export and note it in the audit log."""
    try:
        export, content = get_export(format), export_bytes(visit.store, format)
    except PolysemeError as error:
        return _render_refusal(visit, error)
    visit.store.audit(visit.user.name, "downloaded", export.name)
    headers = {"Content-Disposition": f'attachment; filename="{export.file_name}"'}
    return Response(content, media_type=export.media, headers=headers)


# -- agreement and quality -------------------------------------------------------------------------------------------


@router.get("/agreement")
def show_agreement(visit: ManagerVisit, overview: CurrentOverview) -> Response:
    """Show the agreement of the annotators."""
    agreement = overview.agreement()
    tasks = [manager_tables.build_agreement_tables(task) for task in agreement.value.values()]
    invalid = len(visit.store.invalid_usages())
    return _render(visit, "manage_agreement.html", tasks=tasks, time=agreement.time, invalid=invalid)


@router.get("/quality")
def show_attention_checks(visit: ManagerVisit, overview: CurrentOverview) -> Response:
    """Show the attention checks, the use of the scale and the triangle inequality."""
    checks, triangles = overview.quality(), overview.triangles().value
    scale, use = visit.store.study.scale, overview.scale_use().value
    return _render(
        visit,
        "manage_quality.html",
        scales=[manager_tables.build_scale_table(task, task_use, scale) for task, task_use in use.items()],
        tasks=[manager_tables.build_attention_table(task, report) for task, report in checks.value.items()],
        triangles=triangles,
        explanations=manager_tables.CHECK_EXPLANATIONS,
        lines=list(manager_tables.describe_triangles(triangles)) if triangles else [],
        time=checks.time,
    )


# -- disputes and adjudication ---------------------------------------------------------------------------------------


@router.get("/disputed")
def show_disputes(
    visit: ManagerVisit, overview: CurrentOverview, most: Annotated[int, Query(ge=1, le=100)] = DISPUTES_PER_PAGE
) -> Response:
    """Show the items with the largest disagreement, the usages marked as invalid, and the comments."""
    store, disputes = visit.store, overview.disputed()
    adjudicated = manager_items.find_adjudicated_pages(store)
    return _render(
        visit,
        "manage_disputed.html",
        tasks={
            task: (
                [manager_items.build_dispute_row(store, dispute, adjudicated) for dispute in rows[:most]],
                len(rows) > most,
            )
            for task, rows in disputes.value.items()
        },
        concordance_lines=manager_items.concordance_lines,
        invalid=manager_items.build_invalid_rows(store.invalid_usages()),
        comments=manager_items.build_comment_rows(store, overview.ratings().value, 4 * DISPUTES_PER_PAGE),
        time=disputes.time,
        most=most,
    )


@router.get("/item")
def show_item(visit: ManagerVisit, page: str = "") -> Response:
    """Show a page with all its judgements, and the form to adjudicate it."""
    return _render_item(visit, page)


def _render_item(visit: Visit, name: str, problem: str = "") -> Response:
    history = _get_page_history(visit, name)
    page, decision = history.page, history.get_decision(visit.user.name)
    return _render(
        visit,
        "manage_item.html",
        422 if problem else 200,
        page=page,
        history=history,
        questions=FORMS[page.task].questions(page, decision),
        chips=manager_items.judgement_chips(history),
        right=manager_items.expected_answers(page),
        events=[(event, manager_items.describe_event(page, event)) for event in history.events],
        comment=decision.comment,
        problem=problem,
        nonce=secrets.token_hex(16),
        max_length=MAX_TEXT_LENGTH,
    )


def _get_page_history(visit: Visit, name: str) -> PageHistory:
    if "\0" in name:  # PostgreSQL cannot search for it
        raise HTTPException(404)
    try:
        return read_page_history(visit.store, name)
    except KeyError:
        raise HTTPException(404) from None


@router.post("/item")
def submit_adjudication(visit: ManagerVisit, form: ManagerForm, overview: CurrentOverview) -> Response:
    """Save a manager's judgements beside those of the annotators, and go on to the next disputed item."""
    name, request = text_field(form, "page"), text_field(form, "form") or secrets.token_hex(16)
    history = _get_page_history(visit, name)
    page, decision = history.page, history.get_decision(visit.user.name)
    stored_fields = {**FORMS[page.task].fields(page, decision), "comment": [decision.comment]}
    fields = {field: [value for value in form.getlist(field) if isinstance(value, str)] for field in stored_fields}
    try:
        submission = build_submission(page, decision, fields, stored_fields, request)
        if submission is not None:
            judgements, comment = submission.judgements, submission.comment
            visit.store.adjudicate(visit.user.id, name, judgements, request=request, comment=comment)
    except InputError as error:
        return _render_item(visit, name, problem=to_sentence(error))
    if submission is None:
        return _redirect_to_item(name, "unchanged")
    disputes = [dispute.page for dispute in overview.disputed().value.get(page.task, ())]
    following = disputes[disputes.index(name) + 1 :] if name in disputes else []
    adjudicated = {name, *manager_items.find_adjudicated_pages(visit.store)}
    open_page = next((dispute for dispute in following if dispute not in adjudicated), "")
    return _redirect_to_item(open_page or name, "next" if open_page else "recorded")


def _redirect_to_item(page: str, notice: str) -> Response:
    return redirect(f"/manage/item?{urlencode({'page': page, 'notice': notice})}")


# -- the log ---------------------------------------------------------------------------------------------------------


@router.get("/log")
def show_log(visit: ManagerVisit) -> Response:
    """Show the audit log, the latest entries first."""
    return _render(visit, "manage_log.html", entries=visit.store.audit_log(MAX_LOG_ENTRIES), limit=MAX_LOG_ENTRIES)
