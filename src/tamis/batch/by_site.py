"""Site-aware batches: a first pass over the pages learns what repeats on each host.

The pass leaves a folder of profiles beside the output, from which the pages are decided in the second pass, and which
a resumed run finds again. It keeps hashes, not pages, and a bounded number of them (`tamis.sift.site`).
"""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tamis.batch.rows import Row, RowOptions, read_body
from tamis.batch.worker import PageWorker, load_default_model, map_pairs
from tamis.errors import OptionError, TamisError
from tamis.page import parse_page
from tamis.sift.extractor import Sift
from tamis.sift.site import MIN_PAGES, CrawlSketches, SiteProfile, block_keys, sketch_page
from tamis.sites.rules import is_file_name, page_host
from tamis.sources.records import Record


def check_by_site(sources: Sequence[str], options: RowOptions) -> Sift:
    """Return the extractor whose evidence is learned. An `OptionError` says why there can be none."""
    if "-" in sources:
        raise OptionError("by-site reads all pages twice, and standard input can be read once")
    if options.options.profile is not None:
        raise OptionError("give a profile or by-site, not both")
    method = options.options.resolve()
    if not isinstance(method, Sift):
        raise OptionError(f"by-site works with sift and sift-open, not with {method.name}")
    return method


def sketch_record(record: Record, options: RowOptions) -> Row:
    """Return the host and the sketch of a page; nothing for a page that cannot be read or names no host."""
    method = options.options.resolve()
    assert isinstance(method, Sift)
    nothing: Row = {"status": "ok"}
    try:
        if record.error is not None:
            return nothing
        body = read_body(record, options.max_bytes)
        if options.max_bytes is not None and len(body) > options.max_bytes:
            return nothing
        page = parse_page(body)
    except TamisError:
        return nothing
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 (a batch never ends because of one page; the second pass has its row)
        return nothing
    host = page_host(page, record.url)
    if not is_file_name(host) or not len(page.blocks):
        return nothing
    return {**nothing, "host": host, "sketch": sketch_page(block_keys(page), method.block_logits(page))}


def learn_sites(
    pages: Iterable[tuple[int, Record]],
    folder: Path,
    options: RowOptions,
    method: Sift,
    *,
    workers: int,
    max_seconds: float | None,
    max_memory: int | None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write a profile for each host with enough pages into a folder, which exists only if it is complete."""
    worker = PageWorker(options, "values", max_seconds, make=sketch_record)
    sketches = CrawlSketches()
    for done, _ in map_pairs(pages, worker, workers=workers, max_memory=max_memory, prepare=load_default_model):
        if isinstance(done.row, dict) and "sketch" in done.row:
            sketches.add(done.row["host"], done.row["sketch"])
        if progress is not None:
            progress(done.number + 1)
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for host, sketch in sketches.sites.items():
        if sketch.pages >= MIN_PAGES:
            profile = SiteProfile.from_sketch(host, sketch, extractor=method.name)
            (partial / f"{host}.json").write_text(profile.as_json(), encoding="utf-8")
    partial.rename(folder)


def with_profiles(options: RowOptions, folder: Path) -> RowOptions:
    """Return the options of the second pass."""
    return replace(options, options=options.options.replace(profile=folder))
