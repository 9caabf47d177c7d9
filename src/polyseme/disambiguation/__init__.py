"""Graded senses of a dictionary, from WordNet, its graph, its glosses and sense-tagged text.

::

    import polyseme as ps
    print(ps.disambiguate("He sat on the bank of the river", target="bank"))
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
