"""Rules of known sites: they choose content and posts, step aside with a warning, and can be turned off."""

from pathlib import Path

import pytest

import tamis
from tamis.errors import OptionError
from tamis.sites.rules import load_rules, read_rule

STRUCTURE = Path(__file__).parents[1] / "structure"
RULE = 'name = "Tea"\nhosts = ["tea.example"]\ncontent = [".brew"]\nexclude = [".ad"]\ntitle = ".name"\n'
PAGE = "<p class=name>Tea<div class=menu>Home</div><div class=brew>Boil water.<b class=ad>Buy!</b></div>"
URL = "https://www.tea.example/1"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tea.toml").write_text(RULE)
    return tmp_path


def test_rule_of_a_folder_says_what_is_content(folder):
    extraction = tamis.extract(PAGE, URL, rules=folder)
    assert (extraction.text, extraction.title, extraction.rule) == ("Boil water.", "Tea", "Tea")
    assert tamis.extract(PAGE, "https://other.example/1", rules=folder).rule is None


def test_environment_names_a_folder_of_rules(folder, monkeypatch):
    monkeypatch.setenv("TAMIS_RULES", str(folder))
    assert tamis.extract(PAGE, URL).rule == "Tea"
    assert tamis.extract(PAGE, URL, rules=False).rule is None


def test_rule_that_finds_nothing_steps_aside_with_a_warning(folder):
    page = "<main><p>" + "A page of another layout, with a text of its own. " * 9 + "</main>"
    extraction = tamis.extract(page, URL, rules=folder)
    assert extraction.rule is None
    assert [warning.type for warning in extraction.warnings] == ["site rule"]
    assert extraction.text == tamis.extract(page, URL, rules=False).text


@pytest.mark.parametrize(
    ("name", "url", "rule", "posts"),
    [
        ("hacker-news", "https://news.ycombinator.com/item?id=400", "Hacker News", 4),
        ("github-issue", "https://github.com/acme/rows/issues/41", "GitHub issues", 4),
        ("github-pull", "https://github.com/acme/rows/pull/42", "GitHub pull requests", 3),
        ("stack-exchange", "https://kettles.stackexchange.com/questions/1", "Stack Exchange", 4),
        ("reddit", "https://www.reddit.com/r/sailing/comments/1a/", "Reddit", 4),
        ("reddit-old", "https://old.reddit.com/r/sailing/comments/1a/", "Reddit", 4),
        ("mastodon", "https://mastodon.social/@marit_k/110", "Mastodon", 4),
    ],
)
def test_shipped_rule_finds_every_post_with_its_author(name, url, rule, posts):
    extraction = tamis.extract((STRUCTURE / f"thread-{name}" / "page.html").read_bytes(), url)
    assert extraction.rule == rule
    html = extraction.html
    assert html.count('<article class="post"') == html.count('<span class="author">') == posts


def test_shipped_rules_are_valid_and_have_pages_to_try():
    rules = load_rules(rules=True)
    assert len(rules) >= 12
    assert all(rule.pages for rule in rules)
    assert load_rules(rules=False) == ()


@pytest.mark.parametrize(
    "text",
    ["name = ", 'name = "a"', RULE + 'colour = "red"', RULE.replace('".brew"', '"<"'), RULE.replace("[", "[3,")],
)
def test_invalid_rule_is_an_error_for_people(text):
    with pytest.raises(OptionError):
        read_rule(text)


def test_missing_folder_is_an_error():
    with pytest.raises(OptionError, match="not a directory"):
        tamis.extract(PAGE, URL, rules="/nonexistent/rules")
