"""Build wheels and sdists of both packages, install them in empty environments, and run the README's examples there.

``make dist`` calls this. The wheels are built from the sdists, so that these are complete. Environments are made for
this Python, and for the others from 3.11 that are on the PATH or in the folder of pyenv.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PACKAGES = (ROOT, ROOT / "models" / "small")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
SIZE_LIMIT = 520
"""The megabytes that polyseme, its small model and all that they require may take."""

PRINT_VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"
RUN_EXAMPLES = """
import doctest, sys
flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
results = doctest.testfile(sys.argv[1], module_relative=False, optionflags=flags)
assert results.attempted, "the page has no example"
sys.exit(bool(results.failed))
"""


def make_environment(python: str, folder: Path) -> Path:
    """Make an empty virtual environment, and return its Python."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def install(python: Path, *packages: str | Path) -> None:
    """Install packages, with the versions of constraints.txt."""
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    subprocess.run(command, check=True, env=os.environ | {"PIP_CONSTRAINT": str(ROOT / "constraints.txt")})


def build(work: Path) -> list[Path]:
    """Build the sdists, and from them the wheels, which are returned."""
    shutil.rmtree(DIST, ignore_errors=True)
    python = make_environment(sys.executable, work / "build")
    install(python, "hatchling")
    for package in PACKAGES:
        subprocess.run(
            [python, "-m", "hatchling", "build", "--target", "sdist", "--directory", DIST], cwd=package, check=True
        )
    sources = sorted(DIST.glob("*.tar.gz"))
    for source in sources:
        folder = work / "sources" / source.name.removesuffix(".tar.gz")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.unpack_archive(source, folder.parent, filter="data")
        subprocess.run(
            [python, "-m", "hatchling", "build", "--target", "wheel", "--directory", DIST], cwd=folder, check=True
        )
    return sorted(DIST.glob("*.whl"))


def find_pythons() -> Iterator[tuple[str, str]]:
    """Yield the version and the path of this Python, and of the other supported ones on this machine."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    yield own, sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        candidates = [*map(str, sorted(pyenv.glob(f"{version}.*/bin/python"))), shutil.which(f"python{version}") or ""]
        working = next((path for path in candidates if path and has_version(path, version)), None)
        if version != own and working:
            yield version, working
        elif version != own:
            print(f"Python {version} is not on this machine: left out")


def has_version(python: str, version: str) -> bool:
    """Whether a path is a Python of this version that starts."""
    answer = subprocess.run([python, "-c", PRINT_VERSION], capture_output=True, text=True, check=False)
    return answer.stdout.strip() == version


def list_commands(page: str) -> list[str]:
    r"""Return the commands of ``polyseme`` in the console blocks of a page.

    >>> list_commands("```console\n$ polyseme parts\n$ make demo\n```")
    ['polyseme parts']
    """
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.M | re.S)
    return [
        line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ polyseme ")
    ]


def try_examples(python: Path, folder: Path) -> None:
    """Run the README's examples in a folder that holds only the page and the files that it names."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copy(ROOT / "README.md", folder)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment["POLYSEME_HOME"] = str(folder / "home")
    environment["PATH"] = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    subprocess.run([python, "-c", RUN_EXAMPLES, "README.md"], cwd=folder, env=environment, check=True)
    for command in list_commands((folder / "README.md").read_text("utf-8")):
        print(f"   $ {command}", flush=True)
        subprocess.run(command, shell=True, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


def count_megabytes(folder: Path) -> float:
    """Return the size of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def list_largest(environment: Path, count: int = 5) -> str:
    """Return the largest packages of an environment, with their sizes."""
    packages = [path for folder in environment.rglob("site-packages") for path in folder.iterdir() if path.is_dir()]
    sizes = sorted(((count_megabytes(path), path.name) for path in packages), reverse=True)
    return ", ".join(f"{name} {size:.0f} MB" for size, name in sizes[:count])


def main() -> None:
    """Build, install and try."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only-this-python", action="store_true", help="Leave out the other versions of Python.")
    only_own = parser.parse_args().only_this_python
    work = ROOT / "build" / "dist"
    wheels = build(work)
    for version, path in find_pythons():
        if only_own and path != sys.executable:
            continue
        environment = work / f"python-{version}"
        python = make_environment(path, environment)
        bare = count_megabytes(environment)
        install(python, *wheels)
        size = count_megabytes(environment) - bare
        print(f"Python {version}: {size:.0f} MB installed; the README's examples:", flush=True)
        if size > SIZE_LIMIT:
            sys.exit(f"too large: the limit is {SIZE_LIMIT} MB; {list_largest(environment)}")
        try_examples(python, work / f"examples-{version}")
    print(f"{DIST.relative_to(ROOT)}: {', '.join(sorted(path.name for path in DIST.iterdir()))}")


if __name__ == "__main__":
    main()
