"""Check the prose of the project: ``python tools/check_prose.py [FILE …]`` lists what to rewrite, a line each.

It reads the documentation, the notebooks, the docstrings and messages in ``src``, the templates and scripts of pages,
and the tables with texts. Three rules hold everywhere: no phrase of ``PHRASES``, no sentence of more than ``LONGEST``
words, and no word of the table *Words to avoid* in the glossary, which says what to write instead. ``--long 25`` lists
shorter sentences too.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
LONGEST = 40
"""The most words of a sentence; 25 is what to aim at."""
HISTORY = ("CHANGELOG.md", "docs/reference/migration.md", "training/README.md")
"""Pages that record what was, word by word: only their phrases are checked."""

PHRASES = {
    r"draws? lots|drew lots|drawing lots": "stochastic",
    r"if not said|unless said|as said otherwise|unless told otherwise|unless asked otherwise": "Default: …",
    r"(?:is|are|was|were) told by": "described by",
    r"(?<!\w)whoever|who only wants|who wants to": "you; or name the reader",
    r"what there is to say|to say of it": "a noun: summary, report, remarks",
    r"\w+ that \w+(?: \w+)? has not\b": "missing from",
    r"has not is|have not is|that is not there is said": "is missing",
    r"is said, and|are said, and|is said on stderr": "is reported",
    r"go(?:es)? on without it": "continue without it",
    r"the others go on|let go on|may go on": "continue; resume",
    r"not a number being equal": "NaN == NaN",
    r"as by him|with him, too|by his own": "as in the paper",
    r"what could be said instead|would say instead|say in its place": "substitutes",
    r"what is left out of": "exceptions",
    r"so as it is|as it were\b|to that point\b": "plain words",
    r"are here no more|is no more\b": "is gone",
    r"gives? back\b": "returns",
    r"\blooks? (?:it|them|a thing|things) up by hand": "looks up",
    r"in the way of the": "as the … does",
    r"a fault of\b|it is a fault\b": "bug; error",
    r"by the way of": "by",
    r"has to be said": "must be named",
    r"what (?:people|they|one) said": "ratings; answers",
    r"\bmakes? anew\b|\bmade anew\b|scored anew|measured anew": "again",
}
"""Phrases that are grammatical and foreign, and what to write instead."""

SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)\]*_]*\s+(?=[\"“‘(\[*_]*[A-Z0-9`$αδρτσ#…])|(?<=:)\s*\n|\n\s*\n")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|cf|vs|etc|et al|p|pp|No|Fig|Sect|approx)\.\s")
MARKUP = (
    (re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.S), "formula"),
    (re.compile(r"\{[\w:+-]+\}`[^`]*`|``[^`]+``|`[^`\n]+`|:\w+(?::\w+)?:`[^`]*`"), "Code"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"https?://\S+"), "link"),
)


class Finding(NamedTuple):
    """A passage to rewrite, with its place and the reason."""

    path: Path
    line: int
    reason: str
    passage: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.line}: {self.reason}: {' '.join(self.passage.split())[:160]}"


class Passage(NamedTuple):
    """A block of prose, such as a paragraph or a docstring, with its first line."""

    line: int
    text: str


def read_glossary() -> dict[str, str]:
    """The words to avoid, as regular expressions, with what to write instead."""
    _, _, table = GLOSSARY.read_text("utf-8").partition("## Words to avoid")
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|", table, re.M)[1:]
    words = {word.strip(): better for row, better in rows if set(row) - set("-: ") for word in row.split(",")}
    return {rf"\b{word}s?\b": better for word, better in words.items()}


# -- passages ----------------------------------------------------------------------------------------------------------


def split_markdown(text: str) -> Iterator[Passage]:
    """The paragraphs, list items, headings and cells of a page, without code and comments."""
    text = re.sub(r"<!--.*?-->", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.S)
    block: list[str] = []
    first, fence, is_front = 1, "", text.startswith("---\n")
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        stripped = line.strip()
        if is_front:
            is_front = number == 1 or stripped != "---"
            continue
        mark = re.match(r"(`{3,}|:{3,}|~{3,})", stripped)
        is_code = bool(fence) and not (mark and stripped.startswith(fence))
        if mark and mark[1][0] != ":":
            fence = "" if fence else mark[1]
        if is_code or mark or not stripped or re.match(r"([-*+]|\d+\.|#+|\||>>>|:|<|\[)(\s|\w|!|/|$)", stripped):
            if block:
                yield Passage(first, "\n".join(block))
            block, first = [], number
        if is_code or mark or not stripped or re.match(r">>>|:\w[\w-]*:|<[!/\w]", stripped):
            continue
        if stripped.startswith("|"):
            yield from (Passage(number, cell) for cell in stripped.strip("|").split("|"))
        else:
            block.append(re.sub(r"^([-*+]|\d+\.|#+|:)\s+", "", stripped))
            first = first if len(block) > 1 else number


def split_notebook(text: str) -> Iterator[Passage]:
    """The paragraphs of a notebook's Markdown cells."""
    for number, cell in enumerate(json.loads(text)["cells"], start=1):
        if cell["cell_type"] == "markdown":
            yield from (Passage(number, passage.text) for passage in split_markdown("".join(cell["source"])))


def split_template(text: str) -> Iterator[Passage]:
    """The texts between the tags of a template; what Jinja computes counts as one word."""
    text = re.sub(
        r"<(script|style)\b.*?</\1>|\{#.*?#\}|\{%.*?%\}", lambda tag: "\n" * tag[0].count("\n"), text, flags=re.S
    )
    text = re.sub(r"\{\{.*?\}\}", lambda tag: "value" + "\n" * tag[0].count("\n"), text, flags=re.S)
    for label in re.finditer(r'\b(?:alt|aria-label|placeholder|title|data-label)="([^"]*)"', text):
        yield Passage(text.count("\n", 0, label.start()) + 1, label[1])
    text = re.sub(r"</?(?:b|i|em|strong|a|span|code|kbd|abbr|mark)\b[^>]*>", " ", text)
    line = 1
    for piece in re.split(r"(<[^>]*>)", text):
        if not piece.startswith("<") and piece.strip():
            yield Passage(line + piece[: len(piece) - len(piece.lstrip())].count("\n"), piece)
        line += piece.count("\n")


def split_strings(text: str) -> Iterator[Passage]:
    """The strings of at least three words in a script of a page or in a table of texts."""
    for match in re.finditer(r'"""(.*?)"""|"((?:\\.|[^"\\\n])*)"|`([^`]*)`', text, re.S):
        string = next(filter(None, match.groups()), "")
        if len(string.split()) > 2:
            yield Passage(text.count("\n", 0, match.start()) + 1, re.sub(r"\$\{[^}]*\}", "value", string))


def split_python(text: str) -> Iterator[Passage]:
    """The paragraphs of docstrings without examples, and the string constants of at least three words."""
    tree = ast.parse(text)
    parts = {id(piece) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for piece in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = [str(piece.value) if isinstance(piece, ast.Constant) else "value" for piece in node.values]
            yield from split_docstring(node.lineno, "".join(pieces))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield from split_docstring(node.lineno, node.value)


def split_docstring(line: int, text: str) -> Iterator[Passage]:
    """The paragraphs, entries of ``Args`` and bullets of a docstring, or a message."""
    text = re.sub(r"^\s*(?:>>>|\.\.\.).*(?:\n(?!\s*\n).*)*", lambda code: "\n" * code[0].count("\n"), text, flags=re.M)
    text = re.sub(r"(::\n)((?:\s*\n|[ \t]+\S.*(?:\n|$))+)", lambda code: "::" + "\n" * code[0].count("\n"), text)
    text = re.sub(
        r"^\s*=+(?: +=+)+\s*$(?:.|\n)*^\s*=+(?: +=+)+\s*$", lambda rows: "\n" * rows[0].count("\n"), text, flags=re.M
    )
    start = 0
    for end in [*re.finditer(r"\n\s*\n|\n\s*(?=[-*] |\w+(?: \([^)]*\))?: |\.\. )", text), None]:
        piece = text[start : end.start() if end else None]
        is_list = len(piece.split()) > LONGEST and not re.search(r"[.,;:](?:\s|$)", piece)
        if (
            len(piece.split()) > 2
            and not is_list
            and "{%" not in piece
            and not piece.lstrip().startswith(("SELECT", "|", "<"))
        ):
            yield Passage(line + text[:start].count("\n"), re.sub(r"^\s*\w+(?: \([^)]*\))?: ", "", piece))
        start = end.end() if end else start


SPLITTERS = {
    ".md": split_markdown,
    ".ipynb": split_notebook,
    ".html": split_template,
    ".js": split_strings,
    ".py": split_python,
    ".toml": split_strings,
}


# -- rules -------------------------------------------------------------------------------------------------------------


def list_sentences(text: str) -> list[str]:
    """The sentences of a passage, code and formulas as one word each."""
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    text = ABBREVIATION.sub(r"\1 ", text.replace("for instance", "for example"))
    return [sentence for sentence in SENTENCE_END.split(text) if sentence and sentence.strip()]


def count_words(sentence: str) -> int:
    """The words of a sentence: what has a letter or a digit between blanks."""
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def check_file(path: Path, longest: int = LONGEST, avoid: dict[str, str] | None = None) -> Iterator[Finding]:
    """What to rewrite in a file."""
    is_history = path.is_relative_to(ROOT) and str(path.relative_to(ROOT)) in HISTORY
    has_own_words = is_history or path == GLOSSARY or path.parent.name == "formats"
    avoid = {} if has_own_words else (read_glossary() if avoid is None else avoid)
    for line, text in SPLITTERS[path.suffix](path.read_text("utf-8")):
        for sentence in list_sentences(text):
            words = count_words(sentence)
            if words > longest and not is_history:
                yield Finding(path, line, f"{words} words", sentence)
            for pattern, better in PHRASES.items():
                if match := re.search(pattern, sentence, re.I):
                    yield Finding(path, line, f"“{match[0]}”, write: {better}", sentence)
            for pattern, better in avoid.items():
                if match := re.search(pattern, sentence, re.I):
                    yield Finding(path, line, f"“{match[0]}”, the glossary says: {better}", sentence)


def list_files() -> list[Path]:
    """The files with prose that belong to the project."""
    texts = ("src/*.py", "src/*.html", "src/*.js", "src/*/datasets/*.toml", "src/*/figures/*.toml")
    patterns = ("*.md", "examples/*.ipynb", *texts)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what to rewrite; 1 if there is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--long", type=int, default=LONGEST, metavar="WORDS", help="the most words of a sentence")
    options = parser.parse_args(arguments)
    avoid = read_glossary()
    findings = [
        finding for path in options.files or list_files() for finding in check_file(path.resolve(), options.long, avoid)
    ]
    print("\n".join(map(str, findings)) or "nothing to rewrite")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
