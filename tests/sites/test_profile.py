"""A profile of a site: what is learned from its pages, what it changes, and when it steps aside."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.errors import OptionError
from tamis.page import parse_page
from tamis.sift.site import MAX_PAGES, CrawlSketches, SiteProfile, SiteSketch, block_keys, sketch_page, text_key
from tamis.sites.labels import labels_from_marks, labels_from_text
from tamis.sites.learn import SiteLearner, SitePage, learn_site
from tamis.sites.rules import find_profile, load_profile
from tests.sites.pages import NOTICE, TOPICS, article, page

URL = "https://www.valley.example/rain"


def learned(topics=TOPICS[:5], **keywords):
    return learn_site(
        [SitePage(page(topic), name=f"{topic}.html") for topic in topics], date="2026-11-17", **keywords
    )


def test_text_that_repeats_on_most_pages_is_dropped_and_the_article_stays():
    plain, with_profile = (tamis.extract(page("Rain"), URL, profile=profile) for profile in (None, learned()))
    assert NOTICE in plain.text
    assert NOTICE not in with_profile.text
    assert "Rain came late this year" in with_profile.text
    assert not with_profile.warnings


def test_profile_names_its_host_its_date_and_its_pages_and_is_small_and_readable():
    profile = learned()
    content = json.loads(profile.as_json())
    assert (content["host"], content["date"], content["pages"]) == ("valley.example", "2026-11-17", 5)
    assert content["page_names"] == [f"{topic}.html" for topic in TOPICS[:5]]
    assert NOTICE[:60].strip() in {entry["begins"] for entry in content["texts"]}
    assert any(entry["path"].endswith("ul.menu > li") for entry in content["templates"])
    assert "came late" not in profile.as_json()  # the content of the pages is not in it
    assert len(profile.as_json()) < 10_000


def test_profile_survives_its_file_and_a_pickle(tmp_path):
    profile = learned()
    (tmp_path / "site.json").write_text(profile.as_json())
    expected = tamis.extract(page("Rain"), URL, profile=profile).text
    assert tamis.extract(page("Rain"), URL, profile=tmp_path / "site.json").text == expected
    assert tamis.extract(page("Rain"), URL, profile=pickle.loads(pickle.dumps(profile))).text == expected
    assert load_profile(tmp_path / "site.json").name == "sift"


def test_site_that_has_changed_is_noticed_and_the_profile_steps_aside():
    # The frame has other classes and another notice: nothing that was learned is there.
    changed = page("Rain", frame="wrapper", notice="A wholly different notice for a wholly different frame of pages.")
    changed = changed.replace("colophon", "legal").replace("menu", "links").replace("<li>", "<li>&rsaquo; ")
    changed = (
        changed.replace("Written by hand", "Made by hand")
        .replace("All letters", "Letters")
        .replace("<p>", "<p class=x>")
    )
    extraction = tamis.extract(changed, URL, profile=learned())
    (warning,) = [each for each in extraction.warnings if each.type == "site profile"]
    assert "has changed since 2026-11-17" in warning.reason
    assert extraction.text == tamis.extract(changed, URL).text
    assert extraction.reselect("recall").warnings[0].type == "site profile"


def test_profile_of_another_host_is_not_used_and_says_so():
    extraction = tamis.extract(page("Rain"), "https://other.example/rain", profile=learned())
    assert "the page is of other.example" in extraction.warnings[0].reason
    assert NOTICE in extraction.text


def test_label_between_values_that_differ_and_text_that_a_page_repeats_lose_nothing():
    rows = "".join(
        f"<tr><td>Weight</td><td>{{0}}{n} grams of it</td></tr><tr><td>Colour {n}</td><td>{{0}} {n}</td></tr>"
        for n in range(4)
    )
    pages = [parse_page(f"<table>{rows.format(topic)}</table>") for topic in TOPICS]
    sketch = SiteSketch()
    for each in pages:
        keys = block_keys(each)
        sketch.add(sketch_page(keys, np.full(len(keys.text), 1.0)))
    profile = SiteProfile.from_sketch("x.example", sketch)
    assert text_key("Weight") in profile.texts
    assert text_key("Colour 1") in profile.texts
    shifts = profile.shifts(block_keys(pages[0]))
    labels = [
        block for block, text in enumerate(pages[0].blocks.start.tolist()) if pages[0].row_text(text) == "Weight"
    ]
    assert not shifts[labels].any()
    assert np.abs(shifts).max() < 2.5  # "Colour 1" stands beside values that differ


def test_copies_of_one_page_count_once():
    learner = SiteLearner()
    for number in range(9):
        learner.add(SitePage(page("Tea"), name=str(number)))
    assert not learner.is_enough
    with pytest.raises(OptionError, match="4 different pages"):
        learner.profile()


def test_profile_whose_pages_have_the_same_content_steps_aside():
    # Near copies: a short line differs, so they count, but the article of this page is on all of them.
    sketch = SiteSketch()
    for number in range(5):
        keys = block_keys(parse_page(page("Rain").replace("take a week", f"take {number} weeks")))
        sketch.add(sketch_page(keys, np.full(len(keys.text), 1.0)))
    parsed, profile = parse_page(page("Rain")), SiteProfile.from_sketch("valley.example", sketch)
    logits = np.where(block_keys(parsed).words > 4, 1.0, -9.0)
    adjusted, warning = profile.adjust(parsed, np.ones(len(logits)), logits)
    assert "is on most pages" in warning
    assert adjusted is logits
    assert "Rain came late" in tamis.extract(page("Rain"), URL, profile=profile).text


def test_labelled_text_adjusts_the_decision():
    labelled = [
        SitePage(page(topic), content=f"{topic} {article(topic)} {NOTICE}".replace("<p>", "\n").replace("</p>", "\n"))
        for topic in TOPICS[:5]
    ]
    assert NOTICE not in tamis.extract(page("Rain"), URL, profile=learned()).text
    assert NOTICE in tamis.extract(page("Rain"), URL, profile=learn_site(labelled)).text


def test_one_mark_adjusts_the_template_of_its_block():
    marks = {"format": "tamis marks 1", "marks": [{"text": NOTICE, "content": False}]}
    profile = learn_site([SitePage(page("Tea"), marks=json.dumps(marks), name="tea.html")])
    (offset,) = profile.offsets.values()
    assert offset[0] == 1
    assert offset[1] < -1
    assert offset[2].endswith("div.colophon > p")
    assert NOTICE in tamis.extract(page("Rain"), URL).text
    assert NOTICE not in tamis.extract(page("Rain"), URL, profile=profile).text


def test_mark_with_a_row_judges_that_block_alone():
    two = parse_page("<p>Same words</p><p>Same words</p>")
    second = int(two.blocks.start[1])
    marks = {"format": "tamis marks 1", "marks": [{"row": second, "text": "same  WORDS", "content": True}]}
    labels = labels_from_marks(two, json.dumps(marks))
    assert labels.weight.tolist() == [0.0, 200.0]
    assert labels.content.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a file of marks"),
        ('{"format": "tamis marks 1", "marks": [{"text": "Tea"}]}', "content true or false"),
        (
            '{"format": "tamis marks 1", "marks": [{"text": "Coffee", "content": true}]}',
            "the page does not have: 'Coffee'",
        ),
    ],
)
def test_invalid_marks_are_an_error(marks, message):
    with pytest.raises(OptionError, match=message):
        labels_from_marks(parse_page("<p>Tea"), marks)


def test_labels_from_a_text_are_shares_of_words():
    labels = labels_from_text(parse_page("<p>Menu<p>one two three four<p>water"), "one two three. five water")
    assert labels.content.tolist() == [0.0, 0.75, 1.0]
    assert labels_from_text(parse_page("<p>a"), "").content.tolist() == [0.0]


@pytest.mark.parametrize(
    "change",
    [
        {"format": "tamis site 9"},
        {"texts": [{"hash": "zz"}]},
        {"date": "today"},
        {"pages": None},
        {"texts": [{"hash": "f" * 17, "pages": 4, "begins": "x"}]},
        {"texts": [{"hash": "-1", "pages": 4, "begins": "x"}]},
        {"templates": [{"hash": "1", "pages": 4, "logit": float("nan"), "path": "p"}]},
        {"offsets": [{"hash": "1", "pages": 4, "logits": float("inf"), "path": "p"}]},
    ],
)
def test_damaged_profile_is_an_error(tmp_path, change):
    (tmp_path / "site.json").write_text(json.dumps(json.loads(learned().as_json()) | change))
    with pytest.raises(OptionError, match=r"damaged|not a site profile"):
        load_profile(tmp_path / "site.json")


def test_folder_of_profiles_is_chosen_by_host(tmp_path, monkeypatch):
    (tmp_path / "valley.example.json").write_text(learned().as_json())
    with_folder = tamis.extract(page("Rain"), URL, profile=tmp_path)
    assert NOTICE not in with_folder.text
    assert NOTICE in tamis.extract(page("Rain"), "https://other.example/", profile=str(tmp_path)).text
    assert find_profile(tmp_path, "../valley.example") is None
    monkeypatch.setenv("TAMIS_PROFILES", str(tmp_path))
    assert tamis.extract(page("Rain"), URL).text == with_folder.text
    assert tamis.extract(page("Rain")).text == with_folder.text  # the page declares its URL
    assert NOTICE in tamis.extract(page("Rain"), "https://other.example/").text
    assert NOTICE in tamis.extract(page("Rain"), URL, extractor="body").text  # an extractor that it is not for


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("valley.example", "http://WWW.Valley.Example.:8080/rain"),
        ("https://www.valley.example:443/", "https://valley.example/rain"),
        ("bücher.example", "https://xn--bcher-kva.example/rain"),
        ("xn--bcher-kva.example", "https://www.Bücher.example/rain"),
    ],
)
def test_spellings_of_a_host_find_its_profile(tmp_path, host, url):
    profile = learned(host=host)
    (tmp_path / f"{profile.host}.json").write_text(profile.as_json())
    for given in (profile, tmp_path):
        extraction = tamis.extract(page("Rain"), url, profile=given)
        assert NOTICE not in extraction.text
        assert not extraction.warnings
    edited = replace(profile, host=host)  # by hand, in the file
    assert NOTICE not in tamis.extract(page("Rain"), url, profile=edited).text


def test_changed_file_of_a_profile_is_read_again(tmp_path):
    path = tmp_path / "valley.example.json"
    path.write_text(replace(learned(), texts={}, templates={}).as_json())
    assert NOTICE in tamis.extract(page("Rain"), URL, profile=tmp_path).text
    path.write_text(learned().as_json())
    assert NOTICE not in tamis.extract(page("Rain"), URL, profile=tmp_path).text


def test_profile_of_another_extractor_is_an_error():
    with pytest.raises(OptionError, match="is a profile of sift, not of cetd"):
        tamis.extract("<p>a", extractor="cetd", profile=learned())
    with pytest.raises(OptionError, match="not for cetd"):
        SiteLearner("cetd")


@pytest.mark.slow
def test_sketches_are_bounded():
    sketch = SiteSketch()
    for number in range(3 * MAX_PAGES):
        keys = np.arange(number * 100, number * 100 + 100, dtype=np.uint64)
        sketch.add(replace_keys(keys, number))
    assert sketch.pages == MAX_PAGES
    assert len(sketch) < 20 * 100  # what is on few pages is forgotten again and again
    crawl = CrawlSketches(max_keys=1000)
    for number in range(500):
        crawl.add(
            f"{number % 50}.example", replace_keys(np.arange(number * 9, number * 9 + 90, dtype=np.uint64), number)
        )
        assert sum(map(len, crawl.sites.values())) <= 1000 + 90


def replace_keys(keys, number):
    page_sketch = sketch_page(block_keys(parse_page("<p>a")), np.zeros(1))
    return replace(page_sketch, texts=keys, content=number)


def test_deep_pages_cost_linear_time_and_memory():
    deep = parse_page("<div class=a>" * 20_000 + "text")
    assert len(block_keys(deep).template) == 1
