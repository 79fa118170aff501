"""The frame of the HTML pages of the evaluation: one style sheet, no scripts, no external resources."""

from html import escape
from typing import Final

STYLE_SHEET: Final = """
:root { --ink: #1d2327; --faint: #6b7680; --line: #dfe4e8; --paper: #fff; --wash: #f5f7f8; --accent: #0b6e6e;
  --both: #1d2327; --missing: #a11313; --missing-wash: #fde4e1; --extra: #7a4b00; --extra-wash: #fdf0c4;
  --g0: #0b6e6e; --g1: #b3541e; --g2: #5b4bb7; --g3: #2f7d32; --g4: #a3266b; --g5: #4c6272; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ea; --faint: #98a4ad; --line: #343c42; --paper: #171b1e;
  --wash: #1f2529; --accent: #4fb8b2; --both: #e4e8ea; --missing: #ff9d92; --missing-wash: #4a1c1a;
  --extra: #ffd98a; --extra-wash: #453508; --g0: #4fb8b2; --g1: #e8935c; --g2: #a79bf0; --g3: #7cc47f;
  --g4: #e57db2; --g5: #a9bcc9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 2rem 4rem; max-width: 1240px; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 2.6rem 0 .7rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; }
p.note, figcaption { color: var(--faint); margin: .2rem 0 1rem; max-width: 75ch; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--faint); border-bottom: 2px solid var(--line); }
th.name, td.name { text-align: left; }
tr.first td { border-top: 2px solid var(--line); }
figure { margin: 0; }
.chart { width: 100%; max-width: 860px; height: auto; font: 12px system-ui, sans-serif; }
.scatter { max-width: 520px; }
.grid { stroke: var(--line); } .tick { fill: var(--faint); } .name { fill: var(--ink); } .axis { fill: var(--ink); }
.box { fill: var(--accent); fill-opacity: .25; stroke: var(--accent); } .whisker { stroke: var(--accent); }
.median { stroke: var(--accent); stroke-width: 2.5; } .mean { fill: var(--ink); }
.outlier { fill: var(--accent); fill-opacity: .35; } .diagonal { stroke: var(--faint); stroke-dasharray: 4 4; }
.dot { fill-opacity: .55; }
.group0 { fill: var(--g0); color: var(--g0); } .group1 { fill: var(--g1); color: var(--g1); }
.group2 { fill: var(--g2); color: var(--g2); } .group3 { fill: var(--g3); color: var(--g3); }
.group4 { fill: var(--g4); color: var(--g4); } .group5 { fill: var(--g5); color: var(--g5); }
.key span { margin-right: 1.2rem; } .key span::before { content: "● "; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; background: var(--wash); }
summary { cursor: pointer; padding: .55rem .9rem; display: flex; gap: 1rem; align-items: baseline; }
summary b { font-variant-numeric: tabular-nums; min-width: 3.2em; }
summary .where { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; }
summary .faint { color: var(--faint); white-space: nowrap; }
.diff { white-space: pre-wrap; overflow-wrap: anywhere; padding: .2rem 1rem 1rem; max-height: 34rem;
  overflow-y: auto; background: var(--paper); border-top: 1px solid var(--line); border-radius: 0 0 8px 8px; }
.diff, td.text { font: 14px/1.6 Georgia, "Noto Serif", serif; }
ins, del { text-decoration: none; border-radius: 3px; padding: 0 1px; }
ins { color: var(--extra); background: var(--extra-wash); }
del { color: var(--missing); background: var(--missing-wash); text-decoration: line-through; }
.error { color: var(--missing); }
a { color: var(--accent); }
table.sides { width: 100%; min-width: calc(var(--columns) * 6.5rem); table-layout: fixed; }
table.sides th { position: sticky; top: 0; background: var(--paper); text-align: left; vertical-align: top;
  white-space: normal; overflow-wrap: anywhere; }
@media (max-width: 600px) { body { padding: 1.2rem .8rem 3rem; } table.sides th, table.sides td { padding: .3rem; }
  .wide { overflow-x: auto; } table.sides th { position: static; } }
table.sides td { text-align: left; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere;
  border-left: 1px solid var(--line); }
td.whole { background: color-mix(in srgb, var(--accent) 9%, transparent); }
td.none { color: var(--faint); }
td.gap { text-align: center !important; color: var(--faint); background: var(--wash); }
"""


def html_page(title: str, body: str) -> str:
    """Return a complete HTML page.

    >>> html_page("a & b", "<p>c").splitlines()[4]
    '<title>a &amp; b</title>'
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Texts of unknown pages are shown here. They are escaped; the policy is a second line of defence.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{STYLE_SHEET}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
