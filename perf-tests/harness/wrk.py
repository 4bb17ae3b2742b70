"""wrk, the closed-loop generator."""

import json
import os
from dataclasses import dataclass

from . import tools

_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrk.lua")


@dataclass(frozen=True)
class WrkResult:
    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    p999_ms: float
    max_ms: float
    # Received bytes, including heads.
    length: int
    errors: dict

    @property
    def rate(self):
        return self.requests / self.seconds if self.seconds else 0.0

    @property
    def error_count(self):
        return sum(self.errors.values())


def command(port, path, connections, seconds, timeout=10, scheme="http", keep_alive=True, post=0, fields=0):
    """``post``: length of the request body; ``fields``: number of further header fields of each request."""
    load = ["-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", f"{timeout}s"]
    if not keep_alive:
        load += ["-H", "Connection: close"]
    for i in range(fields):
        load += ["-H", f"X-Field-{i}: {'value' * (1 + i % 8)}"]
    url = f"{scheme}://127.0.0.1:{port}{path}"
    return [tools.path("wrk"), *load, "--latency", "-s", _SCRIPT, url, *(["--", str(post)] if post else [])]


def parse(output):
    for line in output.splitlines():
        if line.startswith("SUMMARY "):
            seen = json.loads(line[len("SUMMARY ") :])
            kinds = ("connect", "read", "write", "status", "timeout")
            return WrkResult(
                requests=seen["requests"],
                seconds=seen["micros"] / 1e6,
                p50_ms=seen["p50"] / 1e3,
                p99_ms=seen["p99"] / 1e3,
                p999_ms=seen["p999"] / 1e3,
                max_ms=seen["max"] / 1e3,
                length=seen["bytes"],
                errors={kind: seen[kind] for kind in kinds},
            )
    raise tools.Refused(f"wrk's output was not understood:\n{output}")


def run(port, path, connections, seconds, timeout=10, **more):
    """``more``: as for command()."""
    return parse(tools.output(command(port, path, connections, seconds, timeout, **more)))
