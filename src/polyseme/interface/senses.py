"""Senses of words in text, in Python as by ``polyseme induce`` and ``polyseme label``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from math import isnan
from pathlib import Path
from shlex import quote
from typing import Any, TypeAlias

from polyseme.corpus.analysers import Analyser, as_analyser
from polyseme.corpus.documents import TABLE_SUFFIXES
from polyseme.corpus.index import Index
from polyseme.corpus.lemma_search import WordCount, count_typed_words, find_lemmas_of_usages
from polyseme.datasets.opening import LabellingSource, open_usages
from polyseme.disambiguation.model import DictionaryModel
from polyseme.errors import InputError, InputWarning, count_noun, quote_value
from polyseme.experiments.grid import GridSearch, open_grid_benchmark, search_grid
from polyseme.formats.archives import iterate_files
from polyseme.formats.files import format_suffix, read_head
from polyseme.formats.registry import all_formats
from polyseme.formats.signatures import check_signature
from polyseme.induction.defaults import default_inducer, is_english, missing_small_model
from polyseme.induction.fitting import INTERRUPTED, NothingInduced
from polyseme.induction.inducer import Inducer, clusters_labelled_usages
from polyseme.induction.lemma_checkpoint import LemmaCheckpoint
from polyseme.induction.model import SenseModel
from polyseme.induction.storage import check_model_folder
from polyseme.induction.usage_sources import list_lemmas
from polyseme.interface.labelling_mapper import LabellingMapper
from polyseme.labelling import Labelling
from polyseme.labelling_run import LabellingRun, as_index
from polyseme.parts import build
from polyseme.progress import ShowProgress, show_progress_bar
from polyseme.usage import Usage

TextSource: TypeAlias = Any
"""An index or its folder; or usages: a list, a table with a row for each, a path, or the name of a data set."""

GRID_INDUCER = "Squares"
"""The inducer whose options a grid search chooses by default."""

ReportWords = Callable[[Sequence[WordCount]], object]
"""Receives what typed words stand for."""


def induce(
    source: TextSource,
    model: Inducer | str | None = None,
    lemmas: str | Iterable[str] | None = None,
    *,
    usages: TextSource | None = None,
    analyser: Analyser | str = "english",
    processes: int | None = None,
    progress: bool | None = None,
    output: str | os.PathLike[str] | None = None,
    report: ReportWords = lambda _: None,
) -> SenseModel:
    """Induce the senses of words from text.

    Interrupted from the keyboard, a model whose senses are vectors has the lemmas that are complete; a warning says how
    to go on.

    Args:
        source: An index or its folder; or usages: a list, a data frame, a path, or the name of a data set.
        model: The inducer, as a part, ``ps.Squares(delta=0.018)``, or as its specification, ``"Squares(delta=0.018)"``.
            Default: the small model if it is installed and the text is English; otherwise context clustering.
        lemmas: Lemmas, such as ``bank.n``. A bare word stands for every part of speech of it that occurs, by its lemma
            or by a form, in any case. Default: all lemmas of ``usages``, or of a source of usages.
        usages: The usages that will be labelled. Models that cluster usages cluster these.
        analyser: The analyser of usages; an index is analysed already.
        processes: How many processes work. Default: the number of processors.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.
        output: The folder to write the model to. If senses are vectors, complete lemmas are stored beside it, so that
            the same call resumes interrupted work.
        report: Receives what each of the ``lemmas`` stands for, before the work.

    Raises:
        InputError: The source cannot be opened, or no lemma has senses.

    >>> model = induce("my.index", "Pipeline(Bag(minimum=1), number=2)", "Banks", processes=1)
    >>> {lemma: len(senses) for lemma, senses in model.inventory.items()}
    {'bank.n': 2}
    """
    folder = None if output is None else Path(output)
    if folder is not None:
        check_model_folder(folder)
    corpus, reader = open_text(source), as_analyser(analyser) if isinstance(analyser, str) else analyser
    inducer = choose_inducer(model, corpus, reader)
    to_label = [] if usages is None else open_usages(usages)
    names = _list_lemmas(corpus, lemmas, to_label, report)
    checkpoint = None
    if folder is not None and inducer.is_resumable:
        checkpoint = LemmaCheckpoint(folder, inducer, corpus, reader, to_label)
    options: dict[str, Any] = {"usages": to_label} if clusters_labelled_usages(inducer) else {}
    options |= {"analyser": reader, "processes": processes, "checkpoint": checkpoint}
    with show_progress_bar("Counting", progress) as show:
        result = _fit(inducer, corpus, names, show, options)
    if folder is not None:
        result.save(folder)
    _finish(result, checkpoint)
    return result


def _fit(
    inducer: Inducer, corpus: Index | list[Usage], lemmas: list[str], show: ShowProgress, options: dict[str, Any]
) -> SenseModel:
    """Fit an inducer, and show its progress."""
    try:
        return inducer.fit(
            corpus, lemmas, show=lambda step: show(f"Inducing {step.lemma}", step.done, step.lemmas), **options
        )
    except NothingInduced:
        if options["checkpoint"] is not None:
            options["checkpoint"].remove()  # all lemmas are finished
        raise


def _finish(model: SenseModel, checkpoint: LemmaCheckpoint | None) -> None:
    """Remove the checkpoint if the model is complete."""
    if checkpoint is not None and INTERRUPTED not in model.missed.values():
        checkpoint.remove()


def _list_lemmas(
    corpus: Index | list[Usage], lemmas: str | Iterable[str] | None, to_label: Sequence[Usage], report: ReportWords
) -> list[str]:
    """List the lemmas to induce; a word that does not occur stays, so that it is reported as missing."""
    if lemmas is None:
        return list_lemmas(corpus, to_label)
    words = [lemmas] if isinstance(lemmas, str) else list(lemmas)
    if isinstance(corpus, Index):
        counts = count_typed_words(corpus, words)
    else:
        counts = [find_lemmas_of_usages(corpus, word) for word in words]
    report(counts)
    return list(dict.fromkeys(lemma for count in counts for lemma in count.lemmas or [count.word]))


def choose_inducer(model: Inducer | str | None, corpus: Index | Sequence[Usage], analyser: Analyser) -> Any:
    """Return an inducer, by default the best that is installed; a warning names what the best one lacks.

    Args:
        model: An inducer, its specification, or ``None``.
        corpus: The text.
        analyser: The analyser of usages.
    """
    if isinstance(model, str):
        return build(model, "inducer")
    if model is not None and (isinstance(model, type) or getattr(model, "kind", "") != "inducer"):
        advice = "give a part, such as Squares(), or its specification: `polyseme parts inducer`"
        raise InputError(f"{quote_value(model)} is not an inducer; {advice}")
    if model is not None:
        return model
    text = corpus if isinstance(corpus, Index) else analyser
    problem = missing_small_model() if is_english(text) else None
    if problem is not None:
        warnings.warn(f"senses are induced from contexts only, as {problem}", InputWarning, stacklevel=3)
    return build(default_inducer(text), "inducer")


def choose_from_grid(
    source: TextSource,
    model: Inducer | str | None,
    grid: str,
    usages: Any,
    gold: str | os.PathLike[str] | None = None,
    *,
    folds: int = 5,
    progress: bool | None = None,
) -> GridSearch:
    """Try the options of an inducer's grid, and choose the best by a figure of usages with gold.

    Args:
        source: An index or its folder.
        model: The inducer or its specification. Default: ``Squares``.
        grid: A task and its figure, as ``semeval-2013:fuzzy_bcubed.f1``, or several figures with ``*`` between them.
        usages: The name of a data set or, with ``gold``, the path of usages.
        gold: The labelling of these usages.
        folds: The number of folds of lemmas, on which the choice is tested.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.

    Raises:
        InputError: The grid, or its figure, does not exist, or the figure is undefined for all options.
    """
    if usages is None or (gold is None and Path(usages).exists()):
        raise InputError("--grid needs usages with gold: add --usages and a data set's name, or a file and --gold GOLD")
    task, colon, figure = grid.partition(":")
    if not colon:
        raise InputError(f"--grid is {grid!r}; it names a task and a figure, as semeval-2013:fuzzy_bcubed.f1")
    inducer: Any = build(model or GRID_INDUCER, "inducer") if isinstance(model, str | None) else model
    evaluation_set = open_grid_benchmark(task, usages, None if gold is None else Path(gold))
    index = as_index(source) or Index.open(str(source))
    with show_progress_bar("Counting", progress) as show:
        step = f"Trying options of {type(inducer).__name__}"
        search = search_grid(
            inducer, index, *evaluation_set, figure, folds=folds, show=lambda done, total: show(step, done, total)
        )
    if isnan(search.best.overall):
        trials = count_noun(len(search.trials), "variant")
        raise InputError(f"{figure} is undefined for {trials} of {inducer!r}: none labels enough usages that have gold")
    return search


def label(
    model: SenseModel | DictionaryModel | str | os.PathLike[str],
    usages: TextSource,
    *,
    wordnet: str | None = None,
    keep: float | None = None,
    map_to: LabellingSource | None = None,
    mapping: Any = "Distribution",
    folds: int = 5,
    processes: int | None = None,
    progress: bool | None = None,
) -> Labelling:
    """Label usages with the senses of a model.

    Args:
        model: A model, its folder, or the specification of a dictionary model, such as ``PPR``.
        usages: An index or its folder; or usages: a list, a data frame, a path, or the name of a data set.
        wordnet: The WordNet of a dictionary model. Default: that of the data set, or 3.1.
        keep: A dictionary model drops senses with less than this share of a usage's greatest weight.
        map_to: A gold labelling, to whose senses the model's are mapped: see :func:`polyseme.map_senses`.
        mapping: The mapping, as a part or its specification.
        folds: A usage is mapped by the other folds; 1: by all usages, including itself.
        processes: How many processes work. Default: the number of processors.
        progress: Whether a bar is shown. Default: on a terminal and in a notebook, not in a pipe.

    Returns:
        The senses with weights that sum to 1. A usage that matches none, or whose lemma the model lacks, is left out,
        and is a ``KeyError``.

    Raises:
        InputError: The model or the usages cannot be opened, or two usages have the same id.

    >>> model = induce("my.index", "Pipeline(Bag(minimum=1), number=2)", "bank", processes=1)
    >>> len(label(model, "my.index"))
    14
    """
    mapper = None if map_to is None else LabellingMapper.open(map_to, mapping, folds)
    run = LabellingRun.open(model, usages, wordnet, keep)
    with show_progress_bar("Labelling", progress) as show:
        labelling = run.label(lambda _: None, None, processes, lambda done: show("Labelling", done, len(run)))
    return labelling if mapper is None else mapper.map(labelling)


# -- opening -------------------------------------------------------------------------------------------------------


def open_text(source: TextSource) -> Index | list[Usage]:
    """Open an index or usages.

    Raises:
        InputError: The source holds neither; text without usages must be indexed first.
    """
    index = as_index(source)
    if index is not None:
        return index
    if isinstance(source, str | os.PathLike) and Path(source).exists() and _is_plain_text(Path(source)):
        command = f"polyseme index {quote(str(source))} -o my.index"
        problem = "this is not an index, and holds no usages"
        raise InputError(f"{problem}. Make an index of it first: {command}", path=source)
    return open_usages(source)


def _is_plain_text(path: Path) -> bool:
    """Whether a folder holds no usages, or a file is text, plain or with sentences, and no table."""
    if path.is_file():
        check_signature(read_head(path), path, "an index or a file of usages")
    heads = (head for file in iterate_files(path) if (head := read_head(file)).strip())
    readers = [[form.readers for form in all_formats().values() if form.recognises(head)] for head in heads]
    if any("usages" in names for forms in readers for names in forms):
        return False
    is_text = any(all("sentences" in names for names in forms) for forms in readers)
    return path.is_dir() or (is_text and format_suffix(path) not in TABLE_SUFFIXES)
