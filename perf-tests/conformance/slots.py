"""Slots isolate cases: each has its own client address, by which the proxy chooses its own origin."""

from dataclasses import dataclass

from . import origin


@dataclass
class Slot:
    name: str
    address: str
    held: object

    @property
    def port(self):
        return self.held.getsockname()[1]


def make(count):
    """On Linux, all of 127.0.0.0/8 is the loopback interface."""
    return [Slot(f"slot{i}", f"127.9.{i // 250}.{i % 250 + 1}", origin.reserve()) for i in range(count)]
