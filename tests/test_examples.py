import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_demo_writes_text_and_html_for_every_golden_page(tmp_path, capsys):
    demo = runpy.run_path(str(EXAMPLES / "demo.py"))
    demo["main"].__globals__["OUTPUT"] = tmp_path / "output"
    demo["main"]()
    names = {folder.name for folder in demo["PAGES"].iterdir() if folder.is_dir()}
    written = {path.name: path.stat().st_size for path in (tmp_path / "output").iterdir()}
    assert written.keys() == {f"{name}.{suffix}" for name in names for suffix in ("txt", "html")}
    assert min(written.values()) > 100
    assert capsys.readouterr().out.count("━━━") == len(names)


@pytest.mark.usefixtures("chromium")
def test_gallery_shows_every_golden_and_structure_page_in_one_file(tmp_path):
    gallery = runpy.run_path(str(EXAMPLES / "gallery.py"))
    html = gallery["write_gallery"](tmp_path / "gallery").read_text("utf-8")
    tests = Path(__file__).parent
    names = {path.parent.name for folder in ("pages", "structure") for path in (tests / folder).glob("*/page.html")}
    assert len(names) > 20
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
    assert {path.name for path in tmp_path.iterdir()} == {"tables-2000s.png", "documentation.png"}
