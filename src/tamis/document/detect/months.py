"""The names of the months in the languages of the web."""

from typing import Final

_NAMES: Final = (
    "january jan januar janvier enero gennaio januari janeiro января",
    "february feb februar février fevrier febrero febbraio februari fevereiro февраля",
    "march mar märz maerz mars marzo maart março марта",
    "april apr avril abril aprile апреля",
    "may mai mayo maggio mei maio мая",
    "june jun juni juin junio giugno junho июня",
    "july jul juli juillet julio luglio julho июля",
    "august aug août aout agosto augustus августа",
    "september sep sept septembre septiembre settembre setembro сентября",
    "october oct oktober octobre octubre ottobre outubro okt октября",
    "november nov novembre noviembre novembro ноября",
    "december dec dezember décembre decembre diciembre dicembre dezembro dez декабря",
)
#: The number of each month, by its name in lower case.
MONTHS: Final = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
#: A regular expression for the first three letters of the English months.
ENGLISH_MONTHS: Final = "|".join(names[:3] for names in _NAMES)
