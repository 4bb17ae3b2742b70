"""h2load, speaking HTTP/1.1 or HTTP/2."""

import re
from dataclasses import dataclass

from . import tools


@dataclass(frozen=True)
class H2loadResult:
    succeeded: int
    failed: int
    errored: int
    timeout: int
    status_2xx: int
    rate: float


def parse(output):
    counted = r"^requests: .* (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout"
    counts = re.search(counted, output, re.MULTILINE)
    status = re.search(r"^status codes: (\d+) 2xx", output, re.MULTILINE)
    rate = re.search(r"^finished in .*?([\d.]+) req/s", output, re.MULTILINE)
    if not (counts and status and rate):
        raise tools.Refused(f"h2load's output was not understood:\n{output}")
    return H2loadResult(*map(int, counts.groups()), status_2xx=int(status.group(1)), rate=float(rate.group(1)))


def run_http1(port, path, connections, requests):
    load = ["--h1", "-t", "1", "-c", str(connections), "-n", str(requests)]
    return parse(tools.output([tools.path("h2load"), *load, f"http://127.0.0.1:{port}{path}"]))


def run_at_rate(port, path, connections, rate, seconds):
    """HTTP/1.1 at a total request rate, for a number of seconds."""
    load = ["--h1", "-t", "1", "-c", str(connections), "--rps", f"{rate / connections:.3f}", "-D", str(seconds)]
    return parse(tools.output([tools.path("h2load"), *load, f"http://127.0.0.1:{port}{path}"]))


def run_http2(port, path, connections, streams, seconds, scheme, body=None, fields=()):
    """HTTP/2 with concurrent streams per connection, for a number of seconds. ``body``: a file that each request sends."""
    load = ["-t", "1", "-c", str(connections), "-m", str(streams), "-D", str(seconds)]
    load += ["-d", body] if body else []
    for field in fields:
        load += ["-H", field]
    return parse(tools.output([tools.path("h2load"), *load, f"{scheme}://127.0.0.1:{port}{path}"]))
