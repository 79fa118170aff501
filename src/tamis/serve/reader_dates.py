"""Dates and reading times in the language of a page. No-break spaces keep each of them on one line."""

import re
from typing import Final

_MONTHS: Final = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
    "marraskuuta joulukuuta",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "el": "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου "
    "Δεκεμβρίου",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "id": "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember",
    "hi": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्तूबर नवंबर दिसंबर",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "fa": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "he": "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
}
_DAY_MONTH_YEAR: Final = "{day} {month} {year}"
#: Where a date is not day, month, year.
_PATTERNS: Final = {
    "de": "{day}. {month} {year}",
    "da": "{day}. {month} {year}",
    "no": "{day}. {month} {year}",
    "fi": "{day}. {month} {year}",
    "cs": "{day}. {month} {year}",
    "es": "{day} de {month} de {year}",
    "pt": "{day} de {month} de {year}",
    "zh": "{year}年{number}月{day}日",
    "ja": "{year}年{number}月{day}日",
    "ko": "{year}년 {number}월 {day}일",
    "vi": "{day}/{number}/{year}",
}
_MINUTES: Final = {
    "zh": "{}分钟",
    "ja": "{}分",
    "ko": "{}분",
    "ar": "{} د",
    "fa": "{} دقیقه",
    "he": "{} דק׳",
    "hi": "{} मिनट",
    "ru": "{} мин",
    "uk": "{} хв",
    "el": "{} λεπτά",
    "tr": "{} dk",
    "vi": "{} phút",
    "id": "{} mnt",
}
_ALIASES: Final = {"nb": "no", "nn": "no"}
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?!\d)")
_NO_BREAK: Final = "\u00a0"


def format_date(date: str, language: str | None) -> str:
    r"""Return an ISO date as it is written in a language; as it is, if the date or the language is not known.

    >>> format_date("2023-09-14", "en-GB"), format_date("2023-09-14", "ja"), format_date("2023-09", "fr")
    ('14\xa0September\xa02023', '2023年9月14日', 'septembre\xa02023')
    >>> format_date("2023-09-14", None), format_date("soon", "en")
    ('2023-09-14', 'soon')
    """
    match = _ISO_DATE.match(date)
    code = _code(language)
    if match is None or (code not in _MONTHS and code not in _PATTERNS):
        return match[0] if match else date
    year, number, day = match[1], int(match[2]), int(match[3] or 0)
    months = _MONTHS.get(code, "").split()
    if not 1 <= number <= 12:  # noqa: PLR2004 (months)
        return match[0]
    month = months[number - 1] if months else ""
    if not day:
        return f"{month}{_NO_BREAK}{year}" if month else match[0]
    pattern = _PATTERNS.get(code, _DAY_MONTH_YEAR)
    return pattern.format(year=year, month=month, number=number, day=day).replace(" ", _NO_BREAK)


def format_minutes(minutes: int, language: str | None) -> str:
    r"""Return a reading time in a language.

    >>> format_minutes(3, "de"), format_minutes(3, "zh-CN")
    ('3\xa0min', '3分钟')
    """
    return _MINUTES.get(_code(language), "{} min").format(minutes).replace(" ", _NO_BREAK)


def _code(language: str | None) -> str:
    code = (language or "").replace("_", "-").partition("-")[0].lower()
    return _ALIASES.get(code, code)
