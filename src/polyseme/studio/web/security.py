"""Sessions, cookies and form tokens: they identify the user and prove that a form comes from a page of the studio.

Dependencies that only look at the request are asynchronous, which saves a change of thread.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, HTTPException, Request, Response
from starlette.datastructures import FormData
from starlette.templating import Jinja2Templates

from polyseme.errors import InputError
from polyseme.studio.store.accounts import Accounts, LoginSession
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.store.store import Store
from polyseme.studio.web.batch_executor import BatchExecutor

if TYPE_CHECKING:
    from polyseme.studio.store.assigned_page import AssignedPage
    from polyseme.studio.web.clicks import Click

STALE_FORM = "The page was out of date, so nothing was saved. Go back to the study and try again."
CSRF_HEADER = "X-CSRF-Token"
MAX_FIELDS = 1000


class LoggedOut(Exception):
    """The user is not logged in."""


class WorkPaused(Exception):
    """The annotator's work is paused."""


@dataclass(frozen=True)
class Studio:
    """The services that all pages use.

    Args:
        store: The store of the study.
        accounts: Its accounts.
        templates: The templates of the pages.
        clicks: Saves single answers in batches.
        secure: Whether browsers use HTTPS; cookies are then sent only by HTTPS.
    """

    store: Store
    accounts: Accounts
    templates: Jinja2Templates
    clicks: BatchExecutor[Click, AssignedPage]
    secure: bool = True

    @property
    def session_cookie(self) -> str:
        """The name of the cookie of a session; the prefix binds it to this host and to HTTPS."""
        return "__Host-polyseme" if self.secure else "polyseme"

    @property
    def form_cookie(self) -> str:
        """The name of the cookie that must match the form of a user who is not logged in."""
        return f"{self.session_cookie}-form"

    def set_cookie(self, response: Response, name: str, value: str, seconds: int) -> None:
        """Set a cookie that scripts cannot read and other sites cannot send with a form."""
        response.set_cookie(name, value, max_age=seconds, path="/", secure=self.secure, httponly=True, samesite="lax")

    def delete_cookie(self, response: Response, name: str) -> None:
        """Delete a cookie."""
        response.delete_cookie(name, path="/", secure=self.secure, httponly=True, samesite="lax")

    def render(self, request: Request, template: str, status: int = 200, /, **context: Any) -> Response:
        """Render a page."""
        defaults = {"study": self.store.study.title, "assigned": None}
        return self.templates.TemplateResponse(request, template, defaults | context, status_code=status)


@dataclass(frozen=True)
class Visit:
    """A request of a user who is logged in.

    Args:
        request: The request.
        studio: The studio.
        session: The session of the user.
    """

    request: Request
    studio: Studio
    session: LoginSession

    @property
    def user(self) -> Annotator:
        """The user."""
        return self.session.annotator

    @property
    def store(self) -> Store:
        """The store of the study."""
        return self.studio.store

    def render(self, template: str, status: int = 200, /, **context: Any) -> Response:
        """Render a page with the name of the user and the token for its forms."""
        visitor = {"name": self.user.name, "csrf": self.session.csrf}
        return self.studio.render(self.request, template, status, visitor=visitor, **context)


async def get_studio(request: Request) -> Studio:
    """Return the studio of a request."""
    studio: Studio = request.app.state.studio
    return studio


CurrentStudio = Annotated[Studio, Depends(get_studio)]


def find_session(request: Request, studio: CurrentStudio) -> LoginSession | None:
    """Return the session of a request, if the user is logged in."""
    token = request.cookies.get(studio.session_cookie, "")
    return studio.accounts.find_session(token) if token else None


MaybeSession = Annotated[LoginSession | None, Depends(find_session)]


async def require_login(request: Request, studio: CurrentStudio, session: MaybeSession) -> Visit:
    """Return the visit; :class:`LoggedOut` if the user is not logged in."""
    if session is None:
        raise LoggedOut
    return Visit(request, studio, session)


UserVisit = Annotated[Visit, Depends(require_login)]


async def require_manager(visit: UserVisit) -> Visit:
    """Return the visit of a manager; for all others the page does not exist."""
    if not visit.user.is_manager:
        raise HTTPException(404)
    return visit


ManagerVisit = Annotated[Visit, Depends(require_manager)]


async def require_annotator(visit: UserVisit) -> Visit:
    """Return the visit of an annotator; managers have no pages to judge."""
    if visit.user.is_manager:
        raise HTTPException(404)
    return visit


AnnotatorVisit = Annotated[Visit, Depends(require_annotator)]


async def require_working_annotator(visit: AnnotatorVisit) -> Visit:
    """Return the visit of an annotator; :class:`WorkPaused` if their work is paused."""
    if visit.user.state == "paused":
        raise WorkPaused
    return visit


WorkingVisit = Annotated[Visit, Depends(require_working_annotator)]


def check_origin(request: Request) -> None:
    """Refuse a request if the browser reports that another site sends it."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, STALE_FORM)


def is_same_token(token: object, expected: str) -> bool:
    """Compare tokens in constant time; an empty expected token never matches."""
    if not isinstance(token, str) or not expected:
        return False
    return hmac.compare_digest(token.encode(errors="replace"), expected.encode())


async def read_form(request: Request) -> FormData:
    """Return the fields of a form; files are refused."""
    check_origin(request)
    return await request.form(max_files=0, max_fields=MAX_FIELDS)


SubmittedForm = Annotated[FormData, Depends(read_form)]


async def require_user_form(visit: UserVisit, form: SubmittedForm) -> FormData:
    """Return a form that a logged-in user sends from one of our pages."""
    if not is_same_token(form.get("csrf"), visit.session.csrf):
        raise HTTPException(403, STALE_FORM)
    return form


UserForm = Annotated[FormData, Depends(require_user_form)]


async def require_stranger_form(request: Request, studio: CurrentStudio, form: SubmittedForm) -> FormData:
    """Return a form that a user who is not logged in sends from one of our pages."""
    if not is_same_token(form.get("csrf"), request.cookies.get(studio.form_cookie, "")):
        raise HTTPException(403, STALE_FORM)
    return form


StrangerForm = Annotated[FormData, Depends(require_stranger_form)]


def get_form_token(request: Request, studio: Studio) -> str:
    """Return the token for a form of a user who is not logged in: from the cookie, or a new one."""
    return request.cookies.get(studio.form_cookie) or secrets.token_urlsafe(24)


def text_field(form: FormData, name: str) -> str:
    """Return the text of a field; empty if the form does not have it."""
    value = form.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"the field {name} is a file; send text")
    return value
