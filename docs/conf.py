"""How Sphinx builds the documentation. A page for each package is written first, so that no list is kept by hand."""

import importlib
import importlib.util
import inspect
import re
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import polyseme
from polyseme.parts import parts_by_name

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src"

project = "polyseme"
version = release = installed_version("polyseme")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["**/README.md"]

html_theme = "furo"
html_title = f"polyseme {release}"
html_copy_source = False

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

# Short names of values are ambiguous for Sphinx, as packages export them again: either target is right.
suppress_warnings = ["ref.python"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True


def public_modules() -> list[str]:
    """The dotted names of all modules without a leading underscore."""
    names = []
    for path in sorted((SOURCE / "polyseme").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(part.startswith("_") for part in parts):
            names.append(".".join(parts))
    return names


def packages() -> dict[str, list[str]]:
    """The modules of each package, itself first; those beside the packages are of ``polyseme``."""
    modules: dict[str, list[str]] = {}
    for module in public_modules():
        is_package = (SOURCE / module.replace(".", "/")).is_dir()
        package = module if is_package else module.rpartition(".")[0]
        modules.setdefault(package, []).append(module)
    return modules


def page(package: str, modules: list[str]) -> str:
    """The page of one package, made from the docstrings of its modules."""
    names = public_names() if package == "polyseme" else ""
    return f"{package}\n{'=' * len(package)}\n\n{names}" + "\n".join(map(section, modules))


def public_names() -> str:
    """What ``import polyseme as ps`` offers: functions and values with their summaries, then the parts by kind."""
    public = {name: getattr(polyseme, name) for name in dir(polyseme)}
    parts = {name: value for name, value in public.items() if name in parts_by_name()}
    rest = {name: value for name, value in public.items() if name not in parts and hasattr(value, "__module__")}
    kinds = sorted({part.kind for part in parts.values()})
    functions = [line for name, value in rest.items() if inspect.isroutine(value) for line in summary(name, value)]
    values = [line for name, value in rest.items() if inspect.isclass(value) for line in summary(name, value)]
    links = {kind: [link(name, part) for name, part in parts.items() if part.kind == kind] for kind in kinds}
    by_kind = [f"{kind}\n   {', '.join(names)}" for kind, names in links.items()]
    sections = {"Functions": functions, "Values": values, "Parts, by kind": by_kind}
    return "".join(f"{title}\n{'-' * len(title)}\n\n{chr(10).join(lines)}\n\n" for title, lines in sections.items())


def link(name: str, value: Any) -> str:
    """A link to the full description of a public name."""
    role = "func" if inspect.isroutine(value) else "class"
    return f":py:{role}:`{name} <{value.__module__}.{value.__qualname__}>`"


def summary(name: str, value: Any) -> list[str]:
    """A public name with the first line of its docstring."""
    return [link(name, value), f"   {(inspect.getdoc(value) or '').partition(chr(10))[0]}"]


def section(module: str) -> str:
    """A module on the page of its package."""
    options = "".join(f"   :{option}:\n" for option in ("members", "ignore-module-all", "show-inheritance"))
    return f"{module}\n{'-' * len(module)}\n\n.. automodule:: {module}\n{options}"


def write_pages(_: Sphinx) -> None:
    """Write the pages that have changed, and remove those of packages that are gone."""
    folder = DOCS / "reference" / "modules"
    folder.mkdir(exist_ok=True)
    pages = {folder / f"{package}.rst": page(package, modules) for package, modules in packages().items()}
    for path, text in pages.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for path in set(folder.glob("*.rst")) - set(pages):
        path.unlink()


def escape_bars(app: Sphinx, kind: str, name: str, value: object, options: object, lines: list[str]) -> None:  # noqa: ARG001
    """Let docstrings write |x| for a size: outside examples and literals a bar is only a bar."""
    example = False
    for number, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            literals = re.split(r"(``.*?``)", line)
            lines[number] = "".join(text if text.startswith("``") else text.replace("|", r"\|") for text in literals)


def import_pydantic(_: Sphinx) -> None:
    """Import pydantic, FastAPI and spaCy before autodoc, which imports modules as type checkers see them."""
    for name in ("pydantic.main", "fastapi", "spacy"):
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", import_pydantic)
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", escape_bars)
