"""The options that commands on one page share: how its content is chosen."""

from pathlib import Path
from typing import Annotated, Final

from tamis.cli.complete import complete_extractor, complete_favor
from tamis.cli.options import Option

CONTENT: Final = "What is content"
ExtractorOption = Annotated[
    str | None,
    Option(
        "--extractor",
        "-e",
        help="Extraction method. Default: sift; see tamis --list-extractors.",
        autocompletion=complete_extractor,
        panel=CONTENT,
    ),
]
FavorOption = Annotated[
    str | None,
    Option(
        "--favor",
        help="Favor precision, recall or balance, or give a number of logits (above 0 keeps less).",
        autocompletion=complete_favor,
        panel=CONTENT,
    ),
]
ProfileOption = Annotated[
    Path | None,
    Option(
        "--profile",
        help="A site profile, made by `tamis learn` or `tamis train`, or a folder of profiles that are named for "
        "hosts. Default: the folder in TAMIS_PROFILES.",
        panel=CONTENT,
    ),
]
IncludeOption = Annotated[
    list[str] | None,
    Option("--include", help="CSS selector: only what is in its elements can be content. Repeatable.", panel=CONTENT),
]
ExcludeOption = Annotated[
    list[str] | None, Option("--exclude", help="CSS selector: leave out its elements. Repeatable.", panel=CONTENT)
]
JobsOption = Annotated[
    int | None,
    Option("--jobs", "-j", min=1, help="Number of parallel jobs: worker processes. Default: one per core."),
]
UrlOption = Annotated[str | None, Option("--url", help="URL of the page, to resolve its links.", panel=CONTENT)]
ColumnsOption = Annotated[
    str | None,
    Option(
        "--columns",
        help="Columns of a row after id, url, status and error, separated by commas: fields of the metadata (title, "
        "authors, date …), http_status, crawled, confidence, words, warnings, cpu_ms, and formats (text, html …). "
        "Default: http_status, title, authors, date, site, language, page_type, confidence, words, text.",
    ),
]
OverwriteOption = Annotated[bool, Option("--overwrite", help="Replace an output that exists.")]
