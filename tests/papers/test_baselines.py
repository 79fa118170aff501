"""The baselines, against examples computed by hand and against naive implementations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page import parse_page
from tamis.papers.baselines import bte, ccb, cetr, dsc, fe, kmeans, lqf, sequences, sst

PROSE = "Put the kettle on, and wait until it sings. Pour it over the leaves. Three minutes, and no more. "
MENU = "<ul>" + "<li><a href=/somewhere>menu</a></li>\n" * 25 + "</ul>\n"
PAGE = f"<body>\n{MENU}<div>\n<p>{PROSE * 3}</p>\n<p>{PROSE * 3}</p>\n<p>{PROSE * 3}</p>\n</div>\n{MENU}</body>"


def texts(html, extractor):
    page = parse_page(html)
    return [page.row_text(row).strip() for row in extractor.select(page).mask.nonzero()[0]]


@pytest.mark.parametrize(
    "extractor",
    [bte.Bte(), dsc.Dsc(), ccb.Ccb(), lqf.Lqf(), fe.Kfe(), cetr.Cetr()],
    ids=lambda extractor: extractor.name,
)
def test_prose_between_two_menus_is_selected(extractor):
    selected = texts(PAGE, extractor)
    assert selected.count((PROSE * 3).strip()) == 3
    assert selected.count("menu") <= 6  # the lines next to it


def test_omitted_tags_are_counted():
    for html in ("<p>a<p>b", "<html><body><p>a</p><p>b</p></body></html>"):
        assert sequences.count_tokens(parse_page(html)).tags.tolist() == [3, 2, 3]


def test_tags_of_scripts_and_hidden_elements_are_not_counted():
    plain = sequences.count_tokens(parse_page("<p>a</p>b"))
    cluttered = sequences.count_tokens(parse_page("<p>a</p><script>x</script><div hidden><p>c</p></div>b"))
    assert plain.tags.tolist() == cluttered.tags.tolist()


def test_bte_selects_the_region_with_the_most_words_minus_tags():
    # a | </i> <p> | b c d | <b> | e | </b> | f g | </p> <i> | h: +3 -1 +1 -1 +2 = 4 is the maximum.
    assert texts("<i>a</i><p>b c d<b>e</b>f g</p><i>h</i>", bte.Bte()) == ["b c d", "e", "f g"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_bte_region_is_the_best_of_all_regions(pairs):
    before, words = (np.array(column) for column in zip(*pairs, strict=True))
    runs = sequences.TokenRuns(np.arange(len(pairs)), words, np.append(before, 3))

    def value(first, stop):
        return words[first:stop].sum() - before[first + 1 : stop].sum()

    best = max(value(a, b) for a in range(len(pairs)) for b in range(a + 1, len(pairs) + 1))
    assert value(*bte.best_region(runs)) == best


def test_dsc_slope_of_each_window():
    is_word = np.array([0, 0, 0, 1, 1, 1, 1, 1, 0, 1], dtype=bool)
    assert dsc.window_slopes(is_word, 4).tolist() == [0.75, 0.0, 0.5]


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(1, 4))
def test_dsc_sections_begin_and_end_with_enough_windows(low, min_windows):
    inside, expected = False, []
    for number, is_low in enumerate(low):
        run = low[number : number + min_windows]
        if len(run) == min_windows and len(set(run)) == 1:
            inside = is_low
        expected.append(inside)
    assert dsc.find_sections(np.array(low), min_windows).tolist() == expected


def test_dsc_selects_two_distant_sections_and_bte_only_one():
    html = f"{MENU}<p>{PROSE * 4}</p>{MENU * 4}<p>{PROSE * 4}</p>{MENU}"
    assert sum(text.startswith("Put") for text in texts(html, dsc.Dsc())) == 2
    assert sum(text.startswith("Put") for text in texts(html, bte.Bte())) == 1


def test_ccb_blur_is_a_gaussian():
    # Radius 2: weights e^-0.5(3j/2)²: 0.0111, 0.3247, 1, 0.3247, 0.0111, which add up to 1.6715.
    assert ccb.blur(np.array([0.0, 0, 1, 0, 0]), 2).round(4).tolist() == [0.0066, 0.1942, 0.5983, 0.1942, 0.0066]


def test_ccb_selects_long_text_and_not_words_between_tags():
    html = f"<p><b class=x>one</b><i class=y>two</i></p><p>{PROSE}</p>"
    assert texts(html, ccb.Ccb()) == [PROSE.strip()]
    assert len(texts(html, ccb.Ccb(threshold=0.0))) == 3


def test_source_text_has_no_tags_of_comments_and_scripts():
    source = sequences.read_source_text(parse_page("<p>a</p><!-- <b> --><script>'<i>'</script><br>"))
    assert len(source.tags) == 3
    assert source.visible.sum() == 1


@pytest.mark.parametrize(("unit", "tags"), [("<a", 30_000), ("<!--", 0), ("<script ", 0), ("<style><", 0)])
def test_source_text_of_many_unclosed_tags_is_read(unit, tags):
    """Quadratic time would take hours here."""
    source = sequences.read_source_text(parse_page(unit * 30_000))
    assert len(source.tags) == tags


def test_lqf_removes_elements_above_the_quota():
    html = "<div><p>ab<a>cdef</a></p><p>abcd<a>ef</a></p></div>"  # quotas 4/6 and 2/6, together 6/12
    assert texts(html, lqf.Lqf(0.5)) == ["abcd", "ef"]
    assert texts(html, lqf.Lqf(0.7)) == ["ab", "cdef", "abcd", "ef"]
    assert texts(html, lqf.Lqf(0.3)) == []


def test_lqf_keeps_links_in_sentences():
    assert texts("<p>see <a>this page</a> for more of it</p>", lqf.Lqf()) == ["see", "this page", "for more of it"]


def test_fe_features_of_a_block():
    # Two words, one link, one image: the share of text is one half. Two words and two images: text does not win.
    blocks = fe.feature_blocks(parse_page("<p>two words<a>x</a><img></p><p>two words<img><img></p>"))
    assert blocks.text[-2:].tolist() == [0.5, 0.5]
    assert blocks.is_winner[-2:].tolist() == [True, False]


def test_fe_selects_one_block_and_kfe_similar_ones():
    html = f"<p>{PROSE * 2}</p><p>{PROSE * 3}</p><p>so short <img></p><p><a>x</a> y</p>"
    assert texts(html, fe.Fe()) == [(PROSE * 3).strip()]
    assert texts(html, fe.Kfe(clusters=2)) == [(PROSE * 2).strip(), (PROSE * 3).strip()]


def test_cluster_keeps_a_centre_at_the_origin():
    points = np.array([[1.0, 0.0], [2.0, 0.0], [10.0, 0.0], [12.0, 0.0], [30.0, 0.0]])
    label, centres = kmeans.cluster(points, 3, origin=True)
    assert label.tolist() == [0, 0, 1, 1, 2]
    assert centres.tolist() == [[0.0, 0.0], [11.0, 0.0], [30.0, 0.0]]


@given(st.lists(st.floats(0, 100, width=32), min_size=1, max_size=30), st.integers(1, 4))
def test_clusters_are_ordered_by_their_centres(values, count):
    label, centres = kmeans.cluster(np.array(values)[:, None], count)
    assert len(label) == len(values)
    assert (np.diff(centres[:, 0]) >= 0).all()
    assert label.max() < len(centres) <= count


def test_cetr_smooths_ratios_and_computes_their_slope():
    # Lines: 4 characters and 2 tags; no text, 1 tag; 8 characters, no tag. Smoothed with 0.2741, 0.4519, 0.2741.
    ratio = cetr.smooth(np.array([4 / 2, 0 / 1, 8 / 1]), 1)
    assert ratio.round(3).tolist() == [0.904, 2.741, 3.615]
    assert cetr.slope(ratio, 3).round(3).tolist() == [1.215, 1.536, 3.615]


def test_cetr_cuts_a_page_on_one_line_into_lines():
    html = PAGE.replace("\n", "") * 6  # too long for a line that somebody wrote
    assert sum(text.startswith("Put") for text in texts(html, cetr.Cetr())) == 18


def site(*articles):
    return [f"<div><ul><li>Home<li>News</ul><p>{text}</p><p>All rights reserved</p></div>" for text in articles]


def test_sst_importance_is_an_entropy():
    tree = sst.StyleTree()
    for html in ("<p>tea is green", "<p>milk is white"):
        tree.add(parse_page(html))
    importance = sorted(tree.importance().values())
    # The text: one of its five words is on both pages (entropy 1), so 1 - 1/5. Each element above it has one style
    # and so no entropy: 0.9 of the importance of its child.
    assert [round(value, 4) for value in importance] == [0.5832, 0.648, 0.72, 0.8]


def test_sst_keeps_text_that_varies_and_stores_no_words():
    tree = sst.StyleTree()
    for html in site("Tea is green.", "Milk turned white.", "Rain fell."):
        tree.add(parse_page(html))
    profile = tree.to_weights()
    html = site("Snow lies deep.")[0]
    assert texts(html, sst.Sst.from_weights(profile)) == ["Snow lies deep."]
    assert "rights" not in str(profile.values)


def test_sst_keeps_text_of_an_unknown_style():
    tree = sst.StyleTree()
    for html in site("Tea is green.", "Milk turned white."):
        tree.add(parse_page(html))
    html = "<section><h2>New</h2><p>All rights reserved</p></section>"
    assert texts(html, sst.Sst.from_weights(tree.to_weights())) == ["New", "All rights reserved"]


def test_sst_without_a_profile_keeps_all_text_and_gives_the_reason():
    extraction = tamis.extract("<p>Some text.</p>", extractor="sst")
    assert extraction.text == "Some text."
    assert "without a site profile" in extraction.blocks[0].reason
