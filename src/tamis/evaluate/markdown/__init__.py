"""Read Markdown for the evaluation: its text, and its code, formulas, tables, headings and links."""

from tamis.evaluate.markdown.blocks import Block, read_blocks
from tamis.evaluate.markdown.elements import Elements, plain_text, read_elements

__all__ = ["Block", "Elements", "plain_text", "read_blocks", "read_elements"]
