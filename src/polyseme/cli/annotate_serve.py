"""``polyseme annotate serve``: a study in the browser."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.help import input_option, server_option
from polyseme.cli.output import require_extra
from polyseme.errors import InputError, quote_value

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
MANAGER_NAME = "manager"
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8000
DEFAULT_ADDRESS = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
"""The address of a server with ``--insecure`` and no other option."""
KEEP_ALIVE_SECONDS = 75
"""The time for which a connection stays open while annotators think."""

StoreOption = Annotated[
    str,
    input_option(
        "--store",
        metavar="URL",
        envvar="POLYSEME_STORE",
        help="The store of judgements: a SQLite file, or postgresql://…. Default: the study's name with .db.",
    ),
]


def serve_study(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="The study file.")],
    store: StoreOption = "",
    host: Annotated[str, server_option(help="The address to listen on.")] = DEFAULT_HOST,
    port: Annotated[int, server_option(min=1, max=65535, help="The port to listen on.")] = DEFAULT_PORT,
    workers: Annotated[int, server_option(min=1, help="The number of processes; two or more need PostgreSQL.")] = 1,
    address: Annotated[
        str, server_option(metavar="URL", help="The public address, such as https://study.example.org.")
    ] = "",
    insecure: Annotated[
        bool, server_option("--insecure", help="Serve without HTTPS, to try a study on this machine.")
    ] = False,
) -> None:
    """Serve a study to annotators and managers, until you press Ctrl-C.

    Examples:
        polyseme annotate serve study.toml --insecure
        polyseme annotate serve study.toml --address https://study.example.org

    The first start prints the link of the manager. The next start continues the study.
    """
    if insecure and host not in LOCAL_HOSTS:
        raise InputError(
            f"--insecure sends passwords unencrypted, and other machines can reach {quote_value(host)}. "
            "Remove --host; or remove --insecure, and put a proxy with HTTPS in front"
        )
    with require_extra("annotate"):
        import uvicorn

        from polyseme.studio.store.startup import default_store_path, start_study
        from polyseme.studio.web.app import INSECURE_VARIABLE, STORE_VARIABLE
    url = store or default_store_path(file)
    with closing(start_study(file, url)) as opened:
        _print_address(opened, address.rstrip("/") or f"{'http' if insecure else 'https'}://{host}:{port}", insecure)
    os.environ |= {STORE_VARIABLE: url, INSECURE_VARIABLE: "1" if insecure else ""}  # for the worker processes
    uvicorn.run(
        "polyseme.studio.web.app:create_worker_application",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        access_log=False,  # the addresses of invitations are secret
        server_header=False,
        log_level="warning",
    )


def _print_address(store: Store, address: str, insecure: bool) -> None:
    """Print the address of the studio and the link of its first manager; record the address for invitations."""
    from polyseme.studio.store.served_address import record_address

    record_address(store, address)
    typer.echo(f"{store.study.title}: {address}")
    if not insecure:
        typer.echo("Browsers must use HTTPS: put a proxy in front, or add --insecure to try it on this machine.")
    if not any(annotator.is_manager for annotator in store.annotators()):
        token = store.add_annotator(MANAGER_NAME, kind="manager")
        typer.echo(f"The link of its manager, shown only once: {address}/invitation/{token}")
