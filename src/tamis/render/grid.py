"""A table as a grid: a cell that spans several columns or rows occupies each of them."""

from tamis.document.parts import Cell, Table


def grid(table: Table) -> list[list[Cell | None]]:
    """Return the rows of a table, with each cell at the first position that it occupies and None at the others.

    >>> import tamis
    >>> html = "<table><tr><th rowspan=2>a<th>b<tr><td>c</table>"
    >>> (table,) = tamis.extract(html, extractor="body").document.parts
    >>> [[cell is not None for cell in row] for row in grid(table)]
    [[True, True], [False, True]]
    """
    out: list[list[Cell | None]] = []
    rows_left: dict[int, int] = {}  # by column: rows that a cell above still occupies
    for row in table.rows:
        line: list[Cell | None] = []
        for cell in row.cells:
            _skip_occupied(line, rows_left)
            for column in range(cell.columns):
                if cell.rows > 1:
                    rows_left[len(line)] = cell.rows - 1
                line.append(None if column else cell)
        _skip_occupied(line, rows_left)
        out.append(line)
    return out


def _skip_occupied(line: list[Cell | None], rows_left: dict[int, int]) -> None:
    """Add a None for each next column that a cell above occupies."""
    while rows_left.get(len(line), 0):
        rows_left[len(line)] -= 1
        line.append(None)
