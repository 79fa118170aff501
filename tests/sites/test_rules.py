"""Rules of known sites: they choose content and posts, step aside with a warning, and can be turned off."""

from pathlib import Path

import pytest

import tamis
from tamis.errors import OptionError
from tamis.sites.rules import load_rules, read_rule
from tests.sites.pages import TOPICS, page

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


def test_learned_rule_gives_what_was_selected_and_is_checked_on_its_pages(run_tamis, tmp_path):
    for topic in TOPICS[:3]:
        (tmp_path / f"{topic}.html").write_text(page(topic))
    rule = tmp_path / "valley.toml"
    done = run_tamis("learn", *sorted(tmp_path.glob("*.html")), "-o", rule)
    assert done.returncode == 0, done.stderr
    learned = read_rule(rule.read_text())
    assert (learned.hosts, learned.pages) == (("valley.example",), tuple(f"{t}.html" for t in sorted(TOPICS[:3])))
    checked = run_tamis("check", rule)
    assert (checked.returncode, checked.stdout.count(" words")) == (0, 3)
    html = page("Rain")
    assert tamis.extract(html, rules=rule).rule == "valley.example"
    words = set(tamis.extract(html, rules=False).text.split())
    assert words <= set(tamis.extract(html, rules=rule).text.split())


def posts_of(posts):
    return [each for post in posts for each in ((post.author, post.date), *posts_of(post.replies))]


@pytest.mark.parametrize("family", ["xenforo", "phpbb", "hacker-news", "stack-exchange", "discourse"])
def test_learned_rule_of_a_thread_finds_the_same_posts(run_tamis, tmp_path, family):
    saved, rule = STRUCTURE / f"thread-{family}" / "page.html", tmp_path / "site.toml"
    assert run_tamis("learn", saved, "--site-host", "threads.example", "-o", rule).returncode == 0
    assert read_rule(rule.read_text()).post
    assert run_tamis("check", rule).returncode == 0
    plain, ruled = (
        posts_of(tamis.extract(saved, "https://threads.example/1", rules=rules).posts) for rules in (False, rule)
    )
    assert len(ruled) > 1
    assert set(ruled) <= set(plain)


def test_labels_beside_a_page_say_what_its_rule_finds(run_tamis, tmp_path):
    (tmp_path / "tea.html").write_text(PAGE.replace("<b class=ad>Buy!</b>", "<p class=ad>Buy!</p>"))
    (tmp_path / "tea.txt").write_text("Boil water.")
    done = run_tamis("learn", tmp_path / "tea.html", "--site-host", "tea.example", "-o", tmp_path / "a.toml")
    assert done.returncode == 0, done.stderr
    learned = read_rule((tmp_path / "a.toml").read_text())
    assert (learned.content, learned.exclude) == (("div.brew",), ("p.ad",))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('pages = ["tea.html"]\n', ""),
        ("", "names no pages"),
        ('pages = ["tea.html", "none.html"]\n', "none.html"),
        ('pages = ["tea.html"]\n[posts]\npost = ".post"\n', "post finds nothing"),
        ('paths = ["/brew/*"]\npages = ["other.html"]\n', "the rule is for other pages"),
    ],
)
def test_check_says_what_a_rule_does_not_find(run_tamis, tmp_path, change, message):
    (tmp_path / "tea.html").write_text(PAGE)
    (tmp_path / "other.html").write_text(PAGE + '<link rel=canonical href="https://tea.example/about">')
    (tmp_path / "tea.toml").write_text(RULE + change)
    done = run_tamis("check", tmp_path)
    assert (done.returncode, message in done.stdout) == (1 if message else 0, True), done.stdout


def test_path_of_a_declared_url_chooses_the_rule(tmp_path):
    (tmp_path / "tea.toml").write_text(RULE + 'paths = ["/brew/*"]\n')
    declared = '<link rel=canonical href="https://tea.example/brew/1">'
    assert tamis.extract(declared + PAGE, rules=tmp_path).rule == "Tea"
    assert tamis.extract(declared.replace("brew/", "") + PAGE, rules=tmp_path).rule is None
