"""The faulty clients, one process: a fixed number of faults per second, independent of the results.

Stops starting faults after its time, waits until the gateway has ended the last ones, and exits on SIGTERM.
"""

import argparse
import asyncio
import os
import random
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from chaos import faults, process
from chaos.line import Kept, Line

# Above this limit, faults are queued, because descriptors are limited.
_AT_ONCE = 2000
_LITTLE = (faults.reads_nothing, faults.reads_slowly)


class Crowd:
    def __init__(self, chosen):
        self.chosen = chosen
        self.outcomes = {}
        self.kept = []
        self.broken = []
        self.most = 0
        self._running = set()

    async def run(self, stop):
        rng, number = random.Random(f"crowd {self.chosen.seed}"), 0
        loop = asyncio.get_running_loop()
        begin = due = loop.time()
        while due - begin < self.chosen.seconds and not stop.is_set():
            await asyncio.sleep(max(0.0, due - loop.time()))
            due += rng.expovariate(self.chosen.rate)
            if len(self._running) < _AT_ONCE:
                task = asyncio.create_task(self._one(number))
                self._running.add(task)
                task.add_done_callback(self._running.discard)
                self.most = max(self.most, len(self._running))
            number += 1
        await stop.wait()
        rest = list(self._running)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _one(self, number):
        # Each fault has its own random generator, so that it depends on the seed alone.
        rng = random.Random(f"{self.chosen.seed} {number}")
        fault = faults.choose(rng)
        name = fault.__name__.replace("_", "-")
        line = Line(self.chosen.port)
        if fault in _LITTLE:
            line.receive_little()
        outcome = None
        try:
            await line.open()
            await fault(line, faults.Draw(rng))
        except OSError:
            line.ending = "cut"
        except Kept:
            outcome = "kept"
            self.kept.append(f"{name} (number {number})")
        except Exception as bug:  # a bug in this script must not be hidden
            self.broken.append(f"{name} (number {number}): {bug!r}")
        finally:
            line.close()
        self.outcomes.setdefault(name, Counter())[outcome or line.outcome()] += 1

    def report(self):
        return {"outcomes": self.outcomes, "kept": self.kept, "broken": self.broken, "most": self.most}


async def run(chosen):
    crowd = Crowd(chosen)
    await crowd.run(process.stop_signal())
    process.write_report(chosen.report, crowd.report())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True, help="faults a second")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--report", required=True, help="file, written at the end")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
