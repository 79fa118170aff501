"""Every task has exactly one outcome, whatever happens to the process that runs it."""

import gc
import os
import random
import signal
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from tamis.errors import WorkerStartError
from tamis.processes import Budget, Failure, Success, Supervisor
from tests.needs import needs
from tests.processes.jobs import (
    burn,
    double,
    double_or_die,
    double_with_work,
    exit_at_start,
    identify,
    obey,
    prepare,
    prepare_badly,
    prepare_slowly,
    run_steps,
)
from tests.waiting import wait_until

pytestmark = pytest.mark.slow  # processes

ROOT = Path(__file__).parents[2]


def is_alive(pid):
    """Return whether a process runs; one that ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def run_one(order, **budget):
    (outcome,) = Supervisor(obey, budget=Budget(**budget)).map([order])
    return outcome


@pytest.mark.parametrize("ordered", [True, False])
def test_map_yields_one_outcome_per_task(ordered):
    outcomes = list(Supervisor(double, size=2).map(range(200), ordered=ordered))
    assert all(isinstance(outcome, Success) for outcome in outcomes)
    numbers = [outcome.task for outcome in outcomes]
    assert (numbers if ordered else sorted(numbers)) == list(range(200))
    assert all(outcome.value == 2 * outcome.task for outcome in outcomes)


class Large:
    """A task that can be told apart from others, alive or not."""


@pytest.mark.parametrize("ordered", [True, False])
def test_tasks_that_are_done_are_freed_at_once(ordered):
    living = weakref.WeakSet()

    def tasks():
        for _ in range(60):
            task = Large()
            living.add(task)
            yield task
            del task

    gc.disable()  # large tasks are few objects, so that a collection comes late
    try:
        most = 0
        for _ in Supervisor(is_large, size=1, max_in_flight=2).map(tasks(), ordered=ordered):
            most = max(most, len(living))
    finally:
        gc.enable()
    assert most < 10


def is_large(task):
    return isinstance(task, Large)


def kill_one(workers, rng):
    """Kill a worker process, whatever it does: it starts, waits or runs a task. Return how many were killed."""
    victims = [process.pid for process in workers]
    try:
        os.kill(rng.choice(victims), signal.SIGKILL)
    except (ProcessLookupError, IndexError):
        return 0
    return 1


@pytest.mark.parametrize("ordered", [True, False])
def test_map_survives_workers_killed_at_random(workers, ordered):
    rng = random.Random(20240229)
    killed, outcomes = 0, []
    for outcome in Supervisor(double_or_die, size=3).map(range(300), ordered=ordered):
        outcomes.append(outcome)
        if rng.random() < 0.08:
            killed += kill_one(workers(), rng)
    assert killed >= 10
    numbers = [outcome.task for outcome in outcomes]
    assert (numbers if ordered else sorted(numbers)) == list(range(300))
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    assert 2 <= len(failures) <= killed + 2
    assert {failure.message for failure in failures} == {"crashed its process (SIGKILL)"}
    assert all(outcome.value == 2 * outcome.task for outcome in outcomes if isinstance(outcome, Success))


def test_a_crashed_task_can_be_run_again(workers):
    rng = random.Random(3)

    def again(failure):
        return failure.task if failure.status == "crash" else None

    killed, values = 0, []
    for outcome in Supervisor(double_with_work, size=2).map(range(100), resume=again):
        values.append(outcome.value)
        if outcome.task % 25 == 0:
            killed += kill_one(workers(), rng)
    assert killed >= 2
    assert values == [2 * number for number in range(100)]


@pytest.mark.parametrize(
    ("order", "budget", "status", "message"),
    [
        ("hang", {"wall": 5}, "timeout", "took more than 5 s"),
        ("spin", {"wall": 5}, "timeout", "took more than 5 s"),
        pytest.param(
            "spin",
            {"cpu": 0.3},
            "cpu",
            "took more than 0.3 s of CPU time",
            marks=needs("setitimer"),
        ),
        pytest.param(
            "allocate",
            {"memory": 1_500_000_000},
            "memory",
            "needed more than 1.5 GB of memory",
            marks=needs("Linux"),
        ),
        ("leave", {}, "crash", "crashed its process (exit code 7)"),
        ("segfault", {}, "crash", "crashed its process (SIGSEGV)"),
        ("null", {}, "crash", "crashed its process (SIGSEGV)"),
        ("fail", {}, "error", "ValueError: I do not like this task"),
        ("awkward", {}, "error", "AwkwardError: very awkward"),
    ],
)
def test_a_failure_has_a_status_and_a_message_and_stops_nothing_else(order, budget, status, message):
    outcomes = list(Supervisor(obey, budget=Budget(**budget)).map(["tea", order, "tea"]))
    assert [type(outcome) for outcome in outcomes] == [Success, Failure, Success]
    assert (outcomes[1].task, outcomes[1].status, outcomes[1].message) == (order, status, message)


def test_an_exception_comes_with_its_traceback_and_itself():
    failure = run_one("fail")
    assert isinstance(failure.error, ValueError)
    assert "in fail\n" in failure.traceback
    assert run_one("awkward").error is None  # it cannot be unpickled


@needs("setitimer")
def test_cpu_time_of_earlier_tasks_is_not_counted():
    budget = Budget(cpu=1.5)
    outcomes = list(Supervisor(burn, budget=budget).map([0.4] * 5))
    assert len({outcome.value for outcome in outcomes}) == 1  # one process, two seconds in all


def test_waiting_does_not_count_as_cpu_time():
    assert isinstance(run_one("idle 1", cpu=0.5), Success)


def test_starting_a_process_does_not_count_as_the_tasks_time():
    (outcome,) = Supervisor(obey, prepare=prepare_slowly, budget=Budget(wall=5)).map(["tea"])
    assert isinstance(outcome, Success)


def test_a_task_that_cannot_be_pickled_fails_alone():
    outcomes = list(Supervisor(id).map([1, lambda: None, 2]))
    assert [type(outcome) for outcome in outcomes] == [Success, Failure, Success]
    assert outcomes[1].status == "error"
    assert "the task cannot be pickled" in outcomes[1].message


@pytest.mark.parametrize(
    ("order", "reason"), [("lambda", "pickle"), ("unloadable", "the result cannot be unpickled")]
)
def test_a_result_that_cannot_be_pickled_fails_alone(order, reason):
    outcomes = list(Supervisor(obey).map(["tea", order, "tea"]))
    assert [type(outcome) for outcome in outcomes] == [Success, Failure, Success]
    assert outcomes[1].status == "error"
    assert reason in outcomes[1].message


def test_prepare_runs_once_per_process():
    outcomes = list(Supervisor(identify, prepare=prepare, max_tasks=3).map(range(7)))
    pids = [outcome.value[0] for outcome in outcomes]
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 1]
    assert {outcome.value[1] for outcome in outcomes} == {1}


def test_a_prepare_that_fails_is_raised_with_its_traceback():
    with pytest.raises(WorkerStartError, match=r"(?s)cannot be prepared.*LookupError: no such model"):
        list(Supervisor(double, size=2, prepare=prepare_badly).map(range(10)))


def test_processes_that_end_before_they_are_ready_are_not_started_for_ever():
    with pytest.raises(WorkerStartError, match=r"end before they are ready \(exit code 9\).*__main__"):
        list(Supervisor(double, prepare=exit_at_start).map(range(10)))


def test_a_function_that_cannot_be_pickled_is_told():
    with pytest.raises(WorkerStartError, match="cannot be pickled"):
        list(Supervisor(lambda task: task).map([1]))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("limit", [1, 5, None])
def test_tasks_are_pulled_only_as_fast_as_outcomes_are_taken(ordered, limit):
    pulled = 0

    def source():
        nonlocal pulled
        for number in range(60):
            pulled += 1
            yield number

    taken = 0
    supervisor = Supervisor(double, size=2, max_in_flight=limit)
    for _ in supervisor.map(source(), ordered=ordered):
        assert pulled <= taken + (limit or 8)
        taken += 1
    assert pulled == taken == 60


def test_an_outcome_that_is_there_goes_before_the_next_task():
    pulled = 0

    def source():
        nonlocal pulled
        for number in range(100):
            pulled += 1
            yield number
            wait_until(lambda: not pool.unfinished)

    supervisor = Supervisor(double, max_in_flight=100)
    pool = supervisor.open_pool()
    outcomes = supervisor.map(source(), pool=pool)
    assert next(outcomes).value == 0
    assert pulled < 4
    outcomes.close()
    pool.close()


def test_an_error_of_the_source_is_raised_and_ends_the_processes():
    def source():
        yield 1
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(Supervisor(double).map(source()))


def test_no_tasks_start_no_process():
    assert list(Supervisor(double, size=4, prepare=prepare_badly).map([])) == []


def test_few_tasks_start_few_processes(workers):
    outcomes = Supervisor(obey, size=8).map(["tea"])
    next(outcomes)
    assert len(workers()) == 1
    outcomes.close()


def test_closing_early_kills_the_processes(workers):
    outcomes = Supervisor(obey, size=3).map(["tea", "hang", "spin", "hang", "hang"])
    next(outcomes)
    wait_until(lambda: len(workers()) == 3)
    outcomes.close()
    assert workers() == []


def test_killing_a_worker_kills_its_own_processes():
    failure = run_one("child", wall=5)
    assert failure.status == "timeout"
    (child,) = failure.emitted
    wait_until(lambda: not is_alive(child))


@pytest.mark.parametrize(("how", "status"), [("hang", "timeout"), ("leave", "crash")])
def test_a_failure_names_its_step_and_keeps_what_was_emitted(how, status):
    (failure,) = Supervisor(run_steps).map([(0, f"2-{how}")])
    assert (failure.status, failure.step, failure.emitted) == (status, 2, ("step 0", "step 1"))
    if status == "timeout":
        assert failure.message == "took more than 0.5 s"


def test_a_task_can_go_on_after_the_step_that_failed():
    def skip(failure):
        return failure.step + 1, "9-"

    tasks = [(0, "9-"), (0, "2-leave"), (0, "0-hang"), (0, "9-")]
    outcomes = list(Supervisor(run_steps, size=2).map(tasks, resume=skip))
    assert [outcome.task for outcome in outcomes] == tasks
    assert [outcome.value for outcome in outcomes] == ["finished"] * 4
    steps = [[int(emitted[-1]) for emitted in outcome.emitted] for outcome in outcomes]
    assert steps == [[0, 1, 2, 3], [0, 1, 3], [1, 2, 3], [0, 1, 2, 3]]


def test_steps_and_emissions_outside_of_a_worker_do_nothing():
    assert run_steps((0, "9-")) == "finished"


PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from tests.processes.jobs import obey
from tamis.processes import Supervisor

if __name__ == "__main__":
    outcomes = Supervisor(obey, size=2).map(["tea", "{order}", "{order}"])
    print(next(outcomes).value, flush=True)
    {end}
"""


def start_program(tmp_path, order, end):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(root=str(ROOT), order=order, end=end))
    return subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def children_of(pid):
    children = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            children += map(int, (task / "children").read_text().split())
        except FileNotFoundError:  # the thread has ended meanwhile
            continue
    return children


@needs("Linux")
@pytest.mark.parametrize("order", ["hang", "spin"])
def test_workers_end_with_a_parent_that_is_killed(tmp_path, order):
    at_work = tmp_path / "at-work"
    at_work.mkdir()
    with start_program(tmp_path, f"mark {at_work} {order}", "next(outcomes)") as process:
        assert process.stdout.readline() == "tea\n"
        wait_until(lambda: len(list(at_work.iterdir())) == 2)
        children = children_of(process.pid)
        assert len(children) >= 3  # two workers, and multiprocessing's own tracker
        process.kill()
        process.wait()
        wait_until(lambda: not any(map(is_alive, children)))


#: Ctrl-C, also where the tests run in the background, whose programs ignore it.
INTERRUPT = """
    import os, signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.kill(os.getpid(), signal.SIGINT)
    next(outcomes)
"""


@pytest.mark.parametrize("end", ["pass", "raise SystemExit(0)", INTERRUPT], ids=["end", "exit", "interrupt"])
def test_a_program_that_ends_without_closing_leaves_nothing_behind(tmp_path, end):
    with start_program(tmp_path, "hang", end) as process:
        assert process.stdout.readline() == "tea\n"
        children = children_of(process.pid) if sys.platform == "linux" else []
        _, errors = process.communicate()
        assert "Traceback" not in errors or "KeyboardInterrupt" in errors
        wait_until(lambda: not any(map(is_alive, children)))
