"""House rules that no linter knows."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))

# Written so that this file does not match itself.
HOSTS = ["pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\.(org|com)", "anaconda" + r"\.(org|com)"]
PLACES = r"(?<![\w.~}])/(work|root|home|Users)" + r"/\w"
NOT_OURS = re.compile("|".join([*HOSTS, PLACES, "index" + "-url", "find" + "-links"]))

FILE_LINES = 400
FUNCTION_LINES = 60


def files_of_the_project() -> list[Path]:
    """What is or may be committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("this is not a git repository, so it is not known which files belong to it")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def text_of(path: Path) -> str:
    """The file's text, nothing if it is not UTF-8."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def test_no_host_and_no_path_of_a_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in files_of_the_project()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if NOT_OURS.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["/wo" + "rk/main", "see /ro" + "ot/x", "--index" + "-url=x", "https://pypi" + ".org"])
def test_the_patterns_find(text: str) -> None:
    assert NOT_OURS.search(text)


@pytest.mark.parametrize("text", ["src/work/file", "{home}/root/x", "a/work/b", "their work/life"])
def test_the_patterns_pass_over(text: str) -> None:
    assert not NOT_OURS.search(text)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= FILE_LINES, f"more than {FILE_LINES} lines: split it by what it is about"
    long = [
        f"{node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.end_lineno is not None and node.end_lineno - node.lineno >= FUNCTION_LINES
    ]
    assert not long, f"more than {FUNCTION_LINES} lines: {', '.join(long)}"
