"""Media: audio, video and embedded frames of the content leave a link with their title."""

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import unquote

import numpy as np

from tamis.document.detectors.images import belongs_to_content
from tamis.document.parts import Image, Link, Text
from tamis.html import tags
from tamis.html.text import LAZY_URLS, hostname, safe_url, split_url, strip_invisible
from tamis.page import Page
from tamis.page.sums import Bools

# Hosts of players, and the page of an embedded video or recording.

#: Hosts of players. A frame of any other host needs a sign that it is one, or a title.
_PLAYER_HOST_NAMES: Final = """
    youtube.com youtube-nocookie.com youtu.be vimeo.com dailymotion.com dai.ly twitch.tv ted.com wistia.com wistia.net
    brightcove.net jwplatform.com jwplayer.com kaltura.com vidyard.com loom.com streamable.com rumble.com odysee.com
    bilibili.com youku.com v.qq.com iqiyi.com ixigua.com rutube.ru soundcloud.com spotify.com mixcloud.com
    bandcamp.com deezer.com podcasts.apple.com music.apple.com acast.com megaphone.fm simplecast.com buzzsprout.com
    libsyn.com omny.fm spreaker.com podbean.com transistor.fm captivate.fm audioboom.com archive.org
"""
PLAYER_HOSTS: Final = frozenset(_PLAYER_HOST_NAMES.split())
#: Hosts whose frames are advertisements, buttons, trackers and comment forms.
_OTHER_HOST_NAMES: Final = """
    doubleclick.net googlesyndication.com googletagmanager.com google-analytics.com amazon-adsystem.com adnxs.com
    taboola.com outbrain.com criteo.com addthis.com sharethis.com disqus.com recaptcha.net hcaptcha.com
    platform.twitter.com staticxx.facebook.com accounts.google.com apis.google.com
"""
OTHER_HOSTS: Final = frozenset(_OTHER_HOST_NAMES.split())
#: Of a player's URL: the first segments of its path, and the page that the rest of the path belongs to.
_PAGES: Final = {
    "youtube.com": (("embed", "v"), "https://www.youtube.com/watch?v={}"),
    "youtube-nocookie.com": (("embed", "v"), "https://www.youtube.com/watch?v={}"),
    "player.vimeo.com": (("video",), "https://vimeo.com/{}"),
    "dailymotion.com": (("embed",), "https://www.dailymotion.com/{}"),
    "open.spotify.com": (("embed",), "https://open.spotify.com/{}"),
    "embed.ted.com": (("talks",), "https://www.ted.com/talks/{}"),
}
#: The parameter of a player's URL that names what it plays, and the page of that.
_TARGETS: Final = {
    "w.soundcloud.com": ("url", "{}"),
    "facebook.com": ("href", "{}"),
    "player.bilibili.com": ("bvid", "https://www.bilibili.com/video/{}"),
}


def is_host(host: str, hosts: frozenset[str]) -> bool:
    """Tell whether a host is one of several, or below one.

    >>> is_host("player.vimeo.com", PLAYER_HOSTS), is_host("notvimeo.com", PLAYER_HOSTS)
    (True, False)
    """
    labels = host.split(".")
    return any(".".join(labels[start:]) in hosts for start in range(len(labels)))


def watch_url(url: str) -> str:
    """Return the page of an embedded video or recording, or the URL as it is.

    >>> watch_url("https://player.vimeo.com/video/7?h=1"), watch_url("https://open.spotify.com/embed/track/a")
    ('https://vimeo.com/7', 'https://open.spotify.com/track/a')
    """
    parts = split_url(url)
    host = hostname(url, strip_www=True)
    if parts is None or not (host in _PAGES or host in _TARGETS):
        return url
    _, _, path = parts.path.partition("/")
    first, _, rest = path.partition("/")
    name, page = _TARGETS.get(host, ("list", "https://www.youtube.com/playlist?list={}"))
    values = dict(part.partition("=")[::2] for part in parts.query.split("&"))
    if values.get(name) and (host in _TARGETS or rest == "videoseries"):
        return safe_url(page.format(unquote(values[name])), None) or url
    segments, page = _PAGES.get(host, ((), ""))
    return page.format(rest.rstrip("/").partition("&")[0]) if first in segments and rest else url


# Media: audio, video and embedded frames of the content leave a link with their title.
#
# A document has no players. What a reader can follow instead is the URL of the file, or the page of the video on its
# site. The label is not text of the page, so plain text does not have it, as it does not have images.

_VIDEO_PAGES: Final = frozenset({"youtube.com", "m.youtube.com", "youtu.be", "vimeo.com", "dailymotion.com"})
_PLAYER_SEGMENTS: Final = frozenset({"embed", "player", "video", "videos", "audio", "podcast"})
#: Words in the title of a frame that is not content.
_CHROME_WORD_NAMES: Final = """
    ad ads advert advertisement advertising sponsor sponsored captcha recaptcha newsletter like share tweet cookie
    consent login chat
"""
_CHROME_WORDS: Final = frozenset(_CHROME_WORD_NAMES.split())
_GENERIC_TITLES: Final = frozenset(
    {
        "youtube video player",
        "vimeo video player",
        "video player",
        "audio player",
        "video",
        "player",
        "embedded content",
    }
)
_FILES: Final = (".mp4", ".webm", ".ogv", ".mov", ".m4v", ".mp3", ".m4a", ".ogg", ".oga", ".wav", ".flac", ".pdf")
_MIN_PIXELS: Final = 32  #: smaller frames are trackers
_MAX_INSIDE: Final = 64  #: rows of an element that are searched for URLs
_MAX_TITLE: Final = 200  #: characters of a label
MEDIA_MARK: Final = "\N{BLACK RIGHT-POINTING TRIANGLE} "  #: begins a label: it needs no translation
_ELEMENTS: Final = tags.tag_mask("audio video iframe embed object")
_AUDIO, _VIDEO, _IFRAME = tags.IDS["audio"], tags.IDS["video"], tags.IDS["iframe"]
#: Custom elements that load a player later: the attribute with its id, and the page of the video.
_CUSTOM: Final = {
    "lite-youtube": ("videoid", "https://www.youtube.com/watch?v="),
    "amp-youtube": ("data-videoid", "https://www.youtube.com/watch?v="),
    "lite-vimeo": ("videoid", "https://vimeo.com/"),
    "amp-vimeo": ("data-videoid", "https://vimeo.com/"),
    "amp-dailymotion": ("data-videoid", "https://www.dailymotion.com/video/"),
    "amp-video": ("src", ""),
    "amp-audio": ("src", ""),
}


@dataclass(frozen=True, slots=True)
class Media:
    """A link to a medium, and the poster of a video if it has one."""

    link: Link
    poster: Image | None = None


def find_media(
    page: Page,
    mask: Bools,
    base: str | None,
    url: str | None = None,
    captioned_boxes: frozenset[int] = frozenset(),
) -> dict[int, Media]:
    """Return the media of the content by row; of nested ones the outermost.

    `url` is that of the page, where a script loads a video; `captioned_boxes` are figures without a ``figure``.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>One.</p><iframe src="//www.youtube.com/embed/a1" title="Tea"></iframe><p>Two.</p>')
    >>> (media,) = find_media(page, page.is_text, None).values()
    >>> media.link.href, media.link.spans[0].text
    ('https://www.youtube.com/watch?v=a1', '▶ Tea')
    """
    rows = np.flatnonzero(_ELEMENTS[page.tag] | ((page.tag == tags.OTHER) & page.is_element))
    if not len(rows) or not mask.any():
        return {}
    known = [row for row in rows.tolist() if page.tag[row] != tags.OTHER or page.tag_name(row) in _CUSTOM]
    out: dict[int, Media] = {}
    stop = 0
    for row in sorted(belongs_to_content(page, mask, known, captioned_boxes)):
        if row < stop or page.hidden[page.parent[row]]:
            continue
        media = _read(page, row, page.tag_name(row), base, url)
        if media is not None:
            out[row] = media
            stop = int(page.end[row])
    return out


def _read(page: Page, row: int, name: str, base: str | None, url: str | None) -> Media | None:
    attributes = page.attributes(row)
    if page.tag[row] in {_AUDIO, _VIDEO}:
        sources = (attributes, *(page.attributes(child) for child in _inside(page, row)))
        urls = (_web_url(values.get("src") or values.get("data-src") or "", base) for values in sources)
        href = next(filter(None, urls), None)
        poster = _web_url(attributes.get("poster", ""), base) if page.tag[row] == _VIDEO else None
        if poster and not href:
            href = url  # a script loads the video
        image = Image(poster, _title(attributes)) if poster else None
        return Media(_link(href, attributes), image) if href else None
    if name in _CUSTOM:
        attribute, prefix = _CUSTOM[name]
        value = attributes.get(attribute, "").strip()
        href = _web_url(prefix + value, base) if value else None
    else:
        href = _frame_url(page, row, attributes, base)
    return Media(_link(href, attributes)) if href else None


def _frame_url(page: Page, row: int, attributes: dict[str, str], base: str | None) -> str | None:
    """Return the URL of a frame, ``object`` or ``embed`` that is content."""
    if page.hidden[row] or any(_is_small(attributes.get(name, "")) for name in ("width", "height")):
        return None
    sources = [attributes.get(name, "") for name in (*LAZY_URLS, "src", "data")]
    sources += [page.attributes(child).get(name, "") for child in _inside(page, row) for name in ("src", "value")]
    for source in sources:
        href = _web_url(source, base)
        if href and _is_content(href, attributes, is_frame=bool(page.tag[row] == _IFRAME)):
            return watch_url(href)
    return None


def _inside(page: Page, row: int) -> list[int]:
    """Return the ``param`` and ``embed`` elements in an ``object``, and the ``source`` elements of a player."""
    wanted = {tags.IDS["param"], tags.IDS["embed"], tags.IDS["source"]}
    stop = min(int(page.end[row]), row + _MAX_INSIDE)
    return [child for child in range(row + 1, stop) if int(page.tag[child]) in wanted]


def _is_content(href: str, attributes: dict[str, str], *, is_frame: bool) -> bool:
    parts = split_url(href)
    host = hostname(href)
    if parts is None or not host or is_host(host, OTHER_HOSTS):
        return False
    title = _title(attributes)
    if _CHROME_WORDS.intersection(title.casefold().split()):
        return False
    if is_host(host, PLAYER_HOSTS) or parts.path.casefold().endswith(_FILES):
        return True
    if not is_frame:
        return False  # a program for a plug-in that browsers no longer have
    if is_host(host, frozenset({"facebook.com"})):
        return "/video" in parts.path
    segments = {segment for segment in parts.path.casefold().replace(".", "/").split("/") if segment}
    is_player = "allowfullscreen" in attributes or "fullscreen" in attributes.get("allow", "")
    return bool(is_player or title or _PLAYER_SEGMENTS & segments)


def video_link(href: str, title: str) -> Link | None:
    """Return the link to a video that a picture leads to; None if its URL is not that of a video.

    >>> video_link("https://youtu.be/a1", "Tea"), video_link("https://example.org/a.jpg", "Tea")
    (Link(href='https://youtu.be/a1', spans=(Text(text='▶ Tea'),), role='media', label=''), None)
    """
    parts, host = split_url(href), hostname(href, strip_www=True)
    if parts is None or host not in _VIDEO_PAGES or not (parts.path.strip("/") or parts.query):
        return None
    is_video = host != "youtube.com" or parts.path.startswith(("/watch", "/shorts/", "/embed/", "/live/"))
    return _link(href, {"title": title}) if is_video else None


def with_title(media: Media, heading: str) -> Media:
    """Return a player that the page gives no title with that of its section."""
    label = media.link.spans[0]
    host = hostname(media.link.href, strip_www=True)
    if not heading or not isinstance(label, Text) or label.text != MEDIA_MARK + (host or ""):
        return media
    return replace(media, link=replace(media.link, spans=(Text(MEDIA_MARK + heading[:_MAX_TITLE]),)))


def _web_url(value: str, base: str | None) -> str | None:
    """Return a safe URL of the web; None for data, blobs and other schemes."""
    if not value.strip() or value.strip().casefold().startswith(("about:", "blob:", "data:")):
        return None
    url = safe_url(value, base)
    if url is None or url.startswith(("mailto:", "tel:")):
        return None
    return f"https:{url}" if url.startswith("//") else url


def _is_small(size: str) -> bool:
    number = size.strip().removesuffix("px")
    return number.isascii() and number.isdigit() and len(number) < 6 and int(number) <= _MIN_PIXELS  # noqa: PLR2004 (sane sizes)


def _title(attributes: dict[str, str]) -> str:
    names = ("title", "aria-label", "data-title", "playlabel", "alt")
    titles = (" ".join(strip_invisible(attributes.get(name, "")).split())[:_MAX_TITLE] for name in names)
    return next((title for title in titles if title and title.casefold() not in _GENERIC_TITLES), "")


def _link(href: str, attributes: dict[str, str]) -> Link:
    """Return a link with the title of a medium, else with the name of its file, else with its host."""
    parts = split_url(href)
    path = parts.path if parts else ""
    name = unquote(path).rsplit("/", 1)[-1] if path.casefold().endswith(_FILES) else ""
    label = _title(attributes) or strip_invisible(name)[:_MAX_TITLE] or hostname(href, strip_www=True) or href
    return Link(href, (Text(MEDIA_MARK + label),), "media")
