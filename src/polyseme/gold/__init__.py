"""From the ratings of annotators to a gold standard: here, and only here, ratings become weights."""

from polyseme.gold.dawid_skene import DawidSkene
from polyseme.gold.disputes import find_disputed_items
from polyseme.gold.graded_response import GradedResponse
from polyseme.gold.rule import Gold
from polyseme.gold.usage_clusters import UsageClusters

__all__ = ["DawidSkene", "Gold", "GradedResponse", "UsageClusters", "find_disputed_items"]
