"""Media: which players leave a link, where it leads, and what it is called."""

import json

import pytest

import tamis
from tamis.document import Paragraph
from tamis.document.detectors.media import watch_url
from tamis.page.sums import in_subtree

URL = "https://example.org/tea"


def links(player, url=URL):
    document = tamis.extract(f"<p>Before.</p>{player}<p>After.</p>", url, extractor="body").document
    spans = [span for part in document if isinstance(part, Paragraph) for span in part.spans]
    return [(span.href, span.spans[0].text) for span in spans if getattr(span, "role", "") == "media"]


@pytest.mark.parametrize(
    ("embedded", "page"),
    [
        ("https://www.youtube.com/embed/a-1?start=3", "https://www.youtube.com/watch?v=a-1"),
        ("https://www.youtube.com/v/a-1&hl=en", "https://www.youtube.com/watch?v=a-1"),
        ("https://www.youtube.com/embed/videoseries?list=PL1", "https://www.youtube.com/playlist?list=PL1"),
        ("https://player.vimeo.com/video/12?h=ab", "https://vimeo.com/12"),
        ("https://www.dailymotion.com/embed/video/x1", "https://www.dailymotion.com/video/x1"),
        ("https://open.spotify.com/embed/episode/9/", "https://open.spotify.com/episode/9"),
        ("https://embed.ted.com/talks/a_b", "https://www.ted.com/talks/a_b"),
        ("https://player.bilibili.com/player.html?aid=1&bvid=BV1", "https://www.bilibili.com/video/BV1"),
        ("https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b", "https://soundcloud.com/a/b"),
        ("https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fv%2F1", "https://www.facebook.com/v/1"),
        ("https://www.youtube.com/@somebody", "https://www.youtube.com/@somebody"),
        ("https://w.soundcloud.com/player/?url=javascript%3Ax", "https://w.soundcloud.com/player/?url=javascript%3Ax"),
    ],
)  # fmt: skip
def test_players_of_known_sites_lead_to_the_page_of_what_they_play(embedded, page):
    assert watch_url(embedded) == page
    assert links(f'<iframe src="{embedded}" title="A talk"></iframe>') == [(page, "▶ A talk")]


def test_title_comes_from_the_element_then_the_file_then_the_host():
    assert links("<audio src=/a%20b.mp3 aria-label='The song'></audio>")[0][1] == "▶ The song"
    assert links("<audio src=/a%20b.mp3></audio>")[0][1] == "▶ a b.mp3"
    assert (
        links("<iframe src=//www.youtube.com/embed/x title='YouTube video player'></iframe>")[0][1] == "▶ youtube.com"
    )


@pytest.mark.parametrize(
    "player",
    [
        "<lite-youtube videoid=q7 playlabel='A talk'></lite-youtube>",
        "<amp-youtube data-videoid=q7 title='A talk'></amp-youtube>",
        "<iframe src=about:blank data-src=//www.youtube.com/embed/q7 title='A talk'></iframe>",
        "<object title='A talk'><param name=movie value=https://www.youtube.com/v/q7></object>",
        "<object title='A talk'><embed src=https://www.youtube.com/v/q7></object>",
    ],
)
def test_players_that_load_later_and_players_of_plug_ins_are_found(player):
    assert links(player) == [("https://www.youtube.com/watch?v=q7", "▶ A talk")]


@pytest.mark.parametrize(
    "player",
    [
        "<iframe src=https://a.example.com/x></iframe>",
        "<iframe src=https://a.example.com/x title='Sponsored ad'></iframe>",
        "<iframe src=https://www.youtube.com/embed/x width=1 height=1></iframe>",
        "<iframe src=https://www.youtube.com/embed/x hidden></iframe>",
        "<iframe src=https://td.doubleclick.net/embed/x title=Tea></iframe>",
        "<iframe src=https://www.facebook.com/plugins/like.php?href=x title=Facebook></iframe>",
        "<iframe src='http://[' title=Tea></iframe>",
        "<div hidden><video src=/a.mp4></video></div>",
        "<video src='javascript:x'></video><audio></audio><video src='data:video/mp4,x'></video>",
        "<embed src=/movie.swf><object></object><x-player src=/a.mp4></x-player>",
    ],
)
def test_advertisements_trackers_and_players_without_a_file_leave_nothing(player):
    assert links(player) == []


@pytest.mark.parametrize(
    "player",
    [
        "<iframe src=https://a.example.com/x title='A map'></iframe>",
        "<iframe src=https://a.example.com/x allowfullscreen></iframe>",
        "<iframe src=https://a.example.com/embed/x></iframe>",
        "<embed src=/talk.mp4>",
    ],
)
def test_frames_with_a_title_or_the_signs_of_a_player_leave_a_link(player):
    assert len(links(player)) == 1


class Paragraphs:
    name = summary = source = "what stands in p"

    def select(self, page):
        return tamis.Selection.from_mask(page, in_subtree(page.end, page.rows_of("p")))


def test_player_beside_unselected_text_is_left_out():
    html = "<p>One</p><div>Buy<video src=a.mp4></video></div><div><video src=b.mp4></video></div><p>Two</p>"
    assert tamis.extract(html, extractor=Paragraphs()).markdown == "One\n\n[▶ b.mp4](b.mp4)\n\nTwo"


def test_plain_text_and_pages_without_images_and_links():
    html = "<p>One <audio src=/a.mp3></audio> two.</p><video poster=/p.png src=/b.mp4></video><p>Three.</p>"
    extraction = tamis.extract(html, URL, extractor="body")
    assert extraction.text == extraction.render("text").text == "One two.\n\nThree."
    text_only = extraction.render("markdown", images=False).text
    assert "(https://example.org/a.mp3)" in text_only
    assert "(https://example.org/b.mp4)" in text_only
    assert "p.png" not in text_only
    assert "https:" not in extraction.render("markdown", images=False, links=False).text


def test_text_inside_an_object_is_kept():
    html = "<p>One.</p><object data=/talk.mp4><p>Words of the fallback.</p></object><p>Two.</p>"
    markdown = tamis.extract(html, URL, extractor="body").markdown
    assert "talk.mp4" in markdown
    assert "Words of the fallback." in markdown


def test_json_says_which_links_are_media():
    html = "<p>One.</p><video src=/b.mp4></video><p>Two.</p>"
    tree = json.loads(tamis.extract(html, URL, extractor="body").json)
    spans = [span for part in tree["document"] for span in part.get("spans", []) if isinstance(span, dict)]
    assert spans == [{"type": "link", "href": "https://example.org/b.mp4", "role": "media", "spans": ["▶ b.mp4"]}]
