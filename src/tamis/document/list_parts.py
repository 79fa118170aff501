"""Lists, items outside of lists, and definition lists."""

from dataclasses import replace
from typing import Final

from tamis.document.frames import Frame
from tamis.document.parts import Definition, Definitions, Item, List, Part
from tamis.html import tags
from tamis.page import Page

_MAX_BOX_ROWS: Final = 6  #: from an item to its box to tick


def make_lists(frame: Frame, parts: tuple[Part, ...]) -> list[Part]:
    """Return the items as lists.

    A part that is not an item splits the list in two. A list directly in a list belongs to the item before it.
    """
    out: list[Part] = []
    items: list[list[Part]] = []  # each with the lists that follow it
    number = frame.data or 1
    for part in parts:
        only = part.parts[0] if isinstance(part, Item) and len(part.parts) == 1 else None
        if isinstance(only, List) and (items or len(parts) == 1):  # an item that is there only to indent its list
            if not items:
                return [only]
            items[-1].append(only)
        elif isinstance(part, Item):
            items.append([part])
        elif isinstance(part, List) and items:
            items[-1].append(part)
        else:
            out += _list(frame.row, items, number, ordered=frame.role == "ol")
            number += len(items)
            items = []
            out.append(part)
    return out + _list(frame.row, items, number, ordered=frame.role == "ol")


def _list(row: int, items: list[list[Part]], start: int = 1, *, ordered: bool = False) -> list[Part]:
    if not items:
        return []
    joined = []
    for item, *lists in items:
        assert isinstance(item, Item)
        last = lists[-1] if lists else item
        joined.append(replace(item, stop=last.stop, parts=(*item.parts, *lists)))
    first, stop = joined[0].first, joined[-1].stop
    return [List(element=row, first=first, stop=stop, items=tuple(joined), ordered=ordered, start=start)]


def wrap_stray_items(page: Page, parts: list[Part]) -> tuple[Part, ...]:
    """Return parts in which items outside of a list are wrapped in one.

    Some pages omit the ``ul`` around their ``li``; browsers show bullets nevertheless.
    """
    if not any(isinstance(part, Item) for part in parts):
        return tuple(parts)
    out: list[Part] = []
    run: list[list[Part]] = []
    for part in [*parts, None]:
        if isinstance(part, Item):
            run.append([part])
            continue
        if run:
            out += _list(int(page.parent[run[0][0].element]), run)
            run = []
        if part is not None:
            out.append(part)
    return tuple(out)


def make_definitions(page: Page, frame: Frame, parts: tuple[Part, ...]) -> list[Part]:
    """Return a definition list, after the parts that are neither terms nor details."""
    entries: list[Definition] = []
    terms: list[Item] = []
    details: list[Item] = []
    stray: list[Part] = []

    def end_entry() -> None:
        if terms or details:
            items = [*terms, *details]
            entries.append(
                Definition(
                    element=items[0].element,
                    first=items[0].first,
                    stop=items[-1].stop,
                    terms=tuple(terms),
                    details=tuple(details),
                )
            )
            terms.clear()
            details.clear()

    for part in parts:
        if not isinstance(part, Item):
            stray.append(part)
        elif page.tag[part.element] == tags.IDS["dt"]:
            if details:
                end_entry()
            terms.append(part)
        else:
            details.append(part)
    end_entry()
    if not entries:
        return stray
    if not any(entry.terms for entry in entries):  # a wiki indents with these
        return [*stray, *(part for entry in entries for item in entry.details for part in item.parts)]
    page_rows = {"element": frame.row, "first": entries[0].first, "stop": entries[-1].stop}
    return [*stray, Definitions(**page_rows, entries=tuple(entries))]


def is_checked(page: Page, row: int) -> bool | None:
    """Tell whether the item of a task list is done; None if it has no box to tick before its text."""
    if not page.tag_count("input"):
        return None
    for k in range(row + 1, min(int(page.end[row]), row + _MAX_BOX_ROWS)):
        if page.nonspace[k] and page.is_text[k]:
            break
        if page.tag[k] == tags.IDS["input"]:
            attributes = page.attributes(k)
            return "checked" in attributes if attributes.get("type", "").lower() == "checkbox" else None
    return None
