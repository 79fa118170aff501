"""One interface to everything that runs a batch, so that one suite tests them all.

A runner takes pages, as mappings with ``id``, ``url`` and ``html``, and returns their rows in the order it promises.
"""
# ruff: noqa: PLC0415, ARG002 (an engine may be missing; every runner is made with a folder)

import json
import os
import re
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tamis.batch import BatchOptions, extract_many, run
from tamis.batch.job import extract_batches
from tests.batch.pages import article, gzipped, html_response

ROOT = Path(__file__).parents[2]
#: A JVM that lives for seconds spends most of them on its compiler.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
PAGE_SCHEMA = pa.schema([("id", pa.string()), ("url", pa.string()), ("html", pa.binary())])


def page_table(pages):
    columns = {name: [page.get(name) for page in pages] for name in PAGE_SCHEMA.names}
    columns["html"] = [html.encode() if isinstance(html, str) else html for html in columns["html"]]
    return pa.Table.from_pydict(columns, schema=PAGE_SCHEMA)


def documented_code(heading):
    """Return the code below a heading of docs/guides/cluster.md."""
    section = (
        (ROOT / "docs/guides/cluster.md").read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n#")[0]
    )
    (code,) = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    return code


def run_documented_code(heading, folder):
    """Run the code below a heading on three pages in Parquet and two in a WARC file, and return its names.

    Paths are absolute: engines read them in folders of their own.
    """
    (folder / "pages").mkdir()
    pages = [{"id": str(number), "html": article(number)} for number in range(3)]
    pq.write_table(page_table(pages), folder / "pages" / "part.parquet")
    (folder / "crawl.warc.gz").write_bytes(gzipped(*(html_response(number) for number in range(2))))
    code = documented_code(heading).replace('"pages/"', repr(str(folder / "pages")))
    names = {}
    exec(
        compile(
            code.replace('"crawl.warc.gz"', repr(str(folder / "crawl.warc.gz"))), "docs/guides/cluster.md", "exec"
        ),
        names,
    )
    return names


def type_names(schema):
    """Return the columns of an Arrow schema and their types, without the difference between small and large."""
    return {field.name: str(field.type).removeprefix("large_") for field in schema}


class Runner:
    text_only = False  # whether it takes bytes


class LocalPool(Runner):
    """`tamis.batch.run`, from Parquet to Parquet."""

    def __init__(self, folder):
        self.folder = folder

    def table(self, source, options):
        output = self.folder / "rows.parquet"
        output.unlink(missing_ok=True)
        limits = BatchOptions(workers=2, wall_timeout=options.wall_timeout, max_memory=options.max_memory)
        run([str(each) for each in source], output, row_options=options.rows, options=limits)
        return pq.read_table(output)

    def rows(self, pages, options):
        pq.write_table(page_table(pages), self.folder / "pages.parquet")
        return self.table([self.folder / "pages.parquet"], options).to_pylist()

    def read(self, paths, options):
        return self.table(paths, options).to_pylist()

    def types(self, pages, options):
        pq.write_table(page_table(pages), self.folder / "pages.parquet")
        return type_names(self.table([self.folder / "pages.parquet"], options).schema)


class Iterator(Runner):
    """`tamis.batch.extract_many`."""

    read = types = None  # it takes pages, and yields mappings

    def __init__(self, folder):
        pass

    def rows(self, pages, options):
        limits = {"wall_timeout": options.wall_timeout, "max_memory": options.max_memory}
        return list(extract_many(pages, workers=2, processes=True, options=options.rows, **limits))


class Job(Runner):
    """`tamis.batch.job.extract_batches`, as an engine calls it."""

    def __init__(self, folder):
        pass

    def table(self, table, options):
        batches = list(extract_batches(table.to_batches(max_chunksize=7), options))
        return pa.Table.from_batches(batches)

    def rows(self, pages, options):
        return self.table(page_table(pages), options).to_pylist()

    def read(self, paths, options):
        names = [path.name for path in paths] if len(paths) > 1 else [None]
        return self.table(pa.table({"path": [str(path) for path in paths], "id": names}), options).to_pylist()

    def types(self, pages, options):
        return type_names(self.table(page_table(pages), options).schema)


class Spark(Runner):
    """Spark in local mode, with two Python processes."""

    def __init__(self, folder):
        set_python_path()
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        from tamis.batch.spark import open_session

        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.memory": "2g",
            "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        }
        self.session = open_session("local[2]", settings)
        self.session.sparkContext.setLogLevel("ERROR")

    def frame(self, pages, options):
        from tamis.batch.spark import extract

        rows = [tuple(row.values()) for row in page_table(pages).to_pylist()]
        spread = self.session.sparkContext.parallelize(rows, 3)
        frame = self.session.createDataFrame(spread, "id string, url string, html binary")
        return extract(frame, options)

    def rows(self, pages, options):
        return [row.asDict() for row in self.frame(pages, options).collect()]

    def read(self, paths, options):
        from tamis.batch.spark import extract, path_frame

        frame = extract(path_frame(self.session, [str(path) for path in paths]), options)
        return [row.asDict() for row in frame.collect()]

    def types(self, pages, options):
        return {name: {"bigint": "int64"}.get(kind, kind) for name, kind in self.frame(pages, options).dtypes}

    def close(self):
        self.session.stop()


class Ray(Runner):
    """Ray Data on this machine, with two workers."""

    def __init__(self, folder):
        set_python_path()
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=300_000_000)
        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False

    def dataset(self, pages, options):
        import ray.data

        from tamis.batch.ray import extract

        table = page_table(pages)
        half = len(table) // 2
        dataset = ray.data.from_arrow([table.slice(0, half), table.slice(half)])
        return extract(dataset, options, batch_size=7, concurrency=2)

    def rows(self, pages, options):
        return self.dataset(pages, options).take_all()

    def read(self, paths, options):
        from tamis.batch.ray import extract, path_dataset

        return extract(path_dataset([str(path) for path in paths]), options, batch_size=1, concurrency=2).take_all()

    def types(self, pages, options):
        schema = self.dataset(pages, options).materialize().schema()
        return type_names(pa.schema(list(zip(schema.names, schema.types, strict=True))))

    def close(self):
        import ray

        ray.shutdown()


class DataTrove(Runner):
    """A pipeline of DataTrove with two tasks in two processes. Documents are text: bytes are decoded first."""

    types = None  # it writes JSON Lines
    text_only = True

    def __init__(self, folder):
        set_python_path()
        self.folder, self.runs = folder, 0

    def rows(self, pages, options):
        from tests.batch.trove import Documents

        half = len(pages) // 2
        return self.run(Documents([pages[:half], pages[half:]]), options)

    def read(self, paths, options):
        from datatrove.pipeline.readers import WarcReader

        rows = self.run(WarcReader(str(paths[0].parent), glob_pattern="*.warc.gz"), options)
        prefixes = [f"{path.name}/" if len(paths) > 1 else "" for path in paths]
        for row in rows:  # DataTrove names a document by its record alone, in brackets
            row["id"] = prefixes[[str(path) for path in paths].index(row.pop("file_path"))] + row["id"].strip("<>")
        return rows

    def run(self, source, options):
        from datatrove.executor import LocalPipelineExecutor
        from datatrove.pipeline.writers import JsonlWriter

        from tamis.batch.datatrove import Tamis

        self.runs += 1
        folder = self.folder / f"run{self.runs}"
        writer = JsonlWriter(str(folder / "rows"), compression=None)
        LocalPipelineExecutor(
            [source, Tamis(options, keep_all=True), writer], tasks=2, workers=2, logging_dir=str(folder / "logs")
        ).run()
        lines = [
            line for path in sorted((folder / "rows").glob("*")) for line in path.read_text("utf-8").splitlines()
        ]
        return [self.row(json.loads(line), options.rows.names) for line in lines]

    @staticmethod
    def row(document, names):
        values = {"id": document["id"], "text": document.get("text") or None, **document.get("metadata", {})}
        kept = {"file_path": values["file_path"]} if "file_path" in values else {}
        return {name: values.get(name) for name in names} | kept


def set_python_path():
    """Let the processes of an engine import Tamis and the tests."""
    source = [path for path in sys.path if path and Path(path, "tamis", "batch").is_dir()]
    os.environ["PYTHONPATH"] = os.pathsep.join([*source[:1], str(ROOT)])


RUNNERS = {
    "run": LocalPool, "extract_many": Iterator, "job": Job, "spark": Spark, "ray": Ray, "datatrove": DataTrove
}  # fmt: skip
