from .ngrams.model import NGrams as NGrams

# Parts: `python tools/public_names.py` writes these lines.
from .causal import CausalLM as CausalLM
from .masked import MaskedLM as MaskedLM
from .ngram_substitutes import NGramSubstitutes as NGramSubstitutes
