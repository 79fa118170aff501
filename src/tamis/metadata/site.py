"""What a page says of itself beside its text: the name of its site, description, tags, image, address."""

from collections.abc import Iterator

from tamis.html.urls import hostname, safe_url
from tamis.metadata.structured import Said, Structured, texts


def find_site(said: Structured, url: str | None) -> Said | None:
    """Return the name of the site."""
    for found in _site_names(said):
        name = found.value.split(" | ")[0].strip(" -–—|:·.")  # what follows is its motto
        if name:
            return Said(name, found.source)
    host = hostname(url, strip_www=True)
    return Said(host, "address") if host else None


def _site_names(said: Structured) -> Iterator[Said]:
    """Give what a page calls its site, from the most trusted source on."""
    if found := said.first("og:site_name"):
        yield found
    for thing in said.things:
        if "WebSite" in str(thing.get("@type")):
            for name in texts(thing.get("name")):
                yield Said(name, "json-ld WebSite")
    if found := said.linked("publisher", "sourceOrganization"):
        yield found
    if found := said.first("application-name", "apple-mobile-web-app-title", "dc.publisher"):
        yield found


def find_description(said: Structured) -> Said | None:
    """Return what the page is about, in its own words."""
    return said.first("og:description", "description", "dc.description", "twitter:description") or said.linked(
        "description"
    )


def find_tags(said: Structured) -> tuple[tuple[str, ...], str]:
    """Return the page's tags."""
    for thing in said.main:
        found = _split(texts(thing.get("keywords")))
        if found:
            return found, "json-ld keywords"
    for name in ("article:tag", "keywords", "news_keywords", "parsely-tags", "sailthru.tags"):
        found = _split(said.meta.get(name, []))
        if found:
            return found, name if ":" in name else f"meta {name}"
    found = _split([said.page.row_text(row) for row in said.page.select("a[rel~='tag']")[:30]])
    return found, "rel tag" if found else ""


def find_categories(said: Structured) -> tuple[tuple[str, ...], str]:
    """Return the sections of the site that the page stands in."""
    for thing in said.main:
        found = _split(texts(thing.get("articleSection")))
        if found:
            return found, "json-ld articleSection"
    for name in ("article:section", "parsely-section", "category", "section"):
        found = _split(said.meta.get(name, []))
        if found:
            return found, name if ":" in name else f"meta {name}"
    return (), ""


def _split(values: list[str]) -> tuple[str, ...]:
    parts = [" ".join(part.split()) for value in values for part in value.split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))[:50]


def find_image(said: Structured, base: str | None) -> Said | None:
    """Return the address of the picture that stands for the page."""
    for thing in said.main:
        image = thing.get("image")
        for one in image if isinstance(image, list) else [image]:
            value = one.get("url") or one.get("contentUrl") if isinstance(one, dict) else one
            address = safe_url(value, base) if isinstance(value, str) and value else None
            if address:
                return Said(address, "json-ld image")
    found = said.first("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
    address = safe_url(found.value, base) if found else None
    return Said(address, found.source) if found and address else None


def find_canonical(said: Structured, base: str | None) -> Said | None:
    """Return the address that the page calls its own."""
    for row in said.page.select("link[rel~='canonical' i][href]")[:1]:
        address = safe_url(said.page.attributes(row)["href"], base)
        if address:
            return Said(address, "link canonical")
    found = said.first("og:url")
    address = safe_url(found.value, base) if found else None
    return Said(address, "og:url") if address else None
