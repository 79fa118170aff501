"""Containers: turn an open element that has ended into a part of the container around it."""

from dataclasses import replace
from typing import Final

from tamis.document.cards import one_link_per_card
from tamis.document.detect.callouts import label_of, read_marker
from tamis.document.document import flatten
from tamis.document.frames import CAPTIONED_BOX, Frame
from tamis.document.inline import only_images, trim
from tamis.document.note_marks import join_marks
from tamis.document.parts import (
    Callout,
    Cell,
    Definition,
    Definitions,
    Details,
    Figure,
    Footnote,
    Heading,
    Item,
    List,
    Paragraph,
    Part,
    Post,
    Quote,
    Row,
    Table,
)
from tamis.document.spans import Emphasis, LineBreak, Span, Text, plain_text
from tamis.html import tags
from tamis.page import Page

_MIN_HEADED_ROWS: Final = 3  #: of a table whose first row may be its header
_MAX_HEADER_CHARS: Final = 40  #: of the name of a column
_MAX_ICON_CHARS: Final = 3
_MAX_BOX_ROWS: Final = 6  #: from an item to its box to tick
_MAX_CAPTION_CHARS: Final = 300  #: of a paragraph that is part of a caption


def add_empty_cell(page: Page, frame: Frame, row: int) -> None:
    """Add an empty cell for one without selected text, so that the columns stay aligned."""
    frame.parts.append(
        Cell(element=row, first=row, stop=row + 1, parts=(), header=bool(page.tag[row] == tags.IDS["th"]))
    )


def close_container(page: Page, frame: Frame, outer: Frame) -> None:
    """Add what a container has become to the container around it."""
    parts = (
        tuple(frame.parts)
        if frame.role in {"ul", "ol", "dl"}
        else wrap_stray_items(page, one_link_per_card(frame.parts))
    )
    if frame.role == "caption":
        _add_caption(page, frame, outer, parts)
        return
    if not parts and not (frame.role in {"td", "th"} or frame.caption):
        return
    page_rows = {
        "element": frame.row,
        "first": parts[0].first if parts else frame.row,
        "stop": parts[-1].stop if parts else frame.row + 1,
    }
    outer.parts.extend(_make_parts(page, frame, parts, page_rows))


def _add_caption(page: Page, frame: Frame, outer: Frame, parts: tuple[Part, ...]) -> None:
    is_title = outer.role == "figure" and not outer.parts and bool(tags.PRE[page.tag[frame.end : outer.end]].any())
    if is_title:  # the name of a file above its code
        outer.parts.extend(parts)
    elif outer.role in {"figure", "table", "callout"} or (outer.role == "details" and not outer.parts):
        line_break = (LineBreak(),) if outer.caption and parts else ()
        outer.caption = (*outer.caption, *line_break, *flatten(parts))
    else:
        outer.parts.extend(parts)


def _make_parts(page: Page, frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> list[Part]:  # noqa: C901, PLR0911, PLR0912 (one case per role)
    """Return what a container becomes: one part, or several where it contains parts that do not fit."""
    match frame.role:
        case "heading":
            level = frame.data or int(page.tag_name(frame.row)[1])
            spans = _without_bold(flatten(parts))
            return [Heading(**page_rows, level=level, spans=spans)] if spans else list(parts)
        case "ul" | "ol":
            return _lists(frame, parts)
        case "li" | "dt" | "dd":
            return [Item(**page_rows, parts=parts, checked=_is_checked(page, frame.row))]
        case "dl":
            return _definitions(page, frame, parts)
        case "quote":
            return [_quote(frame, parts, page_rows)]
        case "callout":
            return [_callout(frame, parts, page_rows)]
        case "details":
            return _details(frame, parts, page_rows)
        case "figure":
            return [_figure(frame, parts, page_rows)]
        case "post":
            facts = frame.data
            return [Post(**page_rows, parts=parts, author=facts.author, date=facts.date, level=facts.level)]
        case "footnote":
            return [Footnote(**page_rows, parts=join_marks(parts, frame.row), label=frame.data)]
        case "td" | "th":
            column_span, row_span = frame.data
            return [Cell(**page_rows, parts=parts, header=frame.role == "th", columns=column_span, rows=row_span)]
        case "tr":
            cells = tuple(part for part in parts if isinstance(part, Cell))
            all_headers = bool(cells) and all(cell.header or not cell.parts for cell in cells)
            others: list[Part] = [part for part in parts if not isinstance(part, Cell)]
            return [*others, Row(**page_rows, cells=cells, header=frame.data or all_headers)] if cells else others
        case "table":
            table_rows = tuple(part for part in parts if isinstance(part, Row))
            stray: list[Part] = [part for part in parts if not isinstance(part, Row)]
            table_rows = _with_header(table_rows)
            if table_rows or frame.caption:
                return [*stray, Table(**page_rows, rows=table_rows, caption=frame.caption)]
            return stray
        case _:
            return list(parts)


def _is_checked(page: Page, row: int) -> bool | None:
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


def _with_header(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return rows of which the first is the header, if no cell is declared as one and it reads as one."""
    if len(rows) < _MIN_HEADED_ROWS or any(row.header or any(cell.header for cell in row.cells) for row in rows):
        return rows
    cells = [[plain_text(flatten(cell.parts)).strip() for cell in row.cells] for row in rows]
    names, others = cells[0], cells[1:]
    is_short = all(len(name) <= _MAX_HEADER_CHARS and not _is_value(name) for name in names)
    if len(names) < 2 or not all(names[1:]) or len(set(names)) < len(names) or not is_short:  # noqa: PLR2004 (columns)
        return rows
    is_bold = [all(_is_bold(cell) for cell in row.cells if cell.parts) for row in rows[:3]]
    has_values = any(
        2 * sum(len(row) > column and _is_value(row[column]) for row in others) > len(others)
        for column in range(len(names))
    )
    if not has_values and not (is_bold[0] and not any(is_bold[1:])):
        return rows
    header = tuple(replace(cell, header=True, parts=tuple(map(_unbold, cell.parts))) for cell in rows[0].cells)
    return (replace(rows[0], cells=header, header=True), *rows[1:])


def _unbold(part: Part) -> Part:
    return replace(part, spans=_without_bold(part.spans)) if isinstance(part, Paragraph) else part


def _is_value(text: str) -> bool:
    """Tell whether a cell holds a number, an amount or a date: most of its characters are digits and signs."""
    digits = sum(char.isdigit() for char in text)
    return digits > 0 and 2 * digits >= sum(char.isalnum() for char in text)


def _is_bold(cell: Cell) -> bool:
    spans = flatten(cell.parts)
    return len(spans) == 1 and isinstance(spans[0], Emphasis) and spans[0].tag == "strong"


def _figure(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Figure:
    only_image_parts = [part for part in parts if isinstance(part, Figure) and not part.caption and not part.parts]
    images = tuple(image for part in only_image_parts for image in part.images)
    others = tuple(part for part in parts if part not in set(only_image_parts))
    if frame.data == CAPTIONED_BOX:  # all its text is the caption
        texts = [part for part in others if isinstance(part, Paragraph)]
        long = {part for part in texts if len(texts) > 1 and len(plain_text(part.spans)) > _MAX_CAPTION_CHARS}
        long = long if frame.caption_selected else set()
        paragraphs = tuple(part for part in others if part in long)  # text of the article, beside a short caption
        spans = flatten(tuple(part for part in others if part not in long))
        inline_images = [only_images((span,)) for span in spans]  # on a line with words of the caption
        images += tuple(image for line in inline_images for image in line)
        caption = tuple(span for span, line in zip(spans, inline_images, strict=True) if not line)
        others, caption = paragraphs, (*frame.caption, *trim(caption))
    else:
        caption = frame.caption
    selected = frame.caption_selected
    return Figure(**page_rows, images=images, parts=others, caption=caption, caption_selected=selected)


def _quote(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Quote | Callout:
    """Return a quotation; a callout if its text begins with ``[!NOTE]``, as Markdown writes callouts."""
    first = parts[0] if parts else None
    text = first.spans[0] if isinstance(first, Paragraph) and first.spans else None
    marker = read_marker(text.text) if isinstance(text, Text) else None
    if marker is None or not isinstance(first, Paragraph):
        return Quote(**page_rows, parts=parts, cite=frame.data)
    lines = (*((Text(marker[1]),) if marker[1].strip() else ()), *first.spans[1:])
    breaks = [index for index, span in enumerate(lines) if isinstance(span, LineBreak)]
    title, rest = (lines[: breaks[0]], lines[breaks[0] :]) if breaks else ((), lines)
    body = (replace(first, spans=trim(rest)),) if trim(rest) else ()
    return Callout(**page_rows, parts=(*body, *parts[1:]), type=marker[0], title=title)


def _callout(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Callout:
    """Return a callout. Its title is an element of its own, or the label that it begins with, bold or alone."""
    title = frame.caption
    first = parts[0] if parts else None
    bold = first.spans[0] if isinstance(first, Paragraph) and first.spans else None
    if not title and isinstance(first, Paragraph) and _is_icon(plain_text(first.spans)):
        title, parts, bold = first.spans, parts[1:], None
    if not title and isinstance(first, Paragraph) and label_of(plain_text(first.spans)):
        title, parts, bold = first.spans, parts[1:], None
    if not title and isinstance(first, Paragraph) and isinstance(bold, Emphasis) and bold.tag == "strong":
        label = plain_text(bold.spans).strip()
        if label_of(label):
            rest = trim(first.spans[1:])
            if rest and isinstance(rest[0], Text) and rest[0].text[:1] == ":":
                label, rest = f"{label}:", trim((Text(rest[0].text[1:].lstrip()), *rest[1:]))
            title = (Text(label),)
            parts = (*((replace(first, spans=rest),) if rest else ()), *parts[1:])
    return Callout(**page_rows, parts=parts, type=frame.data.type, title=_without_bold(title))


def _is_icon(text: str) -> bool:
    """Tell whether a line is a sign such as 💡, which stands before the text of a callout."""
    return 0 < len(text.strip()) <= _MAX_ICON_CHARS and all(char in "ℹ\ufe0f" or not char.isalnum() for char in text)


def _details(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> list[Part]:
    """Return what a ``details`` becomes: a part of its own if it has a summary and something below it."""
    if frame.caption and parts:
        return [Details(**page_rows, parts=parts, summary=_without_bold(frame.caption))]
    if frame.caption:
        return [Paragraph(element=frame.row, first=frame.row, stop=frame.end, spans=frame.caption)]
    return list(parts)


def _without_bold(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a heading without ``strong`` around all of them: a heading is bold anyway."""
    only = spans[0] if len(spans) == 1 else None
    return only.spans if isinstance(only, Emphasis) and only.tag == "strong" else spans


def _lists(frame: Frame, parts: tuple[Part, ...]) -> list[Part]:
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


def _definitions(page: Page, frame: Frame, parts: tuple[Part, ...]) -> list[Part]:
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
