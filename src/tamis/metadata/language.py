"""The language: the one that the page declares, and the one that its text is written in."""

import re
from typing import Final

from turbohtml.detect import detect_language

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
_TWO_LETTER_CODES: Final = dict(pair.split(":") for pair in _CODE_PAIRS.split())
_SAMPLE_CHARS: Final = 4000  #: characters that the detector sees
_MIN_CHARS: Final = 10  #: a shorter text has no detectable language
_MIN_LATIN_CHARS: Final = 50  #: the same for Latin script, which many languages share
#: Below this confidence, lists of names and prices are taken for any language; 15 of 1,450 English pages are below.
_MIN_CONFIDENCE: Final = 0.9


def find_language(source: MetadataSource) -> Sourced[str] | None:
    """Return the language that a page declares."""
    structured, page = source.structured, source.structured.page
    for row in [*page.rows_of("html").tolist()[:1], page.body]:
        attributes = page.attributes(row) if page.is_element[row] else {}
        tag = (attributes.get("lang") or attributes.get("xml:lang") or "").strip()
        if _LANGUAGE_TAG.match(tag):
            return Sourced(tag.replace("_", "-"), "html lang")
    declared = structured.first_json_ld("inLanguage") or structured.first_meta(
        "og:locale", "content-language", "dc.language", "language"
    )
    if declared is None or not _LANGUAGE_TAG.match(declared.value):
        return None
    return Sourced(declared.value.replace("_", "-"), declared.source)


def find_detected_language(source: MetadataSource) -> Sourced[str] | None:
    """Return the language that the content is written in."""
    language = detect(source.text)
    return Sourced(language, "text") if language else None


def detect(text: str) -> str | None:
    """Return the language of a text, or None if the text is too short or its language uncertain.

    >>> detect("Das Wasser kocht, und der Tee ist gleich fertig; bitte noch einen Augenblick warten.")
    'de'
    """
    sample = text[:_SAMPLE_CHARS].strip()
    if len(sample) < _MIN_CHARS:
        return None
    match = detect_language(sample)
    if match.language is None or match.confidence < _MIN_CONFIDENCE:
        return None
    if match.script == "Latin" and len(sample) < _MIN_LATIN_CHARS:
        return None
    return _TWO_LETTER_CODES.get(match.language, match.language)
