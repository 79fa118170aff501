"""Calls as a program would write them. `test_typing.py` type-checks this file; its functions are never called.

A line that mypy must reject ends in ``# error: [code]``; every other line must pass.
"""

import dataclasses

import tamis
from tamis import Extraction, Fetched, Options, Rendered, RenderOptions

HTML = "<h1>Tea</h1><p>Boil water."


def takes(_extraction: Extraction, _title: str | None, _text: str) -> None: ...


def takes_rendered(_rendered: Rendered) -> None: ...


def right() -> None:
    extraction = tamis.extract(HTML)
    takes(extraction, extraction.title, extraction.text)
    tamis.extract(HTML.encode(), "https://example.org/", extractor="cetd", encoding="utf-8")
    tamis.extract(HTML, favor="precision", links=False, images=False, tables=True, comments=True)
    tamis.extract(HTML, favor=0.5, with_metadata=True, provenance=True)
    tamis.extract(HTML, title=True, include=("markdown", "html"))
    takes(extraction, extraction.chunks(200)[0].headings[0], extraction.chunks(max_tokens=9, format="text")[0].text)
    extraction.chunks(count_tokens=len)
    tamis.extract(HTML, options=Options(extractor="body"), render_options=RenderOptions(links=False))
    tamis.extract(Fetched(b"<p>Tea", "https://example.org/", "utf-8"))
    tamis.extract_page(tamis.parse_page(HTML), extractor="body", favor=None)
    takes_rendered(extraction.render("markdown", links=False))
    extraction.render("md")
    extraction.render(tamis.Format("shout", "txt", ("text/plain",), "shouting:write"))
    extraction.reselect("recall").reselect(-0.5).reselect(None)
    Options().replace(favor=None, extractor="body")
    dataclasses.replace(Options(), favor="balance")
    RenderOptions().replace(links=False)


def wrong(extraction: Extraction) -> None:
    tamis.extract(HTML, favour="precision")  # error: [call-arg]
    tamis.extract(HTML, favor="precisoin")  # error: [arg-type]
    tamis.extract(HTML, links="no")  # error: [arg-type]
    tamis.extract(HTML, title="no")  # error: [arg-type]
    extraction.chunks(200, format="html")  # error: [arg-type]
    tamis.extract(12)  # error: [arg-type]
    tamis.extract_page(HTML)  # error: [arg-type]
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
