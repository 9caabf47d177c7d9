# Parts: `python tools/public_names.py` writes these lines.
from .chinese_whispers import ChineseWhispers as ChineseWhispers
from .link_communities import LinkCommunities as LinkCommunities
from .maxmax import MaxMax as MaxMax
