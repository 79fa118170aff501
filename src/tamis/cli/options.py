"""How commands declare their options: as annotations of a function, or of a dataclass, that click parses.

    def command(pages: Annotated[list[str], Argument(help="Pages.")], quiet: Annotated[bool, Option("-q")] = False):

A parameter's type says how its value is read, and its default whether it is required. A command with a dataclass gets
one object with all of its values. A parameter that is itself such a dataclass is a group of options that several
commands share.
"""

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin

import click

from tamis.errors import OptionError
from tamis.sources.quantities import Duration, Size, parse_duration, parse_size, show_duration, show_size

_WIDTH: Final = 80


class Argument(NamedTuple):
    """A positional argument."""

    help: str = ""


class Option:
    """An option.

    Args:
        names: the flag and its short form; ``--links/--no-links`` for a switch that can be turned off.
        help: what it does.
        min: the smallest number.
        max: the largest number.
        envvar: an environment variable that also sets it.
        autocompletion: returns the values that begin with a text, for shells.
        panel: the section of the help that lists it.
    """

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002 (named as in click)
        min: float | None = None,  # noqa: A002 (likewise)
        max: float | None = None,  # noqa: A002 (likewise)
        envvar: str | None = None,
        autocompletion: Callable[[str], list[str]] | None = None,
        panel: str = "Options",
    ) -> None:
        self.names, self.help, self.min, self.max = names, help, min, max
        self.envvar, self.autocompletion, self.panel = envvar, autocompletion, panel


def option(name: str, text: str, panel: str, *, short: tuple[str, ...] = (), minimum: float | None = None) -> Option:
    """Return an option that an environment variable also sets: ``--max-body`` is ``TAMIS_MAX_BODY``."""
    flag = f"--{name.replace('_', '-')}"
    return Option(flag, *short, help=text, min=minimum, envvar=f"TAMIS_{name.upper()}", panel=panel)


class Command(click.Command):
    """A command whose help has its options in sections, and examples at the end."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), panels: dict[str, str], **values: Any) -> None:  # noqa: ANN401 (click's)
        super().__init__(*args, **values)
        self.examples, self._panels = tuple(examples), panels

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, and the options of each section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if isinstance(param, click.Argument):
                text = self._panels.get(f"{param.name} argument", "")
                sections.setdefault("Arguments", []).append((param.make_metavar(ctx), text))
            elif (record := param.get_help_record(ctx)) is not None:
                sections.setdefault(self._panels.get(param.name or "", "Options"), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, as they are typed."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
        super().format_epilog(ctx, formatter)


class _Option(click.Option):
    """An option whose help ends with its default, in words."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the names and the help. Ranges are said where a value is outside of one."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        names = record[0].replace("INTEGER RANGE", "NUMBER").replace("FLOAT RANGE", "NUMBER")
        names = names.replace(" INTEGER", " NUMBER").replace(" FLOAT", " NUMBER")
        text = self.help or ""
        default: Any = self.default
        if isinstance(default, (str, int, float)) and not self.is_flag and "efault:" not in text:
            text += f" Default: {self.type.show(float(default)) if isinstance(self.type, _Quantity) else default}."
        return names, text + ("  [required]" if self.required else "")


def make_command(
    target: Callable[..., Any],
    name: str,
    *,
    examples: Sequence[str] = (),
    run: Callable[[Any], None] | None = None,
    cls: type[Command] = Command,
    epilog: str | None = None,
) -> Command:
    """Return the click command of a function, or of a dataclass and the function that takes its object.

    Args:
        target: the function, or the dataclass.
        name: the name of the command.
        examples: lines that show how it is used.
        run: for a dataclass, what is done with its object.
        cls: the class of the command.
        epilog: what the help ends with.
    """
    params: list[click.Parameter] = []
    panels: dict[str, str] = {}
    lists: list[str] = []
    groups: dict[str, Any] = {}
    for parameter, annotation in _parameters(target, groups):
        declared = annotation.__metadata__[0]
        type_, is_list = _value_type(annotation.__origin__)
        if is_list:
            lists.append(parameter.name)
        required = parameter.default is inspect.Parameter.empty
        default = None if required else parameter.default
        if isinstance(declared, Argument):
            panels[f"{parameter.name} argument"] = declared.help
            params.append(
                click.Argument(
                    [parameter.name], type=_param_type(type_, None), nargs=-1 if is_list else 1, required=required
                )
            )
        else:
            panels[parameter.name] = declared.panel
            params.append(_option(parameter.name, declared, type_, default, is_list=is_list, required=required))

    def callback(**values: Any) -> None:  # noqa: ANN401 (values of any type)
        for each in lists:
            values[each] = list(values[each]) or None if values[each] is not None else None
        for each, group in groups.items():
            values[each] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        if run is None:
            target(**values)
        else:
            run(target(**values))

    description = inspect.getdoc(run or target) or ""
    return cls(
        name,
        callback=callback,
        params=params,
        help=description.replace("``", "`"),
        epilog=epilog,
        examples=examples,
        panels=panels,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _WIDTH},
    )


def _parameters(target: Any, groups: dict[str, Any]) -> Iterator[tuple[inspect.Parameter, Any]]:  # noqa: ANN401 (a function or a dataclass)
    """Yield the parameters with their annotations, and those of a group in its place; note each group."""
    hints = typing.get_type_hints(target, include_extras=True)
    for parameter in inspect.signature(target).parameters.values():
        annotation = hints[parameter.name]
        if is_dataclass(annotation):
            groups[parameter.name] = annotation
            yield from _parameters(annotation, groups)
        else:
            yield parameter, annotation


def _option(
    name: str,
    declared: Option,
    type_: Any,  # noqa: ANN401 (a type, or a special form)
    default: Any,  # noqa: ANN401 (of any type)
    *,
    is_list: bool,
    required: bool,
) -> click.Option:
    values: dict[str, Any] = {"help": declared.help, "required": required, "envvar": declared.envvar}
    if not required:  # for click, None is also a default
        values["default"] = default.value if isinstance(default, Enum) else default
    if type_ is bool:
        return _Option([name, *declared.names], is_flag=True, **values)
    complete = declared.autocompletion
    if complete is not None:
        values["shell_complete"] = lambda _ctx, _param, incomplete: complete(incomplete)
    if isinstance(type_, type) and issubclass(type_, Enum):
        values["callback"] = lambda _ctx, _param, value: _as_enum(type_, value)
    return _Option([name, *declared.names], type=_param_type(type_, declared), multiple=is_list, **values)


def _as_enum(type_: type[Enum], value: Any) -> Any:  # noqa: ANN401 (one value, several, or none)
    if isinstance(value, tuple):
        return tuple(map(type_, value))
    return None if value is None else type_(value)


def _value_type(annotation: Any) -> tuple[Any, bool]:  # noqa: ANN401 (a type, or a special form)
    """Return the type of one value, and whether there may be several.

    >>> _value_type(list[str] | None), _value_type(int)
    ((<class 'str'>, True), (<class 'int'>, False))
    """
    if get_origin(annotation) in {types.UnionType, typing.Union}:
        return _value_type(next(each for each in get_args(annotation) if each is not types.NoneType))
    if get_origin(annotation) is list:
        return get_args(annotation)[0], True
    return annotation, False


class _Quantity(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """A size (``20MB``) or a duration (``30s``)."""

    def __init__(self, kind: Any, minimum: float | None) -> None:  # noqa: ANN401 (`Size` or `Duration`)
        self.name = "size" if kind is Size else "duration"
        self._parse: Callable[[str], float] = parse_size if kind is Size else parse_duration
        self.show: Callable[[float], str] = show_size if kind is Size else show_duration
        self._minimum = minimum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 (click's)
        """Return the bytes or the seconds."""
        try:
            number = value if isinstance(value, (int, float)) else self._parse(value)
        except OptionError as error:
            self.fail(str(error), param, ctx)
        if self._minimum is not None and number < self._minimum:
            self.fail(f"{value} is less than {self.show(self._minimum)}.", param, ctx)
        return number


def _param_type(type_: Any, declared: Option | None) -> Any:  # noqa: ANN401, PLR0911 (click's types of values)
    if type_ is Size or type_ is Duration:
        return _Quantity(type_, None if declared is None else declared.min)
    if get_origin(type_) is Literal:
        return click.Choice(get_args(type_))
    if issubclass(type_, Enum):
        return click.Choice([each.value for each in type_])
    if issubclass(type_, Path):
        return click.Path(path_type=Path)
    low, high = (None, None) if declared is None else (declared.min, declared.max)
    if low is None and high is None:
        return type_
    if type_ is float:
        return click.FloatRange(low, high)
    return click.IntRange(None if low is None else int(low), None if high is None else int(high))
