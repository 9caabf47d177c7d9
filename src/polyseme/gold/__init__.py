"""From what people say to a gold standard: ratings become weights here and nowhere else, for that is a decision."""

from polyseme.gold.clusters import UsageClusters
from polyseme.gold.combining import COMBINATIONS
from polyseme.gold.dawid_skene import DawidSkene
from polyseme.gold.disputes import Disputed, disputed
from polyseme.gold.graded_response import GradedResponse
from polyseme.gold.rule import WEIGHTS, Gold

__all__ = ["COMBINATIONS", "WEIGHTS", "DawidSkene", "Disputed", "Gold", "GradedResponse", "UsageClusters", "disputed"]
