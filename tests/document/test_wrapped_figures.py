"""Figures in boxes of their own keep their image, whether their caption is selected or not."""

import pytest

from tamis.document.detectors.images import find_images
from tamis.page import parse_page

FIGURE = '<figure><a href="/big.jpg"><img src="/pot.jpg" alt="Pot"></a><figcaption>A pot.</figcaption></figure>'


@pytest.mark.parametrize(
    ("box", "count"),
    [
        (f"<div><div>{FIGURE}</div></div>", 1),
        (f"<div><div>{FIGURE}</div><p>Advertisement</p></div>", 0),
        (FIGURE, 1),
    ],
)
def test_only_a_caption_may_be_unselected_beside_an_image(box, count):
    page = parse_page(f"<main><p>Boil the water.</p>{box}<p>Then pour.</p></main>")
    unselected = {"A pot.", "Advertisement"}
    mask = page.shown.copy()
    mask[[row for row in range(len(page)) if page.is_text[row] and page.row_text(row) in unselected]] = False
    assert len(find_images(page, mask, "https://example.org/")) == count
