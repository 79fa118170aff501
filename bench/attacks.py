"""What hostile pages cost: every output, every extractor, and third-party tools on the same pages.

    python bench/attacks.py                         # every attack and step: seconds per MB and growth
    python bench/attacks.py --only title --limit 20 # attacks whose name contains a word
    python bench/attacks.py --steps select,markdown
    python bench/attacks.py --steps outputs --megabytes 3   # pages of 0.75 and 3 MB, the outputs alone
    python bench/attacks.py --third-party --scale 0.2 --limit 5   # Tamis beside four third-party tools

Each page is read in a process of its own with a limit of memory; a step may take `--limit` CPU seconds. A step
is run at a quarter of the attack's size and at its size (or at those of `--megabytes`); the exponent is log4 of
the ratio of CPU times, printed where the larger took half a second, and a limit cut both answers or neither: what is
cut is written again, with less of the content. The bound is `BOUND` seconds of CPU per MB
of markup; pages below `--smallest` MB count as that many, because a step takes some time whatever the page.
"""

import argparse
import math
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.attacks.pages import ATTACKS, SENTENCES, Attack  # noqa: E402

BOUND = 2.0  #: CPU seconds per MB of markup for one step
MEMORY_BOUND = 300  #: MB for each MB of markup, above what the interpreter has
EXPONENT = 1.1  #: cost grows no faster than this power of the size
BASE_MEMORY = 90  #: MB of a process that has read a small page
WALL = 20  #: times the limit of CPU seconds: a step that waits and computes nothing
MEMORY = 6 << 30  #: bytes of address space for a process
TOOLS = ("tamis", "trafilatura", "readability-lxml", "resiliparse", "jusText")


Cost = tuple[float, int, int, int]  #: seconds, answer size, peak MB, whether a limit cut the answer


def run(module: str, attack: Attack, size: int, wanted: list[str], limit: float) -> dict[str, Cost]:
    """Return the cost of each step. A step over the limit has infinite seconds."""
    out: dict[str, Cost] = {}
    pending = list(wanted)
    while True:
        command = [sys.executable, "-m", module, attack.name, str(size), str(limit), *pending]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),  # noqa: PLW1509 (one call)
        )
        errors: list[str] = []
        drain = threading.Thread(target=lambda process=process, errors=errors: errors.extend(process.stderr or ()))
        drain.start()
        stopped = False
        while True:
            timer = threading.Timer(WALL * limit, process.kill)
            timer.start()
            line = process.stdout.readline() if process.stdout else ""
            stopped = not timer.is_alive()
            timer.cancel()
            if not line:
                break
            step, seconds, *values = line.split()
            length, peak, is_cut, *_ = (*map(int, values), 0)
            out[step] = (float(seconds), length, peak, is_cut)
            pending = [name for name in pending if name.replace(" ", "_") != step]
        process.wait()
        drain.join()
        if not process.returncode or not pending:
            return out
        failed = pending.pop(0)
        reason = (
            "limit"
            if stopped or process.returncode == -signal.SIGXCPU
            else errors[-1].strip()[:90]
            if errors
            else f"exit {process.returncode}"
        )
        out[failed.replace(" ", "_")] = (math.inf, 0, 0, 0)
        print(f"    {attack.name}, {size}, {failed}: {reason}", flush=True)
        if failed == "select" or not pending:
            return out


def number_for(attack: Attack, megabytes: float) -> int:
    """Return the number with which an attack makes a page of about this size."""
    number = attack.size
    for _ in range(3):
        markup = attack.page(number)
        length = len(markup if isinstance(markup, bytes) else markup.encode("utf-8", "replace"))
        number = max(4, round(number * megabytes * 1e6 / length))
    return number


def report(attack: Attack, wanted: list[str], arguments: argparse.Namespace, module: str) -> list[str]:
    limit, verbose = arguments.limit, arguments.verbose
    size = number_for(attack, arguments.megabytes) if arguments.megabytes else int(attack.size * arguments.scale)
    small = run(module, attack, size // 4, wanted, limit)
    large = run(module, attack, size, wanted, limit)
    megabytes = max(arguments.smallest, large["size"][1] / 1e6)
    failures = []
    worst = (0.0, "", 0.0)
    for step, (seconds, length, peak, is_cut) in large.items():
        if step == "size":
            continue
        before, _, _, was_cut = small.get(step, (0.0, 0, 0, is_cut))
        is_known = seconds > 0.5 and before > 0 and math.isfinite(seconds + before) and is_cut == was_cut
        growth = math.log(seconds / before, 4) if is_known else 0.0
        is_large = peak - BASE_MEMORY > MEMORY_BOUND * max(1.0, megabytes)
        bad = seconds / megabytes > BOUND or growth > EXPONENT or is_large
        if bad or verbose:
            print(
                f"    {step}: {before:.2f} s, {seconds:.2f} s, exponent {growth:.2f}, answer {length}, {peak} MB"
                + (", cut" if is_cut else "")
            )
        if bad:
            failures.append(f"{attack.name}: {step}")
        worst = max(worst, (seconds / megabytes, step, growth))
    peak = max(values[2] for values in large.values())
    print(
        f"{attack.name:34s} {large['size'][1] / 1e6:6.2f} MB  worst {worst[0]:7.2f} s/MB ({worst[1]}), "
        f"exponent {worst[2]:.2f}, {peak} MB" + ("  FAILS" if failures else ""),
        flush=True,
    )
    return failures


def compare(attacks: list[Attack], arguments: argparse.Namespace) -> None:
    """Print who answers, finds the article, hangs, fails and swells. Each run is a process of its own."""
    rows: dict[str, list[tuple[str, float, int, int, float]]] = {tool: [] for tool in TOOLS}
    for attack in attacks:
        for tool in TOOLS:
            found = run(
                "bench.attacks_third_party", attack, int(attack.size * arguments.scale), [tool], arguments.limit
            )
            seconds, sentences, peak, _ = found.get(tool, (math.nan, 0, 0, 0))
            rows[tool].append((attack.name, seconds, sentences, peak, max(1.0, found["size"][1] / 1e6)))
    articles = {attack.name for attack in attacks if not attack.whole}
    print(f"{len(attacks)} pages, {len(articles)} of them with an article; {arguments.limit:g} CPU seconds each")
    print("| tool | no answer | whole article | median CPU s | most s/MB | most MB | no answer for |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for tool, results in rows.items():
        failed = [name for name, seconds, *_ in results if not math.isfinite(seconds)]
        done = [row for row in results if math.isfinite(row[1])]
        whole = sum(sentences == len(SENTENCES) for name, _, sentences, *_ in results if name in articles)
        costs = sorted(seconds for _, seconds, *_ in done)
        per_mb = max(seconds / megabytes for _, seconds, _, _, megabytes in done)
        print(
            f"| {tool} | {len(failed)} | {whole} | {costs[len(costs) // 2]:.2f} | {per_mb:.1f} | "
            f"{max(row[3] for row in done)} | {', '.join(failed) or '—'} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start", default="", help="begin with this attack")
    parser.add_argument("--only", default="", help="attacks whose name contains this")
    parser.add_argument("--steps", default="", help="steps, separated by commas, or 'outputs'; all by default")
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds for a step")
    parser.add_argument("--scale", type=float, default=1.0, help="times the size of each attack")
    parser.add_argument("--megabytes", type=float, default=0.0, help="of markup for each attack, instead of its size")
    parser.add_argument("--smallest", type=float, default=1.0, help="MB that smaller pages count as")
    parser.add_argument("--verbose", action="store_true", help="print every step")
    parser.add_argument("--third-party", action="store_true", help="one table: Tamis and third-party tools")
    arguments = parser.parse_args()
    if arguments.third_party:
        compare([attack for attack in ATTACKS if arguments.only in attack.name], arguments)
        return
    from tests.attacks.steps import steps as make_steps

    module, steps = "tests.attacks.steps", list(make_steps("<p>Tea"))
    if arguments.steps == "outputs":
        wanted = [step for step in steps if not step.startswith("extractor ")]
    else:
        wanted = [step for step in arguments.steps.split(",") if step] or steps
    failures = []
    names = [attack.name for attack in ATTACKS]
    for attack in ATTACKS[names.index(arguments.start) if arguments.start else 0 :]:
        if arguments.only in attack.name:
            failures += report(attack, wanted, arguments, module)
    print(f"{len(failures)} steps over the bound", *failures, sep="\n  ")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
