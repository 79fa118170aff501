"""A table as a grid: cells that span several columns or rows take their place in each."""

from tamis.document.parts import Cell, Table


def grid(table: Table) -> list[list[Cell | None]]:
    """Return the rows of a table, a cell in the first place it takes and None in the others.

    >>> import tamis
    >>> html = "<table><tr><th rowspan=2>a<th>b<tr><td>c</table>"
    >>> (table,) = tamis.extract(html, extractor="body").document.parts
    >>> [[cell is not None for cell in row] for row in grid(table)]
    [[True, True], [False, True]]
    """
    out: list[list[Cell | None]] = []
    owed: dict[int, int] = {}  # by column: rows that a cell above still takes
    for row in table.rows:
        line: list[Cell | None] = []
        for cell in row.cells:
            while owed.get(len(line), 0):
                owed[len(line)] -= 1
                line.append(None)
            for extra in range(cell.columns):
                if cell.rows > 1:
                    owed[len(line)] = cell.rows - 1
                line.append(None if extra else cell)
        while owed.get(len(line), 0):
            owed[len(line)] -= 1
            line.append(None)
        out.append(line)
    return out
