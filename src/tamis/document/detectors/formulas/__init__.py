"""Formulas in every notation that pages use, as TeX.

`find_formulas` finds elements (MathML, what KaTeX and MathJax draw, scripts, images, ``data-`` attributes);
`find_delimited` finds TeX and AsciiMath between delimiters in the text.
"""
