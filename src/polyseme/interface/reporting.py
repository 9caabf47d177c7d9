"""Reports: pages of results, of annotation and of the senses of words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from polyseme.datasets import DataSet, load
from polyseme.datasets.opening import (
    InventorySource,
    LabellingSource,
    RatingsSource,
    UsagesSource,
    find_data_set,
    is_name,
    open_usages,
)
from polyseme.errors import InputError, quote_value
from polyseme.interface.annotation import measure_agreement
from polyseme.interface.named_sources import name_sources
from polyseme.interface.scoring import find_task, open_gold, open_system
from polyseme.measures.alignment import adopt_lemmas
from polyseme.progress import ShowProgress, show_progress_bar
from polyseme.reports.page import HtmlReport, Report
from polyseme.reports.results_page import results_report
from polyseme.tasks.data import EvaluationData, UserData

if TYPE_CHECKING:
    from polyseme.corpus.index import Index
    from polyseme.experiments.records import RunRecord
    from polyseme.experiments.scored_rows import ScoredRows
    from polyseme.reports.words_page import WordsReport

PathName = str | os.PathLike[str]
ALL = "all"
"""Stands for all published systems."""
LISTED_WORDS = 3
"""A title lists the words of a page, unless there are more."""


class ReportFunction(Protocol):
    """Makes a report of sources."""

    def __call__(self, *sources: Any, **options: Any) -> HtmlReport:
        """Make the report."""
        ...


def report(kind: str, *sources: Any, **options: Any) -> HtmlReport:
    """Make a page; it shows itself in a notebook, and ``save`` writes it.

    Args:
        kind: ``results``, ``annotation`` or ``senses``: see :func:`report_results`, :func:`report_annotation` and
            :func:`report_senses`.
        sources: What the page reports: keys or a plan, ratings, or an index and words.
        options: The options of that kind of page.

    >>> gold = {"bank.n.1": {"river": 1}, "mouse.n.1": {"rodent": 1}}
    >>> page = report("results", {"mine": gold}, gold=gold, task="SemEval2013(mapping=False)", samples=100)
    >>> page.title
    'Results: mine on semeval-2013'
    """
    if str(kind) not in REPORTS:
        raise InputError(f"there is no report of {quote_value(kind)}; allowed are {', '.join(REPORTS)}")
    return REPORTS[kind](*sources, **options)


def report_results(
    *sources: Any,
    task: Any = None,
    gold: LabellingSource | None = None,
    systems: str | Sequence[str] = ALL,
    usages: UsagesSource | None = None,
    title: str = "",
    results: PathName = "results",
    against: str = "",
    measure: str = "",
    samples: int = 2000,
    seed: int = 0,
    confidence: float = 0.95,
    examples: int = 12,
    data: PathName | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Report:
    """Make the page of the results of keys, or of a plan that was run: scores, intervals, tests, words, mistakes.

    Args:
        sources: Labellings or models, or name → labelling, as :func:`polyseme.score` takes them; published systems and
            baselines are shown beside them. Without a task: a plan, its folder of results, or the record of a run.
        task: The task of the keys: its name, a part, or its specification.
        gold: The gold standard of the keys. Default: that of the task's data set.
        systems: The published systems to show, where the data set has them: ``all``, ``none``, or their names.
        usages: The usages of the keys, which are quoted. Default: those of the data set.
        title: The title of a page of keys.
        results: The folder of results of a plan.
        against: The row that all are compared with. Default: the best baseline.
        measure: The figure to rank and break down by, as fuzzy_nmi. Default: that of the task.
        samples: How many resamples and swaps.
        seed: The random seed.
        confidence: The confidence level of the intervals.
        examples: How many wrongly labelled usages are listed.
        data: The folder of data sets.
        progress: Whether progress is shown. Default: on a terminal and in a notebook.
        options: Options of the task, as ``mapping=False``.

    >>> gold = {"bank.n.1": {"river": 1}, "bank.n.2": {"money": 1}, "mouse.n.1": {"rodent": 1}}
    >>> labels = {"bank.n.1": {"s1": 1}, "bank.n.2": {"s2": 1}, "mouse.n.1": {"s1": 1}}
    >>> page = report_results({"mine": labels}, task="semeval-2013", gold=gold, samples=100)
    >>> [table.title for table in page.tables()][:2]
    ['What was run', 'Scores: mine on semeval-2013']
    """
    from polyseme.experiments.analysis import AnalysisOptions, analyse_run

    if not sources:
        raise InputError("there is nothing to report; name keys with a task, or a plan that was run")
    with show_progress_bar("Reading", progress) as show:
        if task is None:
            rows = _rescore(sources, gold, Path(results), data, show)
        else:
            rows = _score_sources(sources, task, gold, systems, usages, title, data, show, options)
        analysis = AnalysisOptions(measure, against, samples, seed, confidence, examples)
        return results_report(analyse_run(rows, analysis, show))


def report_annotation(
    *ratings: RatingsSource,
    task: str | Sequence[str] | None = None,
    inventory: InventorySource | None = None,
    complete: bool | None = None,
    usages: UsagesSource | None = None,
    resamples: int = 1000,
    seed: int = 0,
    study: str | None = None,
    progress: bool | None = None,
) -> Report:
    """Make the page of annotation: agreement, the use of the scale, and what ratings say about senses.

    Args:
        ratings: Ratings, files of them, data sets, databases of studies; several are combined.
        task: Only these tasks.
        inventory: The senses that were rated. Default: those of the data set or of the study.
        complete: Whether a sense without a rating counts as rated 1; see :func:`polyseme.measure_agreement`.
        usages: The usages, for examples. Default: those of the data set or of the study.
        resamples: How many bootstrap resamples give the intervals; 0 for none.
        seed: The random seed.
        study: The title of a study, where a database holds several.
        progress: Whether progress is shown. Default: on a terminal and in a notebook.

    >>> from polyseme.rating import Rating, Ratings
    >>> rows = [Rating(name, "WSsim", "win.v", f"u{n}", "s", 1 + n) for name in ("ann", "bob") for n in range(4)]
    >>> report_annotation(Ratings(rows), resamples=0).title
    'Agreement: the ratings'
    """
    return measure_agreement(
        ratings[0] if len(ratings) == 1 else list(ratings),
        task=task,
        sections=ALL,
        inventory=inventory,
        complete=complete,
        usages=usages,
        resamples=resamples,
        seed=seed,
        study=study,
        progress=progress,
    ).report()


def report_senses(
    index: Index | PathName,
    *lemmas: str,
    model: Any = None,
    most: int | None = None,
    title: str = "",
    seeds: int = 3,
    progress: bool | None = None,
) -> WordsReport:
    """Make the page of words in a corpus: their senses, with examples, over time, on a map, beside WordNet.

    Args:
        index: The index of a corpus, or its folder.
        lemmas: The words, as bank or bank.n.
        model: An inducer, its specification, or a model or its folder. Default: the small model if it is installed and
            the text is English; otherwise context clustering.
        most: How many usages of a word are sampled and labelled. Default: 300 for a language model, all for others.
        title: The title of the page. Default: the words.
        seeds: How many times a model is run, to show how certain it is.
        progress: Whether progress is shown. Default: on a terminal and in a notebook.

    >>> page = report_senses("my.index", "bank.n", model="Pipeline(number=2)", seeds=1)
    >>> page.title, len(page.words)
    ('Senses of bank', 1)
    """
    from polyseme.corpus.index import Index
    from polyseme.corpus.lemma_search import count_typed_words
    from polyseme.induction.defaults import default_inducer, default_usage_limit, get_inducer
    from polyseme.reports.words_page import WordsReport
    from polyseme.words.findings import join_phrases
    from polyseme.words.word_reports import make_word_reports

    opened = index if isinstance(index, Index) else Index.open(Path(index))
    counts = count_typed_words(opened, lemmas)
    occurring = [lemma for count in counts for lemma in count.lemmas or [count.word]]
    with show_progress_bar("Reading", progress) as show:
        part = _open_inducer(model or default_inducer(opened))
        limit = most or default_usage_limit(get_inducer(part))
        words = make_word_reports(opened, occurring, part, seeds=seeds, limit=limit, show=show)
    name = Path(opened.folder).name
    count = "a word" if len(words) == 1 else f"{len(words)} words"
    introduction = f"The senses of {count} in {name}, with their shares and examples."
    names = list(dict.fromkeys(report.word for report in words))
    subject = join_phrases(names) if len(names) <= LISTED_WORDS else f"{len(names)} words"
    return WordsReport(title or f"Senses of {subject}", introduction, tuple(words))


REPORTS: Mapping[str, ReportFunction] = {
    "results": report_results,
    "annotation": report_annotation,
    "senses": report_senses,
}
"""The kinds of reports."""


# -- results -----------------------------------------------------------------------------------------------------------


def _rescore(
    sources: Sequence[Any], gold: object, results: Path, data: PathName | None, show: ShowProgress
) -> ScoredRows:
    """Score the rows of a run again."""
    from polyseme.experiments.rescoring import rescore_run

    if len(sources) > 1 or gold is not None or not is_name(sources[0]):
        raise InputError("to report on keys, name their task, such as semeval-2013")
    record = _find_record(Path(sources[0]), results)
    return rescore_run(record, cache(partial(load, data=data)), show)


def _find_record(source: Path, results: Path) -> RunRecord:
    """Find the record of a run by its plan, by its folder, or by its file."""
    from polyseme.experiments.plan import read_plan
    from polyseme.experiments.records import find_only_record, find_record_of_plan, read_record

    if source.is_dir():
        return find_only_record(source)
    if source.suffix == ".json":
        return read_record(source)
    if source.suffix != ".toml":
        problem = "this is neither a plan (PLAN.toml) nor a folder of results"
        raise InputError(f"{problem}; to report on keys, name their task, such as semeval-2013", path=source)
    return find_record_of_plan(source, read_plan(source), results)


def _score_sources(
    sources: Sequence[Any],
    task: Any,
    gold: Any,
    systems: str | Sequence[str],
    usages: Any,
    title: str,
    data: PathName | None,
    show: ShowProgress,
    options: Mapping[str, Any],
) -> ScoredRows:
    from polyseme.experiments.key_scoring import KeyComparison, score_keys
    from polyseme.tasks.task import LabellingTask

    protocol = find_task(task, **options)
    if not isinstance(protocol, LabellingTask):
        raise InputError(f"{protocol.name} scores pairs of usages, and no page has them; use polyseme score usim")
    evaluated, data_set = _find_data(protocol, gold, usages, data)
    keys = {
        name: adopt_lemmas(open_system(protocol, source, evaluated.usages), protocol.get_gold(evaluated))
        for name, source in name_sources(sources[0] if len(sources) == 1 else list(sources)).items()
    }
    comparison = KeyComparison(
        protocol,
        evaluated,
        keys,
        _find_systems(data_set, systems),
        _describe_gold(gold, data_set),
        _find_inventory(data_set),
        title,
    )
    return score_keys(comparison, show)


def _find_data(task: Any, gold: Any, usages: Any, data: PathName | None) -> tuple[EvaluationData, DataSet | None]:
    """Return the usages and gold of keys, and the data set that has published systems for them."""
    if gold is None and not task.key_data:
        raise InputError(f"{task.name} has no data set of its own; name the gold standard: --gold GOLD, or gold=…")
    of_gold = gold if isinstance(gold, DataSet) else find_data_set(gold) if is_name(gold) else None
    if gold is None or of_gold is not None:
        data_set = of_gold or load(task.key_data, data=data)
        return (data_set if usages is None else UserData(open_usages(usages), task.get_gold(data_set))), data_set
    labelling, published = open_gold(task, gold), _load_published(task, data)
    if published is not None and not set(labelling) <= set(task.get_gold(published)):
        published = None
    default = published.usages if published is not None else ()
    return UserData(default if usages is None else open_usages(usages), labelling), published


def _load_published(task: Any, data: PathName | None) -> DataSet | None:
    """Load the data set of a task; none if it is not installed."""
    try:
        data_set = load(task.key_data, data=data) if task.key_data else None
        return data_set if data_set is not None and len(task.get_gold(data_set)) else None
    except InputError:
        return None


def _find_systems(data_set: DataSet | None, systems: str | Sequence[str]) -> Mapping[str, Any]:
    """Return the published systems to show; each is read when it is scored."""
    published = data_set.systems if data_set is not None and "systems" in data_set.entry.contents else {}
    names = [systems] if isinstance(systems, str) else list(systems)
    if names in ([ALL], ["none"]):
        return published if names == [ALL] else {}
    if unknown := [name for name in names if name not in published]:
        allowed = ", ".join([ALL, "none", *published])
        raise InputError(f"there is no published system {quote_value(unknown[0])} for this gold; allowed are {allowed}")
    return {name: published[name] for name in names}


def _describe_gold(gold: Any, data_set: DataSet | None) -> str:
    if is_name(gold):
        return Path(gold).name
    return data_set.entry.name if data_set is not None and (gold is None or isinstance(gold, DataSet)) else ""


def _find_inventory(data_set: DataSet | None) -> Any:
    """Return the senses of a data set, if it names them and they are installed."""
    if data_set is None or not ("inventory" in data_set.entry.contents or data_set.entry.inventory):
        return None
    try:
        return data_set.inventory
    except InputError:
        return None  # a page without glosses is better than none


def _open_inducer(source: Any) -> Any:
    """Load the model of a folder, or build the inducer of a specification."""
    from polyseme.induction.model import SenseModel
    from polyseme.models import mention_missing_folder
    from polyseme.parts import build

    if not is_name(source):
        return source
    if Path(source).is_dir():
        return SenseModel.load(source)
    with mention_missing_folder(str(source)):
        return build(str(source), "inducer")
