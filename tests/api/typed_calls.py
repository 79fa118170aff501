"""Calls as a program would write them. `test_typing.py` type-checks this file; its functions are never called.

A line that mypy must reject ends in ``# error: [code]``; every other line must pass.
"""

import dataclasses
from pathlib import Path

import tamis
from tamis import Extraction, Fetched, Rendered
from tamis.api import Options
from tamis.render.registry import RenderOptions

HTML = "<h1>Tea</h1><p>Boil water."


def takes(_extraction: Extraction, _title: str | None, _text: str) -> None: ...


def takes_rendered(_rendered: Rendered) -> None: ...


def right() -> None:
    extraction = tamis.extract(HTML)
    takes(extraction, extraction.title, extraction.text)
    tamis.extract(HTML.encode(), "https://example.org/", extractor="cetd", encoding="utf-8")
    tamis.extract(Path("page.html"), favor="precision", include="main", exclude=[".ad", "nav"])
    tamis.extract(Fetched(b"<p>Tea", "https://example.org/", "utf-8"), limits=tamis.Limits(max_nodes=9))
    tamis.extract(tamis.parse_page(HTML), extractor=None, favor=0.5)
    takes(extraction, extraction.to_text(title=True), extraction.to_markdown(links=False, images=False, title=False))
    takes(extraction, extraction.to_html(structure="original"), extraction.to_xml(tables=False, comments=True))
    takes(extraction, extraction.to_json(provenance=True), extraction.to_json(contents=("markdown", "html")))
    takes(extraction, extraction.chunks(200)[0].headings[0], extraction.chunks(max_tokens=9, format="text")[0].text)
    extraction.chunks(count_tokens=len, links=False)
    takes_rendered(extraction.render("markdown", links=False))
    extraction.render("md")
    extraction.render(tamis.Format("shout", "txt", ("text/plain",), "shouting:write"))
    extraction.reselect("recall").reselect(-0.5).reselect(None)
    Options().replace(favor=None, extractor="body")
    dataclasses.replace(Options(), favor="balance")
    RenderOptions().replace(links=False, title=None)


def wrong(extraction: Extraction) -> None:
    tamis.extract(HTML, favour="precision")  # error: [call-arg]
    tamis.extract(HTML, favor="precisoin")  # error: [arg-type]
    tamis.extract(HTML, links=False)  # error: [call-arg]
    tamis.extract(HTML, include=5)  # error: [arg-type]
    tamis.extract(12)  # error: [arg-type]
    extraction.chunks(200, format="html")  # error: [arg-type]
    extraction.to_markdown(links="no")  # error: [arg-type]
    extraction.to_markdown(structure="original")  # error: [call-arg]
    extraction.to_html(structure="origin")  # error: [arg-type]
    extraction.render("mrkdown")  # error: [arg-type]
    extraction.render("markdown", links="no")  # error: [arg-type]
    extraction.render("markdown", link=False)  # error: [call-arg]
    extraction.reselect("precisoin")  # error: [arg-type]
    extraction.favoring("recall")  # error: [attr-defined]
    Options(favour="recall")  # error: [call-arg]
    Options().replace(links=False)  # error: [call-arg]
    RenderOptions(links="no")  # error: [arg-type]
    tamis.no_such_name()  # error: [attr-defined]
    tamis.fetch("https://example.org/", allow_private="yes")  # error: [arg-type]
