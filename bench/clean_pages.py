"""Pages without boilerplate must come back whole: the beginnings of articles, and the HTML that Tamis writes.

    python bench/clean_pages.py CORPUS [--pages 400] [--extractor sift]

Two measures, beside trafilatura where it is installed:

- *beginnings*: the first one, two and three paragraphs of the gold text of each page, each as a page of its own;
  the share that comes back exactly.
- *idempotence*: the HTML that was extracted from a page is extracted again; the share of pages with exactly the same
  words as before, and the mean words F1 of both: of the HTML, and of the text. The HTML begins with the title, which
  the text has only if it was selected.
"""

import argparse
import warnings
from collections import Counter
from collections.abc import Callable
from html import escape
from pathlib import Path

import tamis
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.lab.evaluate.metrics import is_cjk, split_words

MARKUP = ("<p>{}</p>", "<article><p>{}</p></article>", "<html><body><div><p>{}</p></div></body></html>")


def words_of(text: str) -> list[str]:
    return split_words(text, cjk=is_cjk(text))


def all_words(html: str) -> list[str]:
    """Return the words of HTML that has content only."""
    return words_of(tamis.extract(html, extractor="body").text) if html.strip() else []


def beginnings(page: LabelledPage) -> list[tuple[str, list[str]]]:
    """Return pages of the first paragraphs, with the words of each."""
    lines = [line.strip() for line in page.gold.splitlines() if line.strip()][:3]
    out = []
    for count in range(1, len(lines) + 1):
        text = "\n".join(lines[:count])
        markup = "</p><p>".join(map(escape, lines[:count]))
        out.append((MARKUP[count - 1].format(markup), words_of(text)))
    return out


def f1(first: list[str], second: list[str]) -> float:
    common = (Counter(first) & Counter(second)).total()
    return 2 * common / (len(first) + len(second)) if first or second else 1.0


def tools(extractor: str) -> dict[str, tuple[Callable[[str], str], Callable[[str], str]]]:
    """Return for each tool how it extracts text and HTML."""
    found: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
        extractor: (
            lambda html: tamis.extract(html, extractor=extractor).text,
            lambda html: tamis.extract(html, extractor=extractor).html,
        )
    }
    try:
        import trafilatura
    except ImportError:
        return found
    found["trafilatura"] = (
        lambda html: trafilatura.extract(html) or "",
        lambda html: trafilatura.extract(html, output_format="html") or "",
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=400, help="every k-th page, so many in all")
    parser.add_argument("--extractor", default="sift")
    parser.add_argument("--show", action="store_true", help="print the pages that do not come back")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    labelled = [
        page for page in open_corpus(arguments.corpus) if not isinstance(page, BrokenPage) and page.gold.strip()
    ]
    labelled = labelled[:: max(1, len(labelled) // arguments.pages)][: arguments.pages]
    print(f"{len(labelled)} pages: beginnings exact; idempotence of HTML: exact, mean F1; of text: exact, mean F1")
    for name, (text_of, html_of) in tools(arguments.extractor).items():
        short = [
            (page.id, html, words, words_of(text_of(html))) for page in labelled for html, words in beginnings(page)
        ]
        exact = sum(words == kept for _, _, words, kept in short) / len(short)
        pairs, texts = [], []
        for page in labelled:
            html = html_of(page.html)
            pairs.append((page.id, all_words(html), all_words(html_of(html)) if html else []))
            texts.append((page.id, words_of(text_of(page.html)), words_of(text_of(html)) if html else []))
        line = f"{name:<14}{exact:>8.4f}"
        for group in (pairs, texts):
            same = sum(first == second for _, first, second in group) / len(group)
            line += f"{same:>10.4f}{sum(f1(first, second) for _, first, second in group) / len(group):>8.4f}"
        print(line, flush=True)
        if arguments.show:
            for page_id, html, words, kept in short:
                if words != kept:
                    print(f"  {page_id} {html[:300]!r}")
            for page_id, first, second in pairs:
                if first != second:
                    lost, added = Counter(first) - Counter(second), Counter(second) - Counter(first)
                    print(f"  {page_id} lost {' '.join(lost)[:120]!r} added {' '.join(added)[:120]!r}")


if __name__ == "__main__":
    main()
