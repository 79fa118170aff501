"""``tamis extract``: its options, outputs, messages and exit codes."""

import csv
import gzip
import http.server
import io
import json
import os
import subprocess
import sys
import threading

import pytest

PAGE = (
    "<title>T</title><nav><a href=/>home</a></nav><main><h1>Tea</h1><p>Boil the water and wait a little.</p></main>"
)


def run_process(*arguments, **options):
    """Run the program as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tamis", *map(str, arguments)], capture_output=True, check=False, **options
    )


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("words", [("extract",), ()], ids=["command", "short form"])
def test_extract_is_the_default_command(page, words):
    done = run_process(*words, page, "-e", "body")
    assert done.returncode == 0
    assert done.stdout.decode() == "home\n\nTea\n\nBoil the water and wait a little.\n"
    assert done.stderr == b""


def test_options_may_come_before_the_page(run_tamis, page):
    assert run_tamis("--extractor", "body", "--format", "text", page).stdout.startswith("home")


def test_dash_reads_standard_input(run_tamis):
    assert run_tamis("-", "-e", "body", stdin="<p>grüße".encode()).stdout == "grüße\n"


def test_format_selects_the_output(run_tamis, page):
    assert "<h1>Tea</h1>" in run_tamis(page, "-e", "body", "-f", "html").stdout
    record = json.loads(run_tamis(page, "-f", "json").stdout)
    assert record["title"] == "Tea"
    assert record["blocks"][0]["tag"] in {"h1", "p"}


def test_original_structure_keeps_the_elements_of_the_page(run_tamis, page):
    prose = "A paragraph about tea, with words enough to be the content of this page."
    menu = "<nav><ul>" + "<li><a href=/>home</a></li>" * 9 + "</ul></nav>"
    page.write_text(f"{menu}<div id=x class=story>{f'<p onclick=y()>{prose}</p>' * 3}</div>", "utf-8")
    options = [page, "-e", "cectd", "-f", "html"]
    rebuilt = f"<p>{prose}</p>" * 3
    original = run_tamis(*options, "--structure", "original").stdout
    assert original == f'<div id="x" class="story">{rebuilt}</div>\n'
    assert run_tamis(*options).stdout == f"{rebuilt}\n"
    assert run_tamis(*options, "--structure", "other").returncode == 2


def test_links_of_an_index_page_are_in_every_format(run_tamis, page):
    page.write_text("<a href=/green>Green</a> <a href=/b>Black</a> <a href='javascript:x'>No</a>", "utf-8")
    options = [page, "-e", "nodechar", "--url", "https://e.org/", "-f"]
    assert run_tamis(*options, "text").stdout == "Green <https://e.org/green>\nBlack <https://e.org/b>\n"
    assert run_tamis(*options, "text", "--no-links").stdout == "Green\nBlack\n"
    assert run_tamis(*options, "markdown").stdout == "- [Green](https://e.org/green)\n- [Black](https://e.org/b)\n"
    assert '<li><a href="https://e.org/b">Black</a></li>' in run_tamis(*options, "html").stdout
    assert '<ref target="https://e.org/b">Black</ref>' in run_tamis(*options, "xml").stdout
    record = json.loads(run_tamis(*options, "json").stdout)
    assert record["index_links"] == [
        {"text": "Green", "url": "https://e.org/green"},
        {"text": "Black", "url": "https://e.org/b"},
    ]
    assert record["text"] == ""
    page.write_text(f"<p>{'A paragraph, with words enough, and a full stop. ' * 9}</p>", "utf-8")
    assert json.loads(run_tamis(*options, "json").stdout)["index_links"] == []


def test_render_options_change_the_markdown(run_tamis, page):
    page.write_text('<title>Tea</title><p>Boil <a href="/w">water</a>.<img src="/p.png" alt="pot">', encoding="utf-8")
    options = [page, "-e", "body", "-f", "markdown", "--url", "https://e.org/"]
    assert run_tamis(*options).stdout == "# Tea\n\nBoil [water](https://e.org/w).![pot](https://e.org/p.png)\n"
    assert run_tamis(*options, "--no-links", "--no-images", "--no-title").stdout == "Boil water.\n"
    assert run_tamis(*options, "--with-metadata").stdout.startswith('---\ntitle: "Tea"\n')
    assert "<TEI" in run_tamis(*options[:-3], "xml").stdout


def test_selectors_say_what_can_be_content(run_tamis, page):
    page.write_text("<nav>Home</nav><main><h1>Tea</h1><p>Boil.</p><p class=ad>Buy!</p></main><p id=c>Nice.")
    assert run_tamis(page, "--include", "main", "--exclude", ".ad").stdout == "Tea\n\nBoil.\n"
    assert run_tamis(page, "--include", "#c", "--include", "h1", "--no-title").stdout == "Tea\n\nNice.\n"
    wrong = run_tamis(page, "--exclude", "p:has(")
    assert (wrong.returncode, wrong.stderr) == (2, "tamis: exclude: not a CSS selector: 'p:has('\n")


def test_csv_is_one_table_for_all_pages(run_tamis, page, tmp_path):
    other = tmp_path / "other.html"
    other.write_text("<p>more")
    done = run_tamis(page, other, tmp_path / "missing.html", "-e", "body", "-f", "csv")
    assert done.returncode == 1
    rows = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
    assert [row["text"].rpartition(" ")[2] for row in rows] == ["little.", "more", ""]
    assert [row["id"] for row in rows] == [str(page), str(other), str(tmp_path / "missing.html")]
    assert [row["status"] for row in rows] == ["ok", "ok", "error"]
    assert rows[2]["error"] == "cannot be read: no such file or directory"


def test_output_is_a_file_for_one_page_and_a_folder_for_several(run_tamis, page, tmp_path):
    other = tmp_path / "sub" / "page.html.gz"
    other.parent.mkdir()
    other.write_bytes(gzip.compress(b"<p>zipped text"))
    assert run_tamis(page, "-e", "body", "-o", tmp_path / "out.txt").returncode == 0
    assert "Tea" in (tmp_path / "out.txt").read_text()
    assert run_tamis(page, other, "-e", "body", "-o", tmp_path / "out").returncode == 0
    assert "Tea" in (tmp_path / "out" / "page.txt").read_text()
    assert (tmp_path / "out" / "page-2.txt").read_text() == "zipped text\n"


def test_folder_means_the_pages_in_it(run_tamis, page):
    assert run_tamis(page.parent, page, "-e", "body").stdout.count("==>") == 2


def test_list_extractors_prints_names_and_sources(run_tamis):
    lines = {line.split()[0]: line for line in run_tamis("--list-extractors").stdout.splitlines()}
    assert {"cetd", "body", "sift"} <= lines.keys()
    assert "Song" in lines["cetd"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.html"], "nowhere.html: cannot be read: no such file"),
        (["-e", "nothing", "x.html"], "no extractor is named 'nothing'"),
        (["--encoding", "klingon", "PAGE"], "unknown encoding: klingon"),
    ],
)
def test_error_is_one_line_and_exit_code_2(run_tamis, page, arguments, message):
    done = run_tamis(*[page if argument == "PAGE" else argument for argument in arguments])
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_page_that_fails_does_not_stop_the_others(run_tamis, page, tmp_path):
    broken = tmp_path / "broken.html.gz"
    broken.write_bytes(gzip.compress(b"<p>x")[:-6])
    done = run_tamis(broken, page, "-e", "body")
    assert done.returncode == 1
    assert "broken gzip data" in done.stderr
    assert "Tea" in done.stdout


@pytest.mark.slow
def test_help_does_not_import_numpy_or_the_parser():
    program = (
        "import sys\nfrom tamis.cli import main\nsys.argv = ['tamis', '--help']\n"
        "try: main()\nexcept SystemExit: pass\nassert 'numpy' not in sys.modules and 'turbohtml' not in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_output_is_utf8_in_every_locale():
    environment = {
        name: value for name, value in os.environ.items() if name not in {"PYTHONUTF8", "PYTHONIOENCODING"}
    }
    done = run_process("-", "-e", "body", input="<p>漢字 €".encode(), env=environment | {"LC_ALL": "C"})
    assert done.stdout.decode() == "漢字 €\n"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/page")
            self.end_headers()
            return
        if self.path != "/page":
            self.send_error(404)
            return
        body = "<p>schöner <a href='/next'>Text</a>".encode("windows-1252")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=windows-1252")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_url_is_fetched_with_its_declared_encoding_and_final_url(run_tamis, server):
    done = run_tamis(f"{server}/moved", "-e", "body", "-f", "html")
    assert done.stdout == f'<p>schöner <a href="{server}/next">Text</a></p>\n'


def test_fetch_error_is_one_line(run_tamis, server):
    done = run_tamis(f"{server}/nothing")
    assert done.returncode == 2
    assert "the server returned 404" in done.stderr
    refused = run_tamis("http://127.0.0.1:9/")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
