# Parts: `python tools/public_names.py` writes these lines.
from .bag_of_words import Bag as Bag
from .concatenation import Joined as Joined
from .context_vectors import FirstOrder as FirstOrder
from .context_vectors import SVD as SVD
from .context_vectors import SecondOrder as SecondOrder
from .encoders import SentenceEncoder as SentenceEncoder
from .encoders import TokenEncoder as TokenEncoder
from .random_vectors import Random as Random
from .substitute_vectors import SubstituteVector as SubstituteVector
from .surface_forms import SurfaceForms as SurfaceForms
from .topics import HDP as HDP
from .topics import LDA as LDA
