from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="web pages need polyseme[annotate] or polyseme[explore]")

from polyseme.web.assets import SharedStaticFiles, create_templates


def test_own_templates_come_before_shared_ones_and_escape_values(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '{% extends "base.html" %}{% block body %}{{ message }}{{ double(2) }}{% endblock %}'
    )
    templates = create_templates(tmp_path, double=lambda number: 2 * number)
    html = templates.get_template("page.html").render(message="<b>")
    assert "&lt;b&gt;4" in html
    assert html.startswith("<!doctype html>")


def test_own_files_come_before_shared_ones(tmp_path: Path) -> None:
    (tmp_path / "icon.svg").write_text("ours")
    files = SharedStaticFiles(tmp_path)
    assert files.lookup_path("icon.svg")[0] == str(tmp_path / "icon.svg")
    assert files.lookup_path("base.css")[1] is not None
    assert files.lookup_path("../assets.py")[1] is None
