"""Containers: what is open on the builder's stack, and the part it becomes when it ends."""

from tamis.document.document import flat
from tamis.document.frames import BOX, Frame
from tamis.document.inline import only_images, trimmed
from tamis.document.parts import (
    Cell,
    Definition,
    Definitions,
    Figure,
    Footnote,
    Heading,
    Item,
    List,
    Part,
    Post,
    Quote,
    Row,
    Table,
)
from tamis.document.spans import Emphasis, LineBreak, Span
from tamis.html import tags
from tamis.page import Page


def empty_cell(page: Page, frame: Frame, row: int) -> None:
    """Keep the place of a cell that holds nothing chosen."""
    frame.parts.append(
        Cell(element=row, first=row, stop=row + 1, parts=(), header=bool(page.tag[row] == tags.IDS["th"]))
    )


def close(page: Page, frame: Frame, outer: Frame) -> None:
    """Turn a container that has ended into a part of the one around it."""
    parts = tuple(frame.parts) if frame.kind in {"ul", "ol", "dl"} else with_lists(page, frame.parts)
    if frame.kind == "caption":
        _caption(outer, parts)
        return
    if not parts and not (frame.kind in {"td", "th"} or frame.caption):
        return
    where = {
        "element": frame.row,
        "first": parts[0].first if parts else frame.row,
        "stop": parts[-1].stop if parts else frame.row + 1,
    }
    for made in _made(page, frame, parts, where):
        outer.parts.append(made)


def _caption(outer: Frame, parts: tuple[Part, ...]) -> None:
    if outer.kind in {"figure", "table"}:
        between = (LineBreak(),) if outer.caption and parts else ()
        outer.caption = (*outer.caption, *between, *flat(parts))
    else:
        outer.parts.extend(parts)


def _made(page: Page, frame: Frame, parts: tuple[Part, ...], where: dict[str, int]) -> list[Part]:  # noqa: C901, PLR0911, PLR0912 (one line a kind)
    match frame.kind:
        case "heading":
            level = int(page.tag_name(frame.row)[1])
            spans = _unbolded(flat(parts))
            return [Heading(**where, level=level, spans=spans)] if spans else list(parts)
        case "ul" | "ol":
            return _lists(frame, parts)
        case "li" | "dt" | "dd":
            return [Item(**where, parts=parts)]
        case "dl":
            return _definitions(page, frame, parts)
        case "quote":
            return [Quote(**where, parts=parts, cite=frame.data)]
        case "figure":
            return [_figure(frame, parts, where)]
        case "post":
            facts = frame.data
            return [Post(**where, parts=parts, author=facts.author, date=facts.date, level=facts.level)]
        case "note":
            return [Footnote(**where, parts=parts, label=frame.data)]
        case "td" | "th":
            columns, rows = frame.data
            return [Cell(**where, parts=parts, header=frame.kind == "th", columns=columns, rows=rows)]
        case "tr":
            cells = tuple(part for part in parts if isinstance(part, Cell))
            all_headers = bool(cells) and all(cell.header or not cell.parts for cell in cells)
            rest: list[Part] = [part for part in parts if not isinstance(part, Cell)]
            return [*rest, Row(**where, cells=cells, header=frame.data or all_headers)] if cells else rest
        case "table":
            found = tuple(part for part in parts if isinstance(part, Row))
            stray: list[Part] = [part for part in parts if not isinstance(part, Row)]
            if found or frame.caption:
                return [*stray, Table(**where, rows=found, caption=frame.caption)]
            return stray
        case _:
            return list(parts)


def _figure(frame: Frame, parts: tuple[Part, ...], where: dict[str, int]) -> Figure:
    bare = [part for part in parts if isinstance(part, Figure) and not part.caption and not part.parts]
    images = tuple(image for part in bare for image in part.images)
    rest = tuple(part for part in parts if part not in set(bare))
    if frame.data == BOX:  # what such a box says is about its picture
        spans = flat(rest)
        beside = [only_images((span,)) for span in spans]  # on one line with the words about them
        images += tuple(image for found in beside for image in found)
        words = tuple(span for span, found in zip(spans, beside, strict=True) if not found)
        return Figure(**where, images=images, parts=(), caption=(*frame.caption, *trimmed(words)))
    return Figure(**where, images=images, parts=rest, caption=frame.caption)


def _unbolded(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a heading without the bold around all of them: a heading is bold."""
    only = spans[0] if len(spans) == 1 else None
    return only.spans if isinstance(only, Emphasis) and only.kind == "strong" else spans


def _lists(frame: Frame, parts: tuple[Part, ...]) -> list[Part]:
    """Return the items as a list. What is no item cuts it in two; a list below a list belongs to the item before."""
    out: list[Part] = []
    items: list[list[Part]] = []  # each with the lists that follow it
    number = frame.data or 1
    for part in parts:
        if isinstance(part, Item):
            items.append([part])
        elif isinstance(part, List) and items:
            items[-1].append(part)
        else:
            out += _list(frame.row, items, number, ordered=frame.kind == "ol")
            number += len(items)
            items = []
            out.append(part)
    return out + _list(frame.row, items, number, ordered=frame.kind == "ol")


def _list(row: int, items: list[list[Part]], start: int = 1, *, ordered: bool = False) -> list[Part]:
    if not items:
        return []
    made = []
    for item, *lists in items:
        assert isinstance(item, Item)
        last = lists[-1] if lists else item
        made.append(Item(element=item.element, first=item.first, stop=last.stop, parts=(*item.parts, *lists)))
    first, stop = made[0].first, made[-1].stop
    return [List(element=row, first=first, stop=stop, items=tuple(made), ordered=ordered, start=start)]


def with_lists(page: Page, parts: list[Part]) -> tuple[Part, ...]:
    """Return parts where items that no list holds have become one.

    Pages leave out the ``ul`` around their ``li``; browsers show bullets all the same.
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


def _definitions(page: Page, frame: Frame, parts: tuple[Part, ...]) -> list[Part]:
    """Return terms with their details. What is neither stands before the list."""
    entries: list[Definition] = []
    terms: list[Item] = []
    details: list[Item] = []
    stray: list[Part] = []

    def finish() -> None:
        if terms or details:
            both = [*terms, *details]
            entries.append(
                Definition(
                    element=both[0].element,
                    first=both[0].first,
                    stop=both[-1].stop,
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
                finish()
            terms.append(part)
        else:
            details.append(part)
    finish()
    if not entries:
        return stray
    made = Definitions(element=frame.row, first=entries[0].first, stop=entries[-1].stop, entries=tuple(entries))
    return [*stray, made]
