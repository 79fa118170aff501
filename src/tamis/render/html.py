"""Clean HTML: the selected text in its own structure, without anything that runs, tracks or styles."""

from html import escape
from typing import Final
from urllib.parse import urljoin, urlsplit

import numpy as np

from tamis.page import ELEMENT, Page, tags
from tamis.page.sums import Bools, prefix

#: What may appear in the output. Everything else is unwrapped: its content stays.
_KEPT: Final = tags.table(
    """
    a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt
    em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rb rp rt ruby s samp
    section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var
    """
)
_ATTRIBUTES: Final = {
    "a": ("href", "title"),
    "img": ("src", "alt", "width", "height"),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "col": ("span",),
    "colgroup": ("span",),
    "ol": ("start", "reversed", "type"),
    "time": ("datetime",),
    "bdo": ("dir",),
}
_ADDRESSES: Final = frozenset({"href", "src"})
_SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", ""})


def safe_address(address: str, base: str | None) -> str | None:
    r"""Return an address made absolute, or None when its scheme could run something.

    >>> safe_address("/a?b=1", "https://example.org/x"), safe_address("java\tscript:alert(1)", None)
    ('https://example.org/a?b=1', None)
    """
    address = "".join(char for char in address.strip() if char > "\x1f")  # as browsers read it
    try:
        if base:
            address = urljoin(base, address)
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        return None
    return address if scheme in _SCHEMES else None


def render_html(page: Page, mask: Bools, base: str | None = None) -> str:
    """Return the selected text as HTML, with the elements that hold it.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div onclick="x()"><p>Hi <a href="/a" class="b">you</a></p></div><script>y()</script>')
    >>> render_html(page, page.is_text, "https://example.org/")
    '<div><p>Hi <a href="https://example.org/a">you</a></p></div>'
    """
    chosen = prefix(mask)
    holds = chosen[page.end] > chosen[: len(page)]
    holds &= page.is_element
    first, last = (int(np.argmax(mask)), len(page) - int(np.argmax(mask[::-1]))) if mask.any() else (0, 0)
    body = page.body
    out: list[str] = []
    open_rows: list[tuple[int, str]] = []
    for row in range(body + 1, int(page.end[body])):
        while open_rows and open_rows[-1][0] <= row:
            out.append(open_rows.pop()[1])
        if mask[row]:
            out.append(escape(page.row_text(row), quote=False))
        elif page.kind[row] == ELEMENT and page.hidden[row] == 0 and _KEPT[page.tag[row]]:
            if holds[row]:
                name = page.tag_name(row)
                out.append(_open_tag(page, row, base))
                open_rows.append((int(page.end[row]), f"</{name}>"))
            elif tags.VOID[page.tag[row]] and first <= row < last and holds[page.parent[row]]:
                out.append(_open_tag(page, row, base))
        elif page.is_text[row] and page.hidden[row] == 0 and page.ink[row] == 0 and holds[page.parent[row]]:
            out.append(page.row_text(row))
    out.extend(close for _, close in reversed(open_rows))
    return "".join(out).strip()


def _open_tag(page: Page, row: int, base: str | None) -> str:
    name = page.tag_name(row)
    wanted = _ATTRIBUTES.get(name, ())
    parts = [f"<{name}"]
    given = page.attributes(row) if wanted else {}
    for attribute in wanted:
        value = given.get(attribute)
        if value is not None and attribute in _ADDRESSES:
            value = safe_address(value, base)
        if value is not None:
            parts.append(f' {attribute}="{escape(value)}"')
    return "".join(parts) + ">"
