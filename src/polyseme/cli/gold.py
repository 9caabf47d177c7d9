"""``polyseme gold``: a gold standard from what people say."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.output import JsonOption, add_file_name, replace_non_finite
from polyseme.errors import InputError, InputWarning, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.gold.combination import AnnotatorModel
    from polyseme.gold.disputes import DisputedItem
    from polyseme.gold.record import GoldStandard
    from polyseme.gold.rule import Gold
    from polyseme.gold.usage_clusters import UsageClusters
    from polyseme.rating import Ratings
    from polyseme.usage import UsagePair

CLUSTERS = "usage-graph-clusters"
"""The format of a file of clusters."""

RatingsArgument = Annotated[
    str, typer.Argument(metavar="RATINGS", help="A file or folder of ratings, or the name of a data set.")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Where the labelling goes; else it is printed."),
]
CombineOption = Annotated[
    str,
    typer.Option(
        metavar="mean|median|mode|model|PART",
        help="How the ratings of several annotators become one; `polyseme parts annotators` lists the models.",
    ),
]
WeightsOption = Annotated[
    str,
    typer.Option(metavar="rating|sum|max", help="Ratings as they are, or divided by the usage's sum or maximum."),
]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        help="Only senses whose combined rating is as high or higher; with --clusters, where similar ends and"
        " different begins: the middle of the scale if not said.",
    ),
]
SupportOption = Annotated[int, typer.Option(min=0, help="Only senses that so many annotators rated above the lowest.")]
LowestOption = Annotated[float, typer.Option(help="The lowest value of the scale: the sense does not apply.")]
TaskOption = Annotated[str | None, typer.Option(metavar="WSsim|WSbest|…", help="The task, if there are several.")]
ClustersOption = Annotated[bool, typer.Option("--clusters", help="Make clusters of usages from ratings of Usim.")]
GradedOption = Annotated[bool, typer.Option("--graded", help="With --clusters: a usage may be of several.")]
SmallestOption = Annotated[int, typer.Option(min=1, help="With --clusters: smaller ones are noise, and unlabelled.")]
SeedOption = Annotated[int, typer.Option(help="With --clusters: of the search in large graphs.")]
DisputedOption = Annotated[
    int | None, typer.Option("--disputed", min=1, metavar="N", help="Show the N most disputed items.")
]
FormOption = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="Of the file, if its suffix does not say; or of what is shown."),
]


def gold(
    ratings: RatingsArgument,
    out: OutOption = None,
    combine: CombineOption = "mean",
    weights: WeightsOption = "rating",
    threshold: ThresholdOption = None,
    support: SupportOption = 0,
    lowest: LowestOption = 1.0,
    task: TaskOption = None,
    clusters: ClustersOption = False,
    graded: GradedOption = False,
    smallest: SmallestOption = 1,
    seed: SeedOption = 0,
    most: DisputedOption = None,
    form: FormOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a gold standard from ratings, and record how: FILE.json beside the file says by which rule, of how many.

    The suffix of the file says in which format: .key, .jsonl or .parquet; with --clusters .csv is the clusters.csv of a
    word usage graph. Without a file an answer key is printed, or, with --json, JSON Lines. With --disputed and without
    a file, only the items on which annotators are farthest apart are shown, for adjudication.
    """
    _check_options(clusters, {"--graded": graded, "--smallest": smallest > 1, "--seed": seed}, "--clusters")
    senses = {"--weights": weights != "rating", "--support": support, "--lowest": lowest != 1}
    _check_options(not clusters, senses, "ratings of senses, not for --clusters")
    how = _combination(combine)
    rule = (
        _clusters(how, threshold, graded, smallest, seed)
        if clusters
        else _rule(how, weights, lowest, threshold, support)
    )
    write = _writing(out, form, clusters) if out else None
    given = _read(ratings, clusters)
    with add_file_name(ratings):
        made_of = given if isinstance(given, tuple) else _of_task(given, task or ("Usim" if clusters else None))
        disputed = _disputed(made_of, most) if most else ()
        if most and not out:
            _show_disputed(disputed, form, as_json)
            return
        made = _made(rule, made_of)
        for note in made.notes:
            warnings.warn(note, InputWarning, stacklevel=2)
    if out and write:
        record = {"polyseme": _version(), "ratings": ratings, **made.record, "notes": list(made.notes)}
        write(made)
        _write_record(out, record)
        _say(out, record, disputed, most, as_json)
    else:
        _print(made, form, as_json)
        _say_counts(made.record)


# -- what is asked for ---------------------------------------------------------------------------------------------


def _check_options(apply: bool, given: Mapping[str, object], to: str) -> None:
    """An error if an option is given that does not apply."""
    if not apply and (useless := [option for option, value in given.items() if value]):
        raise InputError(f"{useless[0]} is for {to}; leave it out")


def _combination(combine: str) -> str | AnnotatorModel:
    """A rule by its name, or a model of annotators by its specification."""
    from polyseme.gold.combination import COMBINATIONS, MODEL_RULE
    from polyseme.parts import build

    if combine in COMBINATIONS or combine == MODEL_RULE:
        return combine
    try:
        model: AnnotatorModel = build(combine, "annotators")
    except InputError as error:
        allowed = ", ".join([*COMBINATIONS, MODEL_RULE])
        raise InputError(
            f"--combine {quote_value(combine)} is not known; allowed are {allowed}, or a part: {error}"
        ) from None
    return model


def _rule(combine: str | AnnotatorModel, weights: str, lowest: float, threshold: float | None, support: int) -> Gold:
    from polyseme.gold.rule import Gold

    return Gold(combine, weights, lowest, threshold or 0.0, support)


def _clusters(
    combine: str | AnnotatorModel, threshold: float | None, graded: bool, smallest: int, seed: int
) -> UsageClusters:
    from polyseme.gold.usage_clusters import UsageClusters

    return UsageClusters("middle" if threshold is None else threshold, combine, graded, smallest=smallest, seed=seed)


# -- what is given -------------------------------------------------------------------------------------------------


def _read(name: str, clusters: bool) -> Ratings | tuple[UsagePair, ...]:
    """The ratings of a file, a folder or a data set; or, for clusters, pairs of usages where there are no ratings."""
    from polyseme.datasets import load
    from polyseme.datasets.index import read_index
    from polyseme.formats import read_ratings

    if not Path(name).exists() and name in read_index():
        data = load(name)
        return data.pairs if clusters and "ratings" not in data.entry.files else data.ratings
    if not Path(name).exists():
        raise InputError("there is no such file, folder or data set; `polyseme data list` has the names", path=name)
    if clusters and (read_pairs := find_pair_reader(name)):
        return tuple(read_pairs(name))
    return read_ratings(name)


def find_pair_reader(name: str) -> Callable[[str], Any] | None:
    """What reads pairs of usages from a file, if it holds them and no ratings."""
    from polyseme.formats.files import read_head
    from polyseme.formats.registry import all_formats

    if not Path(name).is_file():
        return None
    able = [each for each in all_formats().values() if each.recognises(read_head(name))]
    if any("ratings" in each.readers for each in able):
        return None
    return next((each.readers["pairs"] for each in able if "pairs" in each.readers), None)


def _of_task(given: Ratings, task: str | None) -> Ratings:
    """The ratings of one task; an error that names the tasks if it is not clear which."""
    tasks = sorted({row.task for row in given})
    if not tasks:
        raise InputError("there are no ratings")
    if task is None and len(tasks) == 1:
        return given
    if task is None:
        problem = f"the ratings are of several tasks ({', '.join(tasks)}), whose values do not mean the same"
        raise InputError(f"{problem}; name one, as in --task {tasks[0]}")
    if task not in tasks:
        raise InputError(f"there are no ratings of {task}; there are some of {', '.join(tasks)}")
    return given.where(lambda row: row.task == task)


def _made(rule: Gold | UsageClusters, given: Ratings | tuple[UsagePair, ...]) -> GoldStandard:
    from polyseme.gold.record import clusters_from_pairs, clusters_from_ratings, gold_from_ratings
    from polyseme.gold.usage_clusters import UsageClusters

    if not isinstance(rule, UsageClusters):
        assert not isinstance(given, tuple), "pairs are read for clusters only"
        return gold_from_ratings(rule, given)
    return clusters_from_pairs(rule, given) if isinstance(given, tuple) else clusters_from_ratings(rule, given)


def _disputed(given: Ratings | tuple[UsagePair, ...], most: int) -> tuple[DisputedItem, ...]:
    from polyseme.gold.disputes import find_disputed_items

    if isinstance(given, tuple):
        raise InputError("these are averages: what each annotator said is not in them, and so not what is disputed")
    return find_disputed_items(given, most)


# -- what is written -----------------------------------------------------------------------------------------------


def _writing(out: Path, form: str | None, clusters: bool) -> Callable[[GoldStandard], None]:
    """What writes the labelling; that it cannot is said before there is one."""
    from polyseme.formats.files import format_suffix
    from polyseme.formats.registry import get_writer
    from polyseme.formats.word_usage_graph import write_wug_clusters

    form = form or (CLUSTERS if clusters and format_suffix(out) == ".csv" else None)
    write = get_writer("labelling", out, form)
    if not out.parent.is_dir():
        raise InputError(f"there is no folder {out.parent}; make it first", path=out)
    if form == CLUSTERS:
        return lambda made: write_wug_clusters(made.labelling, out, made.noise)
    return lambda made: write(made.labelling)


def _write_record(out: Path, record: dict[str, Any]) -> None:
    from polyseme.formats.files import write_text

    text = json.dumps(replace_non_finite(record), ensure_ascii=False, indent=2, allow_nan=False)
    write_text(out.with_name(f"{out.name}.json"), f"{text}\n")


def _version() -> str:
    from importlib.metadata import version

    return version("polyseme")


def _print(made: GoldStandard, form: str | None, as_json: bool) -> None:
    from polyseme.formats.answer_key import format_key
    from polyseme.formats.labelling_jsonl import format_labelling_jsonl

    if form:
        raise InputError(f"--format {form} is for a file; name it with -o")
    typer.echo((format_labelling_jsonl if as_json else format_key)(made.labelling), nl=False)


def _say(out: Path, record: dict[str, Any], found: tuple[DisputedItem, ...], most: int | None, as_json: bool) -> None:
    """What there is to say when the files are written."""
    from polyseme.reports.gold_tables import annotator_model_table, disputed_records, disputed_table
    from polyseme.reports.tables import table_to_text

    if as_json:
        more = {"disputed": disputed_records(found)} if most else {}
        typer.echo(json.dumps(replace_non_finite({"path": str(out), **record, **more}), ensure_ascii=False, indent=2))
        return
    _say_counts(record)
    if "model" in record:
        typer.echo(table_to_text(annotator_model_table(record)))
    if most:
        typer.echo(table_to_text(disputed_table(found)))


def _say_counts(record: Any) -> None:
    """On stderr: how many usages were labelled, of how many judgements, and what was left out."""
    usages = record["usages"]
    said = f"{usages['labelled']:,} of {count_noun(usages['rated'], 'usage')} labelled by {record['rule']}"
    if left := record.get("left out", {}).get("undecided"):
        said += f"; {count_noun(left, 'judgement')} undecided and left out"
    if "clusters" in record:
        said += f"; {count_noun(sum(record['clusters'].values()), 'cluster')} of {count_noun(len(record['clusters']), 'lemma')}"
    print(said, file=sys.stderr)


def _show_disputed(found: tuple[DisputedItem, ...], form: str | None, as_json: bool) -> None:
    from polyseme.cli.output import Format, emit
    from polyseme.reports.gold_tables import disputed_records, disputed_table

    allowed = [each.value for each in Format]
    if form is not None and form not in allowed:
        raise InputError(
            f"--format {quote_value(form)} is not one in which items are shown; allowed are {', '.join(allowed)}"
        )
    emit(Format.json if as_json else Format(form or "table"), disputed_records(found), partial(disputed_table, found))
