"""Harmless edits of pages: the share of pages whose words stay exactly the same, beside third-party tools.

    python bench/edits.py FOLDER [--pages 150]   # a folder of .html or .html.gz files

An edit that no reader sees must change nothing. An edit that adds boilerplate must not change the content, and the
words that it adds must not be kept.
"""

import argparse
import gzip
import re
from collections.abc import Callable
from pathlib import Path

import turbohtml

import tamis

LINKS = "".join(f"<li><a href='/section/{k}'>Section {k}</a></li>" for k in range(60))
FOOTER = "<p>Zeppelin Media Ltd. All rights reserved. <a href=/terms>Terms</a> <a href=/privacy>Privacy</a></p>"
COOKIES = "<p>We value your privacy. Zeppelin and its partners store cookies.</p><button>Accept all</button>"
#: Where a tag is no tag: a script before it would end the script around it, a comment in a comment ends both, and
#: what follows a tag without its last sign is a part of that tag.
_RAW = r"<(?P<tag>script|style|textarea|title|noscript|template)\b.*?</(?P=tag)|<!--.*?-->|</?[a-z][^<>]*<"
_IN_PARAGRAPHS = re.compile(rf"(?is)(?P<raw>{_RAW})|(?P<text><p(?:\s[^<>]*)?>[^<>]{{20,}}?\s)(?=[^<>]*</p>)")
_BEFORE_PARAGRAPHS = re.compile(rf"(?is)(?P<raw>{_RAW})|<p(?=[\s>])")
_BODY = re.compile(r"<body[^<>]*>", re.IGNORECASE)
_CLASS = re.compile(r"(\sclass\s*=\s*)(\"[^\"<>]*\"|'[^'<>]*')", re.IGNORECASE)


def after_body(inserted: str) -> Callable[[str], str]:
    return lambda html: _BODY.sub(lambda match: match[0] + inserted, html, count=1)


def before_end(inserted: str) -> Callable[[str], str]:
    def edit(html: str) -> str:
        place = html.lower().rfind("</body")
        return html + inserted if place < 0 else html[:place] + inserted + html[place:]

    return edit


def wrap(html: str) -> str:
    return before_end("</div>")(after_body("<div>")(html))


def rename_classes(html: str) -> str:
    names: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        words = [names.setdefault(word, f"c{len(names)}") for word in match[2][1:-1].split()]
        return f'{match[1]}"{" ".join(words)}"'

    return _CLASS.sub(rename, html)


def add_comments(html: str) -> str:
    return _IN_PARAGRAPHS.sub(lambda match: match["raw"] or f"{match['text']}<!-- note -->", html)


def add_scripts(html: str) -> str:
    return _BEFORE_PARAGRAPHS.sub(lambda match: match["raw"] or f"<script>var a=1</script>{match[0]}", html)


#: Edits by name, and a word that they add, if any.
EDITS: dict[str, tuple[Callable[[str], str], str]] = {
    "comments in text": (add_comments, ""),
    "scripts before paragraphs": (add_scripts, ""),
    "serialized again": (lambda html: turbohtml.parse(html).html, ""),
    "one more div": (wrap, ""),
    "nav of 60 links": (after_body(f"<nav><ul>{LINKS}</ul></nav>"), "Section 59"),
    "div of 60 links": (after_body(f"<div><ul>{LINKS}</ul></div>"), "Section 59"),
    "footer": (before_end(f"<footer>{FOOTER}</footer>"), "Zeppelin"),
    "footer in a div": (before_end(f"<div>{FOOTER}</div>"), "Zeppelin"),
    "cookie notice": (before_end(f"<div class=cookie-banner>{COOKIES}</div>"), "Zeppelin"),
    "classes renamed": (rename_classes, ""),
}


def tools() -> dict[str, Callable[[str], str]]:
    found: dict[str, Callable[[str], str]] = {"tamis": lambda html: tamis.extract(html).text}
    try:
        import trafilatura

        found["trafilatura"] = lambda html: trafilatura.extract(html) or ""
    except ImportError:
        pass
    try:
        from resiliparse.extract.html2text import extract_plain_text

        found["resiliparse"] = lambda html: extract_plain_text(html, main_content=True)
    except ImportError:
        pass
    return found


def f1(first: list[str], second: list[str]) -> float:
    from collections import Counter

    common = (Counter(first) & Counter(second)).total()
    return 2 * common / (len(first) + len(second)) if first or second else 1.0


def read(path: Path) -> str:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8", "replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=150, help="every k-th page, so many in all")
    parser.add_argument("--tools", default="tamis,trafilatura,resiliparse")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.rglob("*") if path.name.endswith((".html", ".html.gz")))
    pages = [read(path) for path in paths[:: max(1, len(paths) // arguments.pages)][: arguments.pages]]
    print(f"{len(pages)} pages: share with the same words, mean F1, share that keeps the inserted words")
    for name, extract in tools().items():
        if name not in arguments.tools.split(","):
            continue
        before = [extract(page).split() for page in pages]
        for label, (edit, word) in EDITS.items():
            texts = [extract(edit(page)) for page in pages]
            after = [text.split() for text in texts]
            same = sum(old == new for old, new in zip(before, after, strict=True)) / len(pages)
            mean = sum(map(f1, before, after)) / len(pages)
            kept = sum(word in text for text in texts) / len(pages) if word else 0.0
            print(f"{name:12s} {label:26s} {same:.3f} {mean:.3f} {kept:.3f}", flush=True)


if __name__ == "__main__":
    main()
