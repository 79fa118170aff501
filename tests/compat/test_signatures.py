"""Every parameter of the real functions is there, in the same place and with the same default."""

import inspect

import pytest

from tamis.compat import html2text, justext, newspaper, readability, resiliparse, trafilatura
from tests.compat.real import load

real_trafilatura = load("trafilatura")
PAIRS = {
    **{
        f"trafilatura.{name}": (getattr(trafilatura, name), getattr(real_trafilatura, name))
        for name in real_trafilatura.__all__
    },
    **{
        f"trafilatura.{path}.{name}": (getattr(trafilatura, name), getattr(load(f"trafilatura.{path}"), name))
        for path, name in (
            ("feeds", "find_feed_urls"),
            ("settings", "Extractor"),
            ("settings", "use_config"),
            ("sitemaps", "sitemap_search"),
            ("spider", "focused_crawler"),
            ("utils", "decode_file"),
            ("utils", "sanitize"),
            ("xml", "xmltotxt"),
        )
    },
    "readability.Document": (readability.Document, load("readability").Document),
    "readability.summary": (readability.Document.summary, load("readability").Document.summary),
    "newspaper.fulltext": (newspaper.fulltext, load("newspaper").fulltext),
    "justext.justext": (justext.justext, load("justext").justext),
    "html2text.html2text": (html2text.html2text, load("html2text").html2text),
    "resiliparse": (resiliparse.extract_plain_text, load("resiliparse.extract.html2text").extract_plain_text),
    "resiliparse.bytes_to_str": (resiliparse.bytes_to_str, load("resiliparse.parse.encoding").bytes_to_str),
    "resiliparse.detect_encoding": (resiliparse.detect_encoding, load("resiliparse.parse.encoding").detect_encoding),
}
#: Defaults that are values of the other package: its settings, its cleaner; and what Tamis does not need.
OTHER_DEFAULTS = {"config", "preprocessor", "stoplist"}
#: Defaults that the signature of a compiled function may show as an ellipsis, as that of Resiliparse 2.0 does.
HIDDEN_DEFAULTS = {"resiliparse": {"preserve_formatting"}}


@pytest.mark.parametrize("name", PAIRS)
def test_parameters_and_defaults_are_those_of_the_package(name):
    ours, theirs = (inspect.signature(function).parameters for function in PAIRS[name])
    only_ours = {"allow_private"}  # docs/migration.md
    assert [(p.name, p.kind) for p in ours.values() if p.name not in only_ours] == [
        (p.name, p.kind) for p in theirs.values()
    ]
    for key in theirs.keys() - OTHER_DEFAULTS - HIDDEN_DEFAULTS.get(name, set()):
        assert ours[key].default == theirs[key].default, key


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in HIDDEN_DEFAULTS.items() for key in keys])
def test_a_default_that_the_signature_hides_acts_like_ours(name, key):
    ours, theirs = PAIRS[name]
    page = "<h1>Tea</h1><p>Boil <b>water</b>.</p><ul><li>Wait.</li></ul>"
    ours_default = inspect.signature(ours).parameters[key].default
    assert theirs(page) == theirs(page, **{key: ours_default})
    assert theirs(page) != theirs(page, **{key: not ours_default})


def test_the_documented_names_of_trafilatura_are_there():
    assert set(real_trafilatura.__all__) <= set(trafilatura.__all__)
