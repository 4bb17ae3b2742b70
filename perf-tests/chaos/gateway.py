"""The gateway under chaos: routes, upstreams and short timeouts, so that every fault ends within seconds."""

import json
import re
import socket
from collections import Counter

from harness import tools, wire
from harness.lychgate import LychgateProxy

# Outside the range of ephemeral ports: an origin may stop listening and reuse its port.
_PORTS = iter(range(24000, 25000))

# Upstreams by name; origins.py describes their behavior.
UPSTREAMS = ("good", "mixed", "flapping", "faulty", "restarting", "refusing", "deaf")
# Upstreams with an origin that must respond correctly to well-behaved clients.
WELL = ("good", "mixed", "flapping")

_LISTENER_TIMEOUTS = {"request-head": "2s", "request-body": "2s", "idle": "4s", "write": "3s"}
_UPSTREAM_TIMEOUTS = {
    "acquire": "2s",
    "connect": "1s",
    "response-head": "2s",
    "response-body": "2s",
    "exchange": "8s",
}
# Seconds after which no fault may hold resources: the longest exchange, then the idle timeouts of client and pool.
CALM = 20
_LINE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def take_ports(count):
    taken = []
    for port in _PORTS:
        if len(taken) == count:
            return taken
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind((wire.HOST, port))
                taken.append(port)
            except OSError:
                continue
    raise tools.Refused("too few of the ports from 24000 to 24999 are free")


def configuration(port, admin_port, origins, workers):
    """The YAML file; JSON is valid YAML. ``origins`` contains a port for each upstream."""
    routes = [{"id": name, "match": {"path": f"/{name}/**"}, "upstream": name} for name in UPSTREAMS]
    for name in WELL:
        # Separate routes, so that the metrics count well-behaved requests separately.
        routes.append(
            {
                "id": f"well-{name}",
                "match": {"path": f"/well/{name}/**"},
                "rewrite": {"strip-prefix": 1},
                "upstream": name,
            }
        )
    return json.dumps(
        {
            "workers": workers,
            "listeners": [{"name": "main", "address": f"{wire.HOST}:{port}", "timeouts": _LISTENER_TIMEOUTS}],
            "routes": routes,
            "upstreams": {
                name: {"endpoints": [f"http://{wire.HOST}:{origins[name]}"], "timeouts": _UPSTREAM_TIMEOUTS}
                for name in UPSTREAMS
            },
            "admin": {"address": f"{wire.HOST}:{admin_port}"},
            "access-log": {"format": "off"},
        },
        indent=1,
    )


class ChaosGateway(LychgateProxy):
    def __init__(self, jvm, jar, flags, origins, workers):
        super().__init__(jvm, jar, more_flags=flags)
        self.origins = origins
        self.workers = workers

    def command(self, workspace, setting):
        self.port, self.admin_port = take_ports(2)
        text = configuration(self.port, self.admin_port, self.origins, self.workers)
        file = workspace.write("gateway.yml", text)
        return [self.jvm.java, *self.flags, "-jar", self.jar, "run", "--config", file]

    def metrics(self):
        return Metrics(wire.get(self.admin_port, "/metrics").text())


class Metrics:
    """One scrape."""

    def __init__(self, text):
        self._samples = []
        for line in text.splitlines():
            found = _LINE.match(line)
            if found:
                self._samples.append((found[1], dict(_LABEL.findall(found[2] or "")), float(found[3])))

    def sum(self, name, **labels):
        return sum(value for _, value in self._chosen(name, labels))

    def by(self, label, name, **labels):
        """The values of a metric, summed by one of its labels."""
        sums = Counter()
        for carried, value in self._chosen(name, labels):
            sums[carried[label]] += int(value)
        return sums

    def _chosen(self, name, labels):
        for metric, carried, value in self._samples:
            if metric == name and all(carried.get(label) == wanted for label, wanted in labels.items()):
                yield carried, value
