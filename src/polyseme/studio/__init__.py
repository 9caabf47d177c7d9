"""The annotation studio: a study as a file describes it, the store of its judgements, and the pages to judge on.

Its modules need the extra ``annotate``; only :mod:`~polyseme.studio.study.settings`, :mod:`~polyseme.studio.study.pages` and what
they use do without.
"""
