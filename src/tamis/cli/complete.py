"""What a shell completes: the values of options."""

# ruff: noqa: PLC0415 (loaded for completion, not for --help)


def complete_format(incomplete: str) -> list[str]:
    """Return the formats that begin so."""
    from tamis.cli.output import PARQUET
    from tamis.render.registry import formats

    return [name for name in (*(entry.name for entry in formats()), PARQUET) if name.startswith(incomplete)]


def complete_extractor(incomplete: str) -> list[str]:
    """Return the extractors that begin so."""
    from tamis.extractors import registry

    return [name for name in registry.names() if name.startswith(incomplete)]


def complete_favor(incomplete: str) -> list[str]:
    """Return the words of ``--favor`` that begin so."""
    return [name for name in ("precision", "recall", "balance") if name.startswith(incomplete)]


def complete_field(incomplete: str) -> list[str]:
    """Return the fields that begin so."""
    from tamis.cli.writers import field_names

    return [name for name in field_names() if name.startswith(incomplete)]


def complete_contents(incomplete: str) -> list[str]:
    """Return the lists of ``--with`` that begin so, one more format than is written."""
    from tamis.render.registry import CONTENTS

    before, comma, _ = incomplete.rpartition(",")
    given = before.split(",") if comma else []
    found = [f"{before}{comma}{name}" for name in CONTENTS if name not in given]
    return [name for name in found if name.startswith(incomplete)]
