"""slowhttptest: many connections that send, or read, as slowly as possible."""

import re
from dataclasses import dataclass

from . import tools, wire

# Interval of data or reads, too short to count as a stall: the hard kind of slow clients.
_EVERY = 2

MODES = {
    "-H": "slow heads",
    "-B": "slow bodies",
    "-X": "slow reading",
}
_OF_MODE = {
    "-H": ["-i", str(_EVERY)],
    "-B": ["-i", str(_EVERY), "-s", "65536"],
    # A small window, with rare reads of a few bytes.
    "-X": ["-w", "512", "-y", "1024", "-n", str(_EVERY), "-z", "32"],
}


@dataclass(frozen=True)
class Seen:
    ended: str
    # Its own availability check, once a second: numbers of successes and failures.
    available: int
    unavailable: int
    connected: int


def command(mode, port, path, connections, seconds, prefix, probe_timeout):
    """Writes prefix.csv."""
    return [
        tools.path("slowhttptest"),
        mode,
        *_OF_MODE[mode],
        *("-c", str(connections), "-r", str(connections // 2), "-l", str(seconds), "-p", str(probe_timeout)),
        *("-g", "-o", prefix, "-u", f"http://{wire.HOST}:{port}{path}"),
    ]


def parse(shown, table):
    """Its output, and its CSV file: Seconds,Closed,Pending,Connected,Service Available."""
    ended = re.search(r"Exit status: (.*)", re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown))
    rows = [[int(cell) for cell in line.split(",")] for line in table.splitlines()[1:] if line.strip()]
    if ended is None or not rows:
        raise tools.Refused(f"slowhttptest was not understood:\n{shown}\n{table}")
    return Seen(
        ended=ended.group(1).strip(),
        available=sum(1 for row in rows if row[4]),
        unavailable=sum(1 for row in rows if not row[4]),
        connected=max(row[3] for row in rows),
    )
