"""Every parameter of the real functions is there, in the same place and with the same default."""

import inspect

import pytest

from tamis.compat import html2text, justext, newspaper, readability, resiliparse, trafilatura
from tests.compat.real import load

real_trafilatura = load("trafilatura")
PAIRS = {
    **{
        f"trafilatura.{name}": (getattr(trafilatura, name), getattr(real_trafilatura, name))
        for name in trafilatura.__all__
        if name != "Document"
    },
    "readability.Document": (readability.Document, load("readability").Document),
    "readability.summary": (readability.Document.summary, load("readability").Document.summary),
    "newspaper.fulltext": (newspaper.fulltext, load("newspaper").fulltext),
    "justext.justext": (justext.justext, load("justext").justext),
    "html2text.html2text": (html2text.html2text, load("html2text").html2text),
    "resiliparse": (resiliparse.extract_plain_text, load("resiliparse.extract.html2text").extract_plain_text),
}
#: Defaults that are values of the other package: its settings, its cleaner; and what Tamis does not need.
OTHER_DEFAULTS = {"config", "preprocessor", "stoplist"}


@pytest.mark.parametrize("name", PAIRS)
def test_parameters_and_defaults_are_those_of_the_package(name):
    ours, theirs = (inspect.signature(function).parameters for function in PAIRS[name])
    positional = [parameter.name for parameter in ours.values() if parameter.kind is not parameter.KEYWORD_ONLY]
    assert positional == list(theirs)
    for key in theirs.keys() - OTHER_DEFAULTS:
        assert ours[key].default == theirs[key].default, key


def test_the_documented_names_of_trafilatura_are_there():
    missing = set(real_trafilatura.__all__) - set(trafilatura.__all__)
    assert missing == {"fetch_response", "load_html"}  # docs/migration.md names them
