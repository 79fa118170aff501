"""Functions for worker processes. A module of its own, because worker processes import it."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tamis.processes import emit, step
from tests.waiting import hang, wait_until

state = {"prepared": 0}


def prepare():
    state["prepared"] += 1


def prepare_badly():
    raise LookupError("no such model")


def exit_at_start():
    os._exit(9)


def double(number):
    return 2 * number


def double_with_work(number):
    sum(range(300_000))  # so that a process which is killed is mostly at work
    return 2 * number


def double_or_die(number):
    """Double, but let two tasks end their process, so that some do whenever others are killed from outside."""
    if number in {100, 200}:
        os.kill(os.getpid(), signal.SIGKILL)
    return double_with_work(number)


def burn(seconds):
    """Use CPU time and return the process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return os.getpid()


def identify(_):
    """Return the process, and how often it was prepared."""
    return os.getpid(), state["prepared"]


def obey(order):
    """Do what the task says; most of it goes wrong."""
    name, *arguments = order.split()
    return ORDERS[name](*arguments)


def spin():
    while True:
        pass


def idle(seconds):
    """Wait without using CPU time."""
    end = time.monotonic() + float(seconds)
    wait_until(lambda: time.monotonic() > end)


def prepare_slowly():
    idle(6)


def wait_for(path):
    wait_until(Path(path).exists)


def mark(folder, order):
    """Leave a file named for this process, then do what the order says."""
    Path(folder, str(os.getpid())).touch()
    return obey(order)


def allocate():
    return len(bytearray(10_000_000_000))


def leave():
    os._exit(7)


def segfault():
    os.kill(os.getpid(), signal.SIGSEGV)


def dereference_null():
    ctypes.string_at(0)


def fail():
    raise ValueError("I do not like this task")


class AwkwardError(Exception):
    """Pickles, but does not unpickle: its constructor wants two arguments."""

    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


def fail_awkwardly():
    raise AwkwardError("very", "awkward")


def return_lambda():
    return lambda: None


class Unloadable:
    def __reduce__(self):
        return int, ("not a number",)


def return_unloadable():
    return Unloadable()


def spawn_child():
    """Start a process that would outlive this one, and hang."""
    child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
    emit(child.pid)
    hang()


def run_steps(task):
    """Run the steps from the first to 3; ``"2-leave"`` fails in step 2. A step that hangs has half a second."""
    first, order = task
    failing, _, how = order.partition("-")
    for number in range(first, 4):
        fails = number == int(failing)
        with step(number, wall=0.5 if fails and how == "hang" else None):
            if fails:
                obey(how)
        emit(f"step {number}")
    return "finished"


ORDERS = {
    "allocate": allocate,
    "awkward": fail_awkwardly,
    "child": spawn_child,
    "fail": fail,
    "hang": hang,
    "idle": idle,
    "lambda": return_lambda,
    "leave": leave,
    "mark": mark,
    "null": dereference_null,
    "segfault": segfault,
    "spin": spin,
    "tea": lambda: "tea",
    "unloadable": return_unloadable,
    "wait": wait_for,
}
