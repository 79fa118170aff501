"""Measure extractors on labelled pages.

=====================  ===============================================================================
`corpora`              readers of labelled pages, one for each published format
`tools`, `third_party`  what is measured: the extractors of Tamis and other programs, behind one protocol
`javascript`           Readability.js and defuddle, through Node.js
`metrics`, `nodes`     the metrics: functions of an extracted text and the gold text
`rouge`, `structure`   metrics of summaries, and of code, formulas, tables, headings and links
`webmainbench`         the scores of that benchmark
`markdown`             reads Markdown for the two above
`metric_registry`      the metrics by name, each with its columns in a table
`run`, `page_runner`   run tools over corpora, in worker processes
`results`              the scores of one tool on one page, and files of them
`statistics`, `table`  means with bootstrap intervals, and tables of them
`report`, `charts`     a run as one HTML page
`compare`              one page, several tools side by side
=====================  ===============================================================================
"""
