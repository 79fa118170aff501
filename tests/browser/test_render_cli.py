"""``tamis render``, ``--render`` and ``--layout`` on the command line."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parent / "pages"
SCRIPTED_PAGE = "<div id=a></div><script>document.getElementById('a').innerHTML = '<p>Built by a script.'</script>"
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
def layouts(chromium, tmp_path_factory):  # noqa: ARG001
    folder = tmp_path_factory.mktemp("layouts")
    done = run("render", PAGES, "-o", folder, "-j", 2)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"tamis: 4 pages rendered into {folder}, 0 failed\n"
    return folder


def test_render_writes_one_layout_per_page(layouts):
    assert len(list(layouts.glob("page.*.parquet"))) == 4


def test_saved_layouts_replace_the_browser_in_extract_and_eval(layouts):
    page = PAGES / "hidden-disclaimer" / "page.html"
    rendered, saved = run(page, "-e", "cehtd"), run(page, "-e", "cehtd", "--layout", layouts, env=NO_BROWSER)
    assert saved.returncode == 0, saved.stderr
    assert saved.stdout == rendered.stdout != ""
    table = run("eval", PAGES, "-e", "cectd,cehtd", "-m", "lcs", "--layout", layouts, env=NO_BROWSER)
    assert table.returncode == 0, table.stderr
    cells = next(line.split() for line in table.stdout.splitlines() if line.startswith("pages   cehtd"))
    assert cells[2:4] == ["4", "0"]  # pages and errors
    assert float(cells[6]) > 0.95  # F1


def test_page_without_saved_layout_says_how_to_make_one(layouts, tmp_path):
    other = tmp_path / "other.html"
    other.write_text("<p>Something else.")
    done = run(other, "-e", "cehtd", "--layout", layouts)
    assert done.returncode == 2
    assert "make one with: tamis render" in done.stderr
    assert "Traceback" not in done.stderr


def test_corpus_option_skips_pages_without_labels(chromium, tmp_path):  # noqa: ARG001
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.html").write_text("<p>one")
    (corpus / "a.txt").write_text("one")
    (corpus / "no-gold.html").write_text("<p>two")
    done = run("render", corpus, "--corpus", "-o", tmp_path / "out")
    assert done.stderr.startswith("tamis: 1 page rendered")


def test_scripts_option_saves_the_document_of_the_layout(chromium, tmp_path):  # noqa: ARG001
    (tmp_path / "page.html").write_text(SCRIPTED_PAGE)
    done = run("render", tmp_path / "page.html", "--scripts", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (document,) = (tmp_path / "out").glob("*.html")
    assert "Built by a script." in document.read_text()
    saved = run(document, "-e", "cehtd", "--layout", tmp_path / "out", env=NO_BROWSER)
    assert saved.stdout == "Built by a script.\n"


def test_render_option_runs_scripts_of_a_file_without_network(chromium, tmp_path, start_server):  # noqa: ARG001
    server = start_server({"/more.js": ("text/javascript", b"document.body.append('From the network.')")})
    page = tmp_path / "page.html"
    page.write_text(f"{SCRIPTED_PAGE}<script src='{server.url}/more.js'></script>")
    assert run(page, "-e", "body").stdout == ""
    assert run(page, "-e", "body", "--render").stdout == "Built by a script.\n"
    assert server.connections == 0


def test_render_option_runs_scripts_of_a_url_with_any_extractor(chromium, start_server):  # noqa: ARG001
    server = start_server({"/": ("text/html", SCRIPTED_PAGE.encode())})
    for extractor in ("body", "cehtd"):
        done = run(f"{server.url}/", "--render", "--allow-private", "-e", extractor)
        assert done.stdout == "Built by a script.\n", done.stderr


def test_rendered_url_of_a_private_address_names_the_option_that_allows_it(chromium, start_server):  # noqa: ARG001
    server = start_server({"/": ("text/html", SCRIPTED_PAGE.encode())})
    done = run(f"{server.url}/", "--render")
    assert done.returncode == 2
    assert "--allow-private" in done.stderr
    assert server.connections == 0


@pytest.mark.parametrize("mode", ["auto", "always"])
def test_limits_hold_for_rendered_pages(chromium, tmp_path, mode):  # noqa: ARG001
    """A script writes far more than the page has; as much of it is read as the limits allow."""
    page = tmp_path / "page.html"
    words = "Tea and water, one more sentence about them. "
    page.write_text(f"<div id=app></div><script>app.innerHTML = '<p>{words}</p>'.repeat(1000)</script>")
    whole, cut = (run(page, "--render", mode, "-v", *limit) for limit in ((), ("--max-bytes", "20000")))
    assert len(whole.stdout) > 40_000
    assert 10_000 < len(cut.stdout) < 20_000
    assert "max_bytes" in cut.stderr


def test_highlight_tints_the_content_of_a_screenshot(chromium, tmp_path):  # noqa: ARG001
    image = pytest.importorskip("PIL.Image")
    page, file = tmp_path / "page.html", tmp_path / "out.png"
    page.write_text(
        "<body style='margin: 0; font: 20px sans-serif'><p style='margin: 0; height: 100px'>"
        + "Some prose that goes on and on. " * 3
        + "</p><p hidden>Never.</p><ul><li><a href=/x>link</a></ul>"
    )
    done = run("render", page, "--highlight", file, "-e", "cectd", "--viewport", "800x600")
    assert done.returncode == 0, done.stderr
    screenshot = image.open(io.BytesIO(file.read_bytes())).convert("RGB")
    assert screenshot.width == 800
    tinted_white, white = (255, 244, 185), (255, 255, 255)
    assert tinted_white in {screenshot.getpixel((x, y)) for x in range(4, 200) for y in (1, 2)}
    assert {screenshot.getpixel((x, 560)) for x in range(0, 800, 50)} == {white}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("render", "{page}"), "--output"),
        (("render", "{page}", "-o", "out", "--highlight", "x.png"), "--output"),
        (("render", "{page}", "-o", "out", "-e", "cehtd"), "--extractor"),
        (("render", "{page}", "--highlight", "x.png", "-e", "nosuch"), "no extractor is named"),
        (("render", "{page}", "{page}", "--highlight", "x.png"), "one page, not 2"),
        (("render", "{page}", "-o", "out", "--viewport", "huge"), "1280x1024"),
        (("render", "https://example.org/", "-o", "out"), "--render"),
        (("render", "missing.html", "--highlight", "x.png"), "missing: cannot be read"),
        (("{page}", "--allow-network"), "--render"),
        (("{page}", "--render", "--layout", "."), "not both"),
        (("eval", ".", "--layout", "nowhere"), "no such folder"),
    ],
)
def test_invalid_options_print_one_line(run_tamis, tmp_path, arguments, message):
    page = tmp_path / "page.html"
    page.write_text("<p>x")
    done = run_tamis(*(argument.format(page=page) for argument in arguments))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("{page}", "-e", "cehtd"), ("{page}", "--render"), ("render", "{page}", "-o", "out")]
)
def test_missing_browser_prints_one_line_with_the_install_command(tmp_path, arguments):
    pytest.importorskip("playwright")
    page = tmp_path / "page.html"
    page.write_text("<p>x")
    done = run(*(argument.format(page=page) for argument in arguments), env=NO_BROWSER)
    assert done.returncode == 2
    assert "apt-get install chromium" in done.stderr
    assert done.stderr.count("\n") == 1


def test_visual_extractors_are_listed(run_tamis):
    listed = run_tamis("--list-extractors").stdout
    assert "cehtd" in listed
    assert "vips-leaf" in listed
