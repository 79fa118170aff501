"""What Spark, Ray and DataTrove cost beside the local pool, on the same WARC files with two processes each.

    python bench/engines.py FOLDER [--pages 400] [--engines run,spark,ray,datatrove] [--rounds 3]

FOLDER has pages (.html, .html.gz), for example those of a corpus. They are written to four WARC files, which every
engine reads and extracts into Parquet. An engine starts, runs once over two pages (its processes start and load the
model), and is then measured: seconds on the clock, and CPU time of the engine with all of its processes. Rounds take
turns, and the table shows the round of least CPU time of each engine. The local pool, Ray and DataTrove start their
workers in each run, Spark keeps them. An engine that this interpreter lacks is run by that of `make test-engines`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = {"run": "tamis", "spark": "pyspark", "ray": "ray", "datatrove": "datatrove"}
NAMES = {"run": "local pool", "spark": "Spark", "ray": "Ray Data", "datatrove": "DataTrove"}
FILES = 4
COLUMNS = ("title", "text", "page_type", "confidence")
TICKS = os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--engines", default=",".join(MODULES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.measure, given.folder)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = write_archives(given.folder, folder, given.pages)
        results = {}
        for _ in range(given.rounds):
            for engine in given.engines.split(","):
                result = in_process_of_its_own(engine, folder)
                print(engine, result, file=sys.stderr)
                best = results.get(engine)
                results[engine] = result if best is None or result["cpu"] < best["cpu"] else best
    print_table(pages, results)


def write_archives(source, folder, count):
    """Write pages to WARC files, and two pages to files of their own; return how many."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    from tamis.sources.files import read_file
    from tests.batch.pages import gzipped, response

    found = sorted(path for path in source.rglob("*") if path.name.endswith((".html", ".html.gz")))
    paths = found[:: max(1, len(found) // count)][:count]
    if not paths:
        sys.exit(f"{source} has no pages (.html, .html.gz)")
    headers = {"Content-Type": "text/html"}
    records = [
        response(f"https://example.org/{k}", read_file(path), headers).replace(
            b"WARC-Date", b"WARC-Identified-Payload-Type: text/html\r\nWARC-Date", 1
        )
        for k, path in enumerate(paths)
    ]
    for directory in ("pages", "few"):
        (folder / directory).mkdir()
    for k in range(FILES):
        (folder / "pages" / f"{k}.warc.gz").write_bytes(gzipped(*records[k::FILES]))
    (folder / "few" / "0.warc.gz").write_bytes(gzipped(records[0]))
    (folder / "few" / "1.warc.gz").write_bytes(gzipped(records[-1]))
    return len(paths)


def in_process_of_its_own(engine, folder):
    here = find_spec(MODULES[engine]) is not None
    python = sys.executable if here else os.environ.get("ENGINES_PYTHON", ROOT / ".venv-engines" / "bin" / "python")
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), "SPARK_LOCAL_IP": "127.0.0.1"
    }  # fmt: skip
    done = subprocess.run(
        [python, __file__, "--measure", engine, folder],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{engine} failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure(engine, folder):
    """Start an engine and return its seconds for the start, and its seconds and CPU seconds for the pages."""
    from tamis.batch import RowOptions
    from tamis.batch.job import JobOptions

    options = JobOptions(RowOptions(COLUMNS))
    start = time.monotonic()
    run = ENGINES[engine](options)
    run(folder / "few", folder / f"{engine}-few-{os.getpid()}")
    started = time.monotonic()
    with CpuTime() as cpu:
        run(folder / "pages", folder / f"{engine}-{os.getpid()}")
    return {"start": started - start, "wall": time.monotonic() - started, "cpu": cpu.seconds}


def local_pool(options):
    from tamis.batch import BatchOptions, run

    limits = BatchOptions(workers=2, wall_timeout=options.wall_timeout, max_memory=options.max_memory)

    def extract(source, output):
        run([str(source)], output.with_suffix(".parquet"), options=limits, row_options=options.rows)

    return extract


def spark(options):
    from tamis.batch.spark import extract, open_session, path_frame

    session = open_session("local[2]", {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"})

    def run(source, output):
        paths = [str(path) for path in sorted(source.iterdir())]
        extract(path_frame(session, paths), options).write.parquet(str(output))

    return run


def ray_data(options):
    import ray

    from tamis.batch.ray import extract, path_dataset

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=500_000_000)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def run(source, output):
        paths = [str(path) for path in sorted(source.iterdir())]
        extract(path_dataset(paths), options, batch_size=1, concurrency=2).write_parquet(str(output))

    return run


def datatrove(options):
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import ParquetWriter
    from datatrove.utils.logging import logger

    from tamis.batch.datatrove import Tamis

    logger.remove()

    def run(source, output):
        steps = [WarcReader(str(source)), Tamis(options), ParquetWriter(str(output / "rows"))]
        tasks = len(list(source.iterdir()))
        LocalPipelineExecutor(steps, tasks=tasks, workers=2, logging_dir=str(output / "logs")).run()

    return run


ENGINES = {"run": local_pool, "spark": spark, "ray": ray_data, "datatrove": datatrove}


class CpuTime(threading.Thread):
    """Adds up the CPU time of this process and of all that come from it, those that end before included.

    Engines end processes without waiting for them, and the time of such a process is in no count of its parent.
    """

    def __init__(self):
        super().__init__(daemon=True)
        self.times, self.base, self.ended = {}, {}, threading.Event()

    def __enter__(self):
        self.look()
        self.base = dict(self.times)
        self.start()
        return self

    def __exit__(self, *_):
        self.look()
        self.ended.set()
        self.join()

    def run(self):
        while not self.ended.wait(0.1):
            self.look()

    def look(self):
        found, children = {}, {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                except OSError:  # it has ended
                    continue
                key = (int(entry.name), fields[19])  # a number and its start: numbers are used again
                found[key] = (int(fields[11]) + int(fields[12])) / TICKS
                children.setdefault(int(fields[1]), []).append(key)
        waiting = [key for key in found if key[0] == os.getpid() or key in self.times]
        seen = set()
        while waiting:
            key = waiting.pop()
            if key not in seen:
                seen.add(key)
                self.times[key] = found[key]
                waiting += children.get(key[0], [])

    @property
    def seconds(self):
        return sum(spent - self.base.get(key, 0.0) for key, spent in self.times.items())


def print_table(pages, results):
    base = results.get("run")
    print(f"{pages} pages in {FILES} WARC files, 2 processes\n")
    print("| engine | start, s | wall, s | pages/s | CPU, ms/page | CPU, ratio | wall, ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for engine, result in results.items():
        ratios = [f"{result[each] / base[each]:.2f}" if base else "" for each in ("cpu", "wall")]
        print(
            f"| {NAMES[engine]} | {result['start']:.1f} | {result['wall']:.1f} | {pages / result['wall']:.0f} "
            f"| {1000 * result['cpu'] / pages:.1f} | {' | '.join(ratios)} |"
        )


if __name__ == "__main__":
    main()
