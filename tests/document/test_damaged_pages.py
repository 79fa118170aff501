"""On damaged pages a source span holds the words of its part, or there is none; no output loses a letter."""

import json
import re
from collections import Counter

import pytest
import turbohtml
from lxml import etree

import tamis
from tamis.document import Code, Heading, Paragraph
from tamis.document.detectors.table import Effect
from tamis.document.parts import spans_text
from tests.document.damage import damaged
from tests.sampling import sampled

#: Seed 16 damages notes whose heading Markdown leaves out, as its footnotes have none. Without a check of the
#: positions, 311 and 359 have wrong spans. 273, 438 and 441 end in an unfinished end tag.
SEEDS = [*range(16), *range(17, 40), 273, 311, 359, 438, 441]


def written_words(text):
    return Counter(re.findall(r"[A-Za-z]{4,}", text))


def letters(text):
    return Counter(re.findall(r"[A-Za-z]", text))


def own_text(part):
    match part:
        case Paragraph() | Heading():
            return spans_text(part.spans)
        case Code(text=text):
            return text
        case _:
            return ""


@pytest.mark.parametrize("seed", sampled(SEEDS, 4))
def test_span_holds_the_words_of_its_part_or_is_absent(seed):
    extraction = tamis.extract(damaged(seed), "https://example.org/", extractor="body")
    document, source = extraction.document, extraction.page.positions.source
    for part in document:
        location = document.locate(part)
        assert (location.start < 0) == (location.stop < 0)
        if location.start < 0:
            continue
        tokens = turbohtml.tokenize(source[location.start : location.stop])
        span = "".join(token.data for token in tokens if token.type == turbohtml.TokenType.TEXT)
        rows = range(part.first, part.stop)
        shown = " ".join(extraction.page.row_text(row) for row in rows if extraction.page.shown[row])
        words = written_words(own_text(part)) & written_words(shown)  # not labels, addresses and formulas
        missing = [word for word in words if word not in span]
        assert not missing, (location, source[location.start : location.stop][:200])


@pytest.mark.parametrize("seed", sampled(SEEDS, 4))
def test_no_output_loses_a_letter_of_the_text(seed):
    extraction = tamis.extract(damaged(seed), "https://example.org/", extractor="body")
    page, changed = extraction.page, Effect.REPLACE | Effect.DELETE
    claims = [claim for claim in extraction.document.claims if claim.effect & changed]
    replaced = [claim for claim in claims if claim.detector == "posts" or claim.evidence == "note mark"]
    rows = {row for claim in replaced for row in range(claim.first, claim.stop)}
    text = letters(extraction.text) - letters("".join(page.row_text(row) for row in rows))
    xml = etree.fromstring(extraction.to_xml(title=False).encode())
    body = next(element for element in xml.iter() if etree.QName(element).localname == "body")
    assert not text - letters(turbohtml.parse(extraction.to_html(title=False)).text)
    assert not text - letters("".join(body.itertext()))
    assert not text - letters(re.sub(r"\\(.)", r"\1", extraction.to_markdown(title=False)))
    assert not text - letters(json.loads(extraction.json)["text"])


@pytest.mark.slow
def test_most_spans_are_known():
    known, parts = 0, 0
    for seed in SEEDS[:20]:
        document = tamis.extract(damaged(seed), extractor="body").document
        starts = [document.locate(part).start for part in document]
        known, parts = known + sum(start >= 0 for start in starts), parts + len(starts)
    assert known > 0.8 * parts
