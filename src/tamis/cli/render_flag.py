"""``--render``: an option that may have a value, for all commands that draw pages."""

from typing import Any, Final, Literal

from typer.core import TyperCommand

RenderFlag = Literal["always", "auto"]
RENDER_HELP: Final = (
    "Run the page's scripts in Chromium first (needs tamis[visual]): always, which is what --render alone means, or "
    "auto, for pages that show nothing or have low confidence and that scripts build."
)
_VALUES: Final = ("always", "auto")


class RenderCommand(TyperCommand):
    """A command whose option ``--render`` means ``--render always`` where no value follows."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 (typer's click has no public types)
        """Parse the arguments, with the value that was left out."""
        parsed: list[str] = super().parse_args(ctx, with_value(args))
        return parsed


def with_value(args: list[str]) -> list[str]:
    """Return arguments in which ``--render`` has a value.

    >>> with_value(["--render", "page.html"]), with_value(["a.html", "--render", "auto"])
    (['--render=always', 'page.html'], ['a.html', '--render=auto'])
    """
    found: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg == "--":
            return [*found, arg, *rest]
        if arg == "--render":
            arg += "=" + (rest.pop(0) if rest and rest[0] in _VALUES else "always")
        found.append(arg)
    return found
