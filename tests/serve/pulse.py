"""Asks a service for /healthz, on a new connection each time, until standard input ends.

It prints the most CPU time, in seconds, that the process of the service used between a question and its answer. A
program of its own: the attacks of a test keep the test's own process busy.
"""

import http.client
import json
import os
import select
import sys
from pathlib import Path


def cpu_time(pid):
    """Return the CPU time of a process, without that of its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(port, pid):
    most, count, is_last = 0.0, 0, False
    while not is_last:
        is_last = bool(select.select([sys.stdin], [], [], 0.03)[0])  # asked once more after the end
        before = cpu_time(pid)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        try:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200
        finally:
            connection.close()
        most, count = max(most, cpu_time(pid) - before), count + 1
        if count == 1:
            print("answered", flush=True)  # noqa: T201 (a program)
    print(json.dumps({"most": most, "count": count}))  # noqa: T201 (likewise)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
