"""The service measured: what it sends for a page, and how it bears load beside trafilatura behind the same framework.

    python bench/serve.py sizes
    python bench/serve.py load [--requests 20000] [--workers 2] [--seconds 8]

`sizes` prints kB in and out for the golden pages. `load` starts the real server, sends it the golden pages as bodies
(no cache, no fetching) with wrk, or with an aiohttp client where wrk is not installed, at rising concurrency; then it
sends many requests and watches the memory of the server and its workers.
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


def trafilatura_work(job):
    """What a worker does with a page when trafilatura does it: the same job, the same kind of answer."""
    import trafilatura

    from tamis.serve.jobs import MEDIA_TYPES, Answer

    text = trafilatura.extract(job.markup, url=job.url, output_format="text") or ""
    return Answer((text + "\n").encode(), MEDIA_TYPES["text"])


def trafilatura_prepare():
    from tamis.serve.jobs import Job

    trafilatura_work(Job("<p>tea"))


def run(tool: str, port: int, workers: int) -> None:
    import uvicorn

    from tamis.serve.app import create_app
    from tamis.serve.settings import Settings

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    other = {"work": trafilatura_work, "prepare": trafilatura_prepare} if tool == "trafilatura" else {}
    app = create_app(Settings(workers=workers), **other)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False, backlog=512)


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
            found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
            total += int(found[1]) if found else 0
        return total / 1000

    def cpu(self) -> float:
        """Return the processor seconds that the server and all its children have used."""
        total = 0
        for pid in [self.process.pid, *_children(self.process.pid)]:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def answered(self) -> int:
        """Return how many pages the server has extracted."""
        text = urllib.request.urlopen(f"{self.base}/metrics").read().decode()
        found = re.search(r'tamis_requests_total\{path="/v1/extract",status="200"\} (\d+)', text)
        return int(found[1]) if found else 0

    def rest(self) -> None:
        """Wait until nothing is being worked on: wrk leaves while its last requests are."""
        while json.loads(urllib.request.urlopen(f"{self.base}/healthz").read())["active"]:
            time.sleep(0.1)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


def _children(pid: int) -> list[int]:
    own = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        own += [int(one) for one in (thread / "children").read_text().split()]
    return sorted({*own, *(below for one in set(own) for below in _children(one))})


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
    """Send pages for some seconds; return requests, rate, latencies in seconds and how many went wrong."""
    if shutil.which("wrk") is None:
        return asyncio.run(_load(base, concurrency, seconds))
    files = ", ".join(f'"{path}"' for path in sorted(PAGES.glob("*/page.html")))
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(LUA.format(files=files))
        script.flush()
        command = ["wrk", "-t1", f"-c{concurrency}", f"-d{max(1, round(seconds))}s", "--latency", "--timeout", "30s"]
        said = subprocess.run([*command, "-s", script.name, base], capture_output=True, text=True, check=True).stdout

    def latency(share: int) -> float:
        value, unit = re.search(rf"{share}%\s+([\d.]+)(us|ms|s|m)\b", said).groups()
        return float(value) * UNITS[unit]

    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", said)
    return {
        "requests": int(re.search(r"(\d+) requests in", said)[1]),
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]),
        "p50": latency(50),
        "p99": latency(99),
        "errors": (int(refused[1]) if refused else 0) + (sum(map(int, broken.groups())) if broken else 0),
    }


async def _load(base: str, concurrency: int, seconds: float) -> dict[str, float]:
    import aiohttp

    bodies = [path.read_bytes() for path in sorted(PAGES.glob("*/page.html"))]
    times, errors, ends = [], 0, time.perf_counter() + seconds

    async def client(session, number):
        nonlocal errors
        while time.perf_counter() < ends:
            number += 1
            began = time.perf_counter()
            body = bodies[number % len(bodies)]
            headers = {"Content-Type": "text/html"}
            async with session.post(f"{base}/v1/extract?format=text", data=body, headers=headers) as answer:
                await answer.read()
                errors += answer.status != 200
            times.append(time.perf_counter() - began)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(client(session, number) for number in range(concurrency)))
    times.sort()
    at = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99)]
    return {"requests": len(times), "rate": len(times) / seconds, "p50": at[0], "p99": at[1], "errors": errors}


def print_load(requests: int, workers: int, seconds: float, at: list[int]) -> None:
    client = "wrk" if shutil.which("wrk") else "an aiohttp client"
    print(f"{workers} workers, {os.cpu_count()} cores, which {client} shares; {len(list(PAGES.iterdir()))} pages")
    print("CPU is that of the server and its workers, so other work on the machine does not change it much\n")
    servers = {tool: Server(tool, workers) for tool in ("tamis", "trafilatura")}
    best: dict[str, tuple[int, dict[str, float]]] = {}
    try:
        for server in servers.values():
            load(server.base, workers, 3)  # to warm up
        print("| tool | at a time | answers/s | p50 s | p99 s | errors | CPU ms a request |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for concurrency in at:
            for tool, server in servers.items():  # one after the other, so that both meet the same weather
                found = _measured(server, concurrency, seconds)
                if found["requests"] and found["errors"] == 0 and found["p99"] < 1:
                    best[tool] = (concurrency, found)
                cells = f"{found['rate']:.0f} | {found['p50']:.3f} | {found['p99']:.3f} | {found['errors']:.0f}"
                print(f"| {tool} | {concurrency} | {cells} | {found['cpu']:.1f} |", flush=True)
        for tool, (most, found) in best.items():
            print(f"{tool}: most at a time with p99 under 1 s and no error: {most}, {found['rate']:.0f} a second")
        if len(best) == 2:
            ours, theirs = best["tamis"][1], best["trafilatura"][1]
            print(f"tamis / trafilatura there: answers a second {ours['rate'] / theirs['rate']:.2f}", end=", ")
            print(f"CPU a request {ours['cpu'] / theirs['cpu']:.2f}")
        for tool, server in servers.items():
            goal = requests if tool == "tamis" else requests // 10  # the peer is slower
            most, found = best.get(tool, (4, {"rate": 20.0}))
            sent, marks = 0, [f"{server.memory():.0f} at first"]
            while sent < goal:
                sent += int(load(server.base, most, max(5, min(120, goal / 5 / found["rate"])))["requests"])
                server.rest()
                marks.append(f"{server.memory():.0f} after {sent}")
            print(f"{tool}: memory of the server and its workers, MB: {', '.join(marks)}", flush=True)
    finally:
        for server in servers.values():
            server.close()


def _measured(server: "Server", concurrency: int, seconds: float) -> dict[str, float]:
    """Load a server and count at the server what it answered, with what it was still at when the load ended."""
    cpu, answered, began = server.cpu(), server.answered(), time.perf_counter()
    found = load(server.base, concurrency, seconds)
    server.rest()
    answered = server.answered() - answered
    rate = answered / (time.perf_counter() - began)
    return {**found, "rate": rate, "cpu": 1000 * (server.cpu() - cpu) / max(1, answered)}


def print_sizes() -> None:
    from tamis.serve.jobs import Job, Look
    from tamis.serve.work import answer

    print("kB: the page as it is, the reader with pictures (their addresses, not the pictures), the reader with text")
    print("alone, and the text itself; in parentheses as sent, compressed\n")
    print("| page | original | reader | text only | the text |\n| --- | ---: | ---: | ---: | ---: |")
    sums = [0] * 4
    for folder in sorted(PAGES.iterdir()):
        page, url = (folder / "page.html").read_bytes(), f"https://www.example.org/{folder.name}"
        bodies = [
            page,
            answer(Job(page, url, form="reader")).body,
            answer(Job(page, url, form="reader", look=Look(text_only=True))).body,
            answer(Job(page, url, form="text")).body,
        ]
        sums = [total + len(body) for total, body in zip(sums, bodies, strict=True)]
        cells = [f"{len(body) / 1000:.1f} ({len(gzip.compress(body, 6)) / 1000:.1f})" for body in bodies]
        print(f"| {folder.name} | {' | '.join(cells)} |")
    mean = [f"{total / 1000 / len(list(PAGES.iterdir())):.1f}" for total in sums]
    print(f"| mean | {' | '.join(mean)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["sizes", "load", "run"])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--at", type=int, nargs="+", default=CONCURRENCY, help="requests at a time")
    parser.add_argument("--tool", default="tamis")
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    if given.what == "run":
        run(given.tool, given.port, given.workers)
    elif given.what == "sizes":
        print_sizes()
    else:
        print_load(given.requests, given.workers, given.seconds, given.at)


if __name__ == "__main__":
    main()
