"""The OpenAPI document as HTML, for people."""

from html import escape
from typing import Any

from tamis.serve.settings import Settings


def describe_as_html(paths: dict[str, Any], settings: Settings) -> str:
    """Return a section for each operation.

    >>> operation = {"summary": "Say hello.", "operationId": "hello", "responses": {"200": {"description": "Hello."}}}
    >>> print(describe_as_html({"/hello": {"get": operation}}, Settings()))
    <section id="hello"><h2><code>GET /hello</code></h2><p>Say hello.</p><p class="dim">200 Hello.</p></section>
    """
    return "".join(
        _section(path, method, operation, settings)
        for path, operations in paths.items()
        for method, operation in operations.items()
    )


def _section(path: str, method: str, operation: dict[str, Any], settings: Settings) -> str:
    parts = [f"<p>{escape(operation['summary'])}</p>"]
    rows = [_row(param) for param in operation.get("parameters", ())]
    if rows:
        head = "<thead><tr><th>parameter</th><th>meaning</th><th>default</th></tr></thead>"
        parts.append(f"<table>{head}<tbody>{''.join(rows)}</tbody></table>")
    body = operation.get("requestBody")
    if body:
        types = ", ".join(f"<code>{escape(name)}</code>" for name in body["content"])
        parts.append(f"<p>Body: {types}. {escape(body.get('description', ''))}</p>")
    hidden = set() if settings.api_keys else {"401"}
    headers = {name for response in operation["responses"].values() for name in response.get("headers", ())}
    if headers:
        names = ", ".join(f"<code>{escape(name)}</code>" for name in sorted(headers))
        parts.append(f'<p class="dim">Response headers: {names}</p>')
    statuses = " · ".join(
        f"{status} {escape(response['description'])}"
        for status, response in sorted(operation["responses"].items())
        if status not in hidden
    )
    parts.append(f'<p class="dim">{statuses}</p>')
    name = escape(operation["operationId"])
    return f'<section id="{name}"><h2><code>{method.upper()} {escape(path)}</code></h2>{"".join(parts)}</section>'


def _row(param: dict[str, Any]) -> str:
    schema = param["schema"]
    default = schema.get("default")
    shown = "" if default is None else f"<code>{escape(str(default).lower())}</code>"
    values = schema.get("enum") or [each for part in schema.get("anyOf", ()) for each in part.get("enum", ())]
    choices = f'<br><span class="dim">{escape(", ".join(map(str, values)))}</span>' if values else ""
    where = "" if param["in"] == "query" else f' <span class="dim">({param["in"]})</span>'
    need = " (required)" if param.get("required") else ""
    return (
        f"<tr><td><code>{escape(param['name'])}</code>{where}{need}</td>"
        f"<td>{escape(param['description'])}{choices}</td><td>{shown}</td></tr>"
    )
