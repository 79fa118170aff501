"""Facts: what a page declares about a product, a recipe, an event and other things, typed, each with its source.

JSON-LD, microdata, RDFa and ``meta`` elements are read into one form, that of JSON-LD, and from it by one table of
properties (`_TYPES`). Values are checked against the shown text: a declared price that the page does not show says
so.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tamis.html.text import unescape
from tamis.metadata.structured import JSONObject, StructuredData, item_types, text_values
from tamis.page import Page
from tamis.reprs import value_repr

#: The properties of each type: the name of the fact, and where it is, the first that has a value.
_TYPES: Final[dict[str, dict[str, str]]] = {
    "Product": {
        "name": "name", "brand": "brand", "price": "offers.price offers.priceSpecification.price offers.lowPrice",
        "currency": "offers.priceCurrency offers.priceSpecification.priceCurrency",
        "availability": "offers.availability", "rating": "aggregateRating.ratingValue",
        "reviews": "aggregateRating.reviewCount aggregateRating.ratingCount", "sku": "sku mpn gtin13 gtin productID",
    },
    "Recipe": {
        "name": "name", "prep_time": "prepTime", "cook_time": "cookTime", "total_time": "totalTime",
        "yield": "recipeYield yield", "ingredients": "recipeIngredient ingredients", "steps": "recipeInstructions",
        "nutrition": "nutrition", "rating": "aggregateRating.ratingValue",
    },
    "Event": {
        "name": "name", "start": "startDate", "end": "endDate", "venue": "location.name location",
        "address": "location.address", "performer": "performer", "organizer": "organizer", "price": "offers.price "
        "offers.lowPrice", "currency": "offers.priceCurrency", "status": "eventStatus",
    },
    "FAQPage": {"questions": "mainEntity.name", "answers": "mainEntity.acceptedAnswer.text"},
    "QAPage": {
        "questions": "mainEntity.name", "answers": "mainEntity.acceptedAnswer.text mainEntity.suggestedAnswer.text",
    },
    "HowTo": {"name": "name", "total_time": "totalTime", "supplies": "supply", "tools": "tool", "steps": "step"},
    "VideoObject": {
        "name": "name", "description": "description", "duration": "duration", "uploaded": "uploadDate",
        "transcript": "transcript",
    },
    "JobPosting": {
        "title": "title", "organization": "hiringOrganization", "location": "jobLocation.address jobLocation",
        "employment": "employmentType", "salary": "baseSalary.value.value baseSalary.value.minValue baseSalary.value "
        "baseSalary", "currency": "baseSalary.currency", "posted": "datePosted", "valid_through": "validThrough",
    },
    "LocalBusiness": {
        "name": "name", "phone": "telephone", "address": "address", "hours": "openingHours",
        "price_range": "priceRange",
        "rating": "aggregateRating.ratingValue",
    },
    "Organization": {"name": "name", "phone": "telephone", "address": "address", "email": "email"},
    "Review": {
        "item": "itemReviewed", "author": "author", "rating": "reviewRating.ratingValue", "text": "reviewBody",
        "date": "datePublished",
    },
}  # fmt: skip
_LISTS: Final = frozenset({"ingredients", "steps", "nutrition", "questions", "answers", "supplies", "tools", "hours"})
_SUBTYPES: Final = {
    "productgroup": "Product", "individualproduct": "Product", "book": "Product", "criticreview": "Review",
    "userreview": "Review", "restaurant": "LocalBusiness", "store": "LocalBusiness", "hotel": "LocalBusiness",
    "corporation": "Organization",
}  # fmt: skip
_BY_NAME: Final = {name.lower(): name for name in _TYPES} | _SUBTYPES
_ADDRESS: Final = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")
_MAX_ITEMS: Final = 200  #: of one page
_MAX_STEPS: Final = 200
_MAX_VALUE_CHARS: Final = 2000
_PRICE_SELECTOR: Final = "[itemprop~='price'],[class*='price' i],[data-price]"
_MONEY: Final = re.compile(
    r"(?P<sign>[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY)\b)\s?(?P<amount>\d[\d.,' ]*\d|\d)|"
    r"(?P<amount2>\d[\d.,' ]*\d|\d)\s?(?P<sign2>[€£$]|\b(?:USD|EUR|GBP|CHF|kr|zł)\b)"
)
_CURRENCIES: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "zł": "PLN"}
#: What the button of one product says. A list of products has many: its page type is another.
_CART: Final = re.compile(
    r"add to (?:cart|bag|basket)|in den warenkorb|au panier|al carrito|al carrello", re.IGNORECASE
)
_OLD_PRICE: Final = re.compile(r"old|was|compare|regular|list|strike|before|msrp|original", re.IGNORECASE)
_CAPITAL: Final = re.compile("(?<!^)(?=[A-Z])")
_DURATION: Final = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$", re.IGNORECASE)
_WORDS: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a page declares.

    Attributes:
        type: what it is about: ``Product``, ``Recipe``, ``Event`` …
        name: its name: ``price``, ``ingredients``, ``venue`` …
        value: its value, or its values.
        source: where it was read: ``json-ld``, ``microdata``, ``rdfa``, ``meta`` or ``text``.
        item: the number of the product, recipe … that it is about, from 0.
        shown: whether the shown text of the page has it; None if that is unknown, as for a date.
    """

    type: str
    name: str
    value: str | tuple[str, ...]
    source: str
    item: int = 0
    shown: bool | None = None
    __repr__ = value_repr

    def as_dict(self) -> dict[str, object]:
        """Return the fact as plain values."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "type": self.type, "name": self.name, "value": value, "source": self.source, "item": self.item,
            "shown": self.shown,
        }  # fmt: skip


def read_facts(
    structured: StructuredData,
    page_type: str | None = None,
    types: Collection[str] = tuple(_TYPES),
    *,
    of_one_item: bool = False,
) -> tuple[Fact, ...]:
    """Return the facts of a page, of some types. Of an item that is declared twice, the first way has precedence.

    With `of_one_item`, a page that declares several items of a type has none: it is a list of them.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> offer = '{"@type": "Product", "name": "Kettle", "offers": {"price": 39.9, "priceCurrency": "EUR"}}'
    >>> page = parse_page(f'<script type="application/ld+json">{offer}</script><p>Kettle: € 39,90')
    >>> [(fact.name, fact.value, fact.shown) for fact in read_facts(read_structured(page))]
    [('name', 'Kettle', True), ('price', '39.9', True), ('currency', 'EUR', None)]
    """
    shown = _Shown(structured.page)
    facts: list[Fact] = []
    numbers: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    for source, item in _items(structured, types):
        type_name = next((_BY_NAME[name] for name in map(_base_type, item_types(item)) if name in _BY_NAME), "")
        if type_name not in types or len(numbers) > _MAX_ITEMS:
            continue
        values = dict(_values(item, _TYPES[type_name], structured.by_id))
        key = (type_name, " ".join(_WORDS.findall(str(values.get("name") or values.get("title") or values))).lower())
        if not values or key in seen or set(values) <= {"name"}:
            continue
        seen.add(key)
        number = numbers.get(type_name, 0)
        if number and of_one_item:
            return ()
        numbers[type_name] = number + 1
        facts += [
            Fact(type_name, name, value, source, number, shown.has(name, value)) for name, value in values.items()
        ]
    if "Product" in types and not any(fact.type == "Product" and fact.name == "price" for fact in facts):
        facts += _product_price(structured, shown, page_type)
    return tuple(facts)


def _base_type(name: str) -> str:
    """Return the type that a more specific one belongs to: ``musicevent`` is an event."""
    for suffix in ("event", "organization"):
        if name.endswith(suffix):
            return suffix
    return name


def _items(structured: StructuredData, types: Collection[str]) -> Iterator[tuple[str, JSONObject]]:
    """Yield the items of a page, with the source of each: JSON-LD, microdata, RDFa.

    The last two only if an item in them has one of the types: the parser searches all of the page for them.
    """
    wanted = [item for item in structured.items if _is_of(item_types(item), types)]
    if wanted:
        inner = {id(value) for item in structured.items for value in _nested(item)}
        yield from (("json-ld", item) for item in wanted if id(item) not in inner)
    page = structured.page
    if _declares(page.attribute("itemtype").values(), types):
        yield from (("microdata", _from_microdata(item)) for item in page.parsed.tree.microdata())
    if _declares(page.attribute("typeof").values(), types):
        yield from (("rdfa", _from_rdfa(item)) for item in page.parsed.tree.rdfa())


def _declares(values: Iterable[str], types: Collection[str]) -> bool:
    """Tell whether one of the values of an attribute names one of the types."""
    return any(_is_of(item_types({"@type": list(map(str.strip, value.split()))}), types) for value in values)


def _is_of(names: Iterable[str], types: Collection[str]) -> bool:
    """Tell whether a name is that of one of the types, or of a more specific one."""
    return any(_BY_NAME.get(_base_type(name)) in types for name in names)


def _nested(item: JSONObject) -> Iterator[object]:
    """Yield the objects that are values of an item that is a type of its own, and are facts of that item alone."""
    if not any(_base_type(name) in _BY_NAME for name in item_types(item)):
        return
    for name, value in item.items():
        if name not in {"mainEntityOfPage", "@graph", "itemListElement"}:
            stack = [value]
            while stack:
                each = stack.pop()
                if isinstance(each, dict):
                    yield each
                    stack.extend(each.values())
                elif isinstance(each, list):
                    stack.extend(each)


def _from_microdata(item: Any) -> JSONObject:  # noqa: ANN401 (an item of the parser, which has no type)
    out: JSONObject = {"@type": item.type or ""}
    for name, values in item.properties.items():
        out[name] = [value if isinstance(value, str) else _from_microdata(value) for value in values]
    return out


def _from_rdfa(item: Any) -> JSONObject:  # noqa: ANN401 (likewise)
    out: JSONObject = {"@type": list(item.type or ())}
    for name, values in item.properties.items():
        plain = [value if isinstance(value, str) else _from_rdfa(value) for value in values]
        out[name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]] = plain
    return out


def _values(
    item: JSONObject, properties: dict[str, str], by_id: dict[str, JSONObject]
) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    for name, paths in properties.items():
        for path in paths.split():
            found = [text for value in _follow([item], path.split("."), by_id) for text in _texts(name, value, by_id)]
            found = [text[:_MAX_VALUE_CHARS] for text in found if text][:_MAX_STEPS]
            if found:
                yield name, tuple(found) if name in _LISTS else found[0]
                break


def _follow(values: list[Any], path: list[str], by_id: dict[str, JSONObject]) -> list[Any]:
    """Return the values at a path of properties."""
    for name in path:
        items = [by_id.get(str(item.get("@id")), item) if name not in item else item for item in _dicts(values)]
        values = [item[name] for item in items if name in item]
    return list(_flat(values))


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _dicts(values: list[Any]) -> list[JSONObject]:
    return [value for value in _flat(values) if isinstance(value, dict)]


def _texts(name: str, value: object, by_id: dict[str, JSONObject]) -> list[str]:  # noqa: C901, PLR0911 (one per form)
    """Return a value as texts: steps without their sections, an address on one line, a state without its URL."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, (int, float)):
        return [f"{value:.15g}"]
    if isinstance(value, str):
        text = " ".join(unescape(re.sub(r"<[^<>]*>", " ", value)).split())  # pages escape twice
        if name in {"availability", "status"}:
            return [text.rpartition("/")[2]]
        if name == "currency":
            return [_CURRENCIES.get(text, text)]
        if name == "steps" and "\n" in value.strip():
            return [" ".join(line.split()) for line in value.splitlines() if line.strip()]
        return [text]
    if not isinstance(value, dict):
        return []
    if name == "nutrition":
        return [
            f"{_CAPITAL.sub(' ', key).lower().removesuffix(' content')}: {text}"
            for key, each in value.items()
            if not key.startswith("@")
            for text in text_values(each)
        ]
    if name == "steps" and value.get("itemListElement"):
        return [text for each in _flat([value["itemListElement"]]) for text in _texts(name, each, by_id)]
    if name == "steps":
        return text_values(value.get("text") or value.get("name"))
    if name in {"address", "location"}:
        inner = value.get("address")
        parts = value if inner is None or not isinstance(inner, dict) else inner
        line = ", ".join(text for key in _ADDRESS for text in text_values(parts.get(key)))
        return [line] if line else text_values(value, by_id)
    return text_values(value, by_id)


def _product_price(structured: StructuredData, shown: "_Shown", page_type: str | None) -> Iterator[Fact]:
    """Yield the price that ``meta`` elements declare, else the one that the page of a product shows."""
    amount = structured.first_meta("product:price:amount", "og:price:amount")
    if amount is not None:
        yield Fact("Product", "price", amount.value, "meta", 0, shown.has("price", amount.value))
        currency = structured.first_meta("product:price:currency", "og:price:currency")
        if currency is not None:
            yield Fact("Product", "currency", currency.value, "meta", 0)
        return
    page = structured.page
    buttons = () if page_type == "product" else page.rows_of("button").tolist()
    if page_type != "product" and not any(_CART.search(page.collapsed_text(row)) for row in buttons):
        return
    for row in page.select(_PRICE_SELECTOR):
        attributes = page.attributes(row)
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        is_old = _OLD_PRICE.search(names) or any(page.tag_name(k) in {"del", "s"} for k in page.ancestors(row, 3))
        match = _MONEY.search(page.collapsed_text(row)[:60]) if not is_old and not page.hidden[row] else None
        if match:
            sign = match["sign"] or match["sign2"]
            yield Fact("Product", "price", (match["amount"] or match["amount2"]).strip(), "text", 0, shown=True)
            yield Fact("Product", "currency", _CURRENCIES.get(sign, sign), "text", 0)
            return


class _Shown:
    """Tells whether the shown text of a page has a value."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._text: str | None = None

    def has(self, name: str, value: str | tuple[str, ...]) -> bool | None:
        """Tell whether a value is shown; None of what pages write in other words: times, dates and states."""
        if self._text is None:
            text, offset, rows = self._page.text, self._page.offset, self._page.shown.nonzero()[0]
            ranges = zip(offset[rows].tolist(), offset[rows + 1].tolist(), strict=True)
            self._text = words_of(" ".join([text[start:stop] for start, stop in ranges]))
        return has_value(self._text, name, value)


def words_of(text: str) -> str:
    """Return the words and numbers of a text in lower case, with a space around each.

    >>> words_of("€ 1.299,90 – Tea!")
    ' 1 299 90 tea '
    """
    return f" {' '.join(_WORDS.findall(text.lower()))} "


def has_value(text: str, name: str, value: str | tuple[str, ...]) -> bool | None:
    """Tell whether a text, as `words_of` returns it, has a value; None if that is unknown."""
    if name in {"currency", "availability", "status", "start", "end", "uploaded", "posted", "valid_through", "date"}:
        return None
    if isinstance(value, tuple):
        found = sum(words_of(each) in text for each in value)
        return 2 * found > len(value)
    duration = _DURATION.match(value) if name.endswith(("time", "duration")) else None
    if duration:
        return any(f" {int(number)} " in text or f" {int(number)}m" in text for number in duration.groups() if number)
    if name == "price":
        whole, _, cents = (
            value.replace(",", ".").rpartition(".") if re.search(r"[.,]\d\d?$", value) else (value, "", "")
        )
        digits = re.sub(r"\D", "", whole)
        forms = {digits, f"{int(digits):,}".replace(",", " ") if digits else ""} - {""}
        ends = {f" {cents.ljust(2, '0')} "} | ({" "} if int(cents or 0) == 0 else set())
        return any(f" {form}{end}" in text for form in forms for end in ends)
    return words_of(value) in text


def read_duration(value: str) -> str:
    """Return a duration of ISO 8601 as people read it, and any other text unchanged.

    >>> read_duration("PT1H30M"), read_duration("PT45M"), read_duration("4 servings")
    ('1 h 30 min', '45 min', '4 servings')
    """
    match = _DURATION.match(value) if value[:1] == "P" else None
    if not match or not any(match.groups()):
        return value
    units = zip(match.groups(), ("days", "h", "min", "s"), strict=True)
    return " ".join(f"{int(number)} {unit}" for number, unit in units if number and int(number))
