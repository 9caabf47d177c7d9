"""``polyseme explore``: the senses of words in a corpus, in the browser."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer

from polyseme.cli.help import server_option
from polyseme.cli.output import require_extra


def explore_command(
    folder: Annotated[Path, typer.Argument(metavar="INDEX", help="An index made by `polyseme index`.")],
    host: Annotated[str, server_option(help="The address to listen on; there is no password.")] = "127.0.0.1",
    port: Annotated[int, server_option(min=1, max=65535, help="The port to listen on.")] = 8001,
    name: Annotated[
        list[str] | None,
        server_option(metavar="NAME", help="Another name of this host for browsers, with --host. May be repeated."),
    ] = None,
    open_browser: Annotated[bool, server_option("--open", help="Open the explorer in your browser.")] = False,
) -> None:
    """Explore the senses of words in your browser, until you press Ctrl-C.

    Examples:
        polyseme explore texts.index
        polyseme explore texts.index --open

    The senses of a word are induced when you first open it, and cached. Your texts are only read, and never leave this
    machine.
    """
    from polyseme.corpus.index import Index

    index = Index.open(folder)
    index.check_files()
    with require_extra("explore"):
        import uvicorn

        from polyseme.explorer.app import create_explorer_app
        from polyseme.explorer.explorer import Explorer
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    app = create_explorer_app(Explorer(index, any_model=is_loopback(host)), [host, *(name or [])])
    typer.echo(f"{folder.resolve().name}: {address}")
    if open_browser:
        typer.launch(address)
    uvicorn.run(app, host=host, port=port, access_log=False, server_header=False, log_level="warning")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "my.machine")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return host.lower() == "localhost"
