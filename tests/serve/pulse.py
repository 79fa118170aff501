"""Asks a service for /healthz, on a new connection each time, and prints the longest time it took as JSON.

A program of its own: the attacks of a test keep the test's own process busy.
"""

import http.client
import json
import sys
import time

PAUSE = 0.03


def main(port, seconds):
    slowest, lag, count, end = 0.0, 0.0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200
        finally:
            connection.close()
        slowest, count = max(slowest, time.monotonic() - began), count + 1
        began = time.monotonic()
        time.sleep(PAUSE)
        lag = max(lag, time.monotonic() - began - PAUSE)  # for how long the machine had no time for us
    sys.stdout.write(json.dumps({"slowest": slowest, "lag": lag, "count": count}))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
