"""Pages made of labelled ones: in other scripts, and short ones."""

import random
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from html import escape
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.api import extract
from tamis.extractors.registry import Selection
from tamis.lab.evaluate.metrics import is_cjk, split_words
from tamis.sift.features import prune, read_element_names

if TYPE_CHECKING:
    from tamis.lab.evaluate.corpora import LabelledPage
    from tamis.page import Page

# Labelled pages in other scripts: the words of a page, replaced by words of the same shape in another script.
#
# Nearly all labelled pages are in Latin script. A network that has seen nothing else takes what it does not know,
# such as text without spaces or without capitals, for a sign of something: Chinese news for documentation. The
# structure of a page and what people call its content do not depend on its script, so that a page with other words
# teaches it. The words mean nothing; equal words stay equal, so that the title is still found in the text.

#: Markup between texts: elements whose content is not text, comments, tags, and character references.
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


# Short and clean pages: the gold text of a page and nothing else.
#
# Corpora have hardly any, and what is not known looks like boilerplate or a forum to a model. A page without
# boilerplate is content, all of it; a page of a few sentences is an article, for want of anything else.

_MIN_WORDS: Final = 5  #: of a paragraph; shorter lines are labels
_WORDS: Final = (2, 4, 8, 15, 30, 60, 200)  #: of a paragraph, at most
_LINES: Final = (1, 2, 2, 3, 3, 4, 6)
#: What a short page consists of: its first line, each of the others, and what stands around these.
_SHAPES: Final = (
    *[("<p>{}</p>", "<p>{}</p>", "{}")] * 6,
    ("<p>{}</p>", "<li>{}</li>", "<ul>{}</ul>"),
    ("<p>{}</p>", "<li>{}</li>", "<ol>{}</ol>"),
    ("<p>{}</p>", "<tr><td>{}</td><td>{}</td></tr>", "<table>{}</table>"),
    ("<p>{}</p>", "<tr><td>{}</td><td>{}</td></tr>", "<table><tr><th>{}</th><th>{}</th></tr>{}</table>"),
    ("<p>{}</p>", "<p>{}</p>", "<blockquote>{}</blockquote><p>{}</p>"),
    ("<p>{}</p>", "<pre><code>{}</code></pre>", "{}<p>{}</p>"),
    ("<h2>{}</h2>", "<p>{}</p>", "{}"),
    ("<h2>{}</h2><p>{}</p>", "<h2>{}</h2><p>{}</p>", "{}"),
    ("<h3>{}</h3><p>{}</p>", "<p>{}</p>", "{}"),
    ("<dt>{}</dt><dd>{}</dd>", "<dt>{}</dt><dd>{}</dd>", "{}"),
    ("<div>{}</div>", "<div>{}</div>", "{}"),
    ("{}<br>", "{}<br>", "{}"),
    ("{}<br><br>", "{}<br><br>", "{}"),
    ("<p>{}<br>{}</p>", "<p>{}<br>{}</p>", "{}"),
)
_LAYOUTS: Final = (
    *["{}"] * 3,
    "<div>{}</div>",
    "<main>{}</main>",
    "<article>{}</article>",
    "<section>{}</section>",
    "<div class=content>{}</div>",
    "<nav><a href=/>Home</a><a href=/news>News</a></nav><main>{}</main>",
    "<div>{}</div><footer>© 2020</footer>",
)


def short_page(labelled: "LabelledPage", part: str = "") -> "LabelledPage | None":
    """Return a short page with lines of the gold text of a page, None if it has none. Nothing is random.

    Half of the pages begin as the gold text does, as paragraphs. The others have a few of its lines, shortened, as
    a list, a table, questions and answers, verses. `part` makes another one of the same page.

    >>> from tamis.lab.evaluate.corpora import LabelledPage
    >>> page = LabelledPage("7", "", "Boil the water, and wait.", title="Tea", page_type="article")
    >>> "Boil the water" in short_page(page).html, short_page(page).gold[:14]
    (True, 'Boil the water')
    """
    draw = random.Random(labelled.id + part)  # noqa: S311 (no secret; the same page for the same name)
    lines = [line.strip() for line in labelled.gold.splitlines() if line.strip()]
    long_lines = [line for line in lines if len(split_words(line, cjk=is_cjk(line))) >= _MIN_WORDS]
    if not long_lines:
        return None
    whole = draw.random() < 0.5  # noqa: PLR2004 (half)
    first_shape, shape, around = ("<p>{}</p>", "<p>{}</p>", "{}") if whole else draw.choice(_SHAPES)
    count = draw.choice(_LINES)
    start = 0 if whole else draw.randrange(len(long_lines))
    chosen = (lines if whole and draw.random() < 0.3 else long_lines)[start : start + 3 * count]  # noqa: PLR2004
    queue = [line if whole else _shorten(line, draw.choice(_WORDS)) for line in chosen]
    used: list[str] = []

    def fill(template: str) -> str:
        out = template
        while "{}" in out:
            line = queue.pop(0) if queue else f"{len(used)}."
            used.append(line)
            out = out.replace("{}", escape(line), 1)
        return out

    before, after = _split_around(around)
    parts = [fill(first_shape), fill(before)]
    parts += [fill(shape) for _ in range(count - 1) if queue]
    body = "".join([*parts, fill(after)])
    body = f"<dl>{body}</dl>" if first_shape.startswith("<dt>") else body
    title = escape(labelled.title or "Page")
    headline = draw.choice(("", "", f"<h1>{title}</h1>"))
    head = draw.choice(("", f"<title>{title}</title>"))
    page = draw.choice(_LAYOUTS).format(headline + body)
    html = f"<html><head>{head}</head><body>{page}</body></html>" if draw.random() < 0.8 else page  # noqa: PLR2004
    gold = "\n\n".join([labelled.title or "Page"] * bool(headline) + used)
    return replace(labelled, html=html, gold=gold, page_type="article")


def _split_around(around: str) -> tuple[str, str]:
    """Return what is before and after the lines of a shape, which stand at its last placeholder outside of a `p`.

    >>> _split_around("<table><tr><th>{}</th></tr>{}</table>"), _split_around("{}<p>{}</p>")
    (('<table><tr><th>{}</th></tr>', '</table>'), ('', '<p>{}</p>'))
    """
    if around.endswith("<p>{}</p>"):
        before, _, after = around.partition("{}")
        return before, after
    before, _, after = around.rpartition("{}")
    return before, after


def _shorten(line: str, words: int) -> str:
    """Return the first words of a line; of a line without spaces, the first characters."""
    if is_cjk(line):
        return line[: 2 * words]
    return " ".join(line.split()[:words])


@dataclass(frozen=True, slots=True)
class _Chosen:
    """An extractor that keeps given blocks of the page without its evident boilerplate."""

    kept: npt.NDArray[np.bool_]
    name: ClassVar[str] = "chosen"
    summary: ClassVar[str] = "what is labelled"
    source: ClassVar[str] = ""

    def select(self, page: "Page") -> Selection:
        """Keep the blocks."""
        blocks = prune(page, read_element_names(page)).blocks
        mask = np.zeros(len(page), dtype=np.bool_)
        mask[blocks.rows] = self.kept[blocks.block_of[blocks.rows]]
        return Selection.from_mask(page, mask, mask.astype(np.float64))


def written_page(labelled: "LabelledPage", gold: npt.NDArray[np.bool_]) -> "LabelledPage | None":
    """Return the HTML that Tamis writes of the gold blocks of a page, as a page of its own; None without any.

    Extracting what was extracted must give it again.
    """
    if not gold.any():
        return None
    extraction = extract(labelled.html, labelled.url, extractor=_Chosen(gold))
    return replace(labelled, html=extraction.html, gold=extraction.text, url=labelled.url)


def clean_page(labelled: "LabelledPage", gold: npt.NDArray[np.bool_]) -> "LabelledPage | None":
    """Return a page without boilerplate that is made of a page: one of two short ones, or what Tamis writes of it.

    Every third of the second short ones is in another script. One of the three is enough: with all of them, simple
    old pages keep too much (docs/lab/sift.md).
    """
    number = _number(labelled.id)
    second = short_page(labelled, "2")
    if second is not None and not number % 3:
        second = in_other_script(second)
    pages = [page for page in (short_page(labelled), second, written_page(labelled, gold)) if page is not None]
    return pages[number // 7 % len(pages)] if pages else None  # // 7: not the remainder that chose the script
