"""Waiting for a state. pytest-timeout is the only clock: a state that never comes ends the test there."""

import asyncio
import threading
import time

_BETWEEN_LOOKS = 0.01  #: seconds; how often one looks, never how long


def wait_until(condition):
    """Return what the condition gives, as soon as it is true."""
    while not (result := condition()):
        time.sleep(_BETWEEN_LOOKS)
    return result


async def async_wait_until(condition):
    """Do the same in an event loop."""
    while not (result := condition()):  # noqa: ASYNC110 (threads and processes change it)
        await asyncio.sleep(_BETWEEN_LOOKS)
    return result


def hang():
    """Never return. Processes that do are killed."""
    threading.Event().wait()
