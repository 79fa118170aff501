"""Work that goes wrong, for workers to be killed over. A module of its own: worker processes import it."""

import os
import time

from tamis.serve import jobs


def odd(job):
    """Do what the page says, if it says something odd."""
    markup = job.markup if isinstance(job.markup, bytes) else job.markup.encode()
    if b"please-spin" in markup:
        while True:
            pass
    if b"please-sleep" in markup:
        time.sleep(3600)
    if b"please-die" in markup:
        os._exit(7)
    if b"please-fail" in markup:
        raise RuntimeError("a secret of ours")
    if b"please-swell" in markup:
        return jobs.Answer(bytes(3_000_000_000), "text/plain")
    if b"please-wait" in markup:
        time.sleep(0.3)
    return jobs.run(job)
