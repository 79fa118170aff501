"""The rivals, each against an example worked out by hand and against a slower way to the same answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.extractors.baselines import bte, ccb, cetr, clusters, dsc, fe, lqf, source, sst, tokens
from tamis.page import parse_page

PROSE = "Put the kettle on, and wait until it sings. Pour it over the leaves. Three minutes, and no more. "
MENU = "<ul>" + "<li><a href=/somewhere>menu</a></li>\n" * 25 + "</ul>\n"
PAGE = f"<body>\n{MENU}<div>\n<p>{PROSE * 3}</p>\n<p>{PROSE * 3}</p>\n<p>{PROSE * 3}</p>\n</div>\n{MENU}</body>"


def texts(html, extractor):
    page = parse_page(html)
    return [page.row_text(row).strip() for row in extractor.select(page).mask.nonzero()[0]]


@pytest.mark.parametrize(
    "extractor", [bte.Bte(), dsc.Dsc(), ccb.Ccb(), lqf.Lqf(), fe.Kfe(), cetr.Cetr()], ids=lambda each: each.name
)
def test_finds_the_prose_between_two_menus(extractor):
    found = texts(PAGE, extractor)
    assert found.count((PROSE * 3).strip()) == 3
    assert found.count("menu") <= 6  # the lines right beside it


def test_tags_are_counted_as_if_all_were_written():
    for html in ("<p>a<p>b", "<html><body><p>a</p><p>b</p></body></html>"):
        assert tokens.count_tokens(parse_page(html)).tags.tolist() == [3, 2, 3]


def test_tags_of_scripts_and_of_what_is_hidden_do_not_count():
    plain = tokens.count_tokens(parse_page("<p>a</p>b"))
    cluttered = tokens.count_tokens(parse_page("<p>a</p><script>x</script><div hidden><p>c</p></div>b"))
    assert plain.tags.tolist() == cluttered.tags.tolist()


def test_bte_takes_the_region_whose_words_outweigh_its_tags():
    # a | </i> <p> | b c d | <b> | e | </b> | f g | </p> <i> | h: +3 -1 +1 -1 +2 = 4 is the most that can be had.
    assert texts("<i>a</i><p>b c d<b>e</b>f g</p><i>h</i>", bte.Bte()) == ["b c d", "e", "f g"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_bte_finds_the_best_of_all_regions(pairs):
    before, words = (np.array(column) for column in zip(*pairs, strict=True))
    runs = tokens.TokenRuns(np.arange(len(pairs)), words, np.append(before, 3))

    def value(first, stop):
        return words[first:stop].sum() - before[first + 1 : stop].sum()

    best = max(value(a, b) for a in range(len(pairs)) for b in range(a + 1, len(pairs) + 1))
    assert value(*bte.best_region(runs)) == best


def test_dsc_measures_the_slope_a_window():
    is_word = np.array([0, 0, 0, 1, 1, 1, 1, 1, 0, 1], dtype=bool)
    assert dsc.window_slopes(is_word, 4).tolist() == [0.75, 0.0, 0.5]


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(1, 4))
def test_dsc_sections_begin_and_end_after_patience(low, patience):
    inside, expected = False, []
    for number, is_low in enumerate(low):
        run = low[number : number + patience]
        if len(run) == patience and len(set(run)) == 1:
            inside = is_low
        expected.append(inside)
    assert dsc.sections(np.array(low), patience).tolist() == expected


def test_dsc_finds_what_bte_cannot_two_pieces_far_apart():
    html = f"{MENU}<p>{PROSE * 4}</p>{MENU * 4}<p>{PROSE * 4}</p>{MENU}"
    assert sum(text.startswith("Put") for text in texts(html, dsc.Dsc())) == 2
    assert sum(text.startswith("Put") for text in texts(html, bte.Bte())) == 1


def test_ccb_blurs_with_a_gaussian():
    # Radius 2: weights e^-0.5(3j/2)²: 0.0111, 0.3247, 1, 0.3247, 0.0111, which add up to 1.6715.
    assert ccb.blur(np.array([0.0, 0, 1, 0, 0]), 2).round(4).tolist() == [0.0066, 0.1942, 0.5983, 0.1942, 0.0066]


def test_ccb_keeps_long_text_and_drops_words_between_tags():
    html = f"<p><b class=x>one</b><i class=y>two</i></p><p>{PROSE}</p>"
    assert texts(html, ccb.Ccb()) == [PROSE.strip()]
    assert len(texts(html, ccb.Ccb(threshold=0.0))) == 3


def test_the_source_counts_tags_but_not_those_in_comments_and_scripts():
    code = source.read_code(parse_page("<p>a</p><!-- <b> --><script>'<i>'</script><br>"))
    assert len(code.tags) == 3
    assert code.visible.sum() == 1


def test_the_source_is_read_in_linear_time_even_when_nothing_is_closed():
    for unit in ("<a", "<!--", "<script ", "<style><"):
        source.read_code(parse_page(unit * 30_000))


def test_lqf_removes_elements_over_the_quota():
    html = "<div><p>ab<a>cdef</a></p><p>abcd<a>ef</a></p></div>"  # quotas 4/6 and 2/6, together 6/12
    assert texts(html, lqf.Lqf(0.5)) == ["abcd", "ef"]
    assert texts(html, lqf.Lqf(0.7)) == ["ab", "cdef", "abcd", "ef"]
    assert texts(html, lqf.Lqf(0.3)) == []


def test_lqf_leaves_links_within_sentences_alone():
    assert texts("<p>see <a>this page</a> for more of it</p>", lqf.Lqf()) == ["see", "this page", "for more of it"]


def test_fe_describes_a_block_by_what_it_holds():
    # Two words, one link, one image: text is half of it. Two words and two images: text does not win.
    blocks = fe.cut(parse_page("<p>two words<a>x</a><img></p><p>two words<img><img></p>"))
    assert blocks.text[-2:].tolist() == [0.5, 0.5]
    assert blocks.wins[-2:].tolist() == [True, False]


def test_fe_finds_one_block_and_kfe_its_like():
    html = f"<p>{PROSE * 2}</p><p>{PROSE * 3}</p><p>so short <img></p><p><a>x</a> y</p>"
    assert texts(html, fe.Fe()) == [(PROSE * 3).strip()]
    assert texts(html, fe.Kfe(clusters=2)) == [(PROSE * 2).strip(), (PROSE * 3).strip()]


def test_clusters_keep_the_origin_where_it_is_told_to():
    points = np.array([[1.0, 0.0], [2.0, 0.0], [10.0, 0.0], [12.0, 0.0], [30.0, 0.0]])
    label, centres = clusters.cluster(points, 3, origin=True)
    assert label.tolist() == [0, 0, 1, 1, 2]
    assert centres.tolist() == [[0.0, 0.0], [11.0, 0.0], [30.0, 0.0]]


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.integers(1, 4))
def test_clusters_are_in_order_of_their_centres(values, count):
    label, centres = clusters.cluster(np.array(values)[:, None], count)
    assert len(label) == len(values)
    assert (np.diff(centres[:, 0]) >= 0).all()
    assert label.max() < len(centres) <= count


def test_cetr_weighs_each_line_by_characters_a_tag():
    # Lines: 4 characters and 2 tags; no text, 1 tag; 8 characters, no tag. Smoothed with 0.2741, 0.4519, 0.2741.
    ratio = cetr.smooth(np.array([4 / 2, 0 / 1, 8 / 1]), 1)
    assert ratio.round(3).tolist() == [0.904, 2.741, 3.615]
    assert cetr.slope(ratio, 3).round(3).tolist() == [1.215, 1.536, 3.615]


def test_cetr_reads_a_page_on_one_line_in_pieces():
    html = PAGE.replace("\n", "") * 6  # text enough for nobody to have written it on one line
    assert sum(text.startswith("Put") for text in texts(html, cetr.Cetr())) == 18


def site(*articles):
    return [f"<div><ul><li>Home<li>News</ul><p>{text}</p><p>All rights reserved</p></div>" for text in articles]


def test_sst_importance_is_an_entropy():
    tree = sst.StyleTree()
    for html in ("<p>tea is green", "<p>milk is white"):
        tree.add(parse_page(html))
    importance = sorted(tree.importance().values())
    # The text: of its five words one is on both pages (entropy 1): 1 - 1/5. Above it each element has one style and
    # so no variety of its own: 0.9 of what is below.
    assert [round(value, 4) for value in importance] == [0.5832, 0.648, 0.72, 0.8]


def test_sst_keeps_what_varies_and_forgets_the_words():
    tree = sst.StyleTree()
    for html in site("Tea is green.", "Milk turned white.", "Rain fell."):
        tree.add(parse_page(html))
    profile = tree.to_weights()
    html = site("Snow lies deep.")[0]
    assert texts(html, sst.Sst.of(profile)) == ["Snow lies deep."]
    assert "rights" not in str(profile.values)


def test_sst_keeps_a_style_that_it_never_saw():
    tree = sst.StyleTree()
    for html in site("Tea is green.", "Milk turned white."):
        tree.add(parse_page(html))
    html = "<section><h2>New</h2><p>All rights reserved</p></section>"
    assert texts(html, sst.Sst.of(tree.to_weights())) == ["New", "All rights reserved"]


def test_sst_without_a_profile_keeps_all_and_says_why():
    found = tamis.extract("<p>Some text.</p>", extractor="sst")
    assert found.text == "Some text."
    assert "without a site profile" in found.blocks[0].reason
