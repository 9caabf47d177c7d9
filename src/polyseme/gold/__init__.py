"""From what people say to a gold standard: ratings become weights here and nowhere else, for that is a decision."""

from polyseme.gold.combination import COMBINATIONS
from polyseme.gold.dawid_skene import DawidSkene
from polyseme.gold.disputes import DisputedItem, find_disputed_items
from polyseme.gold.graded_response import GradedResponse
from polyseme.gold.rule import WEIGHT_RULES, Gold
from polyseme.gold.usage_clusters import UsageClusters

__all__ = [
    "COMBINATIONS",
    "WEIGHT_RULES",
    "DawidSkene",
    "DisputedItem",
    "Gold",
    "GradedResponse",
    "UsageClusters",
    "find_disputed_items",
]
