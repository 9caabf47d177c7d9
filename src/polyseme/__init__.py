"""polyseme: graded word senses, from ratings and induction to mapping and scoring."""

from polyseme.datasets import load
from polyseme.errors import InputError, InputWarning, MissingExtra, PolysemeError
from polyseme.formats import (
    read_inventory,
    read_labelling,
    read_ratings,
    read_sentences,
    read_usages,
    write_labelling,
    write_ratings,
    write_sentences,
    write_usages,
)
from polyseme.inventory import Inventory, Sense
from polyseme.labelling import Labelling
from polyseme.parts import build
from polyseme.rating import Rating, Ratings, Scale
from polyseme.scores import Scores
from polyseme.sentence import Sentence, Token
from polyseme.usage import Usage, UsagePair

__version__ = "0.2.0"

__all__ = [
    "InputError",
    "InputWarning",
    "Inventory",
    "Labelling",
    "MissingExtra",
    "PolysemeError",
    "Rating",
    "Ratings",
    "Scale",
    "Scores",
    "Sense",
    "Sentence",
    "Token",
    "Usage",
    "UsagePair",
    "__version__",
    "build",
    "load",
    "read_inventory",
    "read_labelling",
    "read_ratings",
    "read_sentences",
    "read_usages",
    "write_labelling",
    "write_ratings",
    "write_sentences",
    "write_usages",
]
