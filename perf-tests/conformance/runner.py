"""Runs cases against one proxy, several at a time, each in its own slot."""

import concurrent.futures
import dataclasses
import threading
from dataclasses import dataclass, field

from . import http2, message
from .case import MUST
from .client import QUIET, Client
from .origin import Origin

AT_ONCE = 24
# At most so many cases are tried a third time.
FEW = 20
# Seconds for late bytes in the third try; shorter than the timeouts of the proxies.
_PATIENT = 1.0


@dataclass
class Seen:
    """The observation of a case: bytes of client and origin, and how it ended."""

    responses: list = field(default_factory=list)
    rest: bytes = b""
    ending: str = "open"
    received: bytes = b""
    requests: list = field(default_factory=list)
    origin_bytes: bytes = b""
    origin_connections: int = 0
    closed_by_proxy: int = 0
    origin_rests: list = field(default_factory=list)
    address: str = ""
    # HTTP/2 streams by id.
    streams: dict = field(default_factory=dict)

    @property
    def finals(self):
        return [one for one in self.responses if one.final]

    @property
    def interim(self):
        return [one for one in self.responses if not one.final]


@dataclass
class Outcome:
    case: object
    reason: str
    seen: object
    unsteady: bool = False


def _methods(case):
    if case.methods:
        return case.methods
    return (b"HEAD",) * 8 if case.bytes_sent().lstrip().startswith(b"HEAD ") else ()


def _invariants(seen):
    """Conditions for every case: both sides can parse their bytes, and smuggled requests have no effect."""
    for one in seen.requests:
        if one.faults:
            return f"the origin got what readers take differently: {one.faults[0]}"
        if one.complete and b"smuggled" in one.target:
            return "a request hidden in another one reached the origin"
    for one in seen.responses:
        if one.faults:
            return f"the client got what readers take differently: {one.faults[0]}"
        if b"smuggled" in one.start:
            return "a response hidden in another one reached the client"
    if seen.rest:
        return f"the client got bytes that belong to no response: {seen.rest[:60]!r}"
    return None


def run_case(case, ports, slot, patiently=False):
    quiet, settle = (_PATIENT, max(_PATIENT, case.settle)) if patiently else (QUIET, case.settle)
    methods = _methods(case)
    origin = Origin(slot.held, case)
    client = None
    try:
        client = Client(ports[case.listener], slot.address, methods, quiet)
        client.run(dataclasses.replace(case, settle=settle))
        seen = Seen(address=slot.address, received=client.received, ending=client.ending)
    except OSError as failure:
        return Outcome(case, f"the proxy could not be reached: {failure}", Seen())
    finally:
        if client:
            client.close()
        connections = [bytes(one) for one in origin.connections]
        closed_by_proxy = origin.closed_by_proxy
        origin.stop()
    if case.protocol == "h2":
        seen.streams = http2.read_streams(seen.received)
    else:
        seen.responses, seen.rest = message.read_responses(seen.received, methods, seen.ending != "open")
    for received in connections:
        requests, rest = message.read_requests(received)
        seen.requests += requests
        seen.origin_rests.append(rest)
    seen.origin_bytes = b"".join(connections)
    seen.origin_connections = len(connections)
    seen.closed_by_proxy = closed_by_proxy
    return Outcome(case, case.check(seen) or _invariants(seen), seen)


def run_all(cases, ports, slots):
    """Results in the order of the cases. Retries failures, so that load does not look like a fault."""
    free, lock = iter(slots), threading.Lock()

    def once(case, patiently=False):
        with lock:
            slot = next(free)
        return run_case(case, ports, slot, patiently)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(once, cases))

    def again(failed, at_once, patiently=False):
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            for place, outcome in zip(failed, pool.map(lambda place: once(cases[place], patiently), failed)):
                outcome.unsteady = not outcome.reason
                outcomes[place] = outcome

    again([place for place, outcome in enumerate(outcomes) if outcome.reason], 4)
    # Those that decide about the exit code, one at a time, if they are few: a pause of the machine may hit two tries.
    failed = [place for place, outcome in enumerate(outcomes) if outcome.reason and outcome.case.level == MUST]
    if len(failed) <= FEW:
        again(failed, 1, patiently=True)
    return outcomes
