"""Wrong use is told: a typed error that says what was expected, never an AttributeError from inside."""

import numpy as np
import pytest

import tamis
from tamis.extractors.registry import Selection

TEA = tamis.extract("<p>Tea", extractor="body")


class Nothing:
    name, summary, source = "nothing", "returns nothing", "this test"

    def select(self, page):  # noqa: ARG002 (the protocol)
        return None


class Short(Nothing):
    def select(self, page):  # noqa: ARG002 (the protocol)
        return Selection(np.zeros(1, bool), np.zeros(1), np.zeros(1, np.uint8), ("a", "b"))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: tamis.extract(None), "expected HTML as str or bytes, a Path or a Page, got NoneType"),
        (lambda: tamis.extract("<p>x", 5), "url must be a str"),
        (lambda: tamis.extract(b"<p>x", encoding=5), "encoding must be a str"),
        (lambda: tamis.extract("<p>x", include=5), "include must be a CSS selector or several, not int"),
        (lambda: tamis.extract("<p>x", exclude=["p", 5]), "exclude must be a CSS selector or several, not 5"),
        (lambda: tamis.extract("<p>x", include="p:has("), "include: not a CSS selector: 'p:has\\('"),
        (lambda: tamis.extract("<p>x", extractor="sfit"), "no extractor is named 'sfit'; did you mean sift"),
        (lambda: tamis.extract("<p>x", favor="recal"), "not 'recal'; did you mean recall"),
        (lambda: TEA.to_markdown(links="no"), "links must be True or False"),
        (lambda: TEA.render("markdwon"), "no format is named 'markdwon'; did you mean markdown"),
        (lambda: TEA.render("markdown", link=False), "is named 'link'; did you mean links"),
        (lambda: TEA.to_html(structure="orginal"), "no structure is named 'orginal'; did you mean original"),
        (lambda: TEA.to_json(contents="markdwn"), "is named 'markdwn'; did you mean markdown"),
        (lambda: tamis.extract("<p>x", extractor=5), "extractor must be a name or an extractor"),
        (lambda: tamis.extract("<p>x", extractor=Nothing()), "returned NoneType, expected a Selection"),
        (lambda: tamis.extract("<p>x", extractor=Short()), "expected one entry for each of"),
        (lambda: tamis.join_pages(None), "join_pages takes a list of extractions, not NoneType"),
        (lambda: tamis.join_pages(TEA), "join_pages takes a list of extractions, not Extraction"),
        (lambda: tamis.join_pages([None]), "join_pages takes extractions, not NoneType"),
        (lambda: tamis.next_page("<p>x", 5), "url must be a str"),
        (lambda: tamis.next_page(None), "expected str or bytes"),
        (lambda: tamis.register(3), "takes a callable that returns an extractor"),
        (lambda: tamis.register(object), "is not an extractor"),
        (lambda: tamis.register_format("x"), "takes a tamis.Format, not str"),
        (lambda: TEA.render(5), "a format is a name or a tamis.Format, not int"),
        (lambda: TEA.render("markdown", links="no"), "links must be True or False"),
        (lambda: TEA.chunks("5"), "max_tokens must be an int, not str"),
        (lambda: TEA.chunks(5, count_tokens=3), "count_tokens must be a function, not int"),
        (lambda: TEA.reselect("much"), "cannot favor"),
    ],
)
def test_wrong_use_is_told(call, expected):
    with pytest.raises(tamis.TamisError, match=expected):
        call()
