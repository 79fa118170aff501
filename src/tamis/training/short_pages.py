"""Short pages, for the page type: some sentences of an article and little else.

Corpora have hardly any, and what is not known looks like a forum to a model. A page of a few sentences is an article,
for want of anything else.
"""

import random
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tamis.evaluate.corpora import LabelledPage

_MIN_WORDS: Final = 5  #: of a paragraph; shorter lines are labels
_PARAGRAPHS: Final = (1, 1, 2, 3, 4)
_WORDS: Final = (8, 15, 30, 60)  #: of a paragraph, at most
_LAYOUTS: Final = (
    "{}",
    "<main>{}</main>",
    "<article>{}</article>",
    "<nav><a href=/>Home</a></nav><main>{}</main>",
    "<div>{}</div><footer>© 2020</footer>",
)


def short_page(labelled: "LabelledPage") -> "LabelledPage | None":
    """Return a short page with paragraphs of the gold text of a page, None if it has none. Nothing is random.

    >>> from tamis.evaluate.corpora import LabelledPage
    >>> page = LabelledPage("7", "", "Boil the water, and wait.", title="Tea", page_type="article")
    >>> "<p>Boil the water, and wait.</p>" in short_page(page).html, short_page(page).gold
    (True, 'Boil the water, and wait.')
    """
    draw = random.Random(labelled.id)  # noqa: S311 (no secret; the same page for the same name)
    lines = [line.split() for line in labelled.gold.splitlines()]
    paragraphs = [words for words in lines if len(words) >= _MIN_WORDS]
    if not paragraphs:
        return None
    count = draw.choice(_PARAGRAPHS)
    first = draw.randrange(max(1, len(paragraphs) - count + 1))
    chosen = [" ".join(words[: draw.choice(_WORDS)]) for words in paragraphs[first : first + count]]
    title = escape(labelled.title or "Page")
    headline = draw.choice(("", f"<h1>{title}</h1>"))
    head = draw.choice(("", f"<title>{title}</title>"))
    body = draw.choice(_LAYOUTS).format(headline + "".join(f"<p>{escape(text)}</p>" for text in chosen))
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return replace(labelled, html=html, gold="\n\n".join(chosen))
