from .melamed_resnik import SenseHierarchy as SenseHierarchy
from .protocol import MeasureProperties as MeasureProperties

# Parts: `python tools/public_names.py` writes these lines.
from .bcubed import ExtendedBCubed as ExtendedBCubed
from .bcubed import FuzzyBCubed as FuzzyBCubed
from .detection import Jaccard as Jaccard
from .lexical_substitution import BestGuess as BestGuess
from .lexical_substitution import GeneralisedAveragePrecision as GeneralisedAveragePrecision
from .lexical_substitution import OutOfTen as OutOfTen
from .lexical_substitution import PrecisionAt as PrecisionAt
from .melamed_resnik import MelamedResnik as MelamedResnik
from .nmi import FuzzyNMI as FuzzyNMI
from .nmi import OverlappingNMI as OverlappingNMI
from .partitions import AdjustedMutualInformation as AdjustedMutualInformation
from .partitions import AdjustedRand as AdjustedRand
from .partitions import BCubed as BCubed
from .partitions import PairedF as PairedF
from .partitions import VMeasure as VMeasure
from .perception import Cosine as Cosine
from .perception import JensenShannonDivergence as JensenShannonDivergence
from .perception import JensenShannonSimilarity as JensenShannonSimilarity
from .perception import WNDCG as WNDCG
from .perception import WeightedOverlap as WeightedOverlap
from .ranking import GoodmanKruskal as GoodmanKruskal
from .ranking import Ksim as Ksim
from .ranking import Spearman as Spearman
