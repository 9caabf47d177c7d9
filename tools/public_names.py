"""Write the stubs that name the parts of polyseme: ``python tools/public_names.py`` after a part is added.

``__init__.pyi`` of ``polyseme`` and of each package with parts lists public names. Editors and type checkers read it,
and ``lazy_loader`` loads a name from the module that it says. Lines above the marker are written by hand.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from polyseme.parts import own_parts_by_name

SOURCE = Path(__file__).parents[1] / "src" / "polyseme"
MARKER = "# Parts: `python tools/public_names.py` writes these lines."


def write_part_imports(package: str) -> list[str]:
    """Return a line for each part in a package: ``from .squares import Squares as Squares``."""
    prefix = f"{package}."
    by_module: dict[str, list[str]] = defaultdict(list)
    for name, part in own_parts_by_name().items():
        if part.__module__.startswith(prefix):
            by_module[part.__module__.removeprefix(prefix)].append(name)
    return [
        f"from .{module} import {name} as {name}"
        for module, names in sorted(by_module.items())
        for name in sorted(names)
    ]


def list_packages() -> list[str]:
    """Return ``polyseme`` and its packages that hold parts."""
    modules = {part.__module__.split(".")[1] for part in own_parts_by_name().values()}
    return ["polyseme", *(f"polyseme.{name}" for name in sorted(modules) if (SOURCE / name).is_dir())]


def write_stub(package: str) -> tuple[Path, str]:
    """Return the path of a package's stub and the text that it should have."""
    path = SOURCE.joinpath(*package.split(".")[1:], "__init__.pyi")
    head = path.read_text("utf-8").partition(MARKER)[0].rstrip() if path.exists() else ""
    return path, "\n".join([*([head, ""] if head else []), MARKER, *write_part_imports(package), ""])


def main() -> int:
    """Write the stubs; return 1 if one has changed."""
    stale = [
        (path, text)
        for path, text in map(write_stub, list_packages())
        if not path.exists() or path.read_text("utf-8") != text
    ]
    for path, text in stale:
        path.write_text(text, "utf-8")
        print(f"{path.relative_to(SOURCE.parents[1])} is written")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
