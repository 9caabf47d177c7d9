from .model import SenseModel as SenseModel

# Parts: `python tools/public_names.py` writes these lines.
from .aiku import AIKU as AIKU
from .duluth import Duluth as Duluth
from .ksu import KSU as KSU
from .link import Link as Link
from .multi_prototype import MultiPrototype as MultiPrototype
from .pipeline import Pipeline as Pipeline
from .same_sense import SameSense as SameSense
from .squares import Squares as Squares
from .substitution import Substitution as Substitution
from .token_clusters import TokenClusters as TokenClusters
from .unimelb import Unimelb as Unimelb
from .uos import UoS as UoS
from .uoy import UoY as UoY
