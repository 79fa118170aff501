"""Pages made of labelled ones: in other scripts, and short ones."""

import random
import re
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tamis.lab.evaluate.corpora import LabelledPage

# Labelled pages in other scripts: the words of a page, replaced by words of the same shape in another script.
#
# Nearly all labelled pages are in Latin script. A network that has seen nothing else takes what it does not know,
# such as text without spaces or without capitals, for a sign of something: Chinese news for documentation. The
# structure of a page and what people call its content do not depend on its script, so that a page with other words
# teaches it. The words mean nothing; equal words stay equal, so that the title is still found in the text.

#: Markup between texts: elements whose content is no text, comments, tags, and character references.
_MARKUP: Final = re.compile(
    r"<(script|style|textarea|noscript|template)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|&[#\w]+;", re.DOTALL | re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BETWEEN_WORDS: Final = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff]) (?=[\u3040-\u30ff\u4e00-\u9fff])")
_FULL_WIDTH: Final = str.maketrans({",": "，", ".": "。", "!": "！", "?": "？", ":": "：", ";": "；"})
_STOP: Final = re.compile(r"[,.!?:;](?=\s|$) ?")
_LETTERS_PER_CHARACTER: Final = 2.9  #: an English word of 4.7 letters is about 1.6 characters in Chinese

# The letters of each script that are in general use, from first to last.
_HAN: Final = [chr(code) for code in range(0x4E00, 0x5A00)]
_KANA: Final = [*map(chr, range(0x3042, 0x3094)), *map(chr, range(0x30A2, 0x30F4))]
_HANGUL: Final = [chr(code) for code in range(0xAC00, 0xD7A0, 4)]
_CYRILLIC: Final = [chr(code) for code in range(0x0430, 0x0450)]
_ARABIC: Final = [*map(chr, range(0x0627, 0x063B)), *map(chr, range(0x0641, 0x064B))]
#: The scripts, and the share of pages in each, in tenths.
_SHARES: Final = {"han": 5, "kana": 2, "hangul": 1, "cyrillic": 1, "arabic": 1}
_CHOICES: Final = [name for name, share in _SHARES.items() for _ in range(share)]


def in_other_script(labelled: "LabelledPage") -> "LabelledPage":
    """Return a labelled page in another script, chosen by its name. Its gold text and title have the same words."""
    script = _CHOICES[_number(labelled.id) % len(_CHOICES)]
    return replace(
        labelled,
        html=rewrite_markup(labelled.html, script),
        gold=rewrite(labelled.gold, script),
        title=None if labelled.title is None else rewrite(labelled.title, script),
    )


def rewrite_markup(html: str, script: str) -> str:
    """Return markup with the words of its text in another script.

    >>> rewrite_markup("<p class=note>Tea, tea &amp; water.</p>", "han")
    '<p class=note>复，复 &amp; 凳壸。</p>'
    """
    parts: list[str] = []
    stop = 0
    for match in _MARKUP.finditer(html):
        parts += (rewrite(html[stop : match.start()], script), match[0])
        stop = match.end()
    return "".join([*parts, rewrite(html[stop:], script)])


def rewrite(text: str, script: str) -> str:
    """Return text with its words in another script; numbers and white space at its ends stay.

    >>> rewrite("Tea for 2", "cyrillic"), rewrite("Tea for 2", "arabic")
    ('Нбу щчт 2', 'ضكا وعث 2')
    """
    if not text or text.isspace():
        return text
    out = _WORD.sub(lambda match: _word(match[0], script), text)
    if script in {"han", "kana"}:
        out = _STOP.sub(lambda match: match[0].strip().translate(_FULL_WIDTH), _BETWEEN_WORDS.sub("", out))
    return out


@lru_cache(maxsize=100_000)
def _word(word: str, script: str) -> str:
    """Return a word of another script; equal words, whatever their case, have equal ones."""
    number = _number(word.lower())
    if script in {"han", "kana", "hangul"}:
        length = max(1, round(len(word) / _LETTERS_PER_CHARACTER))
        letters = {"han": _HAN, "hangul": _HANGUL, "kana": _HAN if number % 2 else _KANA}[script]
        return _spell(number, length + (script == "kana" and not number % 2), letters)
    spelled = _spell(number, len(word), _CYRILLIC if script == "cyrillic" else _ARABIC)
    return spelled.upper() if word.isupper() else spelled.capitalize() if word[0].isupper() else spelled


def _spell(number: int, length: int, letters: list[str]) -> str:
    out = []
    for _ in range(length):
        number, letter = divmod(number * 7919 + 104_729, len(letters))  # primes: long words do not end in one letter
        out.append(letters[letter])
    return "".join(out)


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")


# Short pages, for the page type: some sentences of an article and little else.
#
# Corpora have hardly any, and what is not known looks like a forum to a model. A page of a few sentences is an
# article, for want of anything else.

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

    >>> from tamis.lab.evaluate.corpora import LabelledPage
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
