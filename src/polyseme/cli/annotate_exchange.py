"""``polyseme annotate export``, ``import`` and ``token``: exchange of data with a study."""

from __future__ import annotations

import warnings
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.annotate_serve import StoreOption
from polyseme.cli.help import input_option, output_option
from polyseme.cli.output import require_extra
from polyseme.errors import InputError, InputWarning, count_noun

if TYPE_CHECKING:
    from polyseme.studio.store.store import Store

StudyOrStore = Annotated[
    str, typer.Argument(metavar="STUDY", help="The study file, with its store beside it, or the store itself.")
]


def _open_store(study: str, store: str) -> Store:
    """Open the store of a study that has begun."""
    with require_extra("annotate"):
        from polyseme.studio.store.startup import default_store_path
        from polyseme.studio.store.store import Store
    return Store.open(store or (default_store_path(study) if study.endswith(".toml") else study))


def export_study(
    study: StudyOrStore,
    out: Annotated[Path, output_option("--output", "-o", metavar="FILE", help="The file or folder to write.")],
    form: Annotated[
        str,
        output_option(
            "--format",
            metavar="csv|tsv|parquet|jsonl|study|events|adjudications|usim-csv|wssim-csv|usage-graph|phitag|gold",
            help="The format. Default: a long table, by the suffix of FILE.",
        ),
    ] = "",
    store: StoreOption = "",
) -> None:
    """Export the answers of a study, while it runs or after it has finished.

    Examples:
        polyseme annotate export study.toml -o judgements.csv
        polyseme annotate export study.toml --format study -o study.jsonl

    The formats csv, tsv, parquet and jsonl are long tables with a row for each current judgement. Decisions of
    managers follow, with the role adjudication.

    The format adjudications has only the decisions, and events has all answers ever sent. The format study is the whole
    study, for `polyseme annotate import`.

    The formats usim-csv and wssim-csv have the columns of Erk, McCarthy and Gaylord, without decisions.

    The formats usage-graph, phitag and gold are folders. If FILE ends with .zip, the folder becomes an archive.
    """
    with closing(_open_store(study, store)) as opened:
        from polyseme.studio.exchange.exports import find_export_by_suffix, get_export, write_export

        export = get_export(form or find_export_by_suffix(out))
        write_export(export, export.collect(opened), out)
        if export.omits_decisions and (decisions := len(opened.adjudications())):
            problem = f"the format {export.name} leaves out {count_noun(decisions, 'decision')} of managers"
            advice = "the formats csv, tsv, parquet, jsonl and study contain them"
            warnings.warn(f"{problem}; {advice}", InputWarning, stacklevel=2)


def import_study(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A whole study from export --format study, or a file or folder of ratings."
        ),
    ],
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY", help="The study file: a new one for a whole study, an existing one for ratings."
        ),
    ],
    store: StoreOption = "",
) -> None:
    """Import a whole study, or add ratings to an existing one.

    Examples:
        polyseme annotate import study.jsonl copy.toml

    A whole study gets a new file and a new store. Exports contain no links and passwords, so everybody needs a new
    link. If you import ratings, their annotators must be new to the study.
    """
    with require_extra("annotate"):
        from polyseme.studio.exchange.study_archive import is_study_archive
        from polyseme.studio.store.startup import default_store_path
    from polyseme.formats.files import read_head

    url = store or default_store_path(study)
    if file.is_file() and is_study_archive(read_head(file)):
        _import_archive(file, study, url)
    else:
        _import_ratings(file, study, url)


def _import_archive(file: Path, study: Path, url: str) -> None:
    from polyseme.formats.files import make_folder
    from polyseme.studio.exchange.study_archive import read_study_archive, write_study_file
    from polyseme.studio.store.store import Store

    contents = read_study_archive(file)
    if study.exists():
        raise InputError("this file exists already; choose a new name", path=study)
    make_folder(study.parent)
    with closing(Store.open(url, create=True)) as opened:
        opened.restore(contents)
        people = [annotator.name for annotator in opened.annotators()]
        events = count_noun(len(contents["event"]), "event")
    write_study_file(contents, study)
    typer.echo(f"{study} and {url} hold the study, with {events} of {count_noun(len(people), 'person', 'people')}.")
    if people:
        typer.echo(f"For new links, type: polyseme annotate invite {study} --again NAME …")


def _import_ratings(file: Path, study: Path, url: str) -> None:
    from polyseme.interface.studies import import_ratings

    if not study.is_file():
        problem = "there is no such study, and the file is not an export of a whole study"
        raise InputError(f"{problem}; write the study first: polyseme annotate new {study}", path=study)
    added = import_ratings(file, study, url)
    judgements, verb = count_noun(added.judgements, "judgement"), "is" if added.judgements == 1 else "are"
    typer.echo(f"{judgements} of {count_noun(added.annotators, 'annotator')} {verb} in {url}.")


def create_token(
    study: StudyOrStore,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The manager or annotator for whom the program acts.")],
    days: Annotated[int, input_option(min=1, max=3650, help="The number of days for which the token is valid.")] = 365,
    store: StoreOption = "",
) -> None:
    """Print a token with which a program uses the API of a study (/api/v1).

    Examples:
        polyseme annotate token study.toml ann --days 30

    The token is shown only once. With the token of a manager, a program reads items, answers, progress and exports.
    With the token of an annotator, it reads and answers the annotator's pages. A new link (invite --again) revokes all
    tokens of its user.
    """
    with closing(_open_store(study, store)) as opened:
        from polyseme.studio.store.accounts import Accounts
        from polyseme.studio.store.annotators import get_annotator

        with opened.database.read() as connection:
            annotator = get_annotator(connection, name)
        typer.echo(Accounts(opened).create_api_token(annotator.id, days))
