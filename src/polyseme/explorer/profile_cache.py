"""What was induced is kept on disk: a folder for each word, model and index, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from polyseme import home
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.induction.loading import Model, load_model
from polyseme.inventory import Sense
from polyseme.labelling import Labelling
from polyseme.lm.language_model import SMALL_MODEL, package_versions
from polyseme.usage import Usage
from polyseme.words.profile import WordProfile

LAYOUT = 3
"""Changed whenever the files of an entry are, or what is put into them."""

MAX_ENTRIES = 400
"""How many entries of an index are kept; the oldest go first."""

PROFILE, MODEL = "portrait.json", "model"


def cache_folder(index: Index) -> Path:
    """Where the entries of an index lie, in the user's cache."""
    return home.user_cache_folder() / "explore" / index.digest[:16]


def entry_path(folder: Path, specification: str, lemma: str, most: int) -> Path:
    """Where an entry lies: the specification is that of the inducer as it is written out in full.

    Another version of polyseme, or of a language model, may induce other senses by the same specification.
    """
    models = package_versions(f"{SMALL_MODEL} {specification}")  # ours always: others may ask it by a shorter name
    key = json.dumps([LAYOUT, version("polyseme"), models, specification, lemma, most])
    return folder / hashlib.sha256(key.encode()).hexdigest()[:24]


def write_profile(place: Path, portrait: WordProfile, model: Model) -> None:
    """Keep a portrait and the model that it was made with; if another process writes the same, one of them stays."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".new-") as fresh:
        made = Path(fresh) / place.name
        made.mkdir()
        model.save(made / MODEL)
        (made / PROFILE).write_text(json.dumps(_to_json(portrait), ensure_ascii=False), encoding="utf-8")
        if read_profile(place) is None:
            shutil.rmtree(place, ignore_errors=True)  # what cannot be read would be in the way for good
        with suppress(OSError):  # it is there already
            made.rename(place)
    _prune(place.parent)


def read_profile(place: Path) -> WordProfile | None:
    """The portrait that was kept; nothing if there is none, or if it cannot be read."""
    try:
        given = json.loads((place / PROFILE).read_text(encoding="utf-8"))
        found = _from_json(given)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    with suppress(OSError):
        os.utime(place)  # the entry is in use
    return found


def read_model(place: Path) -> Model:
    """The model of an entry."""
    return load_model(place / MODEL)


def labels_path(place: Path, key: object) -> Path:
    """Where labels of something are kept in an entry."""
    return place / f"labels-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.json"


def write_labels(file: Path, labelled: Labelling) -> None:
    """Keep labels."""
    rows = {usage: senses for _, usage, senses in labelled.rows()}
    fresh = file.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps(rows), encoding="utf-8")
    fresh.replace(file)


def read_labels(file: Path, lemma: str) -> Labelling | None:
    """The labels that were kept, if they were."""
    try:
        return Labelling.from_dict(json.loads(file.read_text(encoding="utf-8")), lemma=lemma)
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def recent_profiles(folder: Path) -> Iterator[tuple[str, str]]:
    """The words and specifications that were looked at, the latest first."""
    for place in sorted(folder.glob("[0-9a-f]*"), key=_modification_time, reverse=True):
        with suppress(OSError, ValueError, KeyError):
            with (place / PROFILE).open(encoding="utf-8") as file:
                head = file.read(2000).partition(', "senses"')[0] + "}"
            given = json.loads(head)
            yield str(given["lemma"]), str(given["model"])


def _modification_time(place: Path) -> float:
    try:
        return place.stat().st_mtime
    except OSError:  # removed meanwhile
        return 0.0


def _prune(folder: Path) -> None:
    """Remove the entries that nobody has looked at for longest, if there are too many."""
    for place in sorted(folder.glob("[0-9a-f]*"), key=_modification_time, reverse=True)[MAX_ENTRIES:]:
        shutil.rmtree(place, ignore_errors=True)


# -- as JSON -----------------------------------------------------------------------------------------------------------


def _to_json(portrait: WordProfile) -> dict[str, Any]:
    return {
        "lemma": portrait.lemma,
        "model": portrait.model,
        "senses": [[sense.id, sense.frequency, list(map(list, sense.features))] for sense in portrait.senses],
        "usages": [[use.id, use.text, use.start, use.end, use.pos, dict(use.meta)] for use in portrait.usages],
        "labels": {usage: senses for _, usage, senses in portrait.labelling.rows()},
    }


def _from_json(given: dict[str, Any]) -> WordProfile:
    lemma = given["lemma"]
    senses = (
        Sense(name, lemma, frequency=share, features=tuple((word, weight) for word, weight in words))
        for name, share, words in given["senses"]
    )
    usages = (Usage(name, lemma, text, start, end, pos, meta) for name, text, start, end, pos, meta in given["usages"])
    labelling = Labelling.from_dict(given["labels"], lemma=lemma)
    return WordProfile(lemma, tuple(usages), labelling, tuple(senses), given["model"])


def check_folder(folder: Path) -> None:
    """An error if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        advice = "name another folder with the variable POLYSEME_HOME"
        raise InputError(f"the cache cannot be written: {error.strerror}; {advice}", path=folder) from None
