"""Functions for worker processes. A module of its own, because worker processes import it."""

import ctypes
import os
import signal
import subprocess
import sys
import time

from tamis.processes import emit, step

state = {"prepared": 0}


def prepare():
    state["prepared"] += 1


def prepare_badly():
    raise LookupError("no such model")


def exit_at_start():
    os._exit(9)


def double(number):
    return 2 * number


def double_slowly(number):
    time.sleep(0.02)
    return 2 * number


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


def sleep(seconds):
    time.sleep(float(seconds))


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
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    emit(child.pid)
    time.sleep(600)


def run_steps(task):
    """Run the steps from the first to 3, each with a limit of half a second; ``"2-leave"`` fails in step 2."""
    first, order = task
    failing, _, how = order.partition("-")
    for number in range(first, 4):
        with step(number, wall=0.5):
            if number == int(failing):
                {"sleep": lambda: sleep(60), "leave": leave}[how]()
        emit(f"step {number}")
    return "finished"


ORDERS = {
    "allocate": allocate,
    "awkward": fail_awkwardly,
    "child": spawn_child,
    "fail": fail,
    "lambda": return_lambda,
    "leave": leave,
    "null": dereference_null,
    "segfault": segfault,
    "sleep": sleep,
    "spin": spin,
    "tea": lambda: "tea",
    "unloadable": return_unloadable,
}
