"""The processes of a resilience scenario: gateway, origins that fail on command, load; and their logs."""

import json
import os
import signal
import sys
import time
from collections import defaultdict, namedtuple
from types import SimpleNamespace

from chaos import process
from chaos.gateway import Metrics, take_ports
from harness import tools, wire
from harness.lychgate import LychgateProxy
from harness.proxy import Setting

_HERE = os.path.dirname(os.path.abspath(__file__))

# One request as received by an origin.
Sighting = namedtuple("Sighting", "origin method moment mode")


class ScriptedOrigin:
    """Its ports remain reserved while it is dead: they are not used as ephemeral ports."""

    def __init__(self, space, name, delay=10):
        self.space, self.name, self.delay = space, name, delay
        self.port, self.control = take_ports(2)
        self.log = space.path(f"{name}.seen")
        self.process = None

    @property
    def authority(self):
        return f"{wire.HOST}:{self.port}"

    def start(self):
        options = {"port": self.port, "control": self.control, "delay": self.delay, "log": self.log}
        command = [sys.executable, os.path.join(_HERE, "origin.py")]
        for option, value in options.items():
            command += [f"--{option}", str(value)]
        self.process = self.space.start(self.name, command)
        wire.await_ok(self.process, self.control, "/", every=0.02)

    def become(self, mode, number=0):
        wire.get(self.control, f"/mode/{mode}/{number}")

    def kill(self):
        self.process.signal(signal.SIGKILL)
        self.process.wait(5)

    def seen(self):
        """Number of the request and sighting, in order of arrival."""
        with open(self.log, encoding="ascii") as log:
            for line in log:
                number, method, moment, mode = line.split()
                yield int(number), Sighting(self.name, method, float(moment), mode)


def sightings(origins):
    """All sightings of each request in chronological order, by request number."""
    found = defaultdict(list)
    for origin in origins:
        for number, sighting in origin.seen():
            found[number].append(sighting)
    for several in found.values():
        several.sort(key=lambda one: one.moment)
    return found


class ScriptedGateway(LychgateProxy):
    """``settings`` contains routes and upstreams; JSON is valid YAML."""

    def __init__(self, jvm, jar, settings, access_log="", more_flags=()):
        super().__init__(jvm, jar, more_flags=more_flags)
        self.settings = settings
        self.access_log = access_log

    def command(self, workspace, setting):
        self.port, self.admin_port = take_ports(2)
        log = {"format": "json", "file": self.access_log, "queue": 1 << 20} if self.access_log else {"format": "off"}
        text = json.dumps(
            {
                "listeners": [{"name": "main", "address": f"{wire.HOST}:{self.port}"}],
                "admin": {"address": f"{wire.HOST}:{self.admin_port}"},
                "access-log": log,
                **self.settings,
            },
            indent=1,
        )
        # A separate directory: a gateway watches its file, and there may be two gateways.
        own = os.path.basename(workspace.subdirectory(f"gateway-{self.port}"))
        file = workspace.write(os.path.join(own, "gateway.yml"), text)
        return [self.jvm.java, *self.flags, "-jar", self.jar, "run", "--config", file]

    def metrics(self):
        return Metrics(wire.get(self.admin_port, "/metrics").text())

    def logged(self):
        """Access log records by request number; complete once the gateway has ended."""
        found = {}
        with open(self.access_log, encoding="utf-8") as log:
            for line in log:
                record = json.loads(line)
                if record.get("query", "").isdigit():
                    found[int(record["query"])] = record
        return found

    def end(self, verdict):
        self.process.signal(self.drain_signal)
        code = self.process.wait(40)
        verdict.check(code == 0, f"drained with exit code {code}")


def start_gateway(stage, settings, access_log="", more_flags=()):
    gateway = ScriptedGateway(stage.jvm(), stage.chosen.jar, settings, access_log, more_flags)
    gateway.start_first(stage.space, Setting((), tuple(stage.placement.proxy_prefix())))
    gateway.check_alone_on(stage.placement.proxy)
    return gateway


class Load:
    """The load process; ``begin`` is the due time of its first request."""

    def __init__(self, space, name, port, path, seconds, lead=1.0, **options):
        self.begin = time.monotonic() + lead
        self.seconds = seconds
        self._report = space.path(f"{name}.json")
        paths = [path] if isinstance(path, str) else path
        options.update(port=port, seconds=seconds, begin=self.begin, report=self._report)
        command = [sys.executable, os.path.join(_HERE, "load.py")]
        for option, value in [*options.items(), *(("path", one) for one in paths)]:
            command += [f"--{option}", str(value)]
        self._process = space.start(name, command)

    def sleep_until(self, second):
        """Waits until this number of seconds after its begin."""
        time.sleep(max(0.0, self.begin + second - time.monotonic()))

    def finish(self):
        """Its requests, with times in seconds after its begin, and the maximum number of its open connections."""
        code = self._process.wait(self.seconds + 60)
        if code != 0:
            raise tools.Refused(f"{self._process.name} ended with code {code}:\n{self._process.log_tail()}")
        report = process.read_report(self._report)
        requests = [SimpleNamespace(**dict(zip(report["fields"], row))) for row in report["rows"]]
        for request in requests:
            for name in ("due", "sent", "done"):
                moment = getattr(request, name)
                setattr(request, name, None if moment is None else moment - self.begin)
        return requests, report["connections"]


def quantile(values, share):
    """The value below which this share of the values lies; None without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None


def millis(request):
    """The time from the due time to the end."""
    return (request.done - request.due) * 1000


def shown(value):
    return "-" if value is None else f"{value:.1f}"
