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

from polyseme.explorer import comparison_page, export_pages, sentence_page, word_pages, wordnet_page
from polyseme.explorer.background import WorkersBusy
from polyseme.explorer.charts import bar_segments
from polyseme.explorer.explorer import Explorer, NotReady
from polyseme.explorer.word_view import SensesNotFound, WordNotFound, render_explorer_page
from polyseme.web.assets import SharedStaticFiles, create_templates
from polyseme.web.errors import ErrorHandlers
from polyseme.web.middleware import BodyLimit, SameOriginOnly, SecurityHeaders
from polyseme.words.findings import format_percent

FOLDER = Path(__file__).parent

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
"""The names of this machine."""

ROUTES = {
    "/": word_pages.start_page,
    "/word": word_pages.word_page,
    "/like": word_pages.similar_usages_page,
    "/time": word_pages.time_page,
    "/wordnet": wordnet_page.wordnet_page,
    "/compare": comparison_page.comparison_page,
    "/sentence": sentence_page.sentence_page,
    "/edit": word_pages.edit_page,
    "/export": export_pages.export_page,
    "/usages.jsonl": export_pages.download_usages,
    "/senses.jsonl": export_pages.download_inventory,
    "/study.zip": export_pages.download_study,
}
"""The pages; none of them changes anything, so all can be reloaded."""

ERROR_PAGES = {
    WordNotFound: word_pages.word_not_found_page,
    SensesNotFound: word_pages.senses_not_found_page,
    NotReady: word_pages.not_ready_page,
    WorkersBusy: word_pages.busy_page,
}


def create_explorer_app(explorer: Explorer, hosts: Iterable[str] = ()) -> Starlette:
    """Create the application.

    Args:
        explorer: The explorer.
        hosts: Other names that browsers may reach it by.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        explorer.stop()

    app = Starlette(
        routes=[
            Mount("/static", SharedStaticFiles(FOLDER / "static"), name="static"),
            *(Route(path, page, methods=["GET"]) for path, page in ROUTES.items()),
        ],
        middleware=[
            Middleware(SecurityHeaders, secure=False),
            Middleware(SameOriginOnly, hosts=frozenset(map(str.lower, (*LOCAL_HOSTS, *hosts)))),
            Middleware(BodyLimit),
        ],
        lifespan=lifespan,
    )
    app.state.explorer = explorer
    app.state.templates = _load_templates()
    ErrorHandlers(_render_failure).install(app)
    for error, page in ERROR_PAGES.items():
        app.add_exception_handler(error, page)
    return app


@cache
def _load_templates() -> Jinja2Templates:
    """Load all templates now, so that no request waits for them."""
    templates = create_templates(
        FOLDER / "templates", percent=format_percent, counted="{:,}".format, bar_segments=bar_segments
    )
    for name in templates.env.list_templates():
        templates.env.get_template(name)
    return templates


def _render_failure(request: Request, status: int, heading: str, message: str) -> Response:
    return render_explorer_page(request, "failed.html", status, heading=heading, message=message)
