"""The scores of WebMainBench: ROUGE-5, and edit distances of text, code, formulas and tables.

Implemented from the definitions of its README and toolkit; ``docs/evaluation.md`` says where they differ.

M. Liu et al.: Dripper: Token-Efficient Main HTML Extraction with a Lightweight LM. arXiv 2511.23119 (2025).
"""

from tamis.evaluate.webmainbench.links import remove_links
from tamis.evaluate.webmainbench.scores import COLUMNS, webmainbench

__all__ = ["COLUMNS", "remove_links", "webmainbench"]
