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

from polyseme.annotate.accounts import HOURS, Accounts, Session
from polyseme.annotate.store import Store
from polyseme.annotate.web.rounds import Rounds
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.annotate.showing import Shown
    from polyseme.annotate.web.clicks import Click

STALE = "This form is out of date, or not one of ours. Load the page again, and send it once more."
CSRF_HEADER = "X-CSRF-Token"
MOST_FIELDS = 1000
SESSION_SECONDS = HOURS * 3600
"""How long a browser keeps the cookie: as long as the session lasts."""


class LoggedOut(Exception):
    """Nobody is logged in, or no longer."""


@dataclass(frozen=True)
class Studio:
    """What all pages work with; ``secure`` says that browsers come by HTTPS, and cookies must, too."""

    store: Store
    accounts: Accounts
    templates: Jinja2Templates
    clicks: Rounds[Click, Shown]
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

    def drop_cookie(self, response: Response, name: str) -> None:
        """Make the browser forget a cookie."""
        response.delete_cookie(name, path="/", secure=self.secure, httponly=True, samesite="lax")


async def studio(request: Request) -> Studio:
    """The studio that this request is for."""
    found: Studio = request.app.state.studio
    return found


Here = Annotated[Studio, Depends(studio)]


def session_of(request: Request, here: Here) -> Session | None:
    """Who asks; nobody, if nobody is logged in."""
    token = request.cookies.get(here.session_cookie, "")
    return here.accounts.session(token) if token else None


Asking = Annotated[Session | None, Depends(session_of)]


async def visitor(session: Asking) -> Session:
    """Who asks, where only those may who are logged in."""
    if session is None:
        raise LoggedOut
    return session


Visitor = Annotated[Session, Depends(visitor)]


async def manager(session: Visitor) -> Session:
    """Who asks, where only managers may: to all others the page does not exist."""
    if not session.annotator.manages:
        raise HTTPException(404)
    return session


Manager = Annotated[Session, Depends(manager)]


def check_origin(request: Request) -> None:
    """Refuse what another site sends, where the browser says so."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, STALE)


def same(given: object, wanted: str) -> bool:
    """Whether a token is the one that is wanted, found out in the same time for all that are not."""
    return (
        isinstance(given, str) and bool(wanted) and hmac.compare_digest(given.encode(errors="replace"), wanted.encode())
    )


async def form_of(request: Request) -> FormData:
    """The fields of a form, as text only."""
    check_origin(request)
    return await request.form(max_files=0, max_fields=MOST_FIELDS)


Sent = Annotated[FormData, Depends(form_of)]


async def visitors_form(session: Visitor, form: Sent) -> FormData:
    """A form that someone who is logged in sends from one of our pages."""
    if not same(form.get("csrf"), session.csrf):
        raise HTTPException(403, STALE)
    return form


VisitorsForm = Annotated[FormData, Depends(visitors_form)]


async def strangers_form(request: Request, here: Here, form: Sent) -> FormData:
    """A form that someone sends who is not logged in yet."""
    if not same(form.get("csrf"), request.cookies.get(here.form_cookie, "")):
        raise HTTPException(403, STALE)
    return form


StrangersForm = Annotated[FormData, Depends(strangers_form)]


async def body_of(request: Request) -> dict[str, Any]:
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


def form_token(request: Request, here: Studio) -> str:
    """The token for a form that a stranger gets: that of the cookie, if there is one already."""
    return request.cookies.get(here.form_cookie) or secrets.token_urlsafe(24)


def text_of(form: FormData, name: str) -> str:
    """The text of a field; empty if there is none."""
    value = form.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"the field {name} is a file; write text")
    return value
