"""Heap sizes from the JVM's flight recorder: reserved, committed and used, around each collection."""

import json
import os
import subprocess
from dataclasses import dataclass
from datetime import datetime

from . import tools

_EVENT = "jdk.GCHeapSummary"


@dataclass(frozen=True)
class Heap:
    """Bytes, at a time in seconds since 1970."""

    moment: float
    used: int
    committed: int
    reserved: int


def flags(path):
    """Records only heap sizes, which costs nothing between collections; written at the end of the JVM."""
    # The plus sign adds an event without a settings file.
    return [f"-XX:StartFlightRecording=settings=none,disk=true,dumponexit=true,filename={path},+{_EVENT}#enabled=true"]


def heaps(java, path):
    """The recorded events in order."""
    jfr = os.path.join(os.path.dirname(java), "jfr")
    if not os.access(jfr, os.X_OK):
        jfr = tools.path("jfr")
    if not os.path.exists(path):
        raise tools.Refused(f"{path} is missing: the JVM has written no recording")
    done = subprocess.run(
        [jfr, "print", "--json", "--events", _EVENT, path], capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode != 0:
        raise tools.Refused(f"jfr print failed: {(done.stderr or done.stdout).strip()}")
    return parse(done.stdout)


def parse(text):
    found = []
    for event in json.loads(text)["recording"]["events"]:
        values = event["values"]
        space = values["heapSpace"]
        found.append(
            Heap(_moment(values["startTime"]), values["heapUsed"], space["committedSize"], space["reservedSize"])
        )
    return sorted(found, key=lambda heap: heap.moment)


def _moment(text):
    # The parser does not support nanoseconds.
    whole, _, rest = text.partition(".")
    zone = rest.lstrip("0123456789").replace("Z", "+00:00")
    fraction = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    return datetime.fromisoformat(whole + zone).timestamp() + (float(f"0.{fraction}") if fraction else 0.0)
