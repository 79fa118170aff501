"""Measure title, authors, date, site and language beside other programs, on every corpus that labels them.

    python bench/metadata.py CORPORA [--corpora world-news,dates] [--programs tamis,htmldate] [--every K]
                             [--half 0|1] [--wrong DIRECTORY] [--page-types HELD_OUT] [--trust]

CORPORA has the folders `wcxb/dev`, `world-news`, `dates` and `markdown`; those that are there are measured. A folder
that `tamis eval` reads is measured alone. Each cell is recall, precision and F1: an answer to a page without a label
counts as wrong in the precision, except in `world-news` and `dates`, where every page has what is asked for.

- A title is right if it equals the label by its letters and digits; *exact* normalises case, quotes, dashes and white
  space alone; *without site* compares both without the site's name where a separator sets it off.
- Authors are right if they are the same set of names, without degrees. A date is right if it is the same day.
- The language of `world-news` is the one (or one of those) that the paper or the country's press is written in.

Peers are asked as their documentation shows. htmldate and turbohtml read dates alone. ``--wrong`` writes a file for
each corpus with the wrong answers of tamis: the page, the field, the answer, the label, its source and that of a
candidate that would have been right. ``--half`` measures one half of the hosts: causes are looked for on half 0 and
checked on half 1. Where tamis looks for authors and dates depends on the page type, which the shipped model predicts
better on pages that it was trained on; with ``--page-types`` (the results of ``tamis train sift``) models predict it
that had not seen the page's site. ``--trust`` prints the table of `tamis.metadata.confidence`.
"""

import argparse
import importlib.metadata
import json
import logging
import re
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import htmldate
import newspaper
from trafilatura.metadata import extract_metadata
from turbohtml.extract import DateExtraction, dates

import tamis
from tamis.html.text import hostname
from tamis.lab.evaluate.corpora import LabelledPage, open_corpus
from tamis.lab.evaluate.corpora.reader import decode_markup
from tamis.metadata.confidence import kind_of
from tamis.metadata.date_formats import parse_day
from tamis.metadata.fields import find_field
from tamis.metadata.people import is_degree
from tamis.metadata.site import alnum_key, find_site, normalize, site_names, strip_site_name
from tamis.metadata.structured import read_structured
from tamis.page import parse_page

FOLDERS = ("wcxb/dev", "world-news", "dates", "markdown")
FIELDS = ("title", "title, exact", "title, without site", "authors", "date", "site", "language")
#: The languages of a country's press, where they differ from the country's code.
LANGUAGES = {
    "at": "de", "li": "de", "ch": "de fr it", "lu": "de fr lb", "be": "fr nl", "us": "en", "uk": "en", "au": "en",
    "ca": "en fr", "na": "en de", "za": "en af", "tz": "en sw", "my": "en ms", "kr": "ko", "jp": "ja", "cn": "zh",
    "tw": "zh", "cz": "cs", "dk": "da", "se": "sv", "no": "no nb nn", "il": "he en", "lb": "ar en fr", "vn": "vi",
}  # fmt: skip
#: Papers in another language than the country's press.
FOREIGN = {
    "be-PoliticoEu": "en", "es-MallorcaMagazin": "de", "es-MallorcaZeitung": "de", "il-IsraelNachrichten": "de",
    "it-Tageszeitung": "de", "jp-TheJapanNews": "en", "pt-ThePortugalNews": "en", "tw-TaipeiTimes": "en",
    "za-EyethuNews": "zu",
}  # fmt: skip
Answer = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A page and its labels by field; a field that the corpus does not label is not among them."""

    id: str
    html: str
    url: str | None
    labels: dict[str, Any]
    page_type: str | None = None

    @property
    def half(self) -> int:
        """0 or 1, the same for all pages of a host."""
        return zlib.crc32(hostname(self.url or self.id).removeprefix("www.").encode()) % 2


def cases_of(folder: Path) -> Iterator[Case]:
    """Yield the pages of a corpus with their labels."""
    if (folder / "dates.json").is_file():
        for entry in json.loads((folder / "dates.json").read_text(encoding="utf-8")):
            html = decode_markup((folder / "html" / entry["file"]).read_bytes())[0]
            yield Case(entry["file"], html, entry["url"], {"date": entry["date"]})
        return
    for page in open_corpus(folder):
        if not isinstance(page, LabelledPage):
            continue
        labels: dict[str, Any] = {"title": page.title, "authors": page.author, "date": page.date}
        record, expected = folder / f"{page.id}.json", folder / "expected" / f"{page.id}.md"
        if record.is_file():
            fields = json.loads(record.read_text(encoding="utf-8"))
            country = fields.get("country", "")
            labels["authors"] = "; ".join(fields.get("authors", ()))
            if country:
                labels["language"] = FOREIGN.get(page.id.partition("_")[0], LANGUAGES.get(country, country))
        elif expected.is_file():
            preamble = re.match(r"```json\n(.*?)\n```", expected.read_text(encoding="utf-8"), re.DOTALL)
            labels["site"] = json.loads(preamble[1]).get("site") if preamble else None
        yield Case(page.id, page.html, page.url, labels, page.page_type)


# The programs.

#: Page types predicted by models that had not seen the page's site, by page.
held_out_page_types: dict[str, str] = {}


def with_tamis(page: Case) -> Answer:
    extraction = tamis.extract(page.html, page.url, rules=False)
    if page.id in held_out_page_types:
        page_type = held_out_page_types[page.id]
        selection = replace(extraction.selection, page_type=page_type, page_type_probability=1.0)
        extraction = replace(extraction, selection=selection)
    found = extraction.metadata
    return {**found.as_dict(), "authors": "; ".join(found.authors), "language": found.language, "metadata": found}


def with_trafilatura(page: Case) -> Answer:
    found = extract_metadata(page.html, default_url=page.url)
    site, language = found.sitename, (found.as_dict().get("language") or "")
    return {"title": found.title, "authors": found.author, "date": found.date, "site": site, "language": language}


def with_newspaper4k(page: Case) -> Answer:
    article = newspaper.article(page.url or "https://example.org/", input_html=page.html, fetch_images=False)
    day = article.publish_date.date().isoformat() if article.publish_date else None
    authors, site = "; ".join(article.authors), article.meta_site_name
    return {"title": article.title, "authors": authors, "date": day, "site": site, "language": article.meta_lang}


def with_htmldate(page: Case) -> Answer:
    return {"date": htmldate.find_date(page.html, url=page.url, original_date=True)}


def with_turbohtml(page: Case) -> Answer:
    found = dates(page.html, DateExtraction(original=True))
    return {"date": found.date if found else None}


PROGRAMS: dict[str, Callable[[Case], Answer]] = {
    "tamis": with_tamis,
    "trafilatura": with_trafilatura,
    "newspaper4k": with_newspaper4k,
    "htmldate": with_htmldate,
    "turbohtml": with_turbohtml,
}
#: The fields that a program reads; by the others, every field. trafilatura detects the language with an extra alone.
ANSWERED = {"htmldate": {"date"}, "turbohtml": {"date"}, "trafilatura": {*FIELDS} - {"language"}}


# Right or wrong.


def name_set(authors: str | None) -> frozenset[str]:
    parts = re.split(r"[;,&]|\band\b", normalize(authors or ""))
    names = (re.sub(r"\W+", " ", part).strip() for part in parts if not is_degree(part))
    return frozenset(name for name in names if name)


def is_right(name: str, answer: Any, label: Any, names: frozenset[str]) -> bool:
    """Return whether an answer is the label; `names` are those of the site."""
    answer, label = answer or "", label or ""
    match name:
        case "title, exact":
            return normalize(answer) == normalize(label)
        case "title, without site":
            return alnum_key(strip_site_name(answer, names)) == alnum_key(strip_site_name(label, names))
        case "authors":
            return name_set(answer) == name_set(label)
        case "date":
            return (answer or None) == parse_day(label)
        case "language":
            return answer.lower().replace("_", "-").partition("-")[0] in label.split()
        case _:
            return alnum_key(answer) == alnum_key(label)


@dataclass
class Score:
    right: int = 0
    answered: int = 0
    labelled: int = 0
    wrong: list[str] = field(default_factory=list)

    def cell(self) -> str:
        precision, recall = self.right / max(self.answered, 1), self.right / max(self.labelled, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return f"{recall:.3f} / {precision:.3f} / {f1:.3f}"


def measure(program: str, pages: list[Case]) -> tuple[dict[str, Score], float]:
    """Return the score of each field that the pages label, and the CPU time in seconds per page."""
    fields = [name for name in FIELDS if any(name.partition(",")[0] in page.labels for page in pages)]
    fields = [name for name in fields if name in ANSWERED.get(program, FIELDS)]
    scores = {name: Score() for name in fields}
    seconds = 0.0
    for page in pages:
        start = time.process_time()
        try:
            answer = PROGRAMS[program](page)
        except Exception:  # noqa: BLE001 (another program's failure is an empty answer)
            answer = {}
        seconds += time.process_time() - start
        site = find_site(read_structured(parse_page(page.html)), page.url)
        names = site_names(site.value if site else None, page.url)
        for name, score in scores.items():
            plain = name.partition(",")[0]
            label, given = page.labels.get(plain), answer.get(plain)
            score.labelled += bool(label)
            score.answered += bool(given)
            right = is_right(name, given, label, names)
            score.right += bool(label) and bool(given) and right
            if not right and name == plain and (label or given):
                score.wrong.append(wrong_line(page, name, given, label, answer.get("metadata"), names))
    return scores, seconds / max(len(pages), 1)


def wrong_line(page: Case, name: str, given: Any, label: Any, found: Any, names: frozenset[str]) -> str:
    """Return the line of a wrong answer, and the source of the candidate that would have been right."""
    source, other = "", ""
    if found is not None:
        source = found.sources.get(name, "")
        for candidate in found.candidates(name):
            value = "; ".join(candidate.value) if isinstance(candidate.value, tuple) else candidate.value
            if label and is_right(name, value, label, names):
                other = other or candidate.source
    kind = "missing" if not given else "wrong" if label else "not labelled"
    values = (page.half, kind, name, page.page_type, page.id, given, label, source, other, page.url)
    return "\t".join(str(value) for value in values)


def print_trust(pages: list[Case]) -> None:
    """Print the share of chosen values that are right, by kind of source and by how many sources have the value."""
    shares: dict[tuple[str, str, int], list[int]] = {}
    for page in pages:
        found = with_tamis(page)["metadata"]
        names = site_names(found.site, page.url)
        for name in ("title", "authors", "date"):
            value = getattr(found, name)
            if name not in page.labels or not value:
                continue
            sources = {each.source for each in find_field(name).read(found.origin) if each.value == value}
            given = "; ".join(value) if isinstance(value, tuple) else value
            right = is_right("title, without site" if name == "title" else name, given, page.labels[name], names)
            share = shares.setdefault((name, kind_of(found.sources[name]), min(len(sources), 3)), [0, 0])
            share[0] += right
            share[1] += 1
    for (name, kind, sources), (right, pages_of) in sorted(shares.items()):
        print(f"{name:<10}{kind:<12}{sources} sources {pages_of:>6} pages {right / pages_of:>8.3f} right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--corpora", dest="only", default=None, help="folders of it, divided by commas")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--every", type=int, default=1, help="read every K-th page")
    parser.add_argument("--half", type=int, choices=(0, 1), default=None)
    parser.add_argument("--wrong", type=Path, default=None, help="write the wrong answers of tamis to this directory")
    parser.add_argument("--page-types", type=Path, default=None, help="held-out results of tamis train sift")
    parser.add_argument("--trust", action="store_true", help="print how sure each kind of source is")
    arguments = parser.parse_args()
    if arguments.page_types:
        lines = map(json.loads, arguments.page_types.read_text(encoding="utf-8").splitlines())
        held_out_page_types.update({line["page"]: line["predicted_page_type"] for line in lines})
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    names = [name for name in (arguments.only or ",".join(FOLDERS)).split(",") if (arguments.corpora / name).is_dir()]
    programs = arguments.programs.split(",")
    if arguments.trust:
        pages = [page for name in names for page in cases_of(arguments.corpora / name)]
        print_trust(pages[:: arguments.every])
        return
    for name in names or [""]:
        pages = [page for page in cases_of(arguments.corpora / name) if arguments.half in {None, page.half}]
        pages = pages[:: arguments.every]
        measured = {program: measure(program, pages) for program in programs}
        own = measured[programs[0]]
        columns = [program if program == "tamis" else f"{program} {version_of(program)}" for program in programs]
        print(f"\n{name or arguments.corpora.name}: {len(pages)} pages; recall / precision / F1\n")
        print(f"| | labelled | {' | '.join(columns)} |\n| --- | ---: |{' --- |' * len(columns)}")
        for label, score in own[0].items():
            if score.labelled:
                cells = [scores[label].cell() if label in scores else "" for scores, _ in measured.values()]
                print(f"| {label} | {score.labelled} | {' | '.join(cells)} |")
        print(f"| CPU time | | {' | '.join(f'{seconds / own[1]:.2f}' for _, seconds in measured.values())} |")
        if arguments.wrong and "tamis" in measured:
            arguments.wrong.mkdir(parents=True, exist_ok=True)
            lines = [line for score in measured["tamis"][0].values() for line in score.wrong]
            path = arguments.wrong / f"{(name or arguments.corpora.name).replace('/', '-')}.tsv"
            path.write_text("\n".join(sorted(lines)), encoding="utf-8")


def version_of(program: str) -> str:
    return importlib.metadata.version(program)


if __name__ == "__main__":
    main()
