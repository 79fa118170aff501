"""Import paths, versions, names that are not there, and other libraries with the module in the package's place."""

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version as distribution_version

import pytest

from tests.compat.real import load
from tests.sampling import sampled

PACKAGES = ("trafilatura", "readability", "newspaper", "resiliparse", "justext", "html2text")
#: What programs import, by the packages' documentation and by the libraries that use them.
PATHS = {
    "trafilatura": "extract bare_extraction fetch_url fetch_response load_html",
    "trafilatura.core": "extract bare_extraction Extractor",
    "trafilatura.settings": "use_config DEFAULT_CONFIG Extractor Document",
    "trafilatura.metadata": "extract_metadata Document",
    "trafilatura.downloads": "fetch_url fetch_response Response",
    "trafilatura.utils": "load_html sanitize trim decode_file",
    "trafilatura.xml": "xmltotxt",
    "trafilatura.baseline": "baseline html2txt",
    "trafilatura.feeds": "find_feed_urls",
    "trafilatura.sitemaps": "sitemap_search",
    "trafilatura.spider": "focused_crawler",
    "trafilatura.deduplication": "Simhash content_fingerprint",
    "trafilatura.meta": "reset_caches",
    "readability": "Document",
    "readability.readability": "Document Unparseable",
    "newspaper": "Article Config Source build article fulltext ArticleException",
    "newspaper.article": "Article ArticleException ArticleDownloadState",
    "newspaper.configuration": "Configuration",
    "newspaper.source": "Source",
    "resiliparse.extract.html2text": "extract_plain_text",
    "resiliparse.parse.encoding": "bytes_to_str detect_encoding",
    "justext": "justext get_stoplist get_stoplists",
    "justext.core": "justext JustextError classify_paragraphs",
    "justext.utils": "get_stoplist get_stoplists",
    "justext.paragraph": "Paragraph",
    "html2text": "HTML2Text html2text",
}


@pytest.mark.parametrize("path", PATHS)
def test_import_paths_of_the_packages_lead_to_the_names(path):
    ours, theirs = import_module(f"tamis.compat.{path}"), load(path)
    for name in PATHS[path].split():
        assert getattr(ours, name)
        assert hasattr(theirs, name)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_has_the_version_of_the_package(package):
    version = getattr(load(package), "__version__", None)
    assert import_module(f"tamis.compat.{package}").__version__ == (
        version or distribution_version(package)
    )  # Resiliparse names none


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("from tamis.compat.trafilatura import buffered_downloads", r"use tamis\.afetch_many"),
        ("from tamis.compat.newspaper import popular_urls", "keeps no list"),
        ("from tamis.compat.html2text.utils import escape_md", "handle"),
        ("from tamis.compat.resiliparse.parse.html import HTMLTree", r"tamis\.parse_page"),
        ("from tamis.compat.readability import anything", "docs/migration.md"),
    ],
)
def test_a_name_that_is_not_there_is_an_import_error_that_says_what_to_use(statement, hint):
    with pytest.raises(ImportError, match=hint):
        exec(statement)
    module = import_module(".".join(statement.split()[1].split(".")[:3]))
    assert not hasattr(module, statement.split()[-1])


@pytest.mark.parametrize("name", ["tamis.compat.trafilatura.cli", "tamis.compat.readability.debug"])
def test_a_module_that_is_not_there_is_an_import_error_that_says_what_to_use(name):
    with pytest.raises(ModuleNotFoundError, match=rf"no module {name}: docs/migration.md lists"):
        import_module(name)
    assert not hasattr(import_module(name.rpartition(".")[0]), "__path__")


def in_new_process(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_install_lends_no_name_of_the_package():
    program = """
import trafilatura  # the package, before
from tamis import compat
compat.install("trafilatura")
from trafilatura.settings import use_config
import trafilatura.core
try:
    import trafilatura.xpaths
except ImportError:
    print(trafilatura.__name__, use_config.__module__)
"""
    assert in_new_process(program) == "tamis.compat.trafilatura tamis.compat.trafilatura_run"


PAGE = (
    "<nav><a href=/>Home</a></nav><article><h1>Tea</h1>"
    + "<p>Boil soft water, wait, and pour it over leaves.</p>" * 6
)
#: What libraries do with the packages, by their sources.
USES = {
    "haystack": """
from haystack.components.converters import HTMLToDocument
from haystack.dataclasses import ByteStream
print(HTMLToDocument().run([ByteStream(page.encode())])["documents"][0].content)
""",
    "LangChain's NewsURLLoader": """
import newspaper
from newspaper import Article
newspaper.__version__
article = Article("https://example.org/", language="en")
article.download(page)
article.parse()
article.nlp()
print(article.text, article.keywords, article.summary)
""",
    "LangChain's Html2TextTransformer": """
import html2text
writer = html2text.HTML2Text()
writer.ignore_links = True
writer.ignore_images = False
print(writer.handle(page))
""",
    "LlamaIndex's TrafilaturaWebReader": """
import trafilatura
print(trafilatura.extract(page, favor_recall=True, no_fallback=True, include_links=True, deduplicate=True))
""",
    "minet": """
from trafilatura.settings import Document
from trafilatura.core import bare_extraction
result = bare_extraction(page, with_metadata=True)
print(result.text, result.comments, result.pagetype, result.image, isinstance(result, Document))
""",
    "datatrove": """
from trafilatura import extract
print(extract(page, favor_precision=True, include_comments=False, deduplicate=True))
""",
    "NeMo-Curator": """
from copy import deepcopy
import justext
import lxml
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from trafilatura import extract as extract_with_trafilatura
from trafilatura.settings import DEFAULT_CONFIG as TRAFILATURA_DEFAULT_CONFIG
config = deepcopy(TRAFILATURA_DEFAULT_CONFIG)
config["DEFAULT"]["MIN_EXTRACTED_SIZE"] = "250"
handler = justext.core.ParagraphMaker()
dom = justext.core.preprocessor(justext.core.html_to_dom(page))
lxml.sax.saxify(dom, handler)
justext.core.classify_paragraphs(handler.paragraphs, justext.get_stoplist("English"), 70, 200, 0.3, 0.32, 0.2, False)
for paragraph in handler.paragraphs:
    paragraph.class_type = paragraph.cf_class
justext.core.revise_paragraph_classification(handler.paragraphs, 200)
assert [paragraph.text for paragraph in handler.paragraphs if paragraph.is_boilerplate] == ["Home"]
assert "Home" not in extract_with_trafilatura(page, config=config)
page = bytes_to_str(page.encode(), detect_encoding(page.encode()))
print(extract_plain_text(page, main_content=True, alt_texts=False))
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("library", sampled(sorted(USES), 7))
def test_libraries_work_with_the_modules_in_the_place_of_the_packages(library):
    start = (
        f"import warnings; warnings.simplefilter('ignore')\nfrom tamis import compat\ncompat.install(*{PACKAGES})\n"
    )
    out = in_new_process(f"{start}page = {PAGE!r}\n{USES[library]}")
    assert "pour it over leaves" in out
