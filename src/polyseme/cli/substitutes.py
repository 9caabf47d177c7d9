"""``polyseme substitutes``: the words that can replace another in a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyseme.cli.help import input_option, model_option, output_option, training_option
from polyseme.cli.output import JsonOption, check_output_file, check_output_folder, show_status
from polyseme.errors import InputError, count_noun

if TYPE_CHECKING:
    from polyseme.lm.substitutes import Substitutes
    from polyseme.usage import Usage

COUNT_BY_SUFFIX = {".best": 1, ".oot": 10}
"""The default number of substitutes in files with these suffixes."""
BAR_WIDTH = 30
"""The length of the bar of the most likely word."""

ModelOption = Annotated[
    str | None,
    model_option(
        metavar="MODEL",
        help="The folder of a model, maskedlm:NAME, causallm:NAME, or a part; `polyseme parts substituter` lists"
        " parts. Default: small, if it is installed; otherwise an n-gram model of the State of the Union addresses.",
    ),
]
CountOption = Annotated[
    int | None,
    model_option("-n", min=1, help="The number of words. Default: 20; 1 for a .best file, 10 for an .oot file."),
]
UsagesOption = Annotated[
    str | None,
    input_option(metavar="USAGES", help="Instead of a text: a file or folder of usages, or the name of a data set."),
]
CandidatesOption = Annotated[
    Path | None,
    input_option(metavar="FILE", help="With --usages: also list the candidates of each lemma, however unlikely."),
]
OutOption = Annotated[
    Path | None,
    output_option(
        "--output", "-o", metavar="PATH", help="With --usages: the file of answers. With --train: the model's folder."
    ),
]


def substitutes_command(
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="A text with the target.")] = None,
    target: Annotated[str | None, input_option(help="The word to replace, as it appears in the text.")] = None,
    model: ModelOption = None,
    count: CountOption = None,
    occurrence: Annotated[int, input_option(min=1, help="Which occurrence of the target to replace.")] = 1,
    usages: UsagesOption = None,
    candidates: CandidatesOption = None,
    train: Annotated[
        Path | None, training_option(metavar="INDEX", help="Train an n-gram model on this index instead.")
    ] = None,
    out: OutOption = None,
    order: Annotated[int, training_option(min=2, max=9, help="With --train: the largest n of n-grams.")] = 4,
    minimum: Annotated[int, training_option(min=1, help="With --train: rarer words are treated as one.")] = 2,
    prune: Annotated[
        bool, training_option(help="With --train: drop n-grams of three words or more that occur once.")
    ] = False,
    arpa: Annotated[
        Path | None, training_option(metavar="FILE", help="With --train: also write the model as an ARPA file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the words that could replace a word in its context.

    Examples:
        polyseme substitutes "The bank raised its rates." --target bank
        polyseme substitutes "The bank raised its rates." --target bank -n 5 --json
        polyseme substitutes --usages usages.jsonl -o answers.jsonl
        polyseme substitutes --train texts.index -o texts.ngrams

    With --usages, the substitutes of each usage are written as a labelling. The ending of the file sets its format:
    .best and .oot are those of LexSub, for `polyseme score lexsub`; .jsonl, .parquet and .key have the
    probabilities.
    """
    if train is not None:
        if text is not None or usages is not None or out is None:
            raise InputError("to train a model, type: polyseme substitutes --train INDEX -o FOLDER")
        _train(train, out, order, minimum, prune, arpa, as_json)
        return
    if usages is not None:
        if text is not None or target is not None:
            raise InputError("--usages replaces a text and its target; drop these")
        _write_substitutes(usages, model, count, candidates, out, as_json)
        return
    if candidates is not None:
        raise InputError("--candidates goes with --usages; add --usages, or drop --candidates")
    if text is None or target is None:
        example = 'polyseme substitutes "The bank raised its rates" --target bank'
        raise InputError(f"a text and a target are needed, as in: {example}")
    from polyseme.interface.text import find_target, substitutes

    usage = find_target(text, target, occurrence)
    answer = substitutes(text, target, model=model, count=count, occurrence=occurrence)
    typer.echo(_substitutes_to_json(usage, answer) if as_json else render_substitutes(answer))


def _train(source: Path, folder: Path, order: int, minimum: int, prune: bool, arpa: Path | None, as_json: bool) -> None:
    """Train a model and write it."""
    from polyseme.corpus.index import Index
    from polyseme.lm.ngrams.arpa import write_arpa
    from polyseme.lm.ngrams.model import NGrams
    from polyseme.lm.ngrams.numbered_text import index_language

    index = Index.open(source)
    check_output_folder(folder)
    if arpa is not None:
        check_output_file(arpa)
    with show_status() as show:
        language = index_language(index)
        model = NGrams.train(index, order=order, minimum=minimum, prune=prune, language=language, show=show)
        show(f"Writing {folder}")
        model.save(folder)
        if arpa is not None:
            show(f"Writing {arpa}")
            write_arpa(model, arpa)
    sizes = [end - start for start, end in zip((0, *model.ends), model.ends, strict=False)]
    if as_json:
        typer.echo(json.dumps({"path": str(folder), "ngrams": sizes, **model.facts}))
        return
    tokens = count_noun(model.facts["tokens"], "token")
    typer.echo(f"{folder}: {', '.join(f'{size:,}' for size in sizes)} n-grams of 1 to {order} words, from {tokens}")


def _write_substitutes(
    source: str, model: str | None, count: int | None, candidates: Path | None, out: Path | None, as_json: bool
) -> None:
    """Write the substitutes of all usages of a source."""
    from polyseme.cli.label import open_labelling_writer, report_counts
    from polyseme.formats.files import format_suffix
    from polyseme.interface.reading import read_usages
    from polyseme.interface.text import substitutes

    write, usages = open_labelling_writer(out, as_json), read_usages(source)
    default = COUNT_BY_SUFFIX.get(format_suffix(out)) if out is not None else None
    labelling = substitutes(usages, model=model, count=count or default, candidates=candidates)
    write(labelling)
    report_counts(len(usages), labelling, out, as_json)


def render_substitutes(answer: Substitutes) -> str:
    """Render words with their probabilities, as numbers and as bars."""
    from polyseme.reports.tables import Table, table_to_text

    most = max(answer.probabilities.tolist(), default=1.0)
    rows = [
        (word, share, "█" * max(round(BAR_WIDTH * share / most), 1))
        for word, share in zip(answer.words, answer.probabilities.tolist(), strict=True)
    ]
    return table_to_text(Table("", ("Word", "Probability", ""), tuple(rows)))


def _substitutes_to_json(usage: Usage, answer: Substitutes) -> str:
    pairs = zip(answer.words, answer.probabilities.tolist(), strict=True)
    words = [{"word": word, "probability": share} for word, share in pairs]
    span = {"target": usage.target, "start": usage.start, "end": usage.end}
    return json.dumps({**span, "substitutes": words}, ensure_ascii=False)
