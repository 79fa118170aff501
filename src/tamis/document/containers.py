"""Containers: turn an open element that has ended into a part of the container around it."""

from tamis.document.box_parts import make_callout, make_details, make_figure, make_quote
from tamis.document.cards import one_link_per_card
from tamis.document.document import flatten
from tamis.document.frames import Frame
from tamis.document.list_parts import is_checked, make_definitions, make_lists, wrap_stray_items
from tamis.document.note_marks import join_marks
from tamis.document.parts import Cell, Footnote, Heading, Item, Part, Post, Row, Table
from tamis.document.span_tools import without_bold
from tamis.document.spans import LineBreak
from tamis.document.table_parts import with_header
from tamis.html import tags
from tamis.page import Page


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
            spans = without_bold(flatten(parts))
            return [Heading(**page_rows, level=level, spans=spans)] if spans else list(parts)
        case "ul" | "ol":
            return make_lists(frame, parts)
        case "li" | "dt" | "dd":
            return [Item(**page_rows, parts=parts, checked=is_checked(page, frame.row))]
        case "dl":
            return make_definitions(page, frame, parts)
        case "quote":
            return [make_quote(frame, parts, page_rows)]
        case "callout":
            return [make_callout(frame, parts, page_rows)]
        case "details":
            return make_details(frame, parts, page_rows)
        case "figure":
            return [make_figure(frame, parts, page_rows)]
        case "post":
            facts = frame.data
            return [Post(**page_rows, parts=parts, author=facts.author, date=facts.date, level=facts.level)]
        case "footnote":
            label, selected = frame.data
            return [Footnote(**page_rows, parts=join_marks(parts, frame.row), label=label, selected=selected)]
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
            table_rows = with_header(table_rows)
            if table_rows or frame.caption:
                return [*stray, Table(**page_rows, rows=table_rows, caption=frame.caption)]
            return stray
        case _:
            return list(parts)
