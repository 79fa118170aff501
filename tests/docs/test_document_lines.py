"""The shell lines of the other documents: each runs as it stands, on small corpora that are written here.

The README, docs/command.md, the tutorial and the guides have tests of their own. What is not run is listed with its
reason in `NOT_RUN`.
"""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tamis.browser.config import find_chromium
from tamis.lab.evaluate.javascript import cache_folder
from tests.docs.test_guides import GUIDES, write_warc
from tests.docs.test_shell_blocks import NETWORK, ROOT, example_org, fenced_lines, run_line, sandbox  # noqa: F401 (fixtures)
from tests.lab.evaluate.node_packages import write_packages

DOCS = ROOT / "docs"
ELSEWHERE = {DOCS / "command.md", *GUIDES}
PROGRAMS = ("tamis ", "python ", "spark-submit ", "make ", "pip ", "apt-get ", "TAMIS_PROFILES=")
#: Beginnings of lines that no test can run, and why.
NOT_RUN = {
    "pip install": "`make release-check` installs the extras",
    "apt-get install": "needs the rights of root; `make test` does it where it can",
    "make": "a make inside of `make test`; a test looks for the target",
    "tamis serve": "tests/serve starts servers with these options",
    "python bench/attacks.py": "minutes; tests/attacks has the same pages",
    "python bench/speed.py wcxb/dev/html --growth all": "more than a minute; the line before it runs",
    "tamis train sift": "fifteen networks; tests/lab/training runs the command on small corpora",
    "python bench/sift.py held-out.jsonl": "reads the results of that training",
    "python bench/reproduction": "a quarter of an hour; tests/docs/test_reproduction.py writes the document",
    "spark-submit": "a cluster; tests/batch runs the script in a local session",
}
#: Hosts of the pages: one has enough to be learned.
HOSTS = ("tea.example", "tea.example", "tea.example", "tea.example", "tea.example", "cups.example")
TYPES = ("article", "forum", "product", "collection", "listing", "documentation", "service")


def shell_lines(path):
    """Return the lines of a document's fences that begin with a program."""
    return [line for line in fenced_lines(path, "", "console") if line.startswith(PROGRAMS)]


def is_run(line):
    return not line.startswith(tuple(NOT_RUN))


DOCUMENTS = [
    path for path in sorted(DOCS.rglob("*.md")) if path not in ELSEWHERE and any(map(is_run, shell_lines(path)))
]


def varied(html, gold, number):
    """Return a copy of a page and its gold text with other words, so that no two pages are the same."""
    line = f"This is note number {number} of the tea room, and the kettle has been on for {number} minutes."
    return html.replace("<p>", f"<p>{line}</p><p>", 1) if "<p>" in html else f"{html}<p>{line}", f"{line}\n\n{gold}"


def write_corpora(folder):
    """Write our labelled sample pages in the layouts of the four corpora."""
    pairs = [
        (path.read_text("utf-8"), path.with_suffix(".txt").read_text("utf-8"))
        for path in sorted((ROOT / "examples" / "pages" / "labelled").glob("*.html"))
    ]
    pages = [varied(*pairs[number % len(pairs)], number) for number in range(18)]
    for number, (html, gold) in enumerate(pages):
        host = HOSTS[number % 6] if number < 12 else f"room{number}.example"
        truth = {
            "url": f"https://{host}/{number}",
            "file_id": f"{number:04}",
            "_internal": {"page_type": {"primary": TYPES[number % 7]}},
            "ground_truth": {"title": f"Note {number}", "main_content": gold, "with": [], "without": []},
        }
        write(folder / f"wcxb/dev/html/{number:04}.html", html)
        write(folder / f"wcxb/dev/ground-truth/{number:04}.json", json.dumps(truth))
        if number < 8:
            linked = f"<link rel=canonical href=https://{host}/{number}>{html}"
            write(folder / f"dragnet/input/{number}.html", linked)
            write(folder / f"dragnet/GoldStandard/{number}.txt", gold)
            write(
                folder / f"cleaneval/final/input/{number}.html",
                f'<text id="u" title="" encoding="utf-8">{html}</text>',
            )
            write(
                folder / f"cleaneval/final/GoldStandard/{number}.txt",
                "".join(f"<p>{each}\n" for each in gold.split("\n\n")),
            )
            marked = "".join(f'<p class="x-nc-sel2">{each}</p>' for each in gold.split("\n\n"))
            write(folder / f"l3s-gn1/input/{number}.html", html)
            write(folder / f"l3s-gn1/GoldStandard/{number}.txt", marked)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture
def workplace(sandbox, tmp_path, monkeypatch):  # noqa: F811 (the fixture)
    """Return a folder that has what the documents name: pages, crawls, corpora and the benches."""
    folder, environment = sandbox
    write_corpora(folder)
    shutil.copytree(folder / "labelled", folder / "pages")
    shutil.copy(folder / "page.html", folder / "pages")
    write_warc(folder / "crawl.warc.gz", [page.read_bytes() for page in sorted((folder / "labelled").glob("*.html"))])
    for page in (folder / "labelled").glob("*.html"):
        address = f"<link rel=canonical href=https://tea.example/{page.stem}></head>"
        write(folder / "crawl" / page.name, page.read_text("utf-8").replace("</head>", address))
    for name in ("bench", "tests"):
        (folder / name).symlink_to(ROOT / name)
    python = tmp_path / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_packages(cache_folder())
    return folder, environment | {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def local_chromium(folder, example_org):  # noqa: F811 (not the fixture but its value)
    """Write a program that starts Chromium with the server of this machine as https://example.org."""
    settings = (Path(example_org["CURL_HOME"]) / ".curlrc").read_text()
    place = re.search(r'connect-to = "example.org:443:([\d.:]+)"', settings)
    program = folder / "chromium"
    rules = f"--host-resolver-rules='MAP example.org:443 {place[1]}' --ignore-certificate-errors"
    program.write_text(f'#!/bin/sh\nexec "{find_chromium()}" {rules} "$@"\n')
    program.chmod(0o755)
    return str(program)


def test_documents_have_lines_to_run():
    assert {"evaluation", "explain", "scale", "sites", "speed", "visual"} <= {path.stem for path in DOCUMENTS}
    lines = [line for path in DOCS.rglob("*.md") for line in shell_lines(path)]
    assert all(any(line.startswith(start) for line in lines) for start in NOT_RUN)


@pytest.mark.slow
@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_shell_lines_run(path, workplace, example_org):  # noqa: F811 (the fixture)
    folder, environment = workplace
    for line in filter(is_run, shell_lines(path)):
        if "--javascript-tools" in line and shutil.which("node") is None:
            continue
        more = example_org | {"TAMIS_CHROMIUM": local_chromium(folder, example_org)} if NETWORK in line else {}
        if NETWORK in line and "--render" in line:  # else the guard refuses this machine
            line = line.replace(NETWORK, f"{NETWORK} --allow-private", 1)  # noqa: PLW2901 (the same line)
        printed = run_line(line, folder, environment | more)
        outputs = re.findall(r"(?:-o|--output|--train|--results|--highlight) ([\w./-]+)", line.partition("#")[0])
        assert bool(printed) or outputs, f"{line} prints nothing"
        assert all((folder / output).exists() for output in outputs), line
