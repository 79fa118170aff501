"""The command line: a thin client of the library. Heavy imports wait until a command needs them."""

from tamis.cli.app import main

__all__ = ["main"]
