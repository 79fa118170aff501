"""HTML pages from templates: package files with ``$names``, whose values the caller has escaped."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

_COMMON_DIRECTIVES: Final = "base-uri 'none'; frame-ancestors 'none'"
#: The Content-Security-Policy of everything that is not a page of the service: nothing may load and nothing may run.
SANDBOX_POLICY: Final = f"default-src 'none'; {_COMMON_DIRECTIVES}; form-action 'none'; sandbox"


@cache
def template(name: str) -> Template:
    """Return a template of the package."""
    return Template(files("tamis.serve").joinpath("templates", name).read_text("utf-8").strip())


@cache
def style(name: str) -> str:
    """Return a style sheet of the package."""
    return template(name).template


@cache
def content_security_policy(css: str, *, images: bool = False, forms: bool = False, same_origin: bool = False) -> str:
    """Return the Content-Security-Policy of a page: nothing but its own style sheet, and what is given.

    Args:
        css: the style sheet.
        images: images load.
        forms: forms may be sent to this site.
        same_origin: the page belongs to this site, so that browsers say so of its forms. Pages with content of
            strangers do not. No page may run scripts.
    """
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    directives = ["default-src 'none'", f"style-src 'sha256-{digest}'", _COMMON_DIRECTIVES]
    if images:
        directives.append("img-src http: https:")
    elif same_origin:
        directives.append("img-src 'self'")  # the icon
    own = " allow-same-origin" if same_origin else ""
    directives.append("form-action 'self'" if forms else "form-action 'none'")
    # Links may open. Scripts, plugins, the server's own origin and, unless given, forms stay blocked.
    directives.append(f"sandbox allow-popups allow-popups-to-escape-sandbox{' allow-forms' if forms else ''}{own}")
    return "; ".join(directives)
