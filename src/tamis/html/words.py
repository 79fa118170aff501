"""Words that several rooms look for, in the languages of the web: months, labels of bylines, copyright lines."""

import re
from typing import Final

from tamis.lazy import lazy_pattern

# The names of the months.

#: English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Danish, Polish, Czech, Romanian, Turkish,
#: Indonesian, Hungarian, Finnish, Russian, Ukrainian, Greek; what abbreviates the name differently from English last.
_NAMES_BY_MONTH: Final = """
    january jan januar jänner janvier enero gennaio januari janeiro stycznia ledna ianuarie ocak január tammikuuta
    января січня ιανουαρίου janv ene gen;
    february feb februar février fevrier febrero febbraio februari fevereiro lutego února februarie şubat február
    helmikuuta февраля лютого φεβρουαρίου févr fev;
    march mar märz maerz mars marzo maart março marts marca března martie mart maret március maaliskuuta марта
    березня μαρτίου mrt;
    april apr avril abril aprile kwietnia dubna aprilie nisan április huhtikuuta апреля квітня απριλίου avr abr;
    may mai mayo maggio mei maio maj maja května mayıs május toukokuuta мая травня μαΐου mag;
    june jun juni juin junio giugno junho czerwca června iunie haziran június kesäkuuta июня червня ιουνίου giu;
    july jul juli juillet julio luglio julho lipca července iulie temmuz július heinäkuuta июля липня ιουλίου juil
    lug;
    august aug août aout agosto augustus augusti sierpnia srpna ağustos agustus augusztus elokuuta августа серпня
    αυγούστου ago;
    september sep sept septembre septiembre settembre setembro września září septembrie eylül szeptember syyskuuta
    сентября вересня σεπτεμβρίου set;
    october oct oktober octobre octubre ottobre outubro okt października října octombrie ekim október lokakuuta
    октября жовтня οκτωβρίου ott;
    november nov novembre noviembre novembro listopada listopadu noiembrie kasım marraskuuta ноября листопада
    νοεμβρίου;
    december dec dezember décembre decembre diciembre dicembre dezembro dez grudnia prosince decembrie aralık
    desember joulukuuta декабря грудня δεκεμβρίου déc dic
"""
_NAMES: Final = tuple(_NAMES_BY_MONTH.split(";"))
#: The number of each month, by its name in lower case.
MONTHS: Final = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
#: A regular expression for the first three letters of the English months.
ENGLISH_MONTHS: Final = "|".join(names.split()[0][:3] for names in _NAMES)


# Bylines: lines that name an author.

MAX_NAME_CHARS: Final = 60  #: of the name of a person
_VERBS: Final = (
    r"written|authored|post|posted|published|words|story|text|reported|reviewed|edited|photos?|commented|answered|"
    r"asked"
)
#: The label before a name, in the languages of the web: "By", "Posted by:", "von", "Autor:", "记者".
BYLINE_LABEL: Final = lazy_pattern(
    rf"^(?:(?:{_VERBS})\s+)?(?:(?P<by>by\b[:\s]*|(?-i:[Bb]y(?=[A-Z])))|(?:von|par|por|di|door|af|av)\s*:?\s+)"
    r"|^(?:authors?|autor(?:en|es)?|auteurs?|autori)\b(?![-_])\s*:?\s*"
    r"|^(?:автор|текст|بقلم|كتب|كتبت|लेखक|लेखिका|著者|筆者|作者|记者|記者|撰文)(?:\s*[:：]\s*|\s+)",
    re.IGNORECASE,
)


def is_byline(line: str) -> bool:
    """Return whether a line is a byline: "by" or a label with a colon, then a word that is not in lower case.

    The words for "by" in other languages do not suffice: names and headlines begin with them too ("Di Stefano").

    >>> is_byline("By Ann Lee"), is_byline("By following these tips"), is_byline("Author: Ann"), is_byline("Authors")
    (True, False, True, False)
    """
    label = BYLINE_LABEL.match(line)
    if label is None or not (label["by"] or label[0].rstrip().endswith((":", "："))):
        return False
    first = line[label.end() : label.end() + 1]
    return first.isalpha() and not first.islower()


# Copyright lines.

#: The sign or the word that begins a copyright notice, and the rest of its line.
COPYRIGHT_NOTICE: Final = lazy_pattern(r"(?:©|\(c\)\s|copyright\b).*", re.IGNORECASE)
#: The words of such a notice that name nobody.
COPYRIGHT_WORD: Final = lazy_pattern(r"copyright|\(c\)", re.IGNORECASE)
_LEGAL: Final = lazy_pattern(
    r"©|\(c\) ?(?:19|20)\d\d|copyright|rights reserved|rechte vorbehalten|droits réservés|derechos reservados"
    r"|diritti riservati|direitos reservados|права защищены|版权所有|著作権|無断",
    re.IGNORECASE,
)
_MAX_LEGAL_CHARS: Final = 200  #: of such a line, without white space
_MAX_LEGAL_SOURCE: Final = 1000  #: with white space


def is_copyright_line(text: str) -> bool:
    """Return whether a line is short and names the owner of a page, as the last lines of pages do.

    >>> is_copyright_line("© 2026 The Mill. All rights reserved."), is_copyright_line("The mill was rebuilt in 1824.")
    (True, False)
    """
    if len(text) > _MAX_LEGAL_SOURCE or not _LEGAL.search(text):
        return False
    return len("".join(text.split())) <= _MAX_LEGAL_CHARS
