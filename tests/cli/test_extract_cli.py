"""The program as a person runs it: a real process each time."""

import csv
import gzip
import http.server
import io
import json
import subprocess
import sys
import threading

import pytest

PAGE = (
    "<title>T</title><nav><a href=/>home</a></nav><main><h1>Tea</h1><p>Boil the water and wait a little.</p></main>"
)


def run(*args, stdin=None, **options):
    return subprocess.run(
        [sys.executable, "-m", "tamis", *map(str, args)],
        input=stdin,
        capture_output=True,
        check=False,
        **options,
    )


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [("extract",), ()])
def test_the_short_form_is_extract(page, words):
    done = run(*words, page, "-e", "body")
    assert done.returncode == 0
    assert done.stdout.decode() == "home\n\nTea\n\nBoil the water and wait a little.\n"
    assert done.stderr == b""


def test_options_may_come_first(page):
    assert run("--extractor", "body", "--format", "text", page).stdout.startswith(b"home")


def test_standard_input():
    assert run("-", "-e", "body", stdin="<p>grüße".encode()).stdout.decode() == "grüße\n"


def test_formats(page):
    assert b"<h1>Tea</h1>" in run(page, "-e", "body", "-f", "html").stdout
    found = json.loads(run(page, "-f", "json").stdout)
    assert found["title"] == "Tea"
    assert found["blocks"][0]["tag"] in {"h1", "p"}


def test_markdown_with_and_without(page):
    page.write_text('<title>Tea</title><p>Boil <a href="/w">water</a>.<img src="/p.png" alt="pot">', encoding="utf-8")
    options = [page, "-e", "body", "-f", "markdown", "--url", "https://e.org/"]
    assert run(*options).stdout.decode() == "Boil [water](https://e.org/w).![pot](https://e.org/p.png)\n"
    assert run(*options, "--no-links", "--no-images").stdout.decode() == "Boil water.\n"
    assert run(*options, "--with-metadata").stdout.decode().startswith('---\ntitle: "Tea"\n')
    assert b"<TEI" in run(*options[:-3], "xml").stdout


def test_csv_is_one_table_for_all_pages(page, tmp_path):
    other = tmp_path / "other.html"
    other.write_text("<p>more")
    done = run(page, other, tmp_path / "missing.html", "-e", "body", "-f", "csv")
    assert done.returncode == 1
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert [row["text"].split()[-1] for row in rows] == ["little.", "more"]
    assert [row["url"] for row in rows] == [str(page), str(other)]
    assert run(page, other, "-e", "body", "-f", "csv", "-o", tmp_path / "out.csv").returncode == 0
    assert (tmp_path / "out.csv").read_text().count("body") == 2


def test_output_to_a_file_and_to_a_folder(page, tmp_path):
    other = tmp_path / "sub" / "page.html.gz"
    other.parent.mkdir()
    other.write_bytes(gzip.compress(b"<p>zipped text"))
    assert run(page, "-e", "body", "-o", tmp_path / "out.txt").returncode == 0
    assert "Tea" in (tmp_path / "out.txt").read_text()
    assert run(page, other, "-e", "body", "-o", tmp_path / "out").returncode == 0
    assert "Tea" in (tmp_path / "out" / "page.txt").read_text()
    assert (tmp_path / "out" / "page-2.txt").read_text() == "zipped text\n"


def test_a_folder_stands_for_its_pages(page):
    done = run(page.parent, page, "-e", "body")
    assert done.stdout.decode().count("==>") == 2


def test_list_extractors():
    listed = run("--list-extractors").stdout.decode()
    assert "cetd" in listed
    assert "Song" in listed
    assert "body" in listed


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere.html"], "nowhere.html: cannot be read: no such file"),
        (["-e", "nothing", "x.html"], "no extractor is named 'nothing'"),
        ([], None),
        (["--extractor", "body"], "no page given"),
        (["--encoding", "klingon", "PAGE"], "unknown encoding: klingon"),
    ],
)
def test_errors_are_one_line_and_an_exit_code(page, args, message):
    done = run(*[page if arg == "PAGE" else arg for arg in args])
    if message is None:
        assert b"Usage" in done.stdout + done.stderr
        return
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stderr.decode().count("\n") == 1
    assert b"Traceback" not in done.stderr


def test_one_bad_page_does_not_stop_the_others(page, tmp_path):
    broken = tmp_path / "broken.html.gz"
    broken.write_bytes(gzip.compress(b"<p>x")[:-6])
    done = run(broken, page, "-e", "body")
    assert done.returncode == 1
    assert b"broken gzip data" in done.stderr
    assert b"Tea" in done.stdout


def test_an_empty_page_is_said_and_is_no_error(tmp_path):
    (tmp_path / "empty.html").write_text("")
    done = run(tmp_path / "empty.html")
    assert done.returncode == 0
    assert done.stdout == b""
    assert b"the page is empty" in done.stderr


def test_help_needs_no_numpy():
    program = (
        "import sys\nfrom tamis.cli import main\nsys.argv = ['tamis', '--help']\n"
        "try: main()\nexcept SystemExit: pass\nassert 'numpy' not in sys.modules and 'turbohtml' not in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


def test_output_is_utf8_whatever_the_locale():
    done = run("-", "-e", "body", stdin="<p>漢字 €".encode(), env={"LC_ALL": "C", "PATH": ""})
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
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_an_address_is_fetched_with_its_header_encoding_and_base(server):
    done = run(f"{server}/moved", "-e", "body", "-f", "html")
    assert done.stdout.decode() == f'<p>schöner <a href="{server}/next">Text</a></p>\n'


def test_fetch_errors_are_one_line(server):
    done = run(f"{server}/nothing")
    assert done.returncode == 2
    assert b"the server answered 404" in done.stderr
    assert b"Traceback" not in run("http://127.0.0.1:9/").stderr
