"""Pages that scripts build: what share a browser brings back, and at what cost. Our own pages, without a network.

python bench/escalation.py [--copies 4]
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tamis.batch import BatchOptions, RowOptions, run
from tests.batch.scripted import LOST, PHRASE, RECOVERABLE, SERVED


def measure(folder: Path, output: Path, render: str) -> tuple[float, list[dict[str, object]]]:
    """Return the seconds of a batch, and its rows."""
    start = time.monotonic()
    run(
        [str(folder)],
        output,
        options=BatchOptions(render_budget="100000"),
        row_options=RowOptions(("text",), render=render),
    )
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    return time.monotonic() - start, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=4, help="how often each page is in the batch")
    copies = parser.parse_args().copies
    pages = {**RECOVERABLE, **LOST, **SERVED}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        folder.mkdir()
        for page, html in pages.items():
            for copy in range(copies):
                (folder / f"{page}-{copy}.html").write_text(html, "utf-8")
        plain_seconds, plain = measure(folder, Path(name) / "plain.jsonl", "never")
        rendered_seconds, rendered = measure(folder, Path(name) / "rendered.jsonl", "auto")
        (Path(name) / "one").mkdir()
        (Path(name) / "one" / "page.html").write_text(RECOVERABLE["mount"], "utf-8")
        start_seconds, _ = measure(Path(name) / "one", Path(name) / "start.jsonl", "auto")
    built = [row for row in rendered if str(row["id"]).rpartition("-")[0] in {**RECOVERABLE, **LOST}]
    before = sum(PHRASE in (row["text"] or "") for row in plain if str(row["id"]).rpartition("-")[0] not in SERVED)
    after = sum(PHRASE in (row["text"] or "") for row in built)
    sent = sum(row["rendered"] is not None for row in rendered)
    print(f"{len(rendered)} pages, {len(built)} built by scripts, {sent} rendered")
    print(f"content of pages that scripts build: {before} without a browser, {after} of {len(built)} with one")
    print(f"what the rows say: {dict(Counter(str(row['rendered']) for row in rendered))}")
    print(f"seconds: {plain_seconds:.1f} without, {rendered_seconds:.1f} with; one process and one browser")
    print(f"start of the processes and one page: {start_seconds:.1f} s")
    print(f"each further page: {(rendered_seconds - start_seconds) / (sent - 1):.2f} s")


if __name__ == "__main__":
    main()
