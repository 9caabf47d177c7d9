"""Login, logout, invitation links, and the start page that leads to the current page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from polyseme.errors import InputError
from polyseme.studio.store.accounts import MIN_PASSWORD_LENGTH, SESSION_SECONDS, LoginRefused, LoginThrottled
from polyseme.studio.store.annotators import Annotator
from polyseme.studio.web.rendering import redirect, to_sentence
from polyseme.studio.web.security import (
    CurrentStudio,
    MaybeSession,
    StrangerForm,
    Studio,
    get_form_token,
    require_user_form,
    text_field,
)

router = APIRouter(include_in_schema=False)

INVALID_LINK = (
    "This link no longer works: it has expired, a newer link has replaced it, or you have set a password. "
    "Log in with your password, or ask the person who invited you for a new link."
)


@router.get("/")
def show_start(studio: CurrentStudio, session: MaybeSession) -> Response:
    """Redirect to the current page, or to the login."""
    if session is None:
        return redirect("/login")
    if session.annotator.is_manager:
        return redirect("/manage")
    current = studio.store.current_page(session.annotator.id)
    return redirect(f"/page/{current.number}" if current else "/done")


def _render_form(request: Request, studio: Studio, template: str, status: int = 200, /, **context: Any) -> Response:
    """Render a form for a user who is not logged in."""
    token = get_form_token(request, studio)
    response = studio.render(request, template, status, csrf=token, **context)
    studio.set_cookie(response, studio.form_cookie, token, 24 * 3600)
    return response


def _log_in(request: Request, studio: Studio, token: str) -> Response:
    """Start the session of a user, and end the previous session of this browser."""
    previous = request.cookies.get(studio.session_cookie)
    if previous:
        studio.accounts.logout(previous)
    response = redirect("/")
    studio.set_cookie(response, studio.session_cookie, token, SESSION_SECONDS)
    return response


@router.get("/login")
def show_login(request: Request, studio: CurrentStudio, session: MaybeSession, out: bool = False) -> Response:
    """Ask for name and password."""
    if session is not None:
        return redirect("/")
    notice = "You are logged out. All your answers are saved." if out else ""
    return _render_form(request, studio, "login.html", notice=notice, tone="good", name="")


@router.post("/login")
def submit_login(request: Request, studio: CurrentStudio, form: StrangerForm) -> Response:
    """Log in with name and password."""
    name, password = text_field(form, "name"), text_field(form, "password")
    origin = request.client.host if request.client else ""
    try:
        token, _ = studio.accounts.login(name, password, origin=origin)
    except LoginRefused as error:
        status = 429 if isinstance(error, LoginThrottled) else 401
        context = {"notice": to_sentence(error), "tone": "bad", "name": name}
        response = _render_form(request, studio, "login.html", status, **context)
        if isinstance(error, LoginThrottled):
            response.headers["Retry-After"] = str(error.seconds)
        return response
    return _log_in(request, studio, token)


@router.post("/logout", dependencies=[Depends(require_user_form)])
def submit_logout(request: Request, studio: CurrentStudio) -> Response:
    """End the session."""
    studio.accounts.logout(request.cookies[studio.session_cookie])
    response = redirect("/login?out=1")
    studio.delete_cookie(response, studio.session_cookie)
    return response


@router.get("/invitation/{token}")
def show_invitation(request: Request, studio: CurrentStudio, token: str) -> Response:
    """Greet an invited user. This changes nothing, because mail filters follow links too."""
    return _render_invitation(request, studio, _get_invited(studio, token))


def _get_invited(studio: Studio, token: str) -> Annotator:
    user = studio.accounts.find_invited(token)
    if user is None:
        raise HTTPException(404, INVALID_LINK)
    return user


def _render_invitation(request: Request, studio: Studio, user: Annotator, problem: str = "") -> Response:
    context = {"name": user.name, "returning": user.state != "invited", "min_length": MIN_PASSWORD_LENGTH}
    return _render_form(request, studio, "invitation.html", 422 if problem else 200, problem=problem, **context)


@router.post("/invitation/{token}")
def accept_invitation(request: Request, studio: CurrentStudio, token: str, form: StrangerForm) -> Response:
    """Log an invited user in; set a password if the form contains one."""
    user = _get_invited(studio, token)
    password = text_field(form, "password")
    if password != text_field(form, "again"):
        return _render_invitation(request, studio, user, "The two passwords differ. Type the same password twice.")
    try:
        session_token, _ = studio.accounts.enter(token)
    except LoginRefused:
        raise HTTPException(404, INVALID_LINK) from None
    try:
        if password:
            studio.accounts.set_password(user.id, password)
    except InputError as error:
        studio.accounts.logout(session_token)
        return _render_invitation(request, studio, user, to_sentence(error))
    return _log_in(request, studio, session_token)
