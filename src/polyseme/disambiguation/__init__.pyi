from .calibration import Calibration as Calibration
from .calibration import calibrate as calibrate
from .definitions import Definition as Definition
from .definitions import DefinitionCandidate as DefinitionCandidate
from .definitions import GlossProbability as GlossProbability
from .disambiguated_text import DisambiguatedText as DisambiguatedText
from .disambiguated_text import DisambiguatedWord as DisambiguatedWord
from .disambiguated_text import WeightedSense as WeightedSense
from .model import DictionaryModel as DictionaryModel
from .sources import Sources as Sources

# Parts: `python tools/public_names.py` writes these lines.
from .classifier import LinearClassifier as LinearClassifier
from .gloss_similarity import GlossSimilarity as GlossSimilarity
from .lesk import Lesk as Lesk
from .networks import UKBGraph as UKBGraph
from .networks import WordNetGraph as WordNetGraph
from .ppr import PPR as PPR
from .prototypes import Prototypes as Prototypes
from .regression import GradedRegression as GradedRegression
from .sapienza import Sapienza as Sapienza
from .sense_vectors import SenseVectors as SenseVectors
from .substitute_similarity import SubstituteSimilarity as SubstituteSimilarity
