"""``tamis render``, ``--render`` and ``--layout`` as a person runs them."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parent / "pages"
BUILT = "<div id=a></div><script>document.getElementById('a').innerHTML = '<p>Built by a script.'</script>"
NO_BROWSER = {"TAMIS_CHROMIUM": "/no/such/browser"}


def run(*args, env=None):
    return subprocess.run(
        [sys.executable, "-m", "tamis", *map(str, args)],
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        env={**os.environ, **(env or {})},
    )


@pytest.fixture(scope="module")
def layout(chromium, tmp_path_factory):  # noqa: ARG001
    folder = tmp_path_factory.mktemp("boxes")
    done = run("render", PAGES, "-o", folder, "-j", 2)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"4 pages rendered into {folder}, 0 failed\n"
    return folder


def test_a_folder_of_pages_becomes_a_folder_of_boxes(layout):
    assert len(list(layout.glob("page.*.parquet"))) == 4


def test_saved_boxes_serve_extraction_and_evaluation_without_a_browser(layout):
    page = PAGES / "hidden-disclaimer" / "page.html"
    live, saved = run(page, "-e", "cehtd"), run(page, "-e", "cehtd", "--layout", layout, env=NO_BROWSER)
    assert saved.returncode == 0, saved.stderr
    assert saved.stdout == live.stdout != ""
    table = run("eval", PAGES, "-e", "cectd,cehtd", "-m", "lcs", "--layout", layout, env=NO_BROWSER)
    assert table.returncode == 0, table.stderr
    cells = next(line.split() for line in table.stdout.splitlines() if line.startswith("pages   cehtd"))
    assert cells[2:4] == ["4", "0"]  # pages and errors
    assert float(cells[6]) > 0.95  # F1


def test_a_page_without_saved_boxes_is_told_how_to_get_them(layout, tmp_path):
    other = tmp_path / "other.html"
    other.write_text("<p>Something else.")
    done = run(other, "-e", "cehtd", "--layout", layout)
    assert done.returncode == 2
    assert "make them with: tamis render" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_labelled_corpus_is_drawn_as_the_evaluation_reads_it(chromium, tmp_path):  # noqa: ARG001
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.html").write_text("<p>one")
    (corpus / "a.txt").write_text("one")
    (corpus / "no-gold.html").write_text("<p>two")
    done = run("render", corpus, "--corpus", "-o", tmp_path / "out")
    assert done.stderr.startswith("1 pages rendered")


def test_scripts_leave_a_document_that_the_boxes_belong_to(chromium, tmp_path):  # noqa: ARG001
    (tmp_path / "page.html").write_text(BUILT)
    done = run("render", tmp_path / "page.html", "--scripts", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (document,) = (tmp_path / "out").glob("*.html")
    assert "Built by a script." in document.read_text()
    saved = run(document, "-e", "cehtd", "--layout", tmp_path / "out", env=NO_BROWSER)
    assert saved.stdout == "Built by a script.\n"


def test_a_rendered_file_is_read_after_its_scripts_and_stays_off_the_network(chromium, tmp_path, listen):  # noqa: ARG001
    server = listen({"/more.js": ("text/javascript", b"document.body.append('From the network.')")})
    page = tmp_path / "page.html"
    page.write_text(f"{BUILT}<script src='{server.url}/more.js'></script>")
    assert run(page, "-e", "body").stdout == ""
    assert run(page, "-e", "body", "--render").stdout == "Built by a script.\n"
    assert server.connections == 0


def test_a_rendered_address_is_read_after_its_scripts_with_any_extractor(chromium, listen):  # noqa: ARG001
    server = listen({"/": ("text/html", BUILT.encode())})
    for extractor in ("body", "cehtd"):
        done = run(f"{server.url}/", "--render", "-e", extractor)
        assert done.stdout == "Built by a script.\n", done.stderr


def test_a_picture_has_its_content_shaded(chromium, tmp_path):  # noqa: ARG001
    image = pytest.importorskip("PIL.Image")
    page, picture = tmp_path / "page.html", tmp_path / "out.png"
    page.write_text(
        "<body style='margin: 0; font: 20px sans-serif'><p style='margin: 0; height: 100px'>"
        + "Some prose that goes on and on. " * 3
        + "</p><p hidden>Never.</p><ul><li><a href=/x>link</a></ul>"
    )
    done = run("render", page, "--shade", picture, "-e", "cectd", "--viewport", "800x600")
    assert done.returncode == 0, done.stderr
    snapshot = image.open(io.BytesIO(picture.read_bytes())).convert("RGB")
    assert snapshot.width == 800
    pixels = {snapshot.getpixel((x, y)) for x in range(4, 200) for y in (1, 2)}
    assert any(red > 200 > blue for red, _, blue in pixels) or any(blue < red - 20 for red, _, blue in pixels)
    assert {snapshot.getpixel((x, 560)) for x in range(0, 800, 50)} == {(255, 255, 255)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("render", "{page}"), "--output"),
        (("render", "{page}", "-o", "out", "--shade", "x.png"), "--output"),
        (("render", "{page}", "-o", "out", "-e", "cehtd"), "--extractor"),
        (("render", "{page}", "--shade", "x.png", "-e", "nosuch"), "no extractor is named"),
        (("render", "{page}", "{page}", "--shade", "x.png"), "one page, not 2"),
        (("render", "{page}", "-o", "out", "--viewport", "huge"), "1280x1024"),
        (("render", "https://example.org/", "-o", "out"), "--render"),
        (("render", "missing.html", "--shade", "x.png"), "missing: cannot be read"),
        (("{page}", "--allow-network"), "--render"),
        (("{page}", "--render", "--layout", "."), "not both"),
        (("eval", ".", "--layout", "nowhere"), "no such folder"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path, words, said):
    page = tmp_path / "page.html"
    page.write_text("<p>x")
    done = run(*(word.format(page=page) for word in words))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("{page}", "-e", "cehtd"), ("{page}", "--render"), ("render", "{page}", "-o", "out")]
)
def test_without_a_browser_one_line_says_how_to_get_it(tmp_path, words):
    pytest.importorskip("playwright")
    page = tmp_path / "page.html"
    page.write_text("<p>x")
    done = run(*(word.format(page=page) for word in words), env=NO_BROWSER)
    assert done.returncode == 2
    assert "apt-get install chromium" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_visual_extractors_are_listed():
    listed = run("--list-extractors").stdout
    assert "cehtd" in listed
    assert "cetd-auto" in listed
    assert "vips-leaf" in listed
