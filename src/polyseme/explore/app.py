"""The web application of the explorer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.templating import Jinja2Templates

from polyseme.explore import beside, comparing, exporting, pages, trying
from polyseme.explore.explorer import Explorer, NotReady
from polyseme.explore.looking import NoSenses, NoWord, rendered
from polyseme.explore.working import Busy
from polyseme.web.failures import Failures
from polyseme.web.limits import FromHere, WithHeaders, WithinLimit
from polyseme.web.pages import Files, templates_in

FOLDER = Path(__file__).parent

HERE = ("localhost", "127.0.0.1", "::1")
"""What this machine calls itself."""

ROUTES = {
    "/": pages.start,
    "/word": pages.word,
    "/like": pages.like,
    "/time": pages.time,
    "/wordnet": beside.wordnet,
    "/compare": comparing.compare,
    "/sentence": trying.sentence,
    "/edit": pages.edit,
    "/export": exporting.export,
    "/usages.jsonl": exporting.usages_file,
    "/senses.jsonl": exporting.inventory_file,
    "/study.zip": exporting.study_file,
}
"""Nothing changes anything: every page can be asked for again."""


def application(explorer: Explorer, hosts: Iterable[str] = ()) -> Starlette:
    """The application over an index; ``hosts`` are other names that it may be reached by."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        explorer.end()

    app = Starlette(
        routes=[
            Mount("/static", Files(FOLDER / "static"), name="static"),
            *(Route(path, page, methods=["GET"]) for path, page in ROUTES.items()),
        ],
        middleware=[
            Middleware(WithHeaders, secure=False),
            Middleware(FromHere, hosts=frozenset(map(str.lower, (*HERE, *hosts)))),
            Middleware(WithinLimit),
        ],
        lifespan=lifespan,
    )
    app.state.explorer = explorer
    app.state.templates = _templates()
    Failures(_failed).put_on(app)
    app.add_exception_handler(NoWord, pages.no_word)
    app.add_exception_handler(NoSenses, pages.no_senses)
    app.add_exception_handler(NotReady, pages.not_ready)
    app.add_exception_handler(Busy, pages.busy)
    return app


@cache
def _templates() -> Jinja2Templates:
    """The templates, all of them read now, so that nobody waits for that."""
    found = templates_in(FOLDER / "templates", percent="{:.0%}".format, counted="{:,}".format)
    for name in found.env.list_templates():
        found.env.get_template(name)
    return found


def _failed(request: Request, status: int, heading: str, said: str) -> Response:
    return rendered(request, "failed.html", status, heading=heading, said=said)
