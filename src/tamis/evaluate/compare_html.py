"""A comparison as an HTML page."""

from html import escape
from itertools import groupby

from tamis.evaluate.compare import Comparison, Row, count_blocks, kept_by_none, runs
from tamis.evaluate.html_page import html_page
from tamis.page.sums import Bools


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as an HTML page. Blocks that no tool keeps are folded."""
    count = len(comparison.columns)
    head = "".join(
        f"<th>{escape(column.name)}<br><small{' class=error' if column.error else ''}>"
        f"{escape(column.facts)}</small></th>"
        for column in comparison.columns
    )
    body = []
    for is_dropped, group in groupby(comparison.rows, key=kept_by_none):
        rows = list(group)
        if is_dropped:
            texts = "\n".join(escape(row.text) for row in rows)
            body.append(
                f'<tr><td class="gap" colspan="{count}"><details><summary>{count_blocks(rows)} '
                f"that no tool keeps</summary>"
                f'<div class="diff" style="text-align:left">{texts}</div></details></td></tr>'
            )
            continue
        body += ["<tr>" + "".join(_cell(row, kept) for kept in row.kept) + "</tr>" for row in rows]
    title = f"{comparison.name}, side by side"
    return html_page(
        title,
        f'<h1>{escape(title)}</h1><p class="note">Each row is a block of the page. Tinted: kept whole. '
        "<del>Struck out</del>: dropped from a block that is kept in part.</p>"
        f'<div class="wide"><table class="sides" style="--columns:{count}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>",
    )


def _cell(row: Row, kept: Bools) -> str:
    if kept.all():
        return f'<td class="text whole">{escape(row.text)}</td>'
    if not kept.any():
        return '<td class="none">dropped</td>'
    texts = [escape(text) if is_kept else f"<del>{escape(text)}</del>" for is_kept, text in runs(row, kept)]
    return f'<td class="text">{"".join(texts)}</td>'
