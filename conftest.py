"""Documents whose examples need packages that may be missing are not collected without them."""

from importlib.util import find_spec

_NEEDS = {
    "docs/guides/dataframes.md": ("duckdb", "pandas", "polars", "pyarrow"),
    "docs/guides/asyncio.md": ("aiohttp",),
}
collect_ignore = [name for name, modules in _NEEDS.items() if not all(map(find_spec, modules))]
# These import a package of seconds, and have no examples to run.
collect_ignore += ["src/tamis/integrations/haystack.py", "src/tamis/integrations/llama_index.py"]
