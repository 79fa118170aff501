"""Extractors in JavaScript as tools of the evaluation: Mozilla's Readability and defuddle, through Node.js.

==============  ======================================================================
`packages`      installs the pinned packages into a cache, with npm
`process`       a long-lived process of Node.js that answers JSON lines
`tools`         the two tools
`server.mjs`    the program of that process; `extract.mjs` is its worker thread
==============  ======================================================================
"""

from tamis.evaluate.javascript.packages import install, installed_folder
from tamis.evaluate.javascript.tools import JAVASCRIPT_TOOLS, JavaScriptTool, open_javascript_tool

__all__ = ["JAVASCRIPT_TOOLS", "JavaScriptTool", "install", "installed_folder", "open_javascript_tool"]
