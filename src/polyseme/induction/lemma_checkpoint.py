"""The complete lemmas of a model, stored until all are complete."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from polyseme.corpus.analysers import Analyser
from polyseme.corpus.index import Index
from polyseme.formats.checkpoint import DAMAGE, Checkpoint, compute_fingerprint
from polyseme.induction.fitting import LemmaSenses
from polyseme.induction.inducer import VectorInducer
from polyseme.induction.model import LemmaVectors
from polyseme.induction.storage import pack_arrays, sense_from_json, sense_to_json, unpack_arrays
from polyseme.induction.usage_sources import Corpus
from polyseme.lm.language_model import list_language_models
from polyseme.usage import Usage

JSON_ENTRY = "json"
"""The array of an entry that holds senses, or the reason why there are none, as JSON text."""


class LemmaCheckpoint:
    """The complete lemmas of a model, for :meth:`.inducer.Inducer.fit`.

    Args:
        output: The folder that the model will have; the checkpoint lies beside it.
        inducer: The inducer.
        corpus: The corpus.
        analyser: The analyser of a corpus of usages; an index is analysed already.
        usages: The usages to label.

    Raises:
        InputError: Something that is not a checkpoint has its name.
    """

    def __init__(
        self, output: Path, inducer: VectorInducer, corpus: Corpus, analyser: Analyser, usages: Sequence[Usage] = ()
    ) -> None:
        self._represent = inducer.steps().represent
        self._checkpoint = Checkpoint(output, fingerprint_fit(inducer, corpus, analyser, usages))
        self.folder, self.remove = self._checkpoint.folder, self._checkpoint.remove

    def get(self, lemma: str) -> LemmaSenses | str | None:
        """Return the senses of a lemma, or the reason why it has none; ``None`` if it is not complete."""
        data = self._checkpoint.get(lemma)
        if data is None:
            return None
        try:
            arrays = unpack_arrays(data)
            content = json.loads(arrays.pop(JSON_ENTRY).tobytes())
            if isinstance(content, str):
                return content
            senses = tuple(map(sense_from_json, content["senses"]))
            return LemmaSenses(senses, content["labelled"], LemmaVectors.from_arrays(arrays, self._represent))
        except DAMAGE:
            return None

    def put(self, lemma: str, result: LemmaSenses | str) -> None:
        """Store the senses of a lemma, or the reason why it has none."""
        if isinstance(result, str) or result.vectors is None:
            content, arrays = json.dumps(result), {}
        else:
            senses = [sense_to_json(sense) for sense in result.senses]
            content = json.dumps({"senses": senses, "labelled": result.labelled})
            arrays = result.vectors.to_arrays()
        text = np.frombuffer(content.encode(), np.uint8)
        self._checkpoint.put(lemma, pack_arrays({**arrays, JSON_ENTRY: text}))


def fingerprint_fit(inducer: VectorInducer, corpus: Corpus, analyser: Analyser, usages: Sequence[Usage] = ()) -> str:
    """Compute a fingerprint of an inducer, its language models, a corpus and the usages to label."""
    specification = repr(inducer)
    text = [corpus.digest] if isinstance(corpus, Index) else [repr(analyser), _usage_facts(corpus)]
    return compute_fingerprint(specification, list_language_models(specification), text, _usage_facts(usages))


def _usage_facts(usages: Iterable[Usage]) -> list[object]:
    """List everything that a model can depend on in usages."""
    names = ("id", "lemma", "pos", "text", "start", "end")
    return [(*(getattr(usage, name) for name in names), dict(usage.meta)) for usage in usages]
