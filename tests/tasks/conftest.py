"""The command line, for tests of tasks."""

from cli.conftest import cli

__all__ = ["cli"]
