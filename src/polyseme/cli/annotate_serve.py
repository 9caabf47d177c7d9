"""``polyseme annotate serve``: a study in the browser."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.errors import InputError, MissingExtra, quote_value

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

HERE = ("127.0.0.1", "localhost", "::1")
MANAGER = "manager"
KEEP_ALIVE = 75
"""Seconds for which a connection is kept: people think before they answer, and need no new one every time."""

StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="URL",
        envvar="POLYSEME_STORE",
        help="Where judgements are kept: a SQLite file, or postgresql://…; the study's name with .db by default.",
    ),
]


def serve(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="A study, as `polyseme annotate new` writes it.")],
    store: StoreOption = "",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Processes that answer; more than one wants PostgreSQL.")] = 1,
    address: Annotated[
        str, typer.Option(metavar="URL", help="How browsers reach it, for the links that are printed: https://….")
    ] = "",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Without HTTPS, to try it out on this machine alone.")
    ] = False,
) -> None:
    """Serve a study to annotators and managers until you press Ctrl-C; it goes on where it stopped."""
    if insecure and host not in HERE:
        raise InputError(
            f"--insecure sends passwords for all to read, and {quote_value(host)} may be reached from elsewhere. "
            f"Leave --host out, or leave --insecure out and put a proxy with HTTPS in front"
        )
    try:
        import uvicorn

        from polyseme.studio.store.startup import default_store_path, start_study
        from polyseme.studio.web.app import INSECURE_VARIABLE, STORE_VARIABLE
    except ModuleNotFoundError as error:
        raise MissingExtra("annotate", error.name or "fastapi") from None
    url = store or default_store_path(file)
    with closing(start_study(file, url)) as opened:
        _welcome(opened, address.rstrip("/") or f"{'http' if insecure else 'https'}://{host}:{port}", insecure)
    os.environ |= {
        STORE_VARIABLE: url,
        INSECURE_VARIABLE: "1" if insecure else "",
    }  # for the workers, which begin on their own
    uvicorn.run(
        "polyseme.studio.web.app:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        timeout_keep_alive=KEEP_ALIVE,
        access_log=False,  # the addresses of invitations let people in
        server_header=False,
        log_level="warning",
    )


def _welcome(store: Store, where: str, insecure: bool) -> None:
    """Say where the studio is, and how its first manager gets in."""
    typer.echo(f"{store.study.title}: {where}")
    if not insecure:
        typer.echo("Browsers must come by HTTPS: put a proxy in front, or add --insecure to try it on this machine.")
    if not any(each.is_manager for each in store.annotators()):
        token = store.add_annotator(MANAGER, kind="manager")
        typer.echo(f"The link of its manager, shown this once: {where}/invitation/{token}")
