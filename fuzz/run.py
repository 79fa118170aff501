# ruff: noqa: T201, S603 (a script that prints and starts itself)
"""Run all fuzz targets one after the other: ``python fuzz/run.py WORK [--seconds 600] [--only formats …]``.

WORK keeps the corpus of each target, so that a later run goes on where this one ended, its log, and the inputs of
findings. The golden pages of ``tests`` are the corpus to begin with. Prints a table.
``--seconds 0`` runs each input of the corpora once: so it is repeated under sanitizers, which hide the coverage.
"""

import argparse
import gzip
import re
import subprocess
import sys
import time
from pathlib import Path

import containers

FOLDER = Path(__file__).parent
#: The share of the time for each target. The compiled loops and most of the code are behind the first five.
SHARES = {
    "columns": 15,
    "extractors": 15,
    "documents": 15,
    "formats": 20,
    "chunks": 12,
    "rules": 8,
    "metadata": 15,
    "default": 10,
    "urls": 5,
    "addresses": 3,
    "bodies": 6,
    "responses": 6,
    "warc": 4,
    "zip": 3,
    "tar": 3,
    "tables": 4,
    "lines": 3,
    "listings": 3,
}
MEMORY = 3000  #: MB of resident memory, sanitizers included
MAX_LENGTH = 8000  #: bytes of an input; longer golden pages are begun with their first bytes
SECONDS_PER_INPUT = 20  #: a slower input is a finding; under sanitizers everything is some ten times slower
MAX_FINDINGS = 5  #: of a target; it ends then
_EXECUTIONS = re.compile(rb"^#(\d+)\s", re.MULTILINE)


def seed(folder: Path, target: str) -> None:
    """Write the corpus to begin with."""
    folder.mkdir(parents=True, exist_ok=True)
    if target in {"columns", "extractors", "documents", "formats", "chunks", "metadata", "default"}:
        for page in FOLDER.parent.glob("tests/*/*/page.html"):
            (folder / f"{page.parent.parent.name}-{page.parent.name}").write_bytes(page.read_bytes()[:MAX_LENGTH])
        return
    values = SEEDS[target] if target in SEEDS else containers.seeds(target)
    for number, value in enumerate(values):
        (folder / f"seed-{number}").write_bytes(value)


BODY = b"<p>Boil the water, and wait.</p>" * 20
RULE = (
    b'name = "Tea"\nhosts = ["tea.example"]\npaths = ["/t*"]\ncontent = ["main > p"]\n'
    b'[posts]\npost = "li"\nbody = "p"\n\0'
)
SEEDS = {
    "rules": [RULE + b"<main><h1>Tea</h1>" + BODY, BODY, BODY + b"x", RULE + b"<main><ul><li><p>Pour." * 5],
    "urls": [b"/a?b#c\nhttps://example.org/", b"javascript:x", b"java\tscript:x\n", b"//h:80/%zz", b"\x01http:a"],
    "addresses": [b"http://127.0.0.1/", b"http://0177.1/", b"http://[::ffff:a00:1]/", b"http://2130706433/",
                  b"\x7f\0\0\1", b"\x20\x02\x7f\0\0\1" + bytes(10), b"http://1.2.3.4@[64:ff9b::7f00:1]:80/"],
    "bodies": [b"\0\x05" + BODY, b"\1\x40" + gzip.compress(BODY, mtime=0), b"\1\x03" + gzip.compress(b"") * 3],
    "responses": [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 5\r\n\r\n<p>ab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nCache-Control: max-age=6\r\n\r\n3\r\n<p>\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(BODY, mtime=0),
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.0 404 Not Found\r\n\r\n",
    ],
}  # fmt: skip


def fuzz(target: str, work: Path, seconds: int) -> tuple[int, int, list[Path]]:
    """Run one target, again after each finding; return its seconds, its executions and the inputs of findings."""
    corpus, findings = work / "corpus" / target, work / "findings"
    seed(corpus, target)
    findings.mkdir(parents=True, exist_ok=True)
    before, begin, executions = set(findings.iterdir()), time.monotonic(), 0
    if not seconds:
        executions = run_once(target, work, 0)
    while (left := round(seconds - (time.monotonic() - begin))) > 0:
        executions += run_once(target, work, left)
        if len(set(findings.iterdir()) - before) >= MAX_FINDINGS:
            break
    return round(time.monotonic() - begin), executions, sorted(set(findings.iterdir()) - before)


def run_once(target: str, work: Path, seconds: int) -> int:
    """Run one target until it finds something or its time is over; return its executions."""
    options = {
        **({"max_total_time": seconds} if seconds else {"runs": 0}),
        "max_len": MAX_LENGTH,
        "rss_limit_mb": MEMORY,
        "timeout": SECONDS_PER_INPUT,
        "artifact_prefix": f"{work / 'findings'}/{target}-",
        "dict": FOLDER / "html.dict",
    }
    command = [sys.executable, FOLDER / "harness.py", target, work / "corpus" / target]
    with (work / f"{target}.log").open("ab") as log:
        start = log.tell()
        settings = [f"-{name}={value}" for name, value in options.items()]
        code = subprocess.run([*command, *settings], stdout=log, stderr=subprocess.STDOUT, check=False).returncode
    text = (work / f"{target}.log").read_bytes()[start:]
    counts = _EXECUTIONS.findall(text)
    if code and not counts:
        sys.exit(f"the target {target} does not start:\n{text[-2000:].decode('utf-8', 'replace')}")
    return int(counts[-1]) if counts else 0


def main() -> None:
    """Run the targets of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="a folder for corpora, logs and findings")
    parser.add_argument("--seconds", type=int, default=600, help="for all targets together")
    parser.add_argument("--only", nargs="*", choices=SHARES, default=list(SHARES))
    arguments = parser.parse_args()
    whole = sum(SHARES[target] for target in arguments.only)
    found = []
    print("| target | seconds | executions | findings |\n| --- | ---: | ---: | ---: |")
    for target in arguments.only:
        seconds, executions, findings = fuzz(
            target, arguments.work.absolute(), arguments.seconds * SHARES[target] // whole
        )
        print(f"| `{target}` | {seconds} | {executions:,} | {len(findings)} |", flush=True)
        found += findings
    if found:
        sys.exit("\n".join(map(str, found)))


if __name__ == "__main__":
    main()
