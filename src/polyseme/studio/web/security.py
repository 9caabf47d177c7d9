"""Who asks, and whether a form that comes back is one of ours.

What only looks at the request is asynchronous, so that it costs no change of thread; what asks the store is not.
"""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, HTTPException, Request, Response
from starlette.datastructures import FormData
from starlette.templating import Jinja2Templates

from polyseme.errors import InputError
from polyseme.studio.store.accounts import SESSION_HOURS, Accounts, LoginSession
from polyseme.studio.store.store import Store
from polyseme.studio.web.batch_executor import BatchExecutor

if TYPE_CHECKING:
    from polyseme.studio.store.assigned_page import AssignedPage
    from polyseme.studio.web.clicks import Click

STALE_FORM = "This form is out of date, or not one of ours. Load the page again, and send it once more."
CSRF_HEADER = "X-CSRF-Token"
MAX_FIELDS = 1000
SESSION_SECONDS = SESSION_HOURS * 3600
"""How long a browser keeps the cookie: as long as the session lasts."""


class LoggedOut(Exception):
    """Nobody is logged in, or no longer."""


@dataclass(frozen=True)
class Studio:
    """What all pages work with; ``secure`` says that browsers come by HTTPS, and cookies must, too."""

    store: Store
    accounts: Accounts
    templates: Jinja2Templates
    clicks: BatchExecutor[Click, AssignedPage]
    secure: bool = True

    @property
    def session_cookie(self) -> str:
        """The cookie of those who are logged in; the prefix binds it to this host and to HTTPS."""
        return "__Host-polyseme" if self.secure else "polyseme"

    @property
    def form_cookie(self) -> str:
        """The cookie that a form sent by someone who is not logged in must agree with."""
        return f"{self.session_cookie}-form"

    def set_cookie(self, response: Response, name: str, value: str, seconds: int) -> None:
        """Set a cookie that no script can read and no other site can send with a form."""
        response.set_cookie(name, value, max_age=seconds, path="/", secure=self.secure, httponly=True, samesite="lax")

    def delete_cookie(self, response: Response, name: str) -> None:
        """Make the browser forget a cookie."""
        response.delete_cookie(name, path="/", secure=self.secure, httponly=True, samesite="lax")


async def get_studio(request: Request) -> Studio:
    """The studio that this request is for."""
    found: Studio = request.app.state.studio
    return found


CurrentStudio = Annotated[Studio, Depends(get_studio)]


def find_session(request: Request, here: CurrentStudio) -> LoginSession | None:
    """Who asks; nobody, if nobody is logged in."""
    token = request.cookies.get(here.session_cookie, "")
    return here.accounts.session(token) if token else None


MaybeSession = Annotated[LoginSession | None, Depends(find_session)]


async def require_session(session: MaybeSession) -> LoginSession:
    """Who asks, where only those may who are logged in."""
    if session is None:
        raise LoggedOut
    return session


VisitorSession = Annotated[LoginSession, Depends(require_session)]


async def require_manager(session: VisitorSession) -> LoginSession:
    """Who asks, where only managers may: to all others the page does not exist."""
    if not session.annotator.is_manager:
        raise HTTPException(404)
    return session


ManagerSession = Annotated[LoginSession, Depends(require_manager)]


def check_origin(request: Request) -> None:
    """Refuse what another site sends, where the browser says so."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, STALE_FORM)


def is_same_token(given: object, wanted: str) -> bool:
    """Whether a token is the one that is wanted, found out in the same time for all that are not."""
    return (
        isinstance(given, str) and bool(wanted) and hmac.compare_digest(given.encode(errors="replace"), wanted.encode())
    )


async def read_form(request: Request) -> FormData:
    """The fields of a form, as text only."""
    check_origin(request)
    return await request.form(max_files=0, max_fields=MAX_FIELDS)


SubmittedForm = Annotated[FormData, Depends(read_form)]


async def require_visitor_form(session: VisitorSession, form: SubmittedForm) -> FormData:
    """A form that someone who is logged in sends from one of our pages."""
    if not is_same_token(form.get("csrf"), session.csrf):
        raise HTTPException(403, STALE_FORM)
    return form


VisitorForm = Annotated[FormData, Depends(require_visitor_form)]


async def require_stranger_form(request: Request, here: CurrentStudio, form: SubmittedForm) -> FormData:
    """A form that someone sends who is not logged in yet."""
    if not is_same_token(form.get("csrf"), request.cookies.get(here.form_cookie, "")):
        raise HTTPException(403, STALE_FORM)
    return form


StrangerForm = Annotated[FormData, Depends(require_stranger_form)]


async def read_json_body(request: Request) -> dict[str, Any]:
    """The JSON object that is sent; it must say that it is one, which no form of another site can."""
    check_origin(request)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Send JSON, with the content type application/json.")
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "What was sent is not JSON.") from None
    if not isinstance(found, dict):
        raise HTTPException(400, "What was sent is not a JSON object.")
    return found


def get_form_token(request: Request, here: Studio) -> str:
    """The token for a form that a stranger gets: that of the cookie, if there is one already."""
    return request.cookies.get(here.form_cookie) or secrets.token_urlsafe(24)


def text_field(form: FormData, name: str) -> str:
    """The text of a field; empty if there is none."""
    value = form.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"the field {name} is a file; write text")
    return value
