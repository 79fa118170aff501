"""Import paths, versions, names that are not there, and other libraries with the module in the package's place."""

import subprocess
import sys
from importlib import import_module

import pytest

from tests.compat.real import load

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
    assert import_module(f"tamis.compat.{package}").__version__ == (version or "1.1.0")  # Resiliparse names none


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("from tamis.compat.trafilatura import buffered_downloads", r"use tamis\.afetch_many"),
        ("from tamis.compat.newspaper import popular_urls", "keeps no list"),
        ("from tamis.compat.html2text.utils import escape_md", "handle"),
        ("from tamis.compat.readability import anything", "docs/migration.md"),
    ],
)
def test_a_name_that_is_not_there_is_an_import_error_that_says_what_to_use(statement, hint):
    with pytest.raises(ImportError, match=hint):
        exec(statement)
    module = import_module(".".join(statement.split()[1].split(".")[:3]))
    assert not hasattr(module, statement.split()[-1])


def in_new_process(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


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
