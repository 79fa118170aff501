"""Jobs that go wrong in their worker process. A module of its own, because worker processes import it."""

import os
import time
from pathlib import Path

from tamis.serve import jobs


def run_faulty_job(job):
    """Fail as the page says, or run the job."""
    html = job.html if isinstance(job.html, bytes) else job.html.encode()
    if b"please-spin" in html:
        while True:
            pass
    if b"please-sleep" in html:
        time.sleep(3600)
    if b"please-die" in html:
        os._exit(7)
    if b"please-fail" in html:
        raise RuntimeError("a secret of ours")
    if b"please-swell" in html:
        return jobs.JobResult(bytes(3_000_000_000), "text/plain")
    if b"please-wait" in html:
        time.sleep(0.3)
    if b"please-count:" in html:
        time.sleep(0.1)
        with Path(html.split(b":")[1].split()[0].decode()).open("ab") as file:
            file.write(b".")
    return jobs.run(job)
