"""Facts of products, recipes, events and questions: typed, with their source, and checked against the page."""

import importlib.util
import json
from pathlib import Path

import pytest

import tamis
from tamis.metadata.facts import read_facts
from tamis.metadata.structured import read_structured
from tamis.page import parse_page

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.parent for path in ROOT.glob("tests/listings/*/labels.json") if '"facts"' in path.read_text("utf-8")
)
_spec = importlib.util.spec_from_file_location("bench_threads", ROOT / "bench" / "threads.py")
bench = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(bench)
#: The page strikes one price out inside the element of the other.
PAGES = [folder for folder in PAGES if folder.name != "product-text"]


@pytest.mark.parametrize("folder", PAGES, ids=lambda folder: folder.name)
def test_facts_are_those_that_the_page_declares(folder):
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    extraction = tamis.extract((folder / "page.html").read_bytes())
    assert all(bench.score_facts(extraction, labels)["facts"])


def test_declared_price_that_is_not_shown_is_marked():
    page = (ROOT / "tests/listings/product-not-shown/page.html").read_bytes()
    extraction = tamis.extract(page)
    price = next(fact for fact in extraction.facts if fact.name == "price")
    assert (price.value, price.source, price.shown) == ("39.99", "json-ld", False)
    assert "- **Price:** 39.99 USD (not shown on the page)" in extraction.markdown
    assert "39.99" not in extraction.to_markdown(facts=False)
    assert json.loads(extraction.json)["facts"][2]["shown"] is False


def test_markdown_has_only_what_the_text_lacks():
    extraction = tamis.extract((ROOT / "tests/listings/recipe-json-ld/page.html").read_bytes())
    assert "- **Cook time:** 45 min" in extraction.markdown
    assert "**Ingredients:**" not in extraction.markdown
    short = tamis.extract((ROOT / "tests/listings/recipe-text-steps/page.html").read_bytes())
    assert "- **Ingredients:** 500 g strong flour; 350 g water" in short.markdown


@pytest.mark.parametrize(
    ("item", "facts"),
    [
        (
            {
                "@type": "JobPosting",
                "title": "Baker",
                "hiringOrganization": {"name": "Oven"},
                "baseSalary": {"currency": "GBP", "value": {"minValue": 20}},
            },
            {"title": "Baker", "organization": "Oven", "salary": "20", "currency": "GBP"},
        ),
        ({"@type": "VideoObject", "name": "Tea", "duration": "PT3M"}, {"name": "Tea", "duration": "PT3M"}),
        (
            {"@type": "Restaurant", "name": "Oda", "telephone": "1", "address": {"streetAddress": "4 Quay"}},
            {"name": "Oda", "phone": "1", "address": "4 Quay"},
        ),
        (
            {"@type": "Review", "itemReviewed": {"name": "Tea"}, "reviewRating": {"ratingValue": 4}},
            {"item": "Tea", "rating": "4"},
        ),
        (
            {"@type": "HowTo", "name": "Brew", "step": [{"@type": "HowToStep", "text": "Boil."}]},
            {"name": "Brew", "steps": ("Boil.",)},
        ),
    ],
)
def test_other_types(item, facts):
    page = f'<script type="application/ld+json">{json.dumps(item)}</script><p>Some text.'
    assert {fact.name: fact.value for fact in tamis.extract(page).facts} == facts


def test_malformed_data_has_no_facts():
    for data in (
        "{",
        "[]",
        '{"@type": 3}',
        '{"@type": "Product", "offers": [[]]}',
        '{"@type": "Product", "name": {}}',
    ):
        assert not tamis.extract(f'<script type="application/ld+json">{data}</script><p>Text.').facts


def test_facts_of_some_types_are_those_of_all():
    """Microdata is not searched for the items of a page that has none of the types."""
    offer = (
        '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Kettle</b><i itemprop="sku">7</i>'
    )
    offer += "</div>"
    event = '<b property="name">Regatta</b><i property="location">Pier</i>'
    page = f'<div vocab="https://schema.org/" typeof="Event">{event}</div>{offer}'
    page += '<script type="application/ld+json">{"@type": "Organization", "name": "Pier", "telephone": "1"}</script>'
    structured = read_structured(parse_page(page))
    everything = read_facts(structured)
    assert {(fact.type, fact.source) for fact in everything} == {
        *(("Organization", "json-ld"), ("Product", "microdata"), ("Event", "rdfa")),
    }
    for types in ({"Product"}, {"Event", "Recipe"}, {"Organization"}, {"Recipe"}):
        assert read_facts(structured, types=types) == tuple(fact for fact in everything if fact.type in types)


def test_a_page_that_declares_several_products_has_no_facts_of_one() -> None:
    item = '<script type="application/ld+json">{{"@type": "Product", "name": "{0}", "sku": "{0}"}}</script>'
    alone, listed = (read_structured(parse_page("".join(map(item.format, names)))) for names in (["a"], ["a", "b"]))
    assert read_facts(alone, of_one_item=True) == read_facts(alone) != ()
    assert read_facts(listed, of_one_item=True) == ()
    assert {fact.item for fact in read_facts(listed)} == {0, 1}
