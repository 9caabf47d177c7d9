"""polyseme: graded word senses, from ratings and induction to mapping and scoring."""

from polyseme.errors import InputError, InputWarning, MissingExtra, PolysemeError
from polyseme.formats import read_labelling, write_labelling
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.parts import build
from polyseme.scores import Scores
from polyseme.usage import Usage, UsagePair

__all__ = [
    "InputError",
    "InputWarning",
    "Inventory",
    "Labelling",
    "MissingExtra",
    "PolysemeError",
    "Scores",
    "Sense",
    "Usage",
    "UsagePair",
    "build",
    "read_labelling",
    "write_labelling",
]
