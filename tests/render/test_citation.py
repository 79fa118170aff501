"""BibTeX and CSL-JSON: the citation of a page, from Highwire, PRISM and Dublin Core, or of a plain web page."""

import json

import pytest

import tamis
from tamis.render.citation import render_bibtex, render_csl

HIGHWIRE = """<title>On leaves</title><meta name=citation_title content="On leaves">
<meta name=citation_author content="Lee, Ann"><meta name=citation_author content="Ek, Bo">
<meta name=citation_publication_date content="2024/05/01"><meta name=citation_journal_title content="Tea & Water">
<meta name=citation_volume content=3><meta name=citation_issue content=2><meta name=citation_firstpage content=10>
<meta name=citation_lastpage content=19><meta name=citation_issn content="1234-5678">
<meta name=citation_doi content="doi:10.1000/182"><meta name=citation_pdf_url content="/a.pdf">"""
PRISM = """<meta name=prism.publicationName content="Tea & Water"><meta name=prism.volume content=3>
<meta name=prism.number content=2><meta name=prism.startingPage content=10><meta name=prism.endingPage content=19>
<meta name=prism.doi content="10.1000/182"><meta name=dc.creator content="Lee, Ann">
<meta name=dc.creator content="Ek, Bo"><meta name=dc.date content=2024-05-01>"""
JSON_LD = """<script type="application/ld+json">{"@type": "ScholarlyArticle", "headline": "On leaves",
"author": [{"name": "Ann Lee"}, {"name": "Bo Ek"}], "datePublished": "2024-05-01", "pageStart": 10, "pageEnd": "19",
"sameAs": "https://doi.org/10.1000/182", "isPartOf": {"@type": "PublicationIssue", "issueNumber": 2, "isPartOf":
{"@type": ["PublicationVolume", "Periodical"], "volumeNumber": "3", "name": "Tea & Water"}}}</script>"""
BODY = "<h1>On leaves</h1><p>Boil the water, and wait for the leaves to open."


def extract(head: str) -> tamis.Extraction:
    return tamis.extract(head + BODY, "https://e.org/leaves", extractor="body")


@pytest.mark.parametrize("head", [HIGHWIRE, PRISM, JSON_LD], ids=["highwire", "prism", "json-ld"])
def test_each_vocabulary_gives_the_same_citation(head):
    metadata = extract(head).metadata
    assert metadata.doi == "10.1000/182"
    parts = {"journal": "Tea & Water", "volume": "3", "issue": "2", "first_page": "10", "last_page": "19"}
    assert parts.items() <= dict(metadata.citation).items()
    (item,) = json.loads(extract(head).render("csl").text)
    assert item["author"] == [{"family": "Lee", "given": "Ann"}, {"family": "Ek", "given": "Bo"}]
    assert (item["type"], item["page"], item["DOI"]) == ("article-journal", "10-19", "10.1000/182")
    assert item["issued"] == {"date-parts": [[2024, 5, 1]]}


def test_bibtex_has_the_parts_and_escapes_what_tex_reads():
    assert extract(HIGHWIRE).render("bibtex").text == (
        "@article{lee2024leaves,\n  title = {{On leaves}},\n  author = {Ann Lee and Bo Ek},\n  year = {2024},\n"
        "  month = {5},\n  journal = {Tea \\& Water},\n  volume = {3},\n  number = {2},\n  pages = {10--19},\n"
        "  issn = {1234-5678},\n  doi = {10.1000/182},\n  url = {https://e.org/leaves}\n}"
    )
    assert extract(HIGHWIRE).metadata.citation["pdf"] == "https://e.org/a.pdf"


def test_a_plain_page_is_cited_as_one():
    extraction = extract("<meta property=og:site_name content='The Kettle'><meta name=author content='Ann Lee'>")
    assert extraction.metadata.citation == {}
    assert extraction.render("bibtex").text.startswith("@misc{leeleaves,")
    assert "howpublished = {The Kettle}" in extraction.render("bibtex").text
    (item,) = json.loads(extraction.render("csl-json").text)
    assert (item["type"], item["container-title"]) == ("webpage", "The Kettle")


def test_several_pages_are_one_file_with_different_keys():
    pages = [(extract(HIGHWIRE), None), (extract(HIGHWIRE), None)]
    entries = render_bibtex(pages)
    assert entries.count("@article{lee2024leaves,") == 1
    assert "@article{lee2024leavesb," in entries
    assert len(json.loads(render_csl(pages))) == 2
