"""What is kept of a page is whole: sections with their headings, tables with all cells, and no labels of links."""

import numpy as np

from tamis.page import parse_page
from tests.sift.steps import complete_groups, complete_structure

TEXT = "Boil the water, and wait for a minute. Then pour it over the leaves. "


def kept_after(html, *left_out, complete=complete_structure):
    page = parse_page(html)
    blocks = page.blocks
    texts = [
        page.text[page.offset[a] : page.offset[b]].strip() for a, b in zip(blocks.start, blocks.stop, strict=True)
    ]
    kept = np.array([text not in left_out for text in texts])
    out = complete(page, kept, np.zeros(len(kept), dtype=np.bool_))
    return [text for text, is_kept in zip(texts, out, strict=True) if is_kept]


def test_a_heading_goes_with_its_section():
    html = f"<h2>Tea</h2><p>{TEXT}</p><h2>Shop</h2><p>Buy cups!</p><h3>Pots</h3><p>Buy pots!</p>"
    assert kept_after(html, "Buy cups!", "Buy pots!") == ["Tea", TEXT.strip()]
    assert "Shop" in kept_after(html, "Buy cups!")  # the section below it is kept


def test_headings_without_text_below_them_stay_if_they_are_a_list():
    cards = "".join(f"<h3>Tea {number}</h3><p>From {number} euros</p>" for number in range(3))
    html = f"<p>{TEXT}</p>{cards}"
    assert kept_after(html, *(f"From {number} euros" for number in range(3)))[1:] == ["Tea 0", "Tea 1", "Tea 2"]


def test_a_page_of_headings_alone_keeps_them():
    assert kept_after("<h2>Sunday</h2><p>Menu</p>", "Menu") == ["Sunday"]


def test_labels_of_links_and_forms_are_dropped():
    html = f"<p>{TEXT}</p><p>Read more »</p><p>Lee también</p><p>Read more slowly.</p><p>Menu</p>"
    assert kept_after(html, "Menu") == [TEXT.strip(), "Read more slowly."]


def test_a_table_is_kept_whole_or_left_out():
    rows = "".join(f"<tr><td>tea {number}</td><td>{number} g</td></tr>" for number in range(4))
    html = f"<p>{TEXT}</p><table><tr><th>Name</th><th>Weight</th></tr>{rows}</table>"
    names = ["Name", "Weight"]
    whole = kept_after(html, "2 g", "tea 3", complete=complete_groups)
    assert len(whole) == 11
    few = [f"tea {number}" for number in range(4)] + names + ["0 g", "1 g", "2 g"]
    assert kept_after(html, *few, complete=complete_groups) == [TEXT.strip()]
