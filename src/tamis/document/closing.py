"""Closing an open element: the part that it becomes in the container around it."""

from dataclasses import replace
from typing import Final

import numpy as np

from tamis.document.containers import (
    CalloutRole,
    CaptionRole,
    CellRole,
    DefinitionsRole,
    DetailsRole,
    FigureRole,
    HeadingRole,
    ItemRole,
    ListRole,
    NoteRole,
    OpenBlock,
    PostRole,
    QuoteRole,
    RowRole,
    TableRole,
)
from tamis.document.detectors.roles import CalloutFacts, label_of, read_marker
from tamis.document.inline import join_marks, one_link_per_card
from tamis.document.parts import (
    MAX_DEPTH,
    Callout,
    Cell,
    Code,
    Definition,
    Definitions,
    Details,
    Emphasis,
    Figure,
    Footnote,
    Heading,
    Item,
    LineBreak,
    List,
    Paragraph,
    Part,
    Post,
    Quote,
    Row,
    Rule,
    Span,
    Table,
    Text,
    flatten,
    only_images,
    spans_text,
    trim,
    without_bold,
)
from tamis.html import tags
from tamis.page import Page


def close_container(page: Page, block: OpenBlock, outer: OpenBlock) -> None:
    """Add what a container has become to the container around it."""
    parts = (
        tuple(block.parts)
        if isinstance(block.role, ListRole | DefinitionsRole)
        else wrap_stray_items(page, one_link_per_card(block.parts))
    )
    if isinstance(block.role, CaptionRole):
        _add_caption(page, block, outer, parts)
        return
    if not parts and not (isinstance(block.role, CellRole) or block.caption):
        return
    page_rows = {
        "element": block.row,
        "first": parts[0].first if parts else block.row,
        "stop": parts[-1].stop if parts else block.row + 1,
    }
    made = _make_parts(page, block, parts, page_rows)
    before = outer.parts[-1] if outer.parts else None
    only = made[0] if len(made) == 1 else None
    if isinstance(before, List) and isinstance(only, List) and _is_continued(page, before, only):
        outer.parts[-1] = replace(before, items=(*before.items, *only.items), stop=only.stop)
    else:
        outer.parts.extend(made)


def _add_caption(page: Page, block: OpenBlock, outer: OpenBlock, parts: tuple[Part, ...]) -> None:
    is_first = isinstance(outer.role, FigureRole) and not outer.parts
    if is_first and outer.last_pre < 0:
        rows = np.flatnonzero(tags.PRE[page.tag[block.end : outer.end]])
        outer.last_pre = block.end + int(rows[-1]) if len(rows) else 0
    if is_first and outer.last_pre >= block.end:  # the name of a file above its code
        outer.parts.extend(parts)
    elif isinstance(outer.role, FigureRole | TableRole | CalloutRole) or (
        isinstance(outer.role, DetailsRole) and not outer.parts
    ):
        line_break = (LineBreak(),) if outer.caption and parts else ()
        if not isinstance(outer.caption, list):  # a table may have thousands
            outer.caption = []
        outer.caption.extend((*line_break, *flatten(parts)))
    else:
        outer.parts.extend(parts)


def _make_parts(page: Page, block: OpenBlock, parts: tuple[Part, ...], page_rows: dict[str, int]) -> list[Part]:  # noqa: C901, PLR0911, PLR0912 (one case per role)
    """Return what a container becomes: one part, or several where it contains parts that do not fit."""
    match block.role:
        case HeadingRole(level):
            return make_heading(level, parts, page_rows)
        case ListRole():
            return make_lists(block.row, block.role, parts)
        case ItemRole("card"):
            return [Item(**page_rows, parts=tuple(map(_name, parts)), checked=None)]
        case ItemRole():
            if any(isinstance(part, Post) for part in parts):
                return list(parts)  # the element is there only to hold a post
            return [Item(**page_rows, parts=_with_name(parts), checked=is_checked(page, block.row))]
        case DefinitionsRole():
            return make_definitions(page, block, parts)
        case QuoteRole(cite):
            return [make_quote(cite, parts, page_rows)]
        case CalloutRole(facts):
            return [make_callout(block, facts, parts, page_rows)]
        case DetailsRole():
            return make_details(block, parts, page_rows)
        case FigureRole(caption_row):
            return make_figure(page, block, parts, page_rows, caption_row)
        case PostRole(post, byline, permalink):
            return [
                Post(
                    element=block.row, first=page_rows["first"], stop=page_rows["stop"],
                    parts=nest_posts(_without_rules(parts)), author=post.author, date=post.date,
                    level=post.level, votes=post.votes,
                    byline=byline, permalink=permalink, comment=post.comment, handle=post.handle,
                )
            ]  # fmt: skip
        case NoteRole(label, selected):
            return [Footnote(**page_rows, parts=join_marks(parts, block.row), label=label, selected=selected)]
        case CellRole(header, columns, rows):
            return [Cell(**page_rows, parts=parts, header=header, columns=columns, rows=rows)]
        case RowRole(is_header):
            cells = tuple(part for part in parts if isinstance(part, Cell))
            all_headers = bool(cells) and all(cell.header or not cell.parts for cell in cells)
            others: list[Part] = [part for part in parts if not isinstance(part, Cell)]
            return [*others, Row(**page_rows, cells=cells, header=is_header or all_headers)] if cells else others
        case TableRole():
            table_rows = tuple(part for part in parts if isinstance(part, Row))
            stray: list[Part] = [part for part in parts if not isinstance(part, Row)]
            table_rows, title = without_title(table_rows)
            table_rows, caption = with_header(table_rows), tuple(block.caption)
            caption = (*caption, LineBreak(), *title) if caption and title else caption or title
            if table_rows or caption:
                return [*stray, Table(**page_rows, rows=table_rows, caption=caption)]
            return stray
        case _:
            return list(parts)


def make_heading(level: int, parts: tuple[Part, ...], page_rows: dict[str, int]) -> list[Part]:
    """Return a heading. It ends before code, a list or a table in it: the page lacks its end tag."""
    stop = next((index for index, part in enumerate(parts) if isinstance(part, Code | List | Table)), len(parts))
    spans = without_bold(flatten(parts[:stop]))
    if not spans:
        return list(parts)
    rows = {**page_rows, "stop": parts[stop - 1].stop}
    return [Heading(**rows, level=level, spans=spans), *parts[stop:]]


def _without_rules(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts of a post without lines at its ends: they part it from its byline and from the next one."""
    kept = [index for index, part in enumerate(parts) if not isinstance(part, Rule)]
    return parts[kept[0] : kept[-1] + 1] if kept else ()


# Posts: a reply that is not inside of the post that it answers is put there.

_MAX_NESTED_POSTS: Final = MAX_DEPTH // 2


def nest_posts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return parts in which each post contains the posts after it that have a greater level."""
    if Post not in map(type, parts):
        return parts
    out: list[Part] = []
    open_posts: list[tuple[Post, list[Part]]] = []

    def close(level: int) -> None:
        while open_posts and open_posts[-1][0].level >= level:
            post, inner = open_posts.pop()
            whole = replace(post, parts=(*post.parts, *inner), stop=max(post.stop, inner[-1].stop)) if inner else post
            (open_posts[-1][1] if open_posts else out).append(whole)

    for part in parts:
        if isinstance(part, Post):
            close(part.level)
            if len(open_posts) >= _MAX_NESTED_POSTS:
                close(open_posts[-1][0].level)
            open_posts.append((part, []))
        else:
            close(0)
            out.append(part)
    close(0)
    return tuple(out)


_MAX_LABEL_CHARS: Final = 60  #: of a line before the name of an item: a date, a rank, a section


def _with_name(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts of an item; a heading that it begins with is its name, and not part of the page's outline.

    Before the name there may be a picture and a short line. An item with several headings has sections.
    """
    if Heading not in map(type, parts):
        return parts
    headings = [index for index, part in enumerate(parts) if isinstance(part, Heading)]
    if headings[0] and (len(headings) > 1 or not all(map(_is_label, parts[: headings[0]]))):
        return parts
    return tuple(_name(part) if index == headings[0] else part for index, part in enumerate(parts))


def _is_label(part: Part) -> bool:
    """Tell whether a part may stand before the name of an item."""
    if isinstance(part, Paragraph):
        return len(spans_text(part.spans)) <= _MAX_LABEL_CHARS
    return isinstance(part, Figure | Rule)


def _name(part: Part) -> Part:
    """Return a heading as a line in bold, and any other part unchanged."""
    if not isinstance(part, Heading):
        return part
    return Paragraph(element=part.element, first=part.first, stop=part.stop, spans=(Emphasis("strong", part.spans),))


# Boxes: figures, quotations, callouts and ``details``, made from the parts that were found in them.

_MAX_ICON_CHARS: Final = 3
_MAX_CAPTION_CHARS: Final = 300  #: of a paragraph that is part of a caption


def make_figure(
    page: Page, block: OpenBlock, parts: tuple[Part, ...], page_rows: dict[str, int], caption_row: int
) -> list[Part]:
    """Return a figure: its images, what else is in it, and its caption. Paragraphs above the images precede it."""
    figures = [part for part in parts if isinstance(part, Figure)]
    only_image_parts = [part for part in figures if not part.caption and not part.parts]
    if len(only_image_parts) < len(figures):  # of a gallery some have a caption: each stays in its place
        only_image_parts = []
    images = tuple(image for part in only_image_parts for image in part.images)
    are_images = set(only_image_parts)
    others = tuple(part for part in parts if part not in are_images)
    if caption_row >= 0:  # all its text is the caption, except paragraphs beside an element that is the caption
        texts = [part for part in others if isinstance(part, Paragraph)]
        long = {part for part in texts if len(texts) > 1 and len(spans_text(part.spans)) > _MAX_CAPTION_CHARS}
        if caption_row > block.row:
            in_caption = range(caption_row, int(page.end[caption_row]))
            long |= {part for part in texts if part.first not in in_caption and page.tag_name(part.element) == "p"}
        long = long if block.caption_selected else set()
        paragraphs = tuple(part for part in others if part in long)  # text of the article, beside a short caption
        spans = flatten(tuple(part for part in others if part not in long))
        inline_images = [only_images((span,)) for span in spans]  # on a line with words of the caption
        images += tuple(image for line in inline_images for image in line)
        caption = tuple(span for span, line in zip(spans, inline_images, strict=True) if not line)
        others, caption = paragraphs, (*block.caption, *trim(caption))
    else:
        caption = tuple(block.caption)
    selected = block.caption_selected
    above: list[Part] = []
    if caption_row >= 0 and only_image_parts:
        above = [part for part in others if part.stop <= only_image_parts[0].first]
        others = tuple(part for part in others if part not in above)
    return [*above, Figure(**page_rows, images=images, parts=others, caption=caption, caption_selected=selected)]


def make_quote(cite: str, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Quote | Callout:
    """Return a quotation; a callout if its text begins with ``[!NOTE]``, as Markdown writes callouts."""
    first = parts[0] if parts else None
    text = first.spans[0] if isinstance(first, Paragraph) and first.spans else None
    marker = read_marker(text.text) if isinstance(text, Text) else None
    if marker is None or not isinstance(first, Paragraph):
        return Quote(**page_rows, parts=parts, cite=cite)
    lines = (*((Text(marker[1]),) if marker[1].strip() else ()), *first.spans[1:])
    breaks = [index for index, span in enumerate(lines) if isinstance(span, LineBreak)]
    title, rest = (lines[: breaks[0]], lines[breaks[0] :]) if breaks else ((), lines)
    body = (replace(first, spans=trim(rest)),) if trim(rest) else ()
    shown = bool(title)
    title = title or (Text(marker[0].capitalize()),)
    return Callout(**page_rows, parts=(*body, *parts[1:]), type=marker[0], title=title, title_selected=shown)


def make_callout(
    block: OpenBlock, facts: CalloutFacts, parts: tuple[Part, ...], page_rows: dict[str, int]
) -> Callout:
    """Return a callout. Its title is an element of its own, or the label that it begins with, bold or alone."""
    label = facts.label if not block.caption else ""
    title = (Text(label),) if label else tuple(block.caption)
    first = parts[0] if parts else None
    bold = first.spans[0] if isinstance(first, Paragraph) and first.spans else None
    if not title and isinstance(first, Paragraph) and _is_icon(spans_text(first.spans)):
        title, parts, bold = first.spans, parts[1:], None
    if not title and isinstance(first, Paragraph) and label_of(spans_text(first.spans)):
        title, parts, bold = first.spans, parts[1:], None
    if not title and isinstance(first, Paragraph) and isinstance(bold, Emphasis) and bold.tag == "strong":
        name = spans_text(bold.spans).strip()
        rest = trim(first.spans[1:])
        on_own_line = isinstance(first.spans[1], LineBreak) if rest else len(parts) > 1
        if on_own_line or label_of(name):
            if rest and isinstance(rest[0], Text) and rest[0].text[:1] == ":":
                name, rest = f"{name}:", trim((Text(rest[0].text[1:].lstrip()), *rest[1:]))
            title = (Text(name),)
            parts = (*((replace(first, spans=rest),) if rest else ()), *parts[1:])
    shown = bool(title) and not label
    title = without_bold(title) or (Text(facts.type.capitalize()),)  # as Obsidian shows a callout without a title
    return Callout(**page_rows, parts=parts, type=facts.type, title=title, title_selected=shown)


def _is_icon(text: str) -> bool:
    """Tell whether a line is a sign such as 💡, which stands before the text of a callout."""
    return 0 < len(text.strip()) <= _MAX_ICON_CHARS and all(char in "ℹ\ufe0f" or not char.isalnum() for char in text)


def make_details(block: OpenBlock, parts: tuple[Part, ...], page_rows: dict[str, int]) -> list[Part]:
    """Return what a ``details`` becomes: a part of its own if it has a summary and something below it."""
    if block.caption and parts:
        return [Details(**page_rows, parts=parts, summary=without_bold(tuple(block.caption)))]
    if block.caption:
        return [Paragraph(element=block.row, first=block.row, stop=block.end, spans=tuple(block.caption))]
    return list(parts)


# Lists, items outside of lists, and definition lists.

_MAX_BOX_ROWS: Final = 6  #: from an item to its box to tick


def make_lists(row: int, role: ListRole, parts: tuple[Part, ...]) -> list[Part]:
    """Return the items as lists.

    A part that is not an item splits the list in two. A list directly in a list belongs to the item before it.
    """
    out: list[Part] = []
    items: list[list[Part]] = []  # each with the lists that follow it
    number = role.start
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
            out += _list(row, items, number, ordered=role.ordered)
            number += len(items)
            items = []
            out.append(part)
    return out + _list(row, items, number, ordered=role.ordered)


def _is_continued(page: Page, before: List, after: List) -> bool:
    """Tell whether a list of one item goes on with the list before it: Notion writes a list for each item.

    They are siblings of one class, and the number of the item follows.
    """
    if (
        len(after.items) != 1
        or before.ordered != after.ordered
        or page.parent[before.element] != page.parent[after.element]
    ):
        return False
    if after.ordered and after.start != before.start + len(before.items):
        return False
    names = [page.attribute_of(row, "class") for row in (before.element, after.element)]
    between = page.text[page.offset[before.stop] : page.offset[after.element]]
    return bool(names[0]) and names[0] == names[1] and not between.strip()


def _list(row: int, items: list[list[Part]], start: int = 1, *, ordered: bool = False) -> list[Part]:
    if not items:
        return []
    joined: list[Item] = []
    for item, *lists in items:
        assert isinstance(item, Item)
        last = lists[-1] if lists else item
        joined.append(replace(item, stop=last.stop, parts=(*item.parts, *lists)) if lists else item)
    first, stop = joined[0].first, joined[-1].stop
    return [List(element=row, first=first, stop=stop, items=tuple(joined), ordered=ordered, start=start)]


def wrap_stray_items(page: Page, parts: list[Part]) -> tuple[Part, ...]:
    """Return parts in which items outside of a list are wrapped in one.

    Some pages omit the ``ul`` around their ``li``; browsers show bullets nevertheless.
    """
    if Item not in map(type, parts):
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


def make_definitions(page: Page, block: OpenBlock, parts: tuple[Part, ...]) -> list[Part]:
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
    page_rows = {"element": block.row, "first": entries[0].first, "stop": entries[-1].stop}
    return [*stray, Definitions(**page_rows, entries=tuple(entries))]


def is_checked(page: Page, row: int) -> bool | None:
    """Tell whether the item of a task list is done; None if it has no box to tick before its text."""
    boxes = page.class_numbers("checkbox-o")  # of Notion
    if not page.tag_count("input") and not boxes:
        return None
    for k in range(row + 1, min(int(page.end[row]), row + _MAX_BOX_ROWS)):
        if page.nonspace[k] and page.is_text[k]:
            break
        if page.tag[k] == tags.IDS["input"]:
            attributes = page.attributes(k)
            return "checked" in attributes if attributes.get("type", "").lower() == "checkbox" else None
        if boxes and page.class_column[k] in boxes:
            return "checkbox-on" in (page.attribute_of(k, "class") or "").split()
    return None


# Tables: which row is the header where the page declares none, and cells without selected text.

_MIN_ROWS: Final = 2  #: of a table whose first row is its header because it is bold
_MAX_TITLE_CHARS: Final = 120  #: of a row that is the title of a table
_MIN_VALUE_ROWS: Final = 3  #: of a table whose first row is its header because values are below it
_MAX_HEADER_CHARS: Final = 40  #: of the name of a column
_MAX_BOLD_HEADER_CHARS: Final = 80  #: of one that is bold, as no other cell is
_MAX_LABEL_WORDS: Final = 3  #: of the name of a column of phrases …
_MIN_PHRASE_WORDS: Final = 5  #: … of each of these phrases …
_MIN_PHRASE_ROWS: Final = 3  #: … and how many there are: the values of a shorter table may be long, except the first


def add_empty_cell(page: Page, block: OpenBlock, row: int) -> None:
    """Add an empty cell for one without selected text, so that the columns stay aligned."""
    block.parts.append(
        Cell(element=row, first=row, stop=row + 1, parts=(), header=bool(page.tag[row] == tags.IDS["th"]))
    )


def without_title(rows: tuple[Row, ...]) -> tuple[tuple[Row, ...], tuple[Span, ...]]:
    """Return rows without a first one that is a single cell above several columns, and the text of that cell.

    It is the title of the table. As a row it would be a header full of holes.
    """
    if len(rows) <= _MIN_ROWS or len(rows[0].cells) != 1 or len(rows[1].cells) == 1:
        return rows, ()
    (cell,) = rows[0].cells
    is_line = all(isinstance(part, Paragraph | Heading) for part in cell.parts)
    if cell.columns < max(sum(each.columns for each in row.cells) for row in rows[1:]) or not is_line:
        return rows, ()
    title = flatten(cell.parts)
    is_text = 0 < len(spans_text(title)) <= _MAX_TITLE_CHARS and not only_images(title)
    return (rows[1:], without_bold(title)) if is_text else (rows, ())


def with_header(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return rows of which the first is the header, if no cell is declared as one and it reads as one."""
    if len(rows) < _MIN_ROWS or any(row.header or any(cell.header for cell in row.cells) for row in rows):
        return rows
    cells = [[spans_text(flatten(cell.parts)).strip() for cell in row.cells] for row in rows]
    names, others = cells[0], cells[1:]
    bold_rows = [all(_is_bold(cell) for cell in row.cells if cell.parts) for row in rows[:3]]
    is_bold = bold_rows[0] and not any(bold_rows[1:])
    max_chars = _MAX_BOLD_HEADER_CHARS if is_bold else _MAX_HEADER_CHARS
    is_short = all(len(name) <= max_chars and not _is_value(name) for name in names)
    if len(names) < 2 or not all(names[1:]) or len(set(names)) < len(names) or not is_short:  # noqa: PLR2004 (columns)
        return rows
    columns = [[row[column] for row in others if len(row) > column] for column in range(len(names))]
    has_values = len(rows) >= _MIN_VALUE_ROWS and any(
        2 * sum(map(_is_value, cells)) > len(others) for cells in columns
    )
    if not is_bold and not has_values and not _name_phrases(names, columns, len(others)):
        return rows
    header = tuple(replace(cell, header=True, parts=tuple(map(_unbold, cell.parts))) for cell in rows[0].cells)
    return (replace(rows[0], cells=header, header=True), *rows[1:])


def _unbold(part: Part) -> Part:
    return replace(part, spans=without_bold(part.spans)) if isinstance(part, Paragraph) else part


def _name_phrases(names: list[str], columns: list[list[str]], row_count: int) -> bool:
    """Tell whether the cells of a row name columns, one of which has nothing but phrases: "Pros" and "Cons"."""
    if row_count < _MIN_PHRASE_ROWS or any(name.endswith((":", "：")) for name in names):
        return False
    return any(
        len(name.split()) <= _MAX_LABEL_WORDS
        and len(cells) == row_count
        and all(len(cell.split()) >= _MIN_PHRASE_WORDS for cell in cells)
        for name, cells in zip(names, columns, strict=True)
    )


def _is_value(text: str) -> bool:
    """Tell whether a cell holds a number, an amount or a date: most of its characters are digits and signs."""
    digits = sum(char.isdigit() for char in text)
    return digits > 0 and 2 * digits >= sum(char.isalnum() for char in text)


def _is_bold(cell: Cell) -> bool:
    spans = flatten(cell.parts)
    return len(spans) == 1 and isinstance(spans[0], Emphasis) and spans[0].tag == "strong"
