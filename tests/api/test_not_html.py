"""A string that is evidently a path or a URL, given for HTML, is warned about."""

import warnings

import pytest

import tamis


@pytest.mark.parametrize(
    "text", ["page.html", "folder/page.htm", "C:\\pages\\page.html", " page.html\n", "a b.html.gz"]
)
def test_a_path_warns_how_to_read_a_file(text):
    with pytest.warns(UserWarning, match=r"got what looks like a path: .*extract\(Path\(name\)\)"):
        tamis.extract(text)


@pytest.mark.parametrize("text", ["https://example.org/tea", "HTTP://example.org", "file:///tmp/page.html"])
def test_a_url_warns_how_to_download(text):
    with pytest.warns(UserWarning, match=r"tamis\.fetch\(url\)"):
        tamis.extract(text)


@pytest.mark.parametrize(
    "text",
    ["", "Tea", "Boil water. Read page.html\nand wait.", "<p>page.html", "Just a sentence.", "1.5", "a" * 9999],
)
def test_text_and_html_do_not_warn(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tamis.extract(text)


def test_bytes_never_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tamis.extract(b"page.html")


def test_the_warning_points_at_the_caller():
    with pytest.warns(UserWarning, match="expected HTML") as caught:
        tamis.extract("page.html")
    assert caught[0].filename == __file__
