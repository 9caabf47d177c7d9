"""The cache of the explorer: a folder for each word, model and index, with the profile and the fitted model."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from polyseme import home
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.formats.checkpoint import DAMAGE, compute_fingerprint, write_folder
from polyseme.formats.files import write_text
from polyseme.induction.model import SenseModel
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL, package_versions
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

LAYOUT = 5
"""The version of the files of an entry; change it when they change."""

MAX_ENTRIES = 400
"""The number of entries of an index; the oldest are removed first."""

PROFILE, MODEL = "profile.json", "model"


def cache_folder(index: Index) -> Path:
    """The folder of the entries of an index, in the user's cache."""
    return home.user_cache_folder() / "explore" / index.digest[:16]


def entry_path(folder: Path, specification: str, lemma: str, limit: int) -> Path:
    """The folder of an entry.

    Another version of polyseme, or of a language model, may induce other senses by the same specification.

    Args:
        folder: The folder of the index.
        specification: The specification of the inducer in full.
        lemma: The lemma.
        limit: The number of usages, at most.
    """
    versions = package_versions(f"{SMALL_MODEL} {specification}")  # the small model has a shorter name, too
    return folder / compute_fingerprint(LAYOUT, versions, specification, lemma, limit)[:24]


def write_profile(path: Path, profile: WordProfile, model: SenseModel) -> None:
    """Store a profile and its model, and remove the oldest entries."""
    with write_folder(path) as folder:
        model.save(folder / MODEL)
        (folder / PROFILE).write_text(json.dumps(_to_json(profile), ensure_ascii=False), encoding="utf-8")
    for entry in _entries(path.parent)[MAX_ENTRIES:]:
        shutil.rmtree(entry, ignore_errors=True)


def read_profile(path: Path) -> WordProfile:
    """Read a profile; an error of :data:`~polyseme.formats.checkpoint.DAMAGE` if it is missing or damaged."""
    profile = _from_json(json.loads((path / PROFILE).read_text(encoding="utf-8")))
    with suppress(OSError):
        os.utime(path)  # the entry is in use
    return profile


def has_profile(path: Path) -> bool:
    """Whether an entry can be read."""
    with suppress(InputError, *DAMAGE):
        return bool(read_profile(path))
    return False


def read_model(path: Path) -> SenseModel:
    """Read the model of an entry."""
    return SenseModel.load(path / MODEL)


def labels_path(path: Path, *facts: object) -> Path:
    """The file of dictionary labels in an entry."""
    return path / f"labels-{compute_fingerprint(*facts)[:16]}.json"


def write_labels(file: Path, labelling: Labelling) -> None:
    """Store labels."""
    write_text(file, json.dumps(list(labelling.rows())))


def read_labels(file: Path) -> Labelling:
    """Read labels; an error of :data:`~polyseme.formats.checkpoint.DAMAGE` if they are missing or damaged."""
    return Labelling((lemma, usage, senses) for lemma, usage, senses in json.loads(file.read_text(encoding="utf-8")))


def recent_profiles(folder: Path) -> Iterator[tuple[str, str]]:
    """The lemmas and specifications of the entries, most recent first."""
    for entry in _entries(folder):
        with suppress(*DAMAGE):
            with (entry / PROFILE).open(encoding="utf-8") as file:
                head = file.read(2000).partition(', "senses"')[0] + "}"
            fields = json.loads(head)
            yield str(fields["lemma"]), str(fields["model"])


def _entries(folder: Path) -> list[Path]:
    """The entries of an index, most recent first."""
    times = {}
    for entry in folder.glob("[0-9a-f]*"):
        with suppress(OSError):  # it was removed meanwhile
            times[entry] = entry.stat().st_mtime
    return sorted(times, key=lambda entry: times[entry], reverse=True)


def _to_json(profile: WordProfile) -> dict[str, Any]:
    return {
        "lemma": profile.lemma,
        "model": profile.model,
        "senses": [
            [sense.id, sense.frequency, list(map(list, sense.features)), sense.recurrence] for sense in profile.senses
        ],
        "usages": [[use.id, use.text, use.start, use.end, use.pos, dict(use.meta)] for use in profile.usages],
        "labels": {usage: senses for _, usage, senses in profile.labelling.rows()},
    }


def _from_json(fields: dict[str, Any]) -> WordProfile:
    lemma = fields["lemma"]
    senses = (
        Sense(name, lemma, frequency=share, features=tuple(map(tuple, words)), recurrence=recurrence)
        for name, share, words, recurrence in fields["senses"]
    )
    usages = (Usage(name, lemma, text, start, end, pos, meta) for name, text, start, end, pos, meta in fields["usages"])
    labelling = Labelling.from_dict(fields["labels"], lemma=lemma)
    return WordProfile(lemma, tuple(usages), labelling, tuple(senses), fields["model"])


def check_cache(folder: Path) -> None:
    """Check that the cache can be written.

    Raises:
        InputError: It cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        advice = "name another folder with the variable POLYSEME_HOME"
        raise InputError(f"the cache cannot be written: {error.strerror}; {advice}", path=folder) from None
