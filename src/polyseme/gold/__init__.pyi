from .disputes import find_disputed_items as find_disputed_items

# Parts: `python tools/public_names.py` writes these lines.
from .dawid_skene import DawidSkene as DawidSkene
from .graded_response import GradedResponse as GradedResponse
from .rule import Gold as Gold
from .usage_clusters import UsageClusters as UsageClusters
