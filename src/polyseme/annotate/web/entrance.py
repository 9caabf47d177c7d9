"""Coming in and going out: the login, invitation links, the way to the page where one stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.responses import RedirectResponse

from polyseme.annotate.accounts import SHORTEST, Refused, Throttled
from polyseme.annotate.web.pages import rendered
from polyseme.annotate.web.security import (
    SESSION_SECONDS,
    Asking,
    Here,
    StrangersForm,
    Studio,
    form_token,
    text_of,
    visitors_form,
)
from polyseme.errors import InputError

if TYPE_CHECKING:
    from polyseme.annotate.people import Annotator

router = APIRouter(include_in_schema=False)

NO_LINK = (
    "This link lets nobody in: it has expired, was replaced by a newer one, or a password was set in its place. "
    "Log in with your password, or ask whoever sent it for a new one."
)


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


@router.get("/")
def start(here: Here, session: Asking) -> Response:
    """Go to the page where one stopped, or to the login."""
    if session is None:
        return _go("/login")
    if session.annotator.manages:
        return _go("/manage")
    current = here.store.current(session.annotator.id)
    return _go(f"/page/{current.number}" if current else "/done")


def _stranger(request: Request, here: Studio, template: str, status: int = 200, /, **context: Any) -> Response:
    """A page with a form for someone who is not logged in."""
    token = form_token(request, here)
    response = rendered(request, here, template, status, csrf=token, **context)
    here.set_cookie(response, here.form_cookie, token, 24 * 3600)
    return response


def _inside(request: Request, here: Studio, token: str) -> Response:
    """Let someone in who has just proved who they are; whoever was logged in here before no longer is."""
    before = request.cookies.get(here.session_cookie)
    if before:
        here.accounts.logout(before)
    response = _go("/")
    here.set_cookie(response, here.session_cookie, token, SESSION_SECONDS)
    return response


@router.get("/login")
def login_page(request: Request, here: Here, session: Asking, out: bool = False) -> Response:
    """Ask for name and password."""
    if session is not None:
        return _go("/")
    said = "You are logged out. All your answers are saved." if out else ""
    return _stranger(request, here, "login.html", said=said, tone="good", name="")


@router.post("/login")
def login(request: Request, here: Here, form: StrangersForm) -> Response:
    """Log in by name and password."""
    name, password = text_of(form, "name"), text_of(form, "password")
    origin = request.client.host if request.client else ""
    try:
        token, _ = here.accounts.login(name, password, origin=origin)
    except Throttled as error:
        response = _stranger(request, here, "login.html", 429, said=_sentence(error), tone="bad", name=name)
        response.headers["Retry-After"] = str(error.seconds)
        return response
    except Refused as error:
        return _stranger(request, here, "login.html", 401, said=_sentence(error), tone="bad", name=name)
    return _inside(request, here, token)


def _sentence(error: Exception) -> str:
    """What an error says, as a sentence of its own."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


@router.post("/logout", dependencies=[Depends(visitors_form)])
def logout(request: Request, here: Here) -> Response:
    """End the session."""
    here.accounts.logout(request.cookies[here.session_cookie])
    response = _go("/login?out=1")
    here.drop_cookie(response, here.session_cookie)
    return response


@router.get("/invitation/{token}")
def invitation_page(request: Request, here: Here, token: str) -> Response:
    """Greet someone who was invited. To look changes nothing: programs that check mails look at links, too."""
    return _greeting(request, here, _invited(here, token))


def _invited(here: Studio, token: str) -> Annotator:
    found = here.accounts.invited(token)
    if found is None:
        raise HTTPException(404, NO_LINK)
    return found


def _greeting(request: Request, here: Studio, annotator: Annotator, said: str = "") -> Response:
    known = annotator.state != "invited"
    status = 422 if said else 200
    return _stranger(
        request, here, "invitation.html", status, name=annotator.name, known=known, said=said, shortest=SHORTEST
    )


@router.post("/invitation/{token}")
def accept(request: Request, here: Here, token: str, form: StrangersForm) -> Response:
    """Let someone in who was invited, with a password for the next time if they give one."""
    annotator = _invited(here, token)
    password = text_of(form, "password")
    if password != text_of(form, "again"):
        return _greeting(request, here, annotator, "The two passwords differ. Write the same one twice.")
    try:
        inside, _ = here.accounts.enter(token)
    except Refused:
        raise HTTPException(404, NO_LINK) from None
    try:
        if password:
            here.accounts.set_password(annotator.id, password)
    except InputError as error:
        here.accounts.logout(inside)
        return _greeting(request, here, annotator, _sentence(error))
    return _inside(request, here, inside)
