import socket

import pytest

from tamis.serve.http.connections import TimedProtocol
from tests.serve.loopback import send

pytestmark = pytest.mark.slow  # processes


def test_responses_do_not_wait_for_acknowledgements(service, monkeypatch):
    """A response is two writes. Without TCP_NODELAY the second waits until the client has acknowledged the first."""
    seen = []
    made = TimedProtocol.connection_made

    def record(self, transport):
        made(self, transport)
        seen.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(TimedProtocol, "connection_made", record)
    assert send(f"{service}/healthz").status == 200
    assert seen == [1]
