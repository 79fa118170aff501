import http.server
import json
import os
import runpy
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.batch.pages import article
from tests.needs import needs

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.slow
def test_demo_writes_text_and_html_for_every_golden_page(tmp_path, capsys):
    demo = runpy.run_path(str(EXAMPLES / "demo.py"))
    demo["main"].__globals__["OUTPUT"] = tmp_path / "output"
    demo["main"]()
    names = {folder.name for folder in demo["PAGES"].iterdir() if folder.is_dir()}
    written = {path.name: path.stat().st_size for path in (tmp_path / "output").iterdir()}
    assert written.keys() == {f"{name}.{suffix}" for name in names for suffix in ("txt", "html")}
    assert min(written.values()) > 100
    assert capsys.readouterr().out.count("━━━") == len(names)


@pytest.mark.slow
def test_every_cell_of_the_tour_prints_what_is_stored_in_it():
    runner = runpy.run_path(str(EXAMPLES / "notebook.py"))
    path = EXAMPLES / "tour.ipynb"
    cells = runner["code_cells"](json.loads(path.read_text("utf-8")))
    outputs = runner["run_notebook"](path)
    assert len(cells) > 8
    for cell, output in zip(cells, outputs, strict=True):
        assert cell["outputs"] == output, "run: python examples/notebook.py examples/tour.ipynb --write"


@pytest.mark.usefixtures("chromium")
def test_gallery_shows_golden_and_structure_pages_in_one_file(tmp_path):
    gallery = runpy.run_path(str(EXAMPLES / "gallery.py"))
    html = gallery["write_gallery"](tmp_path / "gallery", every=6).read_text("utf-8")
    tests = Path(__file__).parent
    folders = [sorted((tests / folder).glob("*/page.html")) for folder in ("pages", "structure")]
    names = {path.parent.name for pages in folders for path in pages[::6]}
    assert len(names) > 10
    for name in names:
        assert f'<article class="entry" id="{name}">' in html
    assert html.count('src="data:image/webp;base64,') == len(names)
    assert "<script" not in html
    assert "<link" not in html


@pytest.mark.usefixtures("chromium")
def test_screenshots_of_the_readme_are_taken(tmp_path, monkeypatch):
    script = EXAMPLES / "screenshots.py"
    monkeypatch.setattr("sys.argv", [str(script), "--output", str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    assert {path.name for path in tmp_path.iterdir()} == {
        "tables-2000s.png",
        "documentation.png",
        "explain.png",
        "explain-phone.png",
    }


def run_example(name, *arguments):
    """Run an example in a process of its own, where the warnings of other packages are no errors."""
    path = os.pathsep.join([str(EXAMPLES.parent / "src"), *sys.path])
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=True, env={**os.environ, "PYTHONPATH": path}
    )


class _Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = (article(self.path.strip("/") or "start") if self.path != "/2" else "<p></p>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.mark.slow
@needs("Scrapy")
def test_scrapy_pipeline_writes_the_content_of_a_site(tmp_path):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    root = f"http://127.0.0.1:{server.server_address[1]}/"
    try:
        done = run_example("scrapy_pipeline.py", root, "-o", tmp_path / "pages.jsonl")
    finally:
        server.shutdown()
        server.server_close()
    rows = {row["url"]: row for row in map(json.loads, (tmp_path / "pages.jsonl").read_text("utf-8").splitlines())}
    assert rows.keys() == {root, *(f"{root}{number}" for number in (0, 1, 3, 4, 5))}, done.stderr  # the menu's links
    assert "This is page 1, part 5." in rows[f"{root}1"]["text"]
    assert "Menu 3" not in rows[f"{root}1"]["text"]
    assert rows[f"{root}1"]["title"] == "Page 1"
    assert "html" not in rows[root]
    assert f"{root}2: " in done.stderr  # the page without content is dropped, and the log says why


@pytest.mark.slow
@needs("LangChain")
def test_langchain_loader_makes_documents_and_chunks(tmp_path):
    for number in range(2):
        (tmp_path / f"{number}.html").write_text(f"<html lang=en>{article(number)}")
    (tmp_path / "empty.html").write_text("<p></p>")
    pages = [json.loads(line) for line in run_example("langchain_loader.py", tmp_path).stdout.splitlines()]
    assert [page["metadata"]["source"] for page in pages] == [str(tmp_path / "0.html"), str(tmp_path / "1.html")]
    assert pages[0]["page_content"].startswith("# Page 0\n")
    assert pages[0]["metadata"]["language"] == "en"
    chunks = run_example("langchain_loader.py", tmp_path / "0.html", "--max-tokens", 60).stdout.splitlines()
    assert len(chunks) > 1
    assert json.loads(chunks[-1])["metadata"]["title"] == "Page 0"
