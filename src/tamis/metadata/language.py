"""The language that the content is written in, and the one that the page declares."""

import re
from collections.abc import Iterator
from typing import Final

from turbohtml.detect import LanguageMatch, detect_language

from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced

_LANGUAGE_TAG: Final = re.compile(r"^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$")
#: ISO 639-3, which the detector returns, to ISO 639-1, which pages use.
_CODE_PAIRS: Final = """
    afr:af amh:am ara:ar arb:ar aze:az azj:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en
    epo:eo est:et eus:eu fas:fa pes:fa fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id isl:is ita:it
    jpn:ja kan:kn kat:ka kaz:kk khm:km kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nno:nn
    nob:nb nor:no ori:or ory:or pan:pa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn som:so spa:es sqi:sq
    srp:sr swa:sw swe:sv tam:ta tel:te tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz uzn:uz vie:vi yid:yi ydd:yi
    zho:zh zul:zu
"""
#: Languages so near to each other that the declared one is believed.
_NEAR_LANGUAGES: Final = tuple(
    frozenset(group.split())
    for group in (
        "no nb nn da",
        "hr sr bs sh sl",
        "id ms",
        "cs sk",
        "zh yue cmn",
        "fa prs",
        "uk ru be",
        "gl pt es ca",
    )
)
_TWO_LETTER_CODES: Final = dict(pair.split(":") for pair in _CODE_PAIRS.split())
_SAMPLE_CHARS: Final = 4000  #: characters that the detector sees
_FIRST_CHARS: Final = 500  #: characters that it sees first: if they agree with the declared language, that is it
_MIN_CHARS: Final = 10  #: a shorter text has no detectable language
_MIN_LATIN_CHARS: Final = 50  #: the same for Latin script, which many languages share
#: The same for a text that contradicts a declared language: the detector takes 60 letters of English for German.
_MIN_CONTRADICTING_CHARS: Final = 200
#: Below this confidence, lists of names and prices are taken for any language; 15 of 1,450 English pages are below.
_MIN_CONFIDENCE: Final = 0.9


def declared_languages(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the languages that a page declares."""
    structured, page = source.structured, source.structured.page
    for row in [*page.rows_of("html").tolist()[:1], page.body]:
        attributes = page.attributes(row) if page.is_element[row] else {}
        yield Sourced(attributes.get("lang") or attributes.get("xml:lang") or "", "html lang")
    yield from structured.json_ld_texts("inLanguage")
    yield from structured.metas("og:locale", "content-language", "dc.language", "dcterms.language", "language")


def find_declared_languages(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the languages that a page declares, as tags of BCP 47."""
    for declared in declared_languages(source):
        tag = declared.value.strip().replace("_", "-")
        if _LANGUAGE_TAG.match(tag):
            yield Sourced(tag, declared.source)


def find_language(source: MetadataSource) -> Sourced[str] | None:
    """Return the language that a page declares."""
    return next(find_declared_languages(source), None)


def find_content_languages(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the language that the content is written in, then the declared one.

    A declared language that the detected one does not contradict is taken as declared, with its region. On the 154
    pages of `world-news` the detected language is right on 152 and missing on 2 that are too short, the declared one
    is wrong on 1 and missing on 5; together all are right. py3langid 0.4.0 and lingua 2.1.1 are right on the same
    pages, at 18 and 39 times the time.
    """
    declared, sample = find_language(source), source.text[:_SAMPLE_CHARS].strip()
    if declared and len(sample) > 2 * _FIRST_CHARS:  # on most pages the beginning is enough
        first = sample[:_FIRST_CHARS]
        detected = _believed(detect_language(first), first)
        if detected and _agree(declared.value, detected):
            yield declared
            return
    match = detect_language(sample) if len(sample) >= _MIN_CHARS else None
    detected = _believed(match, sample)
    is_short = match is not None and match.script == "Latin" and len(sample) < _MIN_CONTRADICTING_CHARS
    if detected and not (declared and (is_short or _agree(declared.value, detected))):
        yield Sourced(detected, "text")
    if declared:
        yield declared


def _agree(declared: str, detected: str) -> bool:
    """Return whether a detected language is the declared one, or one that detectors take it for."""
    primary = declared.lower().partition("-")[0]
    return primary == detected or any({primary, detected} <= group for group in _NEAR_LANGUAGES)


def _believed(match: LanguageMatch | None, sample: str) -> str | None:
    """Return the language that the detector found, or None if it is uncertain or the sample short.

    >>> sample = "Das Wasser kocht, und der Tee ist gleich fertig; bitte noch einen Augenblick warten."
    >>> _believed(detect_language(sample), sample)
    'de'
    """
    if match is None or match.language is None or match.confidence < _MIN_CONFIDENCE:
        return None
    if match.script == "Latin" and len(sample) < _MIN_LATIN_CHARS:
        return None
    return _TWO_LETTER_CODES.get(match.language, match.language)
