"""The prose of pages, docstrings, messages and screens keeps the rules of CONTRIBUTING.md."""

from pathlib import Path

import pytest

import check_prose


def test_nothing_is_to_be_rewritten() -> None:
    avoid = check_prose.read_glossary()
    findings = [finding for path in check_prose.list_files() for finding in check_prose.check_file(path, avoid=avoid)]
    assert not findings, f"{len(findings)} passages to rewrite:\n" + "\n".join(map(str, findings))


@pytest.mark.parametrize(
    "sentence",
    [
        "A lemma that the index has not is said, and the others go on.",
        "Their senses are told by the words around their usages.",
        "If not said, our small language model is taken.",
        "Whoever wants the senses of a word begins with an index.",
        "The rater sees one instance.",
        " ".join(["word"] * 41) + ".",
    ],
)
@pytest.mark.parametrize(
    "name, frame",
    [
        ("page.md", "# Title\n\n{}\n\n- item\n"),
        ("page.md", "| a | b |\n|---|---|\n| x | {} |\n"),
        ("page.md", "1. {}\n"),
        ("page.html", "<main>{{% if x %}}<p>{} {{{{ value }}}}</p>{{% endif %}}</main>\n"),
        ("page.html", '<main><button aria-label="{}">?</button></main>\n'),
        ("page.js", 'status.textContent = "{}"\n'),
        ("texts.toml", 'reason = "{}"\n'),
        ("module.py", 'def f():\n    """{}"""\n'),
        ("module.py", 'def f():\n    """Do it.\n\n    Args:\n        option: {}\n    """\n'),
        ("module.py", 'raise InputError(f"{} {{value}}")\n'),
        ("notebook.ipynb", '{{"cells": [{{"cell_type": "markdown", "source": ["{}"]}}]}}'),
    ],
)
def test_a_foreign_sentence_is_found(tmp_path: Path, sentence: str, name: str, frame: str) -> None:
    path = tmp_path / name
    path.write_text(frame.format(sentence), "utf-8")
    assert list(check_prose.check_file(path))
    path.write_text(frame.format("Lemmas missing from the index are reported."), "utf-8")
    assert not list(check_prose.check_file(path))


def test_code_is_no_prose(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("`the instance` and\n\n```python\n# whoever draws lots\n```\n\n>>> whoever\n", "utf-8")
    assert not list(check_prose.check_file(path))


def test_the_glossary_says_what_to_write() -> None:
    avoid = check_prose.read_glossary()
    assert avoid[r"\binstances?\b"] == "usage"
    assert len(avoid) > 10
