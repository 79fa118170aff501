"""The explanation as one page: the original with its blocks marked, the evidence, the pictures."""

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from tamis.explain.explain import BlockExplanation, Explanation
from tamis.explain.figures import Agreement, Figure, contribution_svg, figure_svg
from tamis.explain.words import GROUPS
from tamis.html import tags
from tamis.html.text import is_right_to_left
from tamis.page import Page
from tamis.sites.labels import MARKS_FORMAT

# The original page, safe to show: its structure and its shown text, with blocks marked.
#
# Nothing of the page's markup is copied. Tags are written from a list, attributes are spans of cells and directions
# of text alone, and text is escaped. There are no links, no pictures, no styles and no forms, so nothing can load,
# run or be sent.

_SAME: Final = """
    p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre code b strong i em
    u s sub sup small section article main nav header footer aside figure figcaption div span address hgroup q cite
    abbr kbd samp var mark ruby rt rp del ins time
"""
#: Elements that are written as another one: what they do is not wanted, how they are laid out is.
_INSTEAD: Final = {
    **{name: name for name in _SAME.split()},
    **dict.fromkeys(
        ("form", "fieldset", "legend", "details", "summary", "dialog", "search", "menu", "dir", "center"), "div"
    ),
    **dict.fromkeys(("font", "big", "tt", "label", "bdi", "bdo", "dfn"), "span"),
    "strike": "s",
}
_CLASSED: Final = {"a": "l", "button": "f", "option": "f"}
_MAX_DEPTH: Final = 250  #: open elements; browsers flatten what is nested deeper
_MAX_SPAN: Final = 1000  # of a cell
_MAX_ALT: Final = 80  # characters
_DIRECTIONS: Final = frozenset({"ltr", "rtl", "auto"})
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def marked_original(explanation: Explanation) -> str:
    """Return the page as HTML of a body, with each block in a ``span`` that shows its explanation.

    >>> from tamis.explain import explain_selection
    >>> from tamis.extractors import registry
    >>> from tamis.page import parse_page
    >>> page = parse_page("<p onclick=steal()>Tea <img src=//x.example/ alt='a pot'><script>steal()</script>")
    >>> print(marked_original(explain_selection(page, registry.get("body").select(page), "body")))
    <p><span class="b k" id="b0" tabindex="0"><span class="w" dir="ltr" lang="en">...</span>Tea ...</span></p>
    """
    return _Writer(explanation).write()


class _Writer:
    def __init__(self, explanation: Explanation) -> None:
        self.page: Page = explanation.page
        self.blocks = explanation.blocks
        self.out: list[str] = []
        self.open: list[tuple[int, str]] = []  # the end of each open element, and its end tag
        self.block = -1  # the block whose span is open
        self.span_index = -1  # its place among the open elements
        self.shown: set[int] = set()  # blocks whose explanation was written

    def write(self) -> str:
        page = self.page
        row, last = page.body + 1, int(page.end[page.body])
        ends, hidden = page.end.tolist(), page.hidden.tolist()
        is_text, is_element = page.is_text.tolist(), page.is_element.tolist()
        self.open.append((last, ""))
        while row < last:
            self._close_ended(row)
            if is_text[row]:
                if not hidden[row]:
                    self._write_text(row)
            elif not is_element[row]:
                pass
            elif hidden[row] or tags.RAW[page.tag[row]]:
                row = ends[row]
                continue
            else:
                self._write_element(row)
            row += 1
        self._close_ended(last)
        return "".join(self.out)

    def _close_ended(self, row: int) -> None:
        while self.open and self.open[-1][0] <= row:
            self._pop()

    def _pop(self) -> None:
        self.out.append(self.open.pop()[1])
        if len(self.open) == self.span_index:
            self.block = self.span_index = -1

    def _enter(self, block: int) -> None:
        """Open the span of a block, unless it is open."""
        if block == self.block:
            return
        self._leave()
        explanation = self.blocks[block]
        first = block not in self.shown
        self.shown.add(block)
        state = "k" if explanation.kept else "d"
        identifier = f' id="b{block}" tabindex="0"' if first else ""
        self.out.append(f'<span class="b {state}"{identifier}>')
        if first:
            self.out.append(f'<span class="w" dir="ltr" lang="en">{popup(explanation)}</span>')
        self.span_index, self.block = len(self.open), block
        self.open.append((self.open[-1][0], "</span>"))

    def _leave(self) -> None:
        """Close the span of a block, if nothing is open in it."""
        if self.block >= 0 and self.span_index == len(self.open) - 1:
            self._pop()

    def _write_text(self, row: int) -> None:
        block = int(self.page.blocks.block_of[row])
        if block >= 0:
            self._enter(block)
        self.out.append(escape(self.page.row_text(row), quote=False))

    def _write_element(self, row: int) -> None:
        page = self.page
        name = page.tag_name(row)
        first, last = int(page.block_ranges[0][row]), int(page.block_ranges[1][row])
        is_block = bool(tags.BLOCK[page.tag[row]])
        if is_block or last - first > 1:
            self._leave()
        elif last - first == 1:
            self._enter(first)
        if name in {"br", "hr", "wbr"}:
            self.out.append(f"<{name}>")
        elif name == "img":
            self._write_image(row)
        elif len(self.open) < _MAX_DEPTH:
            self._open_element(row, name)

    def _open_element(self, row: int, name: str) -> None:
        end = int(self.page.end[row])
        direction = _direction(self.page.attribute("dir").get(row, ""))
        if name in _CLASSED:
            self.out.append(f'<span class="{_CLASSED[name]}"{direction}>')
            self.open.append((end, "</span>"))
        elif name in _INSTEAD:
            tag = _INSTEAD[name]
            spans = _cell_spans(self.page, row) if name in {"td", "th"} else ""
            self.out.append(f"<{tag}{spans}{direction}>")
            self.open.append((end, f"</{tag}>"))

    def _write_image(self, row: int) -> None:
        alt = " ".join(self.page.attributes(row).get("alt", "").split())
        if alt:
            self.out.append(f'<span class="i">{escape(alt[:_MAX_ALT])}</span>')


def language_attributes(page: Page) -> str:
    """Return the ``lang`` and ``dir`` of the page, as attributes of the root of the original.

    >>> from tamis.page import parse_page
    >>> language_attributes(parse_page("<html lang=ar-EG><p>x")), language_attributes(parse_page("<body dir=rtl>x"))
    (' lang="ar-EG" dir="rtl"', ' dir="rtl"')
    """
    language = direction = ""
    for row in (page.body, int(page.parent[page.body])):
        attributes = page.attributes(row)
        language = language or attributes.get("lang", "").strip()
        direction = direction or _direction(attributes.get("dir", ""))
    if _LANGUAGE.fullmatch(language) is None:
        return direction
    if not direction and is_right_to_left(language):
        direction = _direction("rtl")
    return f' lang="{language}"{direction}'


def _direction(value: str) -> str:
    """Return a ``dir`` as an attribute; ``""`` if it is invalid."""
    value = value.strip().lower()
    return f' dir="{value}"' if value in _DIRECTIONS else ""


def _cell_spans(page: Page, row: int) -> str:
    attributes = page.attributes(row)
    spans = ""
    for name in ("colspan", "rowspan"):
        value = attributes.get(name, "")[:5]
        if value.isascii() and value.isdigit() and 1 < int(value) <= _MAX_SPAN:
            spans += f' {name}="{int(value)}"'
    return spans


def popup(block: BlockExplanation) -> str:
    """Return what is shown while the pointer is on a block, or after a tap."""
    flip = f"<br>{escape(block.flip.words)}" if block.flip else ""
    return f"<b>{block.number + 1}.</b> {escape(block.words)}{flip}"


# The explanation as one page: the original with its blocks marked, the evidence, the pictures, the other extractors.
#
# The page loads nothing. Its Content-Security-Policy allows its two style sheets and its one script, by their hashes.
# The original is in a frame that may not run scripts, written by `tamis.explain.page_html`. Everything can be read
# without the script, which adds marks: blocks that a person says are content, or not, as a file for ``tamis learn``.

_TITLES: Final = {group.name: group.title for group in GROUPS}
_DESCRIPTIONS: Final = {group.name: group.description for group in GROUPS}
_CHOICES: Final = (("", "not marked", " checked"), ("true", "content", ""), ("false", "not content", ""))
#: Blocks in the list. A browser takes half a minute for 50,000.
MAX_LISTED: Final = 3000
_SHADES: Final = (0.25, 0.5, 0.75, 0.9)  # limits of the shades of agreement


@cache
def _asset(name: str) -> str:
    return files("tamis.explain").joinpath("assets", name).read_text("utf-8").strip()


@cache
def _digest(name: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(_asset(name).encode()).digest()).decode()}'"


def content_security_policy() -> str:
    """Return the Content-Security-Policy of the page: its own style sheets and script, and nothing from anywhere."""
    styles = f"{_digest('page.css')} {_digest('frame.css')}"
    directives = ["default-src 'none'", f"style-src {styles}", f"script-src {_digest('page.js')}", "base-uri 'none'"]
    return "; ".join([*directives, "form-action 'none'"])


def explanation_page(explanation: Explanation, name: str = "page") -> str:
    """Return the explanation as an HTML page.

    Args:
        explanation: the explanation.
        name: the name of the page's file without its suffix; the file of marks has it.

    >>> import tamis
    >>> html = explanation_page(tamis.extract("<p>Tea, and a <b>pot</b>.", extractor="body").explain())
    >>> html.splitlines()[0], html.count("<iframe"), "src=" in html.replace("srcdoc=", "")
    ('<!doctype html>', 1, False)
    """
    title = explanation.title or explanation.url or name
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(content_security_policy())}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">
<title>Why: {escape(title)}</title><style>{_asset("page.css")}</style></head>
<body data-format="{MARKS_FORMAT}" data-url="{escape(explanation.url or "")}" data-name="{escape(name)}">
<header><h1>Why: <bdi>{escape(title)}</bdi></h1>{_facts(explanation)}</header>
<main><div class="sides">
<section aria-label="The original page"><iframe title="The original page, its content shaded"
 sandbox="allow-same-origin" referrerpolicy="no-referrer" srcdoc="{escape(_frame(explanation))}"></iframe></section>
<section class="list" aria-label="Blocks">{_blocks(explanation)}</section></div>
<div class="tools" hidden><button type="button" id="download">Download marks</button>
<span id="marked">0 marked</span><span class="facts">Mark blocks as content or not, and save the file beside the page
for <code>tamis learn</code>.</span></div>
<h2>What the papers measure on this page</h2>
<div class="figures">{"".join(_figure(figure) for figure in explanation.figures)}</div>
<h2>What other extractors keep</h2>{_agreement(explanation.agreement)}</main>
<script>{_asset("page.js")}</script></body></html>
"""


def _frame(explanation: Explanation) -> str:
    policy = f"default-src 'none'; style-src {_digest('frame.css')}; base-uri 'none'; form-action 'none'"
    return (
        f'<!doctype html><html{language_attributes(explanation.page)}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" '
        f'content="{escape(policy)}"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{_asset('frame.css')}</style></head><body>{marked_original(explanation)}</body></html>"
    )


def _facts(explanation: Explanation) -> str:
    kept = sum(block.kept for block in explanation.blocks)
    facts = [f"{kept} of {len(explanation.blocks)} blocks kept by {explanation.extractor}"]
    if explanation.page_type:
        facts.append(explanation.page_type)
    if explanation.confidence is not None:
        facts.append(f"expected F1 {explanation.confidence:.2f}")
    if explanation.threshold is not None:
        facts.append(f"blocks are kept from a probability of {explanation.threshold:.2f}")
    if explanation.hidden_words:
        facts.append(f"{explanation.hidden_words} hidden words are not shown here")
    if explanation.url:
        facts.append(explanation.url)
    how = (
        "Amounts are logits: Shapley values of groups of features, which add up to the logit of the block."
        if explanation.method == "shapley"
        else "This extractor has no network to take apart: its scores and reasons are all there is."
    )
    note = f'<p class="note">{escape(explanation.note)}</p>' if explanation.note else ""
    return (
        f'<p class="facts">{escape(" · ".join(facts))}</p>{note}<p class="facts"><span class="key k">kept</span> '
        f'<span class="key d">dropped</span> Point at a block, or tap it. {how}</p>'
    )


def _blocks(explanation: Explanation) -> str:
    """Return the list of blocks. Of too many, those that are explained best, and a remark."""
    blocks = explanation.blocks
    if len(blocks) <= MAX_LISTED:
        return "".join(_block(block, explanation.method) for block in blocks)
    best = sorted(blocks, key=lambda block: (not block.contributions, not block.kept, block.number))[:MAX_LISTED]
    listed = sorted(best, key=lambda block: block.number)
    note = f"{MAX_LISTED} of {len(blocks)} blocks are listed: a longer list would take a browser minutes to show."
    return f'<p class="note">{note}</p>' + "".join(_block(block, explanation.method) for block in listed)


def _block(block: BlockExplanation, method: str) -> str:
    state = "k" if block.kept else "d"
    value = f"{block.score:.3g}"
    if method == "shapley":  # what the network does not see has no probability; its score would look like one
        value = f"{block.probability:.2f}" if block.probability is not None else "–"
    flip = f"<p>{escape(block.flip.words)}</p>" if block.flip else ""
    choices = "".join(
        f'<label><input type="radio" name="m{block.number}" value="{choice}"{state}> {label}</label>'
        for choice, label, state in _CHOICES
    )
    return (
        f'<details class="block {state}" data-number="{block.number}" data-row="{block.row}"><summary>'
        f"<span>{block.number + 1}</span><span>{value}</span>"
        f'<span class="text" dir="auto">{escape(block.text)}</span></summary>'
        f'<div class="why"><p>{escape(block.words)}</p>{flip}{_contributions(block)}'
        f'<p class="mark" hidden>{choices}</p></div></details>'
    )


def _contributions(block: BlockExplanation) -> str:
    if not block.contributions or block.base is None or block.logit is None:
        return ""
    largest = max(abs(each.logits) for each in block.contributions)
    rows = [
        f'<tr><td title="{escape(_DESCRIPTIONS[each.group])}">{escape(_TITLES[each.group])}</td>'
        f"<td>{each.logits:+.2f}</td><td>{contribution_svg(each.logits, largest)}</td>"
        f"<td>{escape(each.words)}</td></tr>"
        for each in block.contributions
    ]
    rows.append(
        f"<tr><td>Average block</td><td>{block.base:+.2f}</td><td></td><td>what every block begins with</td></tr>"
    )
    total = f"the logit of a probability of {block.probability:.3f}"
    rows.append(f"<tr><td>Sum</td><td>{block.logit:+.2f}</td><td></td><td>{total}</td></tr>")
    return f"<table>{''.join(rows)}</table>"


def _figure(figure: Figure) -> str:
    return (
        f"<figure><h3>{escape(figure.title)}</h3>{figure_svg(figure)}<figcaption>{escape(figure.source)}. Green: "
        "what the method takes for content.</figcaption></figure>"
    )


def _agreement(agreement: Agreement) -> str:
    numbers = "".join(f"<th>{number + 1}</th>" for number in range(len(agreement.results)))
    rows = []
    for number, result in enumerate(agreement.results):
        cells = "".join(_agreement_cell(value) for value in agreement.matrix[number].tolist())
        rows.append(
            f'<tr><td title="{escape(result.source)}">{number + 1} {escape(result.name)}</td><td>{result.words}</td>'
            f"<td>{result.blocks}</td>{cells}</tr>"
        )
    failed = "".join(
        f"<br>{escape(each.name)} did not run: {escape(each.problem or '')}" for each in agreement.failures
    )
    return (
        '<p class="note">Words and blocks that each extractor keeps, and the words F1 of each two in percent: 100 '
        f"where both keep the same.{failed}</p>"
        '<div class="scroll"><table class="agree"><thead><tr><th>extractor</th><th>words</th><th>blocks</th>'
        f"{numbers}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _agreement_cell(value: float) -> str:
    shade = sum(value >= limit for limit in _SHADES)
    return f'<td class="q{shade}">{100 * value:.0f}</td>'
