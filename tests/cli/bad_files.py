"""Files by the recipes of ``tests/data/bad_inputs.toml``.

A text is the content of a file. A table is a recipe:

==================================  ===================================================================================
``text``                            the content; ``times`` repeats it between ``before`` and ``after``; ``encoding``
``hex``                             the content as hexadecimal digits
``copy``                            a good file; ``replace = [OLD, NEW]`` changes it, ``after`` is added to it
``parquet``                         columns of a Parquet file
``zip``, ``tar``                    the names of the members of an archive
``sqlite``                          a database with one table
``folder``, ``fifo``, ``remove``    a folder; a named pipe; nothing in place of a good file
``link``                            the target of a symbolic link
``compress``, ``cut``               compress the content, as ``gz``; drop so many bytes at its end
==================================  ===================================================================================
"""

import io
import os
import shutil
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from polyseme.formats.compression import COMPRESSIONS

Recipe = Mapping[str, Any]


def write_bad_files(files: Mapping[str, str | Recipe], folder: Path) -> None:
    """Write files by their recipes."""
    for name, recipe in files.items():
        path = next(iter(folder.glob(name)), folder / name)  # * stands for the name of a good file
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bad_file({"text": recipe} if isinstance(recipe, str) else recipe, path)


def write_bad_file(recipe: Recipe, path: Path) -> None:
    for name, make in MAKERS.items():
        if name in recipe:
            make(recipe[name], path)
            return
    name, build = next((name, build) for name, build in CONTENTS.items() if name in recipe)
    data = build(recipe[name], recipe, path)
    if "compress" in recipe:
        data = COMPRESSIONS[f".{recipe['compress']}"].compress(data)
    path.write_bytes(data[: len(data) - recipe.get("cut", 0)])


def remove(_: bool, path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


MAKERS: dict[str, Callable[[Any, Path], object]] = {
    "folder": lambda _, path: path.mkdir(),
    "fifo": lambda _, path: os.mkfifo(path),
    "link": lambda target, path: path.symlink_to(target),
    "remove": remove,
}


def build_text(text: str, recipe: Recipe, _: Path) -> bytes:
    whole: str = recipe.get("before", "") + text * recipe.get("times", 1) + recipe.get("after", "")
    return whole.encode(recipe.get("encoding", "utf-8"))


def build_copy(_: str, recipe: Recipe, path: Path) -> bytes:
    data = path.read_bytes()
    if "replace" in recipe:
        old, new = (text.encode() for text in recipe["replace"])
        assert old in data, path
        data = data.replace(old, new)
    addition: str = recipe.get("after", "")
    return data + addition.encode()


def build_parquet(columns: Mapping[str, list[Any]], _: Recipe, __: Path) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(columns)), sink)
    return bytes(sink.getvalue())


def build_zip(names: list[str], _: Recipe, __: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
    return buffer.getvalue()


def build_tar(names: list[str], _: Recipe, __: Path) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 5000
            archive.addfile(member, io.BytesIO(b" " * member.size))
    return buffer.getvalue()


def build_sqlite(_: bool, __: Recipe, path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE words (word TEXT)")
        connection.commit()
    return path.read_bytes()


CONTENTS: dict[str, Callable[[Any, Recipe, Path], bytes]] = {
    "text": build_text,
    "hex": lambda digits, *_: bytes.fromhex(digits),
    "copy": build_copy,
    "parquet": build_parquet,
    "zip": build_zip,
    "tar": build_tar,
    "sqlite": build_sqlite,
}
