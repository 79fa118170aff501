"""Jobs that go wrong in their worker process. A module of its own, because worker processes import it."""

import os
from pathlib import Path

from tamis.serve import jobs
from tests.waiting import hang, wait_until


def run_faulty_job(job):
    """Fail as the page says, or run the job."""
    html = job.html if isinstance(job.html, bytes) else job.html.encode()
    if b"please-spin" in html:
        while True:
            pass
    if b"please-sleep" in html:
        hang()
    if b"please-die" in html:
        os._exit(7)
    if b"please-fail" in html:
        raise RuntimeError("a secret of ours")
    if b"please-swell" in html:
        return jobs.JobResult(bytes(3_000_000_000), "text/plain")
    if b"please-wait-for:" in html:
        gate = Path(html.split(b":")[1].split()[0].decode())
        wait_until(gate.exists)
        with gate.open("ab") as file:
            file.write(b".")
    return jobs.run(job)
