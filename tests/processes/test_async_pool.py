"""The asyncio front end: bounded, cancellable, and on the same worker processes."""

import asyncio

import pytest

from tamis.errors import BusyError, WorkerStartError
from tamis.processes import AsyncPool, Budget, Failure, WorkerSpec
from tests.processes.jobs import double, obey, prepare_badly
from tests.waiting import async_wait_until as until

pytestmark = pytest.mark.slow  # processes


def with_pool(work, function=obey, **options):
    """Run ``work(pool)`` with a pool that is started before and closed after."""

    async def main():
        sizes = {name: options.pop(name, default) for name, default in (("size", 1), ("max_queued", 10))}
        pool = AsyncPool(WorkerSpec(function, **options), **sizes)
        pool.start()
        try:
            return await work(pool)
        finally:
            await pool.aclose()

    return asyncio.run(main())


def test_many_tasks_run_at_once():
    async def work(pool):
        outcomes = await asyncio.gather(*(pool.run(number) for number in range(50)))
        assert [outcome.value for outcome in outcomes] == [2 * number for number in range(50)]
        assert (pool.running, pool.queued, pool.restarts) == (0, 0, 0)

    with_pool(work, double, size=2, max_queued=50)


def test_a_failure_is_an_outcome_and_the_process_is_replaced():
    async def work(pool):
        failed = await pool.run("leave")
        assert isinstance(failed, Failure)
        assert failed.status == "crash"
        assert (await pool.run("tea")).value == "tea"
        assert pool.restarts == 1
        assert (await pool.run("fail")).status == "error"
        assert pool.restarts == 1  # an exception does no harm to its process
        assert (await pool.run("hang")).status == "timeout"
        assert (await pool.run("tea")).value == "tea"
        assert pool.restarts == 2

    with_pool(work, budget=Budget(wall=5))


def test_a_full_queue_refuses_tasks_unless_the_caller_waits(tmp_path):
    gate = tmp_path / "gate"

    async def work(pool):
        running = asyncio.create_task(pool.run(f"wait {gate}"))
        await until(lambda: pool.running)
        queued = [asyncio.create_task(pool.run("tea")) for _ in range(2)]
        await until(lambda: pool.queued == 2)
        with pytest.raises(BusyError, match="at capacity; retry later"):
            await pool.run("tea")
        patient = asyncio.create_task(pool.run("tea", wait=True))
        gate.touch()
        outcomes = await asyncio.gather(running, *queued, patient)
        assert [outcome.value for outcome in outcomes] == [None, "tea", "tea", "tea"]

    with_pool(work, max_queued=2)


def test_a_pool_without_a_queue_takes_a_task_per_process(tmp_path):
    gate = tmp_path / "gate"

    async def work(pool):
        outcomes = [asyncio.create_task(pool.run(f"wait {gate}")) for _ in range(2)]
        await until(lambda: pool.running == 2)
        with pytest.raises(BusyError):
            await pool.run("tea")
        gate.touch()
        await asyncio.gather(*outcomes)
        assert (await pool.run("tea")).value == "tea"

    with_pool(work, size=2, max_queued=0)


def test_cancelling_a_queued_task_drops_it_and_frees_its_place(tmp_path):
    gate = tmp_path / "gate"

    async def work(pool):
        running = asyncio.create_task(pool.run(f"wait {gate}"))
        await until(lambda: pool.running)
        dropped = asyncio.create_task(pool.run("leave"))
        await until(lambda: pool.queued == 1)
        dropped.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dropped
        assert pool.queued == 0
        taken = asyncio.create_task(pool.run("tea"))
        gate.touch()
        await asyncio.gather(running, taken)
        assert taken.result().value == "tea"
        assert pool.restarts == 0  # what was dropped has never run

    with_pool(work, max_queued=1)


def test_cancelling_a_running_task_frees_its_process_when_it_ends(tmp_path):
    gate = tmp_path / "gate"

    async def work(pool):
        running = asyncio.create_task(pool.run(f"wait {gate}"))
        await until(lambda: pool.running)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert pool.running == 1
        gate.touch()
        assert (await pool.run("tea")).value == "tea"
        assert pool.restarts == 0

    with_pool(work)


def test_a_prepare_that_fails_is_raised():
    async def work(pool):
        for _ in range(2):
            with pytest.raises(WorkerStartError, match="no such model"):
                await pool.run("tea")

    with_pool(work, prepare=prepare_badly)


def test_closing_ends_what_runs_and_what_waits():
    async def main():
        pool = AsyncPool(WorkerSpec(obey), size=1, max_queued=5)
        pool.start()
        running = asyncio.create_task(pool.run("hang"))
        await until(lambda: pool.running)
        waiting = asyncio.create_task(pool.run("tea"))
        await until(lambda: pool.queued == 1)
        await pool.aclose()
        results = await asyncio.gather(running, waiting, return_exceptions=True)
        assert isinstance(results[0], (Failure, WorkerStartError))
        assert isinstance(results[1], asyncio.CancelledError)

    asyncio.run(main())
