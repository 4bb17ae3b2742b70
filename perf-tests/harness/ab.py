"""ApacheBench: HTTP/1.0 with keep-alive."""

import re
from dataclasses import dataclass

from . import tools


@dataclass(frozen=True)
class AbResult:
    complete: int
    failed: int
    # By kind: failed connects, truncated responses, lengths that differ from the first, other errors.
    failures: dict
    not_2xx: int
    keep_alive: int
    rate: float
    p99_ms: int
    # Mean and maximum response time as seen by one client.
    mean_ms: float
    longest_ms: int


def parse(output):
    def number(label, missing=None):
        found = re.search(rf"^{re.escape(label)}\s*([\d.]+)", output, re.MULTILINE)
        if found is None and missing is None:
            raise tools.Refused(f"ab's output was not understood:\n{output}")
        return float(found.group(1)) if found else missing

    return AbResult(
        complete=int(number("Complete requests:")),
        failed=int(number("Failed requests:")),
        failures=_failures(output),
        # ab omits these lines if they are zero.
        not_2xx=int(number("Non-2xx responses:", 0)),
        keep_alive=int(number("Keep-Alive requests:", 0)),
        rate=number("Requests per second:"),
        p99_ms=int(number("  99%", -1)),
        mean_ms=number("Time per request:"),
        longest_ms=int(number(" 100%", -1)),
    )


def _failures(output):
    """ab prints the kinds on a separate line, and only if there are errors."""
    found = re.search(r"^\s+\((Connect: .*)\)$", output, re.MULTILINE)
    if found is None:
        return {}
    kinds = (kind.split(":") for kind in found.group(1).split(","))
    return {name.strip().lower(): int(count) for name, count in kinds}


def run(port, path, connections, requests, timeout=60, keep_alive=True):
    # -r counts a broken connection as a failed request; otherwise ab would exit without a result.
    load = ["-r", "-q", "-s", str(timeout), "-c", str(connections), "-n", str(requests)]
    if keep_alive:
        load.insert(0, "-k")
    return parse(tools.output([tools.path("ab"), *load, f"http://127.0.0.1:{port}{path}"]))
