"""Experiments: models × tasks, as a plan describes them."""

from __future__ import annotations

import os
from functools import cache, partial
from pathlib import Path

from polyseme.datasets import load
from polyseme.experiments.plan import Plan, read_plan
from polyseme.experiments.results import RunResults, warn_of_missing_lemmas
from polyseme.experiments.run import run_plan
from polyseme.formats.output_checks import check_output_folder
from polyseme.progress import show_progress_bar


def run(
    plan: str | os.PathLike[str] | Plan,
    folder: str | os.PathLike[str] = "results",
    *,
    data: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> RunResults:
    """Run an experiment: index the corpus, induce, label, map and score. Finished steps are cached.

    Args:
        plan: A plan, or its file; ``examples`` has some.
        folder: The folder of cached results. The same call resumes an interrupted run.
        data: A folder of data sets, which is searched first.
        progress: Whether a progress bar is shown. Default: on a terminal and in a notebook.

    >>> import tempfile
    >>> plan = Plan(
    ...     title="Two words",
    ...     task="semeval-2013",
    ...     usages="examples/two-words.jsonl",
    ...     gold="examples/two-words-gold.key",
    ...     models=("Pipeline(Bag(minimum=1, stop=0), number=2, on='usages')",),
    ...     sources=("examples/corpus.jsonl",),
    ...     analyser="simple",
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = run(plan, folder)
    >>> results.rows[0].kind
    'model'
    """
    opened = plan if isinstance(plan, Plan) else read_plan(Path(plan))
    check_output_folder(folder)
    with show_progress_bar(progress=progress) as show:
        results = run_plan(opened, Path(folder), cache(partial(load, data=data)), show)
    warn_of_missing_lemmas(results)
    return results
