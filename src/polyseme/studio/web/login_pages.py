"""Coming in and going out: the login, invitation links, the way to the page where one stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.responses import RedirectResponse

from polyseme.errors import InputError
from polyseme.studio.store.accounts import MIN_PASSWORD_LENGTH, LoginRefused, LoginThrottled
from polyseme.studio.web.rendering import render_page
from polyseme.studio.web.security import (
    SESSION_SECONDS,
    CurrentStudio,
    MaybeSession,
    StrangerForm,
    Studio,
    get_form_token,
    require_visitor_form,
    text_field,
)

if TYPE_CHECKING:
    from polyseme.studio.store.annotators import Annotator

router = APIRouter(include_in_schema=False)

INVALID_LINK = (
    "This link lets nobody in: it has expired, was replaced by a newer one, or a password was set in its place. "
    "Log in with your password, or ask whoever sent it for a new one."
)


def _go(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


@router.get("/")
def show_start(here: CurrentStudio, session: MaybeSession) -> Response:
    """Go to the page where one stopped, or to the login."""
    if session is None:
        return _go("/login")
    if session.annotator.is_manager:
        return _go("/manage")
    current = here.store.current(session.annotator.id)
    return _go(f"/page/{current.number}" if current else "/done")


def _render_form(request: Request, here: Studio, template: str, status: int = 200, /, **context: Any) -> Response:
    """A page with a form for someone who is not logged in."""
    token = get_form_token(request, here)
    response = render_page(request, here, template, status, csrf=token, **context)
    here.set_cookie(response, here.form_cookie, token, 24 * 3600)
    return response


def _log_in(request: Request, here: Studio, token: str) -> Response:
    """Let someone in who has just proved who they are; whoever was logged in here before no longer is."""
    before = request.cookies.get(here.session_cookie)
    if before:
        here.accounts.logout(before)
    response = _go("/")
    here.set_cookie(response, here.session_cookie, token, SESSION_SECONDS)
    return response


@router.get("/login")
def show_login(request: Request, here: CurrentStudio, session: MaybeSession, out: bool = False) -> Response:
    """Ask for name and password."""
    if session is not None:
        return _go("/")
    said = "You are logged out. All your answers are saved." if out else ""
    return _render_form(request, here, "login.html", said=said, tone="good", name="")


@router.post("/login")
def submit_login(request: Request, here: CurrentStudio, form: StrangerForm) -> Response:
    """Log in by name and password."""
    name, password = text_field(form, "name"), text_field(form, "password")
    origin = request.client.host if request.client else ""
    try:
        token, _ = here.accounts.login(name, password, origin=origin)
    except LoginThrottled as error:
        response = _render_form(request, here, "login.html", 429, said=to_sentence(error), tone="bad", name=name)
        response.headers["Retry-After"] = str(error.seconds)
        return response
    except LoginRefused as error:
        return _render_form(request, here, "login.html", 401, said=to_sentence(error), tone="bad", name=name)
    return _log_in(request, here, token)


def to_sentence(error: Exception) -> str:
    """What an error says, as a sentence of its own."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


@router.post("/logout", dependencies=[Depends(require_visitor_form)])
def submit_logout(request: Request, here: CurrentStudio) -> Response:
    """End the session."""
    here.accounts.logout(request.cookies[here.session_cookie])
    response = _go("/login?out=1")
    here.delete_cookie(response, here.session_cookie)
    return response


@router.get("/invitation/{token}")
def show_invitation(request: Request, here: CurrentStudio, token: str) -> Response:
    """Greet someone who was invited. To look changes nothing: programs that check mails look at links, too."""
    return _render_invitation(request, here, _get_invited(here, token))


def _get_invited(here: Studio, token: str) -> Annotator:
    found = here.accounts.invited(token)
    if found is None:
        raise HTTPException(404, INVALID_LINK)
    return found


def _render_invitation(request: Request, here: Studio, annotator: Annotator, said: str = "") -> Response:
    known = annotator.state != "invited"
    status = 422 if said else 200
    return _render_form(
        request,
        here,
        "invitation.html",
        status,
        name=annotator.name,
        known=known,
        said=said,
        shortest=MIN_PASSWORD_LENGTH,
    )


@router.post("/invitation/{token}")
def accept_invitation(request: Request, here: CurrentStudio, token: str, form: StrangerForm) -> Response:
    """Let someone in who was invited, with a password for the next time if they give one."""
    annotator = _get_invited(here, token)
    password = text_field(form, "password")
    if password != text_field(form, "again"):
        return _render_invitation(request, here, annotator, "The two passwords differ. Write the same one twice.")
    try:
        inside, _ = here.accounts.enter(token)
    except LoginRefused:
        raise HTTPException(404, INVALID_LINK) from None
    try:
        if password:
            here.accounts.set_password(annotator.id, password)
    except InputError as error:
        here.accounts.logout(inside)
        return _render_invitation(request, here, annotator, to_sentence(error))
    return _log_in(request, here, inside)
