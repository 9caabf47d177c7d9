"""``polyseme gold``: a gold standard from ratings."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyseme.cli.label import LabellingOutOption
from polyseme.cli.output import Format, JsonOption, add_file_name, echo_json, emit, replace_non_finite
from polyseme.errors import InputError, InputWarning, count_noun, quote_value

if TYPE_CHECKING:
    from polyseme.gold.combination import AnnotatorModel
    from polyseme.gold.disputes import DisputedItem
    from polyseme.gold.record import GoldStandard
    from polyseme.rating import Ratings
    from polyseme.usage import UsagePair

CLUSTER_FORMAT = "usage-graph-clusters"
"""The format of a file of clusters."""

RatingsArgument = Annotated[
    str, typer.Argument(metavar="RATINGS", help="A file or folder of ratings, or the name of a data set.")
]
CombineOption = Annotated[
    str,
    typer.Option(
        metavar="mean|median|mode|model|PART",
        help="How the ratings of several annotators are combined; `polyseme parts annotators` lists the models.",
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
        help="Only senses with this combined rating or a higher one; with --clusters, the lowest rating of similar"
        " usages. Default for clusters: the middle of the scale.",
    ),
]
SupportOption = Annotated[
    int, typer.Option(min=0, help="Only senses that this many annotators rated above the lowest.")
]
LowestOption = Annotated[float, typer.Option(help="The lowest value of the scale: the sense does not apply.")]
TaskOption = Annotated[str | None, typer.Option(metavar="WSsim|WSbest|…", help="The task, if there are several.")]
ClustersOption = Annotated[bool, typer.Option("--clusters", help="Cluster usages by ratings of Usim.")]
GradedOption = Annotated[bool, typer.Option("--graded", help="With --clusters: a usage may be in several.")]
SmallestOption = Annotated[
    int, typer.Option(min=1, help="With --clusters: usages of smaller clusters are noise, and not labelled.")
]
SeedOption = Annotated[int, typer.Option(help="With --clusters: the random seed of the search in large graphs.")]
DisputedOption = Annotated[
    int | None, typer.Option("--disputed", min=1, metavar="N", help="Show the N most disputed items.")
]
FormOption = Annotated[
    str | None,
    typer.Option("--format", metavar="FORMAT", help="The format of the file, or of the disputed items."),
]


def gold_command(
    ratings: RatingsArgument,
    out: LabellingOutOption = None,
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
    """Make a gold standard from ratings, and record how: FILE.json beside the file has the rule and the counts.

    The suffix of the file sets its format: .key, .jsonl or .parquet; with --clusters .csv is the clusters.csv of a word
    usage graph. Without a file an answer key is printed or, with --json, JSON Lines. With --disputed and without a
    file, only the items on which annotators are farthest apart are shown, for adjudication.
    """
    from polyseme.gold.rule import Gold
    from polyseme.gold.usage_clusters import UsageClusters

    _check_options(clusters, {"--graded": graded, "--smallest": smallest > 1, "--seed": seed}, "--clusters")
    sense_options = {"--weights": weights != "rating", "--support": support, "--lowest": lowest != 1}
    _check_options(not clusters, sense_options, "ratings of senses, not for --clusters")
    rule: Any = _parse_combination(combine)
    if clusters:
        middle: Any = "middle" if threshold is None else threshold
        rule = UsageClusters(middle, rule, graded, smallest=smallest, seed=seed)
    else:
        rule = Gold(rule, weights, lowest, threshold or 0.0, support)
    write = _open_writer(out, form, clusters) if out else None
    source = _open_source(ratings, clusters)
    with add_file_name(ratings):
        if not isinstance(source, tuple):
            source = _select_task(source, task or ("Usim" if clusters else None))
        disputed = _find_disputed(source, most) if most else ()
        if most and not out:
            _print_disputed(disputed, form, as_json)
            return
        gold = _make_gold(rule, source)
        for note in gold.notes:
            warnings.warn(note, InputWarning, stacklevel=2)
    if out and write:
        from polyseme import __version__

        record = {"polyseme": __version__, "ratings": ratings, **gold.record, "notes": list(gold.notes)}
        write(gold)
        _write_record(out, record)
        _report_files(out, record, disputed, most, as_json)
    else:
        _print_gold(gold, form, as_json)
        _report_counts(gold.record)


# -- input ---------------------------------------------------------------------------------------------------------


def _check_options(applies: bool, options: Mapping[str, object], purpose: str) -> None:
    """Raise an error if an option is set that does not apply."""
    if not applies and (wrong_options := [option for option, value in options.items() if value]):
        raise InputError(f"{wrong_options[0]} is for {purpose}; drop it")


def _parse_combination(combine: str) -> str | AnnotatorModel:
    """Return the name of a rule, or build a model of annotators."""
    from polyseme.gold.combination import COMBINATIONS, MODEL_RULE
    from polyseme.parts import build

    if combine in COMBINATIONS or combine == MODEL_RULE:
        return combine
    try:
        model: AnnotatorModel = build(combine, "annotators")
    except InputError as error:
        problem = f"--combine {quote_value(combine)} is not known; allowed are {', '.join([*COMBINATIONS, MODEL_RULE])}"
        raise InputError(f"{problem}, or a part: {error}") from None
    return model


def _open_source(name: str, clusters: bool) -> Ratings | tuple[UsagePair, ...]:
    """Open ratings; for clusters, pairs of usages if there are no ratings."""
    from polyseme.datasets.opening import open_pair_averages, open_ratings

    return tuple((clusters and open_pair_averages(name)) or ()) or open_ratings(name)


def _select_task(ratings: Ratings, task: str | None) -> Ratings:
    """Select the ratings of one task; an error names the tasks if it is not clear which."""
    tasks = sorted({row.task for row in ratings})
    if not tasks:
        raise InputError("there are no ratings")
    if task is None and len(tasks) == 1:
        return ratings
    if task is None:
        problem = f"the ratings are of several tasks ({', '.join(tasks)}), whose values cannot be compared"
        raise InputError(f"{problem}; name one, as in --task {tasks[0]}")
    if task not in tasks:
        raise InputError(f"there are no ratings of {task}; there are ratings of {', '.join(tasks)}")
    return ratings.filter(lambda row: row.task == task)


def _make_gold(rule: Any, source: Ratings | tuple[UsagePair, ...]) -> GoldStandard:
    from polyseme.gold.record import clusters_from_pairs, clusters_from_ratings, gold_from_ratings
    from polyseme.gold.usage_clusters import UsageClusters

    if isinstance(source, tuple):
        return clusters_from_pairs(rule, source)
    return (clusters_from_ratings if isinstance(rule, UsageClusters) else gold_from_ratings)(rule, source)


def _find_disputed(source: Ratings | tuple[UsagePair, ...], most: int) -> tuple[DisputedItem, ...]:
    from polyseme.gold.disputes import find_disputed_items

    if isinstance(source, tuple):
        raise InputError("these are averages; to find disputed items, pass the ratings of annotators")
    return find_disputed_items(source, most)


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
    text = f"{usages['labelled']:,} of {count_noun(usages['rated'], 'usage')} labelled by {record['rule']}"
    if undecided := record.get("left out", {}).get("undecided"):
        text += f"; {count_noun(undecided, 'judgement')} undecided and left out"
    if clusters := record.get("clusters"):
        text += f"; {count_noun(sum(clusters.values()), 'cluster')} of {count_noun(len(clusters), 'lemma')}"
    print(text, file=sys.stderr)


def _print_disputed(disputed: tuple[DisputedItem, ...], form: str | None, as_json: bool) -> None:
    from polyseme.reports.gold_tables import disputed_records, disputed_table

    allowed = [option.value for option in Format]
    if form is not None and form not in allowed:
        problem = f"--format {quote_value(form)} is not a format of disputed items"
        raise InputError(f"{problem}; allowed are {', '.join(allowed)}")
    choice = Format.json if as_json else Format(form or "table")
    emit(choice, disputed_records(disputed), lambda: disputed_table(disputed))
