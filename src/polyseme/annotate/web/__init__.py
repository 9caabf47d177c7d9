"""The studio's pages: a web application on a :class:`~polyseme.annotate.store.Store`."""
