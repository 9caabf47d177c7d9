"""The studio's pages: a web application on a :class:`~polyseme.studio.store.store.Store`."""
