"""``polyseme annotate export``, ``import`` and ``token``: what goes out of a study, and comes into one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.annotate_serve import StoreOption
from polyseme.errors import InputError, MissingExtra, count_noun

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

StudyOrStore = Annotated[
    str, typer.Argument(metavar="STUDY", help="A study file, beside which its store lies; or the store itself.")
]


def _opened(study: str, store: str) -> Store:
    """The store of a study, which must have begun."""
    try:
        from polyseme.studio.store.startup import default_store_path
        from polyseme.studio.store.store import Store
    except ModuleNotFoundError as error:
        raise MissingExtra("annotate", error.name or "sqlalchemy") from None
    return Store.open(store or (default_store_path(study) if study.endswith(".toml") else study))


def export(
    study: StudyOrStore,
    out: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file, or folder, to write.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="csv|tsv|parquet|jsonl|study|events|adjudications|usim-csv|wssim-csv|usage-graph|phitag|gold",
            help="What to write; a long table as the suffix says, if this is left out.",
        ),
    ] = "",
    store: StoreOption = "",
) -> None:
    """Write what came of a study so far, while it runs or when it is done.

    csv, tsv, parquet and jsonl are the current answers, one judgement a row; study is everything, to be imported, and
    events all that was ever said; adjudications are the managers' decisions. usim-csv and wssim-csv have the columns
    of Erk, McCarthy and Gaylord; usage-graph, phitag and gold are folders, or zip archives where FILE ends with .zip.
    """
    with closing(_opened(study, store)) as opened:
        from polyseme.studio.exchange.exports import find_export_by_suffix, get_export, write_export

        chosen = get_export(form or find_export_by_suffix(out))
        write_export(chosen, chosen.collect(opened), out)


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A whole study, as export --format study writes it; or ratings, a file or a folder."
        ),
    ],
    study: Annotated[
        Path, typer.Argument(metavar="STUDY", help="The study file: a new one for a whole study; else, one there is.")
    ],
    store: StoreOption = "",
) -> None:
    """Bring back a whole study, or put judgements from a long table in any format into one.

    A whole study goes into a new store, and its file is written beside; links and passwords are not in an export, so
    that everybody needs a new link. Of a long table, those who judged must be new to the study.
    """
    try:
        from polyseme.studio.exchange.study_archive import is_study_archive
        from polyseme.studio.store.startup import default_store_path
    except ModuleNotFoundError as error:
        raise MissingExtra("annotate", error.name or "sqlalchemy") from None
    from polyseme.formats.files import read_head

    url = store or default_store_path(study)
    if file.is_file() and is_study_archive(read_head(file)):
        _import_study(file, study, url)
    else:
        _import_ratings(file, study, url)


def _import_study(file: Path, study: Path, url: str) -> None:
    from polyseme.studio.exchange.study_archive import read_study_archive, write_study_file
    from polyseme.studio.store.store import Store

    contents = read_study_archive(file)
    if study.exists():
        raise InputError("there is a file already; name a new one", path=study)
    with closing(Store.open(url, create=True)) as opened:
        opened.restore(contents)
        people = [each.name for each in opened.annotators()]
        events = count_noun(len(contents["event"]), "event")
    write_study_file(contents, study)
    typer.echo(f"{study} and {url} hold the study, with {events} of {count_noun(len(people), 'person', 'people')}.")
    if people:
        typer.echo(f"For new links, type: polyseme annotate invite {study} --again NAME …")


def _import_ratings(file: Path, study: Path, url: str) -> None:
    from polyseme.cli.output import add_file_name
    from polyseme.formats import read_ratings
    from polyseme.studio.exchange.rating_import import import_ratings
    from polyseme.studio.store.startup import start_study

    if not study.is_file():
        problem = "there is no such study, and the file is not a whole one"
        raise InputError(f"{problem}; write the study first: polyseme annotate new", path=study)
    ratings = read_ratings(file)
    with closing(start_study(study, url)) as opened, add_file_name(file):
        added = import_ratings(opened, ratings)
    judgements = count_noun(added.judgements, "judgement")
    typer.echo(f"{judgements} of {count_noun(added.annotators, 'annotator')} are in {url}.")


def token(
    study: StudyOrStore,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who the program acts for: a manager, or an annotator.")],
    days: Annotated[int, typer.Option(min=1, max=3650, help="How long it is valid.")] = 365,
    store: StoreOption = "",
) -> None:
    """Print a token with which a program may use the API, /api/v1, on someone's behalf; it is shown this once.

    A manager's reads items, answers, progress and exports; an annotator's reads their own pages and answers these. A
    new invitation (invite --again) ends all tokens of someone.
    """
    with closing(_opened(study, store)) as opened:
        from polyseme.studio.store.accounts import Accounts
        from polyseme.studio.store.annotators import get_annotator

        with opened.database.read() as connection:
            who = get_annotator(connection, name)
        typer.echo(Accounts(opened).create_api_token(who.id, days))
