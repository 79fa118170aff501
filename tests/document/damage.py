"""Damage real-looking pages as transfers, templates and hand-written markup do."""

import random
import re
from pathlib import Path

#: Not the labelled pages, which `tests/document/test_threads.py` reads: seeds keep their page when one is added.
PAGES = sorted(
    path for path in Path(__file__).parent.parent.glob("*/*/page.html") if not (path.parent / "labels.json").exists()
)
_TAG = re.compile(rb"<[^<>]*>")


def damaged(seed: int) -> bytes:
    """Return a golden or structure page with a few tags deleted, doubled or cut, and a few bytes swapped."""
    source = random.Random(seed)
    page = bytearray(source.choice(PAGES).read_bytes())
    for _ in range(source.randint(1, 12)):
        tags = list(_TAG.finditer(page))
        tag = source.choice(tags)
        match source.randrange(5):
            case 0:
                del page[tag.start() : tag.end()]
            case 1:
                page[tag.end() : tag.end()] = tag[0]
            case 2:  # cut in the middle
                middle = source.randint(tag.start(), tag.end())
                del page[middle : min(len(page), middle + source.randint(1, 40))]
            case 3:
                first, second = source.randrange(len(page)), source.randrange(len(page))
                page[first], page[second] = page[second], page[first]
            case _:  # a tag moves
                other = source.choice(tags)
                page[other.start() : other.start()] = tag[0]
    return bytes(page)
