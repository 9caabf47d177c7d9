from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="web pages need polyseme[annotate] or polyseme[explore]")

from polyseme.web.assets import SharedStaticFiles, create_templates


def test_own_templates_come_before_shared_ones_and_escape(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '{% extends "base.html" %}{% block body %}{{ said }}{{ double(2) }}{% endblock %}'
    )
    made = create_templates(tmp_path, double=lambda number: 2 * number).get_template("page.html").render(said="<b>")
    assert "&lt;b&gt;4" in made
    assert made.startswith("<!doctype html>")


def test_own_files_come_before_shared_ones(tmp_path: Path) -> None:
    (tmp_path / "icon.svg").write_text("ours")
    files = SharedStaticFiles(tmp_path)
    assert files.lookup_path("icon.svg")[0] == str(tmp_path / "icon.svg")
    assert files.lookup_path("base.css")[1] is not None
    assert files.lookup_path("../pages.py")[1] is None
