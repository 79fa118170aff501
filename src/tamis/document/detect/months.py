"""The names of the months in the languages of the web."""

from typing import Final

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
