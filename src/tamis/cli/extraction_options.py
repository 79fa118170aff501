"""The options that commands on one page share: how its content is chosen."""

from pathlib import Path
from typing import Annotated

import typer

from tamis.cli.complete import complete_extractor, complete_favor

ExtractorOption = Annotated[
    str | None,
    typer.Option("--extractor", "-e", help="Extraction method.", autocompletion=complete_extractor),
]
FavorOption = Annotated[
    str | None,
    typer.Option(
        "--favor",
        help="Favor precision, recall or balance, or give a number of logits (above 0 keeps less).",
        autocompletion=complete_favor,
    ),
]
ProfileOption = Annotated[
    Path | None,
    typer.Option(
        "--profile",
        help="A site profile, made by `tamis learn` or `tamis train`, or a folder of profiles that are named for "
        "hosts. Default: the folder in TAMIS_PROFILES.",
    ),
]
UrlOption = Annotated[str | None, typer.Option("--url", help="URL of the page, to resolve its links.")]
