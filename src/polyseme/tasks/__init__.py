"""The tasks of the field, a module a protocol.

A task is a part: a frozen dataclass whose fields are the options of its protocol. Its module holds all that belongs to
it: the data, the loading rule of its keys, its measures, baselines, columns and headline figure, and how its published
figures are computed again. A new module in this package with such a class is a new task.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
