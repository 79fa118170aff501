"""The size of responses, and throughput and latency beside trafilatura behind the same service.

    python bench/serve.py sizes
    python bench/serve.py goodput [--workers 2] [--seconds 8]
    python bench/serve.py load [--requests 20000] [--workers 2] [--seconds 8]

`sizes` prints the kB of the golden pages and of their responses. `load` starts the real server and sends it the
golden pages as bodies (no cache, no fetching) with rising concurrency, by wrk or, where wrk is not installed, by an
aiohttp client. Then it sends many requests and prints the memory of the server and its workers.
"""

import argparse
import asyncio
import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PAGES = Path(__file__).resolve().parents[1] / "tests" / "pages"
CONCURRENCY = (1, 2, 4, 8, 16, 32, 64, 128)


def run_trafilatura(job):
    """Do the same job with trafilatura."""
    import trafilatura

    from tamis.render.registry import get_format
    from tamis.serve.jobs import JobResult

    text = trafilatura.extract(job.html, url=job.url, output_format="txt") or ""
    return JobResult((text + "\n").encode(), get_format("text").content_type)


def prepare_trafilatura():
    from tamis.serve.jobs import Job

    run_trafilatura(Job("<p>tea", "reader"))


def run(tool: str, port: int, workers: int) -> None:
    from tamis.serve.http.app import Server as HttpServer
    from tamis.serve.http.app import create_app
    from tamis.serve.settings import Settings

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    replaced = {"run_job": run_trafilatura, "prepare": prepare_trafilatura} if tool == "trafilatura" else {}
    settings = Settings(workers=workers)
    listener = socket.create_server(("127.0.0.1", port), backlog=512)
    HttpServer(create_app(settings, **replaced), settings).run(sockets=[listener])


class Server:
    """The service in a process of its own."""

    def __init__(self, tool: str, workers: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        arguments = [sys.executable, __file__, "run", "--tool", tool, "--port", str(self.port)]
        self.process = subprocess.Popen([*arguments, "--workers", str(workers)])
        self.base = f"http://127.0.0.1:{self.port}"
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.1)

    def memory(self) -> float:
        """Return the resident megabytes of the server and all its children."""
        total = 0
        for pid in [self.process.pid, *_children(self.process.pid)]:
            match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
            total += int(match[1]) if match else 0
        return total / 1000

    def cpu(self) -> float:
        """Return the seconds of CPU time that the server and all its children have used."""
        total = 0
        for pid in [self.process.pid, *_children(self.process.pid)]:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def extracted(self) -> int:
        """Return how many pages the server has extracted."""
        text = urllib.request.urlopen(f"{self.base}/metrics").read().decode()
        match = re.search(r'tamis_requests_total\{path="/v1/extract",status="200"\} (\d+)', text)
        return int(match[1]) if match else 0

    def wait_until_idle(self) -> None:
        """Wait until no request is active: wrk leaves while its last requests are."""
        while json.loads(urllib.request.urlopen(f"{self.base}/healthz").read())["active"]:
            time.sleep(0.1)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


def _children(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        children += [int(child) for child in (thread / "children").read_text().split()]
    return sorted({*children, *(below for child in set(children) for below in _children(child))})


LUA = """
local pages = {{{files}}}
local bodies, place = {{}}, 0
for n, name in ipairs(pages) do
  local file = io.open(name, "rb"); bodies[n] = file:read("*a"); file:close()
end
request = function()
  place = place % #bodies + 1
  return wrk.format("POST", "/v1/extract?format=text", {{["Content-Type"] = "text/html"}}, bodies[place])
end
"""
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


def load(base: str, concurrency: int, seconds: float) -> dict[str, float]:
    """Send pages for some seconds; return requests, rate, latencies in seconds and the number of errors."""
    if shutil.which("wrk") is None:
        return asyncio.run(_load(base, concurrency, seconds))
    files = ", ".join(f'"{path}"' for path in sorted(PAGES.glob("*/page.html")))
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(LUA.format(files=files))
        script.flush()
        command = ["wrk", "-t1", f"-c{concurrency}", f"-d{max(1, round(seconds))}s", "--latency", "--timeout", "30s"]
        output = subprocess.run(
            [*command, "-s", script.name, base], capture_output=True, text=True, check=True
        ).stdout

    def latency(share: int) -> float:
        value, unit = re.search(rf"{share}%\s+([\d.]+)(us|ms|s|m)\b", output).groups()
        return float(value) * UNITS[unit]

    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", output)
    return {
        "requests": int(re.search(r"(\d+) requests in", output)[1]),
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]),
        "p50": latency(50),
        "p99": latency(99),
        "errors": (int(refused[1]) if refused else 0) + (sum(map(int, broken.groups())) if broken else 0),
    }


async def _load(base: str, concurrency: int, seconds: float) -> dict[str, float]:
    import aiohttp

    bodies = [path.read_bytes() for path in sorted(PAGES.glob("*/page.html"))]
    times, errors, end = [], 0, time.perf_counter() + seconds

    async def client(session, number):
        nonlocal errors
        while time.perf_counter() < end:
            number += 1
            began = time.perf_counter()
            body = bodies[number % len(bodies)]
            headers = {"Content-Type": "text/html"}
            async with session.post(f"{base}/v1/extract?format=text", data=body, headers=headers) as response:
                await response.read()
                errors += response.status != 200
            times.append(time.perf_counter() - began)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(client(session, number) for number in range(concurrency)))
    times.sort()
    percentiles = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99)]
    return {
        "requests": len(times),
        "rate": len(times) / seconds,
        "p50": percentiles[0],
        "p99": percentiles[1],
        "errors": errors,
    }


def print_load(requests: int, workers: int, seconds: float, levels: list[int]) -> None:
    client = "wrk" if shutil.which("wrk") else "an aiohttp client"
    print(f"{workers} workers, {os.cpu_count()} cores, which {client} shares; {len(list(PAGES.iterdir()))} pages")
    print("CPU time is that of the server and its workers: other work on the machine changes it little\n")
    servers = {tool: Server(tool, workers) for tool in ("tamis", "trafilatura")}
    best: dict[str, tuple[int, dict[str, float]]] = {}
    try:
        for server in servers.values():
            load(server.base, workers, 3)  # to warm up
        print("| tool | concurrency | responses/s | p50 s | p99 s | errors | CPU ms per response |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for concurrency in levels:
            for tool, server in servers.items():  # in turn, so that other work affects both alike
                measured = _measure(server, concurrency, seconds)
                if measured["requests"] and measured["errors"] == 0 and measured["p99"] < 1:
                    best[tool] = (concurrency, measured)
                values = [f"{measured['rate']:.0f}", f"{measured['p50']:.3f}", f"{measured['p99']:.3f}"]
                values += [f"{measured['errors']:.0f}", f"{measured['cpu']:.1f}"]
                print(f"| {tool} | {concurrency} | {' | '.join(values)} |", flush=True)
        for tool, (concurrency, measured) in best.items():
            print(f"{tool}: highest concurrency with p99 under 1 s and no error: {concurrency}", end=", ")
            print(f"{measured['rate']:.0f} responses/s")
        if len(best) == 2:
            ours, theirs = best["tamis"][1], best["trafilatura"][1]
            print(f"tamis / trafilatura there: responses/s {ours['rate'] / theirs['rate']:.2f}", end=", ")
            print(f"CPU time per response {ours['cpu'] / theirs['cpu']:.2f}")
        for tool, server in servers.items():
            goal = requests if tool == "tamis" else requests // 10  # the peer is slower
            concurrency, measured = best.get(tool, (4, {"rate": 20.0}))
            sent, memory = 0, [f"{server.memory():.0f} at first"]
            while sent < goal:
                sent += int(load(server.base, concurrency, max(5, min(120, goal / 5 / measured["rate"])))["requests"])
                server.wait_until_idle()
                memory.append(f"{server.memory():.0f} after {sent}")
            print(f"{tool}: memory of the server and its workers, MB: {', '.join(memory)}", flush=True)
    finally:
        for server in servers.values():
            server.close()


def _measure(server: "Server", concurrency: int, seconds: float) -> dict[str, float]:
    """Load a server. Responses are counted by the server, those included that are sent after the load has ended."""
    cpu, extracted, began = server.cpu(), server.extracted(), time.perf_counter()
    measured = load(server.base, concurrency, seconds)
    server.wait_until_idle()
    extracted = server.extracted() - extracted
    rate = extracted / (time.perf_counter() - began)
    return {**measured, "rate": rate, "cpu": 1000 * (server.cpu() - cpu) / max(1, extracted)}


def print_goodput(workers: int, seconds: float) -> None:
    server = Server("tamis", workers)
    rates: dict[int, list[float]] = {64: [], 256: []}
    try:
        load(server.base, workers, 3)  # to warm up
        for _ in range(3):  # in turn, so that other work affects both alike
            for concurrency, found in rates.items():
                measured = _measure(server, concurrency, seconds)
                found.append(measured["rate"])
                print(f"{concurrency} connections: {measured['rate']:.0f} responses/s, {measured['errors']} refused")
    finally:
        server.close()
    print(f"goodput at 256 connections / at 64: {sum(rates[256]) / sum(rates[64]):.2f}")


def print_sizes() -> None:
    from tamis.render.registry import get_format
    from tamis.serve.jobs import Job, ReaderPrefs
    from tamis.serve.worker import run_job

    def body_of(job: Job) -> bytes:
        result = run_job(job)
        return gzip.decompress(result.body) if result.gzip else result.body

    print("kB of the page, of the reader (without the image files), of the text-only reader, and of the text;")
    print("compressed in parentheses\n")
    print("| page | original | reader | text only | text |\n| --- | ---: | ---: | ---: | ---: |")
    sums = [0] * 4
    for folder in sorted(PAGES.iterdir()):
        page, url = (folder / "page.html").read_bytes(), f"https://www.example.org/{folder.name}"
        bodies = [
            page,
            body_of(Job(page, "reader", url)),
            body_of(Job(page, "reader", url, prefs=ReaderPrefs(text_only=True))),
            body_of(Job(page, get_format("text"), url)),
        ]
        sums = [total + len(body) for total, body in zip(sums, bodies, strict=True)]
        cells = [f"{len(body) / 1000:.1f} ({len(gzip.compress(body, 6)) / 1000:.1f})" for body in bodies]
        print(f"| {folder.name} | {' | '.join(cells)} |")
    mean = [f"{total / 1000 / len(list(PAGES.iterdir())):.1f}" for total in sums]
    print(f"| mean | {' | '.join(mean)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sizes", "load", "goodput", "run"])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--concurrency", type=int, nargs="+", default=CONCURRENCY, help="concurrent requests")
    parser.add_argument("--tool", default="tamis")
    parser.add_argument("--port", type=int, default=0)
    args = parser.parse_args()
    if args.what == "run":
        run(args.tool, args.port, args.workers)
    elif args.what == "sizes":
        print_sizes()
    elif args.what == "goodput":
        print_goodput(args.workers, args.seconds)
    else:
        print_load(args.requests, args.workers, args.seconds, args.concurrency)


if __name__ == "__main__":
    main()
