"""What a command that prints the text of a page imports: each module costs every user some milliseconds."""

import copy
import dataclasses
import inspect
import json
import pickle
import subprocess
import sys

import pytest

from tamis.lazy import dataclass
from tamis.render.registry import RenderOptions

CODE = """
import json, sys
import tamis
page = "<nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>" + "Water just off the boil, three minutes. " * 9
assert tamis.extract(page).text
print(json.dumps(list(sys.modules)))
"""
#: What only other outputs and other pages need.
NOT_FOR_TEXT = (
    "tamis.sites.learn",
    "tamis.document.build",
    "tamis.document.parts",
    "tamis.document.detectors.notes.find",
    "tamis.document.detectors.formulas.find",
    "tamis.metadata.author",
    "tamis.metadata.dates",
    "tamis.render.markdown",
    "tamis.render.html",
    "tamis.render.chunks",
    "tamis.explain",
    "tamis.document.detectors.posts",
    "tamis.batch",
    "importlib.resources",
    "tempfile",
    "tomllib",
)


@pytest.mark.slow
def test_text_of_a_plain_page_imports_no_document_no_dates_and_no_writers():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)).isdisjoint(NOT_FOR_TEXT)


@pytest.mark.slow
def test_the_first_page_of_a_process_may_be_in_any_encoding():
    page = "<meta charset=windows-1251><p>" + "Заварите чай и подождите три минуты. " * 9
    code = f"import tamis; print(tamis.extract({page.encode('windows-1251')!r}, extractor='body').text)"
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, check=True)
    assert done.stdout.decode().startswith("Заварите чай")


@pytest.mark.slow
def test_the_command_builds_no_other_command():
    code = "import sys, tamis.cli.extract; print(json.dumps([m for m in sys.modules if m.startswith('tamis.cli.')]))"
    done = subprocess.run([sys.executable, "-c", f"import json; {code}"], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)).isdisjoint({"tamis.cli.render", "tamis.cli.batch", "tamis.cli.serve"})


@pytest.mark.slow
def test_names_of_packages_are_imported_on_first_use():
    code = "import sys, tamis.document, tamis.metadata; n = len(sys.modules); "
    code += "tamis.document.Table, tamis.metadata.FIELDS; "
    done = subprocess.run(
        [sys.executable, "-c", code + "print(len(sys.modules) > n)"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True"


def test_a_class_whose_methods_are_compiled_on_first_use_is_as_the_standard_one():
    """Fields, defaults, equality, hash, order of parameters, pickling, refusals and signature."""
    for standard, lazy in zip(made_with(dataclasses.dataclass), made_with(dataclass), strict=True):
        one, same, other = lazy(1, c=[2]), lazy(1, c=[2]), lazy(3, "x", c=[2])
        assert repr(one) == repr(standard(1, c=[2])).replace(standard.__qualname__, lazy.__qualname__)
        assert (one == same, one == other) == (standard(1, c=[2]) == standard(1, c=[2]), False)
        assert str(inspect.signature(lazy)) == str(inspect.signature(standard))
        assert [each.name for each in dataclasses.fields(lazy)] == [
            each.name for each in dataclasses.fields(standard)
        ]
        assert dataclasses.asdict(dataclasses.replace(one, a=3, b="x")) == dataclasses.asdict(other)
        assert lazy(1).c is not lazy(1).c
        assert (lazy.__hash__ is None) == (standard.__hash__ is None)
        assert lazy.__match_args__ == standard.__match_args__
        assert outcome(lambda: setattr(one, "a", 5)) == outcome(lambda: setattr(standard(1), "a", 5))  # noqa: B023
        assert outcome(lambda: delattr(one, "b")) == outcome(lambda: delattr(standard(1), "b"))  # noqa: B023
        assert outcome(lambda: lazy(1, "x", [])) == outcome(lambda: standard(1, "x", [])).replace(  # noqa: B023
            standard.__qualname__, lazy.__qualname__
        )


def made_with(decorator):
    for options in (
        {"frozen": True, "slots": True},
        {"frozen": True},
        {"frozen": True, "eq": False},
        {"slots": True},
        {},
    ):

        @decorator(**options)
        class Tea:
            """A tea."""

            a: int
            b: str = "b"
            c: list = dataclasses.field(default_factory=list, kw_only=True, hash=False)
            d: int = dataclasses.field(default=4, init=False, repr=False)

        yield Tea


def outcome(action):
    try:
        return repr(action())
    except Exception as error:  # noqa: BLE001 (whatever the standard one raises)
        return f"{type(error).__name__}: {error}"


def test_values_of_such_a_class_are_copied_and_pickled():
    options = RenderOptions(links=False)
    assert pickle.loads(pickle.dumps(options)) == copy.deepcopy(options) == options != RenderOptions()
    assert hash(copy.copy(options)) == hash(options)
