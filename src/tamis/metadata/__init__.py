"""What is known about a page beside its content: each value with the place it came from."""

from tamis.metadata.record import Metadata, read_metadata

__all__ = ["Metadata", "read_metadata"]
