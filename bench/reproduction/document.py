"""Write docs/lab/reproduction.md from records: tables of paper, printed reading and our reading."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template
from typing import Final

import numpy as np
from measure import LEFT_OUT, Record
from paper_figures import BING, F1, LIU, PRASAD, SONG, YU
from readings import BASELINES, CORPORA, NEWS

from tamis.lab.evaluate.table import summarise

TEMPLATE: Final = Path(__file__).with_name("document.md")
NO_VALUE: Final = "–"
#: The readings of each method's table, with their column titles.
METHODS: Final = {
    "cetd": {"cetd": "as printed", "cetd, one block": "one block"},
    "cectd": {"cectd": "as printed", "cectd, one block": "one block"},
    "cectd-s": {"cectd-s": "as printed"},
    "ceds": {"ceds, printed": "as printed", "ceds": "our reading"},
    "coreex": {"coreex-r5": "as printed (R5)", "coreex": "our reading"},
    "nodechar": {"nodechar, printed": "as printed", "nodechar": "our reading"},
    "ridge": {"ridge, printed": "as printed", "ridge": "our reading"},
}


class Results:
    """Records by corpus and reading."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._by_key: dict[tuple[str, str], list[Record]] = {}
        self.figures: dict[str, Record] = {}
        for record in records:
            if "figure" in record:
                self.figures[record["figure"]] = record
            else:
                self._by_key.setdefault((record["corpus"], record["reading"]), []).append(record)

    def values(self, corpora: str | Sequence[str], reading: str, column: str) -> list[float]:
        """Return the values of one column over one or several corpora."""
        names = (corpora,) if isinstance(corpora, str) else corpora
        found = [record for name in names for record in self._by_key.get((name, reading), ())]
        return [float(record[column]) for record in found if column in record]

    def verdicts(self, corpora: str | Sequence[str], reading: str) -> list[str]:
        """Return Liu's verdicts over one or several corpora."""
        names = (corpora,) if isinstance(corpora, str) else corpora
        return [record["verdict"] for name in names for record in self._by_key.get((name, reading), ())]

    def pages(self, corpus: str) -> int:
        """Return how many pages of a corpus were measured."""
        return len(
            {
                record["page"]
                for (name, reading), rows in self._by_key.items()
                if name == corpus and reading != LEFT_OUT
                for record in rows
            }
        )

    def left_out(self) -> str:
        """Return how many pages of which corpora measure nothing, as a sentence's end."""
        counts = {title: len(self._by_key.get((corpus, LEFT_OUT), ())) for corpus, title in CORPORA.items()}
        parts = [f"{count} of {title}" for title, count in counts.items() if count]
        return ", ".join(parts) or "none here"

    def on_pages_of(self, reading: str, corpora: Sequence[str]) -> "Results":
        """Return the results of the pages on which a reading was measured, such as one that needs a layout."""
        wanted = {
            (corpus, record["page"]) for corpus in corpora for record in self._by_key.get((corpus, reading), ())
        }
        out = Results(())
        for key, rows in self._by_key.items():
            out._by_key[key] = [record for record in rows if (key[0], record["page"]) in wanted]
        return out


def table(header: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> str:
    """Return a Markdown table; the first columns are names, the others numbers."""
    rule = [*["---"] * names, *["---:"] * (len(header) - names)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, rule, *rows))


def mean(values: Sequence[float]) -> str:
    """Return a mean in percent."""
    return f"{100 * float(np.mean(values)):.1f}" if values else NO_VALUE


def interval(values: Sequence[float]) -> str:
    """Return a mean in percent with its 95 % interval."""
    if not values:
        return NO_VALUE
    summary = summarise(values)
    return f"{100 * summary.mean:.1f} ({100 * summary.low:.1f}–{100 * summary.high:.1f})"


def harmonic(precision: Sequence[float], recall: Sequence[float]) -> str:
    """Return the harmonic mean of mean precision and mean recall, which most papers report."""
    if not precision:
        return NO_VALUE
    first, second = float(np.mean(precision)), float(np.mean(recall))
    return f"{200 * first * second / (first + second):.1f}" if first + second else "0.0"


def method_table(results: Results, method: str) -> str:
    """Return LCS F1 of a method's readings by corpus, beside the paper's figure.

    The last column is the F1 of means of the last reading, which is how the papers compute theirs.
    """
    columns = METHODS[method]
    last = list(columns)[-1]
    rows = [
        [
            title,
            str(results.pages(corpus)),
            F1.get(method, {}).get(corpus, NO_VALUE),
            *(interval(results.values(corpus, reading, "f1")) for reading in columns),
            harmonic(*(results.values(corpus, last, column) for column in ("precision", "recall"))),
        ]
        for corpus, title in CORPORA.items()
    ]
    return table([f"`{method}`, LCS F1", "pages", "paper", *columns.values(), "F1 of means"], rows)


def layout_table(results: Results) -> str:
    """Return LCS F1 of the methods that need a layout, beside `cectd` on the same pages."""
    results = results.on_pages_of("cehtd", list(CORPORA))
    rows = []
    for corpus, title in CORPORA.items():
        cells = [interval(results.values(corpus, name, "f1")) for name in ("cectd", "cehtd", "vips-leaf")]
        columns = [results.values(corpus, "cehtd", column) for column in ("precision", "recall")]
        paper = F1["cehtd"].get(corpus, NO_VALUE)
        rows.append([title, str(results.pages(corpus)), paper, *cells, harmonic(*columns)])
    header = ["LCS F1", "pages", "paper, `cehtd`", "`cectd`", "`cehtd`", "`vips-leaf`", "`cehtd`, F1 of means"]
    return table(header, rows)


def song_table(results: Results) -> str:
    """Return precision, recall and F1 of means on CleanEval, as in Song's tables 5 to 7."""
    rows = []
    for name, paper in sorted(SONG.items(), key=lambda item: -item[1][2]):
        precision, recall = (results.values("cleaneval/final", name, column) for column in ("precision", "recall"))
        paper_cells = [f"{value:.1f}" for value in paper]
        rows.append([f"`{name}`", *paper_cells, mean(precision), mean(recall), harmonic(precision, recall)])
    return table(["CleanEval", "paper P", "R", "F1", "ours P", "R", "F1 of means"], rows)


def yu_table(results: Results) -> str:
    """Return F1 as in Yu's table II."""
    rows = []
    for name, paper in YU.items():
        cells = [interval(results.values(corpus, name, "f1")) for corpus in (NEWS, "chinese", "l3s-gn1")]
        rows.append([f"`{name}`", f"{paper:.1f}", *cells])
    return table(["LCS F1", "paper", "news", "Chinese", "L3S-GN1"], rows)


def prasad_table(results: Results) -> str:
    """Return text-based precision, recall and F1 of R1 to R6 on news, without and with the words of scripts."""
    rows = []
    titles = {**{name: (title, f"{p:.1f}", f"{r:.1f}", f"{f:.1f}") for name, (title, p, r, f) in PRASAD.items()}}
    titles["coreex"] = ("`coreex`, our reading", NO_VALUE, NO_VALUE, NO_VALUE)
    for name, paper in titles.items():
        cells = []
        for reading in (name, f"{name}, scripts"):
            columns = [results.values(NEWS, reading, column) for column in ("text_precision", "text_recall")]
            cells += [*map(mean, columns), harmonic(*columns)]
        rows.append([*paper, *cells])
    header = ["text-based", "paper P", "R", "F1", "news P", "R", "F1", "with scripts P", "R", "F1"]
    return table(header, rows)


def parts_table(results: Results) -> str:
    """Return the recall of each part, as in Prasad's figure 9."""
    figure = results.figures["9"]
    counts, means, paper = figure["counts"], figure["means"], figure["paper"]
    rows = [["paper, R5", *(paper.get(part, NO_VALUE) for part in counts)]]
    rows += [[f"`{name}`", *(f"{parts[part]:.1f}" for part in counts)] for name, parts in means.items()]
    return table(["recall", *(f"{part} ({count} pages)" for part, count in counts.items())], rows)


def titles_table(results: Results) -> str:
    """Return on how many news pages `coreex` finds a title, and how many it calls articles."""
    shares = results.figures["titles"]["shares"]
    rows = [
        [title, *(f"{100 * shares[corpus][column]:.0f}" for corpus in shares)]
        for title, column in (("a title is found", "title"), ("the page is called an article", "article"))
    ]
    return table(["`coreex`, % of pages", *(CORPORA[corpus] for corpus in shares)], rows)


def sweep_table(results: Results) -> str:
    """Return the sweep of maxLen."""
    figure = results.figures["maxLen"]
    rows = [[name, *(f"{value:.1f}" for value in means)] for name, means in figure["means"].items()]
    return table(["maxLen", *map(str, figure["columns"])], rows)


def liu_table(results: Results) -> str:
    """Return the shares of accurate, acceptable and wrong pages."""
    rows = [
        [f"`{name}`, paper", *(f"{share:.1f}" for share in shares), *["", "", ""]] for name, shares in LIU.items()
    ]
    for name in ("nodechar, printed", "nodechar", "vips-leaf", "coreex", "ceds", "cectd", "ridge", "body"):
        cells = []
        for corpora in (NEWS, "chinese"):
            verdicts = results.verdicts(corpora, name)
            accurate, wrong = ([verdict == wanted for verdict in verdicts] for wanted in ("accurate", "wrong"))
            cells += [mean(accurate), mean([not value for value in wrong]), mean(wrong)]
        rows.append([f"`{name}`", *cells])
    header = ["pages, %", "news accurate", "acceptable", "wrong", "Chinese accurate", "acceptable", "wrong"]
    return table(header, rows)


def bing_table(results: Results) -> str:
    """Return the shares of pages above 0.9 and 0.8 by sentences."""
    rows = [["paper, U1 / U2 / U4", *BING, "", ""]]
    for name in ("ridge, printed", "ridge", "cectd", "coreex", "nodechar", "body"):
        cells = []
        for corpora in (NEWS, "cleaneval/final"):
            values = results.values(corpora, name, "sentences")
            cells += [interval([float(value > least) for value in values]) for least in (0.9, 0.8)]
        rows.append([f"`{name}`", *cells])
    return table(["pages, %", "news above 0.9", "above 0.8", "CleanEval above 0.9", "above 0.8"], rows)


def sites_table(results: Results) -> str:
    """Return the classifiers of sites beside the universal one and the style tree, as in Bing's figure 7."""
    figure = results.figures["7"]
    columns = list(figure["all"])
    rows = [[year, *(interval(scores[column]) for column in columns)] for year, scores in figure["by_corpus"].items()]
    rows.append(["all", *(interval(figure["all"][column]) for column in columns)])
    return table(["LCS F1", "universal classifier", "site classifiers", "`sst`", "limit"], rows)


def overview_table(results: Results) -> str:
    """Return the mean F1 of every method and baseline on every corpus."""
    names = [*METHODS, "cehtd", "vips-leaf", *BASELINES]
    rows = [[f"`{name}`", *(mean(results.values(corpus, name, "f1")) for corpus in CORPORA)] for name in names]
    return table(["LCS F1", *CORPORA.values()], rows)


def write_document(records: Iterable[Record], pages: int, rendered: int) -> str:
    """Return the document."""
    results = Results(records)
    values = {f"{name.replace('-', '_')}_table": method_table(results, name) for name in METHODS}
    values |= {
        "pages": str(pages),
        "rendered": str(rendered),
        "left_out": results.left_out(),
        "layout_table": layout_table(results),
        "song_table": song_table(results),
        "yu_table": yu_table(results),
        "prasad_table": prasad_table(results),
        "parts_table": parts_table(results),
        "titles_table": titles_table(results),
        "sweep_table": sweep_table(results),
        "liu_table": liu_table(results),
        "bing_table": bing_table(results),
        "sites_table": sites_table(results),
        "overview_table": overview_table(results),
    }
    return Template(TEMPLATE.read_text("utf-8")).substitute(values)
