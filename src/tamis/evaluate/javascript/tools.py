"""Mozilla's Readability and defuddle as tools of the evaluation."""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from tamis.compat.html2text import html2text
from tamis.evaluate.javascript.packages import find_node, installed_folder
from tamis.evaluate.javascript.process import shared_process
from tamis.page import parse_page
from tamis.render.row_text import selected_text

#: Both tools need a URL.
_DEFAULT_URL: Final = "https://example.org/"


@dataclass(frozen=True, slots=True)
class JavaScriptTool:
    """A package of npm as a `tamis.evaluate.tools.Tool`.

    Attributes:
        name: what ``--extractor`` calls it.
        package: its name on npm.
        timeout: seconds per page.
    """

    name: str
    package: str
    timeout: float = 50.0

    @property
    def version(self) -> str:
        """The installed version."""
        manifest = installed_folder() / "node_modules" / self.package / "package.json"
        version: str = json.loads(manifest.read_text("utf-8"))["version"]
        return version

    def text(self, html: str, url: str | None = None) -> str:
        """Return the text of the content of a page."""
        return self.timed_text(html, url)[0]

    def timed_text(self, html: str, url: str | None = None) -> tuple[str, float]:
        """Return the text of a page, and the CPU time of the tool in milliseconds, in the process of Node.js."""
        response = self._request(html, url, markdown=False)
        page = parse_page(response["html"])
        return selected_text(page, page.is_text & (page.hidden == 0)), float(response["cpu_ms"])

    def markdown(self, html: str, url: str | None = None) -> str:
        """Return the content of a page as Markdown: that of defuddle, or the HTML of Readability converted."""
        response = self._request(html, url, markdown=True)
        written = response.get("markdown")
        return html2text(response["html"], url or "") if written is None else str(written)

    def _request(self, html: str, url: str | None, *, markdown: bool) -> dict[str, Any]:
        return shared_process().request(
            tool=self.name, html=html, url=url or _DEFAULT_URL, markdown=markdown, timeout=self.timeout
        )


JAVASCRIPT_TOOLS: Final[dict[str, JavaScriptTool]] = {
    tool.name: tool
    for tool in (JavaScriptTool("readability-js", "@mozilla/readability"), JavaScriptTool("defuddle", "defuddle"))
}


def open_javascript_tool(name: str, timeout: float | None = None) -> JavaScriptTool:
    """Return a tool by name. Without Node.js or its package it raises `NodeError`."""
    find_node()
    installed_folder()
    tool = JAVASCRIPT_TOOLS[name]
    return tool if timeout is None else replace(tool, timeout=timeout)
