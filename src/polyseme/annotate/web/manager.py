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

from polyseme.annotate.accounts import Session
from polyseme.annotate.dossier import Dossier, dossier
from polyseme.annotate.exchange import EXPORTS, Export, exported, named_export
from polyseme.annotate.items import LONGEST, Judgement
from polyseme.annotate.overview import Overview, recent_judgements
from polyseme.annotate.people import INVITED_DAYS, LONGEST_NAME, Annotator
from polyseme.annotate.tasks import TASKS
from polyseme.annotate.web import manage_items, manage_tables
from polyseme.annotate.web.forms import FORMS
from polyseme.annotate.web.pages import rendered
from polyseme.annotate.web.security import Here, Manager, Studio, VisitorsForm, text_of
from polyseme.errors import InputError, PolysemeError, shown

router = APIRouter(prefix="/manage", include_in_schema=False)

LISTED = 25
"""Disputed items of each task that are listed at once."""
LOGGED = 500
"""Entries of the audit log that are shown."""
SAID = {
    "recorded": "Your decision is recorded, beside what the annotators said.",
    "unchanged": "Nothing was recorded, because nothing was changed.",
    "state": "The change is made, and noted in the log.",
}
"""What a page says after a form was sent, by the name that is in its address."""


async def overview(request: Request, here: Here) -> Overview:
    """What is worked out of the judgements, and kept for as long as the application runs."""
    state = request.app.state
    if not hasattr(state, "overview"):
        state.overview = Overview(here.store)
    found: Overview = state.overview
    return found


Looking = Annotated[Overview, Depends(overview)]


async def managers_form(_: Manager, form: VisitorsForm) -> FormData:
    """A form that a manager sends; to all others, the address does not exist, whatever they send."""
    return form


ManagersForm = Annotated[FormData, Depends(managers_form)]


def _page(
    request: Request, here: Studio, session: Session, template: str, status: int = 200, /, **context: Any
) -> Response:
    visitor = {"name": session.annotator.name, "csrf": session.csrf}
    known = {"visitor": visitor, "tone": "good", "said": SAID.get(request.query_params.get("said", ""), "")}
    return rendered(request, here, template, status, **(known | context))


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


# -- progress and people ---------------------------------------------------------------------------------------------


@router.get("")
def progress(request: Request, here: Here, session: Manager) -> Response:
    """How far everybody is."""
    return _progress(request, here, session)


def _progress(request: Request, here: Studio, session: Session, status: int = 200, /, **context: Any) -> Response:
    found = here.store.progress()
    return _page(
        request,
        here,
        session,
        "manage.html",
        status,
        **{
            "totals": manage_tables.totals(found),
            "people": manage_tables.people(found, recent_judgements(here.store)),
            "managers": [each for each in here.store.annotators() if each.manages],
            "groups": {name: ", then ".join(tasks) for name, tasks in here.store.study.groups.items()},
            "longest": LONGEST_NAME,
            "days": INVITED_DAYS,
            "downloads": _downloads(here),
            "invited": None,
            "given": "",
            **context,
        },
    )


def _refused(request: Request, here: Studio, session: Session, error: PolysemeError, given: str = "") -> Response:
    text = str(error)
    words = {"said": text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else "."), "tone": "bad"}
    return _progress(request, here, session, 422, **words, given=given)


@router.post("/invite")
def invite(request: Request, here: Here, session: Manager, form: ManagersForm) -> Response:
    """Add an annotator, and show the link, this once."""
    name, group = " ".join(text_of(form, "name").split()), text_of(form, "group")
    try:
        token = here.store.add_annotator(name, group=group)
    except InputError as error:
        return _refused(request, here, session, error, name)
    here.store.audit(session.annotator.name, f"invited {name}", f"group {group}" if group else "")
    return _invited(request, here, session, name, token)


def _invited(request: Request, here: Studio, session: Session, name: str, token: str) -> Response:
    """The page with a link; it is in no address, so that nothing keeps it."""
    link = str(request.url_for("invitation_page", token=token))
    return _progress(request, here, session, invited={"name": name, "link": link})


@router.post("/link")
def new_link(request: Request, here: Here, session: Manager, form: ManagersForm) -> Response:
    """A new link for someone who lost theirs; the one before ends."""
    try:
        who = _annotator(here, text_of(form, "name"))
    except InputError as error:
        return _refused(request, here, session, error)
    token = here.accounts.invite(who.name, session.annotator.name)
    return _invited(request, here, session, who.name, token)


@router.post("/state")
def set_state(request: Request, here: Here, session: Manager, form: ManagersForm) -> Response:
    """Pause an annotator, or let one go on."""
    try:
        who = _annotator(here, text_of(form, "name"))
        here.store.set_state(who.name, text_of(form, "state"), session.annotator.name)
    except InputError as error:
        return _refused(request, here, session, error)
    return _go("/manage?said=state")


def _annotator(here: Studio, name: str) -> Annotator:
    """An annotator by name; managers cannot shut one another out here."""
    found = next((each for each in here.store.annotators() if each.name == name and not each.manages), None)
    if found is None:
        raise InputError(f"no annotator is called {shown(name)}; invite them first")
    return found


# -- downloads -------------------------------------------------------------------------------------------------------


def _downloads(here: Studio) -> list[Export]:
    """What can be downloaded; not the tables of tasks that the study does not have."""
    absent = {task.lower() for task in TASKS if task not in here.store.study.tasks}
    return [each for each in EXPORTS.values() if each.name.partition("-")[0] not in absent]


@router.get("/export")
def export(request: Request, here: Here, session: Manager, format: str = "csv") -> Response:
    """Everything, in one of the ways of :mod:`polyseme.annotate.exchange`; who took it is noted."""
    try:
        found, content = named_export(format), exported(here.store, format)
    except PolysemeError as error:
        return _refused(request, here, session, error)
    here.store.audit(session.annotator.name, "downloaded", found.name)
    file = {"Content-Disposition": f'attachment; filename="{found.name}{found.suffix}"'}
    return Response(content, media_type=found.media, headers=file)


# -- agreement and care ----------------------------------------------------------------------------------------------


@router.get("/agreement")
def agreement(request: Request, here: Here, session: Manager, looking: Looking) -> Response:
    """How annotators agree."""
    found = looking.agreement()
    tasks = [manage_tables.agreement_tables(each) for each in found.value.values()]
    return _page(request, here, session, "manage_agreement.html", tasks=tasks, time=found.time)


@router.get("/care")
def care(request: Request, here: Here, session: Manager, looking: Looking) -> Response:
    """How the scale is used, control items, repeats, speed and triangles."""
    found, triangles, scale = looking.care(), looking.triangles().value, here.store.study.scale
    return _page(
        request,
        here,
        session,
        "manage_care.html",
        scales=[manage_tables.scale_table(task, use, scale) for task, use in looking.scale_use().value.items()],
        tasks=[manage_tables.care_table(task, each) for task, each in found.value.items()],
        triangles=triangles,
        explained=manage_tables.EXPLAINED,
        lines=list(manage_tables.triangle_lines(triangles)) if triangles else [],
        time=found.time,
    )


# -- disputes and adjudication ---------------------------------------------------------------------------------------


@router.get("/disputed")
def disputed(
    request: Request, here: Here, session: Manager, looking: Looking, most: Annotated[int, Query(ge=1, le=100)] = LISTED
) -> Response:
    """The items on which annotators are farthest apart, the usages called invalid, and the comments."""
    found, decided = looking.disputed(), manage_items.adjudicated_pages(here.store)
    return _page(
        request,
        here,
        session,
        "manage_disputed.html",
        tasks={
            task: (manage_items.dispute_rows(here.store, some[:most], decided), len(some) > most)
            for task, some in found.value.items()
        },
        cut=manage_items.cut,
        invalid=manage_items.invalid_rows(here.store.invalid()),
        comments=manage_items.comment_rows(here.store, looking.ratings().value, 4 * LISTED),
        time=found.time,
        most=most,
    )


@router.get("/item")
def item(request: Request, here: Here, session: Manager, page: str = "") -> Response:
    """A page with all that was said of it, and the form to decide."""
    return _item(request, here, session, page)


def _item(request: Request, here: Studio, session: Session, name: str, refused: str = "") -> Response:
    found = _dossier(here, name)
    page, mine = found.page, found.decision_of(session.annotator.id)
    return _page(
        request,
        here,
        session,
        "manage_item.html",
        422 if refused else 200,
        page=page,
        found=found,
        questions=FORMS[page.task].questions(page, mine),
        chips=manage_items.chips(found),
        right=manage_items.right_words(page),
        remarks=[(each, manage_items.remark_words(page, each)) for each in found.remarks],
        comment=mine.comment,
        refused=refused,
        nonce=secrets.token_hex(16),
        longest=LONGEST,
    )


def _dossier(here: Studio, name: str) -> Dossier:
    if "\0" in name:  # which one of the databases cannot even look for
        raise HTTPException(404)
    try:
        return dossier(here.store, name)
    except KeyError:
        raise HTTPException(404) from None


@router.post("/item")
def adjudicate(request: Request, here: Here, session: Manager, form: ManagersForm) -> Response:
    """Add a manager's judgement; it stands beside those of the annotators."""
    name = text_of(form, "page")
    found = _dossier(here, name)
    page, mine = found.page, found.decision_of(session.annotator.id)
    shape, comment = FORMS[page.task], text_of(form, "comment").replace("\r\n", "\n").strip()
    before = shape.filled(page, mine)
    fields = {each: [value for value in form.getlist(each) if isinstance(value, str)] for each in before}
    try:
        judgements = [
            each for each in shape.judgements(page, fields, before) if each.value != 0 or each.target in mine.values
        ]
        new = comment if comment != mine.comment else None
        said = _decide(here, session, name, judgements, text_of(form, "form"), new)
    except InputError as error:
        return _item(request, here, session, name, refused=str(error))
    return _go(f"/manage/item?{urlencode({'page': name, 'said': said})}")


def _decide(
    here: Studio, session: Session, page: str, judgements: list[Judgement], form: str, comment: str | None
) -> str:
    """Record what is new, if anything is; what is to be said of it."""
    if not judgements and comment is None:
        return "unchanged"
    request = form or secrets.token_hex(16)
    here.store.adjudicate(session.annotator.id, page, judgements, request=request, comment=comment)
    return "recorded"


# -- the log ---------------------------------------------------------------------------------------------------------


@router.get("/log")
def log(request: Request, here: Here, session: Manager) -> Response:
    """Who did what, the latest first."""
    return _page(request, here, session, "manage_log.html", entries=here.store.audited(LOGGED), most=LOGGED)
