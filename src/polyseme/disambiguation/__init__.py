"""Graded senses of a dictionary, from WordNet, its graph, its glosses and sense-tagged text.

::

    from polyseme.disambiguation import disambiguate
    print(disambiguate("He sat on the bank of the river", target="bank"))
"""

from polyseme.disambiguation.calibration import Calibration, calibrate
from polyseme.disambiguation.disambiguated_text import DisambiguatedText, DisambiguatedWord, WeightedSense, disambiguate
from polyseme.disambiguation.model import DictionaryModel
from polyseme.disambiguation.sources import Sources

__all__ = [
    "Calibration",
    "DictionaryModel",
    "DisambiguatedText",
    "DisambiguatedWord",
    "Sources",
    "WeightedSense",
    "calibrate",
    "disambiguate",
]
