import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PAGES = Path(__file__).parent / "pages"

# The suite runs beside other work, on slow machines too: no deadline, and the same examples every time.
settings.register_profile(
    "tamis", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
settings.load_profile("tamis")


@dataclass(frozen=True)
class Golden:
    slug: str
    html: bytes
    expected: str
    meta: dict


def golden_pages() -> list[Golden]:
    return [
        Golden(
            folder.name,
            (folder / "page.html").read_bytes(),
            (folder / "expected.txt").read_text("utf-8"),
            json.loads((folder / "meta.json").read_text("utf-8")),
        )
        for folder in sorted(PAGES.iterdir())
        if (folder / "page.html").exists()
    ]


@pytest.fixture(params=golden_pages(), ids=lambda golden: golden.slug)
def golden(request) -> Golden:
    return request.param
