"""Hosts of players, and the page of an embedded video or recording."""

from typing import Final
from urllib.parse import unquote

from tamis.html.urls import hostname, safe_url, split_url

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
