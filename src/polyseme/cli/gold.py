"""``polyseme gold``: a gold standard from ratings."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.agreement import StudyOption
from polyseme.cli.help import cluster_option, input_option, output_option, rule_option
from polyseme.cli.label import LabellingOutOption
from polyseme.cli.output import Format, JsonOption, echo_json, emit, replace_non_finite
from polyseme.errors import InputError, InputWarning, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.gold.disputes import DisputedItem
    from polyseme.gold.record import GoldStandard

CLUSTER_FORMAT = "usage-graph-clusters"
"""The format of a file of clusters."""

RatingsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RATINGS…",
        help="A file or folder of ratings, the name of a data set, or the database of a study; several are combined.",
    ),
]
CombineOption = Annotated[
    str,
    rule_option(
        metavar="mean|median|mode|model|PART",
        help="How the ratings of several annotators are combined; `polyseme parts annotators` lists the models.",
    ),
]
WeightsOption = Annotated[
    str, rule_option(metavar="rating|sum|max", help="Ratings as they are, or divided by the usage's sum or maximum.")
]
ThresholdOption = Annotated[
    float | None,
    rule_option(
        min=0,
        help="Only senses with this combined rating or a higher one; with --clusters, the rating above which usages"
        " are similar. Default for clusters: the middle of the scale.",
    ),
]
SupportOption = Annotated[int, rule_option(min=0, help="Only senses that this many annotators rated above the lowest.")]
LowestOption = Annotated[
    float | None,
    rule_option(
        help="The lowest value of the scale: the sense does not apply. Default: that of the study's scale, or 1."
    ),
]
TaskOption = Annotated[str | None, input_option(metavar="WSsim|WSbest|…", help="The task, if there are several.")]
ClustersOption = Annotated[bool, cluster_option("--clusters", help="Cluster usages by Usim ratings.")]
GradedOption = Annotated[bool, cluster_option("--graded", help="With --clusters: allow a usage in several clusters.")]
SmallestOption = Annotated[
    int, cluster_option(min=1, help="With --clusters: do not label the usages of smaller clusters.")
]
SeedOption = Annotated[int, cluster_option(help="With --clusters: the random seed of the search in large graphs.")]
DisputedOption = Annotated[
    int | None, output_option("--disputed", min=1, metavar="NUMBER", help="Show this many of the most disputed items.")
]
FormOption = Annotated[
    str | None,
    output_option("--format", metavar="FORMAT", help="The format. Default: by the ending of the file, or table."),
]


def gold_command(
    ratings: RatingsArgument,
    out: LabellingOutOption = None,
    combine: CombineOption = "mean",
    weights: WeightsOption = "rating",
    threshold: ThresholdOption = None,
    support: SupportOption = 0,
    lowest: LowestOption = None,
    task: TaskOption = None,
    study: StudyOption = None,
    clusters: ClustersOption = False,
    graded: GradedOption = False,
    smallest: SmallestOption = 1,
    seed: SeedOption = 0,
    most: DisputedOption = None,
    form: FormOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a gold standard from ratings.

    Examples:
        polyseme gold ratings.csv -o people.key
        polyseme gold ratings.csv --threshold 3 --combine median -o strict.key
        polyseme gold ratings.csv --disputed 5

    FILE.json beside the file records the rule and the counts. A manager's adjudication replaces the ratings of an
    item. The ending of the file sets its format: .key, .jsonl or .parquet; with --clusters also .csv, the clusters
    of a word usage graph.
    """
    from polyseme.interface.annotation import find_disputed_items, make_gold

    write = _open_writer(out, form, clusters) if out else None
    sources = ratings[0] if len(ratings) == 1 else ratings
    task = task or ("Usim" if clusters else None)
    disputed = find_disputed_items(sources, most, task=task, study=study) if most else ()
    if most and not out:
        _print_disputed(disputed, form, as_json)
        return
    gold = make_gold(
        sources,
        combine=combine,
        weights=weights,  # type: ignore[arg-type]
        threshold=threshold,
        support=support,
        lowest=lowest,
        task=task,
        clusters=clusters,
        graded=graded,
        smallest=smallest,
        seed=seed,
        study=study,
    )
    for note in gold.notes:
        warnings.warn(f"{gold.source}: {note}", InputWarning, stacklevel=2)
    if out and write:
        from polyseme import __version__

        record = {"polyseme": __version__, "ratings": gold.source, **gold.record, "notes": list(gold.notes)}
        write(gold)
        _write_record(out, record)
        _report_files(out, record, disputed, most, as_json)
    else:
        _print_gold(gold, form, as_json)
        _report_counts(gold.record)


# -- output --------------------------------------------------------------------------------------------------------


def _open_writer(out: Path, form: str | None, clusters: bool) -> Callable[[GoldStandard], None]:
    """Return a function that writes the labelling; errors come before long work."""
    from polyseme.formats.files import format_suffix
    from polyseme.formats.output_checks import check_output_file
    from polyseme.formats.registry import get_writer
    from polyseme.formats.word_usage_graph import write_wug_clusters

    form = form or (CLUSTER_FORMAT if clusters and format_suffix(out) == ".csv" else None)
    write = get_writer("labelling", out, form)
    check_output_file(out)
    if form == CLUSTER_FORMAT:
        return lambda gold: write_wug_clusters(gold.labelling, out, gold.noise)
    return lambda gold: write(gold.labelling)


def _write_record(out: Path, record: dict[str, Any]) -> None:
    from polyseme.formats.files import write_text

    text = json.dumps(replace_non_finite(record), ensure_ascii=False, indent=2, allow_nan=False)
    write_text(out.with_name(f"{out.name}.json"), f"{text}\n")


def _print_gold(gold: GoldStandard, form: str | None, as_json: bool) -> None:
    from polyseme.formats.answer_key import format_key
    from polyseme.formats.labelling_jsonl import format_labelling_jsonl

    if form:
        raise InputError(f"--format {form} is for a file; name it with -o")
    typer.echo((format_labelling_jsonl if as_json else format_key)(gold.labelling), nl=False)


def _report_files(
    out: Path, record: dict[str, Any], disputed: tuple[DisputedItem, ...], most: int | None, as_json: bool
) -> None:
    """Report the counts, the model of annotators and disputed items after the files are written."""
    from polyseme.reports.gold_tables import annotator_model_table, disputed_records, disputed_table
    from polyseme.reports.tables import table_to_text

    if as_json:
        echo_json({"path": str(out), **record, **({"disputed": disputed_records(disputed)} if most else {})})
        return
    _report_counts(record)
    if "model" in record:
        typer.echo(table_to_text(annotator_model_table(record)))
    if most:
        typer.echo(table_to_text(disputed_table(disputed)))


def _report_counts(record: Any) -> None:
    """Report on stderr how many usages are labelled, and what is excluded."""
    usages = record["usages"]
    text = f"{usages['labelled']:,} of {count_noun(usages['rated'], 'usage')} labelled"
    if decisions := record.get("adjudicated", {}).get("items"):
        text += f"; {count_noun(decisions, 'item')} adjudicated"
    if clusters := record.get("clusters"):
        text += f"; {count_noun(sum(clusters.values()), 'cluster')} of {count_noun(len(clusters), 'lemma')}"
    reasons = [f"{reason} ({count:,})" for reason, count in record.get("left out", {}).items() if count]
    left_out = f" Left out: {'; '.join(reasons)}." if reasons else ""
    print(f"{text}.{left_out} {record['rule in words']}", file=sys.stderr)


def _print_disputed(disputed: tuple[DisputedItem, ...], form: str | None, as_json: bool) -> None:
    from polyseme.reports.gold_tables import disputed_records, disputed_table

    allowed = [option.value for option in Format]
    if form is not None and form not in allowed:
        problem = f"--format {quote_value(form)} is not a format of disputed items"
        raise InputError(f"{problem}; allowed are {', '.join(allowed)}")
    choice = Format.json if as_json else Format(form or "table")
    emit(choice, disputed_records(disputed), lambda: disputed_table(disputed))
