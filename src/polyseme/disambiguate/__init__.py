"""Graded senses of a dictionary: what WordNet, its graph, its glosses and sense-tagged text say of a usage.

::

    from polyseme.disambiguate import disambiguate
    print(disambiguate("He sat on the bank of the river", target="bank"))
"""

from polyseme.disambiguate.calibration import Calibration, calibrate
from polyseme.disambiguate.model import DictionaryModel
from polyseme.disambiguate.sensed import SensedText, SensedWord, WeighedSense, disambiguate
from polyseme.disambiguate.sources import Sources

__all__ = [
    "Calibration",
    "DictionaryModel",
    "SensedText",
    "SensedWord",
    "Sources",
    "WeighedSense",
    "calibrate",
    "disambiguate",
]
