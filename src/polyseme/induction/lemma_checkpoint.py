"""The lemmas of a model that are done, kept in a folder until all of them are.

It has a model of each lemma, as :class:`~polyseme.induction.vector_model.VectorModel` writes it, and ``part.json``, which
says what they were made from: whoever begins anything else empties it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.index import Index
from polyseme.errors import InputError
from polyseme.formats.files import TEMPORARY_PREFIX, write_text
from polyseme.induction.fitting import Corpus
from polyseme.induction.vector_fitting import LemmaSenses
from polyseme.induction.vector_model import VectorInducer, VectorModel
from polyseme.inventory import Inventory
from polyseme.lm.language_model import locate_model, package_versions
from polyseme.lm.ngrams.storage import last_modified
from polyseme.usage import Usage

CHECKPOINT_MANIFEST = "part.json"

UNFINISHED_SUFFIX = ".tmp"
"""How the name of a lemma's folder ends until all is in it."""


def supports_checkpoint(inducer: object) -> bool:
    """Whether the lemmas of an inducer are done one by one: those whose senses are vectors, unless they are mixed."""
    return hasattr(inducer, "steps") and not inducer.steps().mixed


def checkpoint_folder(folder: Path) -> Path:
    """Where the lemmas of the model are kept that goes into a folder.

    >>> checkpoint_folder(Path("models/mine")).as_posix()
    'models/mine.part'
    """
    named = folder if folder.name.strip(".") else folder.resolve()  # '.' and '..' are no names
    return named.with_name(f"{named.name}.part")


def check_checkpoint_folder(folder: Path) -> None:
    """An error if a folder is not one of ours, as all that is in it would be lost."""
    if folder.exists() and _read_fingerprint(folder) is None:
        problem = "this is where the lemmas that are done are kept, and something else is there"
        raise InputError(f"{problem}: move it away, or give the model another name", path=folder)


def open_lemma_checkpoint(
    folder: Path, inducer: VectorInducer, corpus: Corpus, analysed_by: Analyser, usages: Sequence[Usage] = ()
) -> LemmaCheckpoint:
    """The lemmas that are done of this inducer, corpus and usages to label; those of others are taken away."""
    return LemmaCheckpoint(folder, inducer, fingerprint_fit(inducer, corpus, analysed_by, usages))


def fingerprint_fit(inducer: VectorInducer, corpus: Corpus, analysed_by: Analyser, usages: Sequence[Usage] = ()) -> str:
    """What is the same only for the same inducer, corpus, usages and versions; an index is analysed already."""
    specification = repr(inducer)
    text = [corpus.digest] if isinstance(corpus, Index) else [repr(analysed_by), _usage_facts(corpus)]
    known = [version("polyseme"), specification, list_language_models(specification), text, _usage_facts(usages)]
    return hashlib.sha256(json.dumps(known, default=str).encode()).hexdigest()


def list_language_models(specification: str) -> list[object]:
    """The versions of the language models that a specification names; where folders are, and when they were written.

    A name may stand in a specification within the specification, or behind a colon, as in ``maskedlm:folder``.
    """
    found: list[object] = [package_versions(specification)]
    for text in sorted(set(re.split(r"[\\'\"]+", specification))):
        for name in (text, text.partition(":")[2]):
            with suppress(InputError):  # of a package that is not installed
                place = Path(locate_model(name))
                if name.strip("./ ") and place.is_dir():
                    found.append((name, str(place.resolve()), last_modified(str(place))))
    return found


def _usage_facts(usages: Iterable[Usage]) -> list[object]:
    """All that a model can have of usages."""
    return [(each.id, each.lemma, each.pos, each.text, each.start, each.end, dict(each.meta)) for each in usages]


class LemmaCheckpoint:
    """The lemmas that are done, in a folder, which is made with the first of them; see :class:`.vector_fitting.Kept`.

    What else is found there, with another ``made_from``, is taken away.
    """

    def __init__(self, folder: Path, inducer: VectorInducer, made_from: str) -> None:
        self.folder = folder
        self._inducer = inducer
        self._made_from = made_from
        if folder.exists() and _read_fingerprint(folder) != made_from:
            self.remove()

    def get(self, lemma: str) -> LemmaSenses | str | None:
        """What was found of a lemma, or why there is nothing; what cannot be read is not done."""
        place = self._place(lemma)
        if not place.is_dir():
            return None
        try:
            model = VectorModel.load(place)
            if lemma in model.missed:
                return model.missed[lemma]
            return LemmaSenses(model.learnt[lemma], tuple(model.inventory[lemma]), model.corpus["labelled"])
        except (InputError, KeyError):
            shutil.rmtree(place)
            return None

    def put(self, lemma: str, found: LemmaSenses | str) -> None:
        """Write it into a folder of its own, which has its name only when all is in it."""
        if not (self.folder / CHECKPOINT_MANIFEST).is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(self.folder / CHECKPOINT_MANIFEST, json.dumps({"of": self._made_from}) + "\n")
        if isinstance(found, str):
            model = VectorModel(self._inducer, "", Inventory(()), {}, {lemma: found})
        else:
            facts = {"labelled": found.labelled}
            model = VectorModel(self._inducer, "", Inventory(found.senses), {lemma: found.learnt}, corpus=facts)
        place = self._place(lemma)
        half = place.with_name(place.name + UNFINISHED_SUFFIX)
        model.save(half)
        if place.exists():  # another process was there first, with the same
            shutil.rmtree(half)
        else:
            half.rename(place)

    def remove(self) -> None:
        """Take the folder away, with all that is in it; an error if it is not one of ours."""
        check_checkpoint_folder(self.folder)
        if self.folder.exists():
            for lemma in filter(Path.is_dir, list(self.folder.iterdir())):
                shutil.rmtree(lemma)  # what says that the folder is ours goes last, should this be killed
            shutil.rmtree(self.folder)

    def _place(self, lemma: str) -> Path:
        """The folder of a lemma, whose name may have what no file's can."""
        return self.folder / hashlib.sha256(lemma.encode()).hexdigest()[:16]


def _read_fingerprint(folder: Path) -> str | None:
    """What the lemmas in a folder were made from; "" if none are in it yet; nothing, if the folder is not ours."""
    if folder.is_dir() and all(each.name.startswith(TEMPORARY_PREFIX) for each in folder.iterdir()):
        return ""
    try:
        return str(json.loads((folder / CHECKPOINT_MANIFEST).read_text("utf-8"))["of"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
