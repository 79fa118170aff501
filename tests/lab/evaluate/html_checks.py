"""Checks of the HTML that the evaluation writes."""

from html.parser import HTMLParser

HOSTILE = '<script>alert("x")</script> & <b>'
VOID = frozenset({"meta", "br", "line", "rect", "circle", "path"})


class CheckedHtml(HTMLParser):
    """Parses markup, and asserts that every element is closed in order.

    Attributes:
        tags: all start tags.
        classes: all names in ``class`` attributes.
    """

    def __init__(self, markup):
        super().__init__()
        self._open, self.tags, self.classes = [], [], set()
        self.feed(markup)
        assert not self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.classes |= set((dict(attrs).get("class") or "").split())
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self._open.pop() == tag
