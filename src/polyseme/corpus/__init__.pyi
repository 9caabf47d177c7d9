# Parts: `python tools/public_names.py` writes these lines.
from .association import ConditionalProbability as ConditionalProbability
from .association import Dice as Dice
from .association import G2 as G2
from .association import NPMI as NPMI
from .association import PMI as PMI
from .english_analyser import English as English
from .simple_analyser import Simple as Simple
from .spacy_analyser import Spacy as Spacy
from .windows import DependencyWindow as DependencyWindow
from .windows import SentenceWindow as SentenceWindow
from .windows import WordWindow as WordWindow
