"""How Sphinx builds the documentation."""

import importlib
import importlib.util
import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

import reference_pages

LONGEST_VALUE = 200
"""The most characters of a constant's value that a page shows."""

project = "polyseme"
version = release = installed_version("polyseme")
author = "the polyseme developers"
copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["**/README.md"]

html_theme = "furo"
html_title = f"polyseme {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["polyseme.css"]
html_favicon = "_static/logo.svg"
html_logo = "_static/logo.svg"
pygments_dark_style = "a11y-high-contrast-dark"
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
highlight_options = {"python": {"stripnl": True}}
toc_object_entries_show_parents = "hide"
html_theme_options = {
    "source_repository": "https://github.com/polyseme/polyseme/",
    "source_branch": "main",
    "source_directory": "docs/",
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#1b5a85", "color-brand-content": "#1b5a85"},
    "dark_css_variables": {"color-brand-primary": "#8cc4ea", "color-brand-content": "#8cc4ea"},
}

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

# Short names of values are ambiguous for Sphinx, as packages export them again: either target is right.
suppress_warnings = ["ref.python"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True


def escape_bars(app: Sphinx, kind: str, name: str, value: object, options: object, lines: list[str]) -> None:  # noqa: ARG001
    """Let docstrings write |x| for a size: outside examples and literals a bar is only a bar."""
    example = False
    for number, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            literals = re.split(r"(``.*?``)", line)
            lines[number] = "".join(text if text.startswith("``") else text.replace("|", r"\|") for text in literals)


def drop_field_numbers(app: Sphinx, kind: str, name: str, value: object, options: object, lines: list[str]) -> None:  # noqa: ARG001
    """Drop the docstring that Python gives to the fields of named tuples, such as "Alias for field number 0"."""
    if lines and lines[0].startswith("Alias for field number "):
        lines.clear()


def shorten_values(app: Sphinx, page: nodes.document) -> None:  # noqa: ARG001
    """Write … for the value of a constant that would fill a screen."""
    for value in page.findall(addnodes.desc_annotation):
        text = value.astext()
        if text.startswith(" = ") and len(text) > LONGEST_VALUE:
            value.children = [nodes.Text(" = …")]


def import_pydantic(_: Sphinx) -> None:
    """Import pydantic, FastAPI and spaCy before autodoc, which imports modules as type checkers see them."""
    for name in ("pydantic.main", "fastapi", "spacy"):
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", import_pydantic)
    app.connect("builder-inited", lambda _: reference_pages.write_pages())
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-process-docstring", drop_field_numbers)
    app.connect("doctree-read", shorten_values)
