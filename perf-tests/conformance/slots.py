"""Slots keep cases apart: each has a client address of its own, by which the proxy chooses an origin of its own."""

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
    """All of 127.0.0.0/8 is the loopback interface on Linux."""
    return [Slot(f"slot{i}", f"127.9.{i // 250}.{i % 250 + 1}", origin.reserve()) for i in range(count)]
