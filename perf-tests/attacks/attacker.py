"""A process that runs one attack; closed connections reconnect immediately."""

import argparse
import json
import os
import select
import socket
import sys
import threading
import time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from attacks import attacks
from attacks import frames as f

_HOST = "127.0.0.1"


class Player:
    """One connection after another until the end of the run."""

    def __init__(self, attack, port, until):
        self.attack, self.port, self.until = attack, port, until
        self.every = attack.connections / attack.rate if attack.rate else 0
        self.seen = Counter()

    def run(self):
        due = time.monotonic()
        while time.monotonic() < self.until:
            try:
                with socket.create_connection((_HOST, self.port), 5) as line:
                    self.seen["connections"] += 1
                    due = self._converse(line, due)
            except OSError:
                self.seen["not connected"] += 1
                time.sleep(0.05)

    def _converse(self, line, due):
        reader, step, waiting = f.Reader(), 0, self.attack.opening
        line.setblocking(False)
        while time.monotonic() < self.until:
            now = time.monotonic()
            if not waiting and now >= due:
                waiting = self.attack.step(step)
                self.seen["bytes"] += len(waiting)
                self.seen["steps"] += 1
                step += 1
                due = max(due + self.every, now - 1) if self.every else now
            readable, writable, _ = select.select(
                [line] if self.attack.reads else [], [line] if waiting else [], [], min(0.05, max(0.0, due - now))
            )
            try:
                if writable:
                    waiting = waiting[line.send(waiting) :]
                if readable and not self._hear(line, reader):
                    return due
            except BlockingIOError:
                pass
            except OSError:
                self._last_words(line, reader)
                return due
        return due

    def _hear(self, line, reader):
        """Returns whether the connection stays open."""
        came = line.recv(1 << 18)
        for kind, _, _, payload in reader.feed(came):
            if kind == f.GOAWAY:
                self.seen["ended by " + f.ERRORS[int.from_bytes(payload[4:8], "big")]] += 1
                return False
        if not came:
            self.seen["closed"] += 1
        return bool(came)

    def _last_words(self, line, reader):
        try:
            while self._hear(line, reader):
                pass
        except OSError:
            self.seen["reset"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--attack", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--pinning", type=int, required=True)
    parser.add_argument("--report", required=True)
    chosen = parser.parse_args()
    # The well-behaved client must be delayed by the gateway only, not by this process.
    os.nice(10)
    attack = next(one for one in attacks.all_of_them(chosen.pinning) if one.name == chosen.attack)
    until = time.monotonic() + chosen.seconds
    players = [Player(attack, chosen.port, until) for _ in range(attack.connections)]
    threads = [threading.Thread(target=player.run, daemon=True) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(chosen.seconds + 10)
    seen = sum((player.seen for player in players), Counter())
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump(seen, report)


if __name__ == "__main__":
    main()
