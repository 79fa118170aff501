"""HTML pages from templates: package files with ``$names``, whose values the caller has escaped."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

from tamis.serve.display_settings import DISPLAY_SETTINGS

_COMMON_DIRECTIVES: Final = "base-uri 'none'; frame-ancestors 'none'"
#: The Content-Security-Policy of everything that is not a page of the service: nothing may load and nothing may run.
SANDBOX_POLICY: Final = f"default-src 'none'; {_COMMON_DIRECTIVES}; form-action 'none'; sandbox"


@cache
def template(name: str) -> Template:
    """Return a template of the package."""
    return Template(files("tamis.serve").joinpath("templates", name).read_text("utf-8").strip())


@cache
def style(name: str) -> str:
    """Return a style sheet of the package, with the rules for selected and focused settings filled in."""
    ids = [identifier for setting in DISPLAY_SETTINGS for identifier in setting.ids]
    selected = ",".join(f'#{identifier}:checked~.page [for="{identifier}"]' for identifier in ids)
    focused = ",".join(f'#{identifier}:focus-visible~.page [for="{identifier}"]' for identifier in ids)
    rules = f"{selected}{{font-weight:700;text-decoration:underline}}{focused}{{outline:2px solid}}"
    sheet = template(name)
    return sheet.substitute(setting_rules=rules) if "$setting_rules" in sheet.template else sheet.template


@cache
def content_security_policy(css: str, *, images: bool = False, forms: bool = False) -> str:
    """Return the Content-Security-Policy of a page: nothing but its own style sheet, and images or forms if given."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    directives = ["default-src 'none'", f"style-src 'sha256-{digest}'", _COMMON_DIRECTIVES]
    if images:
        directives.append("img-src http: https:")
    directives.append("form-action 'self'" if forms else "form-action 'none'")
    # Links may open. Scripts, plugins, the server's own origin and, unless given, forms stay blocked.
    directives.append(f"sandbox allow-popups allow-popups-to-escape-sandbox{' allow-forms' if forms else ''}")
    return "; ".join(directives)
