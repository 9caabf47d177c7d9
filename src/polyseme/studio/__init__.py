"""The annotation studio: a study file, the database of its judgements, and the web pages on which people judge.

Its modules need the extra ``annotate``, except :mod:`polyseme.studio.study`.
"""
