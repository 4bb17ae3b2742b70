"""Two gateways in a row: the first one is under test, the second one adapts plain origins to every protocol."""

import json
import os

from harness import certificates, wire
from harness.lychgate import LychgateOrigin, jar_path
from harness.proxy import Proxy

from .scripted import Scripted

# By X-Origin in the request to the first gateway; the gateway determines the origin protocol.
ORIGINS = ("http", "https", "h2c", "h2", "auto")
SCRIPTED = {"path": "/scripted/**"}


class Gateway(Proxy):
    """A gateway with its own configuration."""

    def __init__(self, space, machine, jar, name, configuration):
        super().__init__()
        (self.admin_port,) = wire.free_ports(1)
        self.name = name
        configuration["admin"] = {"address": f"{wire.HOST}:{self.admin_port}"}
        own = os.path.basename(space.subdirectory(name))
        file = space.write(os.path.join(own, "gateway.yml"), json.dumps(configuration, indent=1))
        command = [machine.java, *machine.flags(1), "-jar", jar_path(jar), "run", "--config", file]
        self.process = space.start(name, command)
        wire.await_ok(self.process, self.admin_port, "/ready")

    def drain(self):
        """Stops it and returns its exit code; None if it does not end."""
        self.process.check_running()
        self.process.signal(self.drain_signal)
        return self.process.wait(20)


def _address(port):
    return f"{wire.HOST}:{port}"


def _back(ports, tls, demo, scripted):
    h2c, https, h2, auto = ports
    spoken = ((h2c, "h2c", ["h2"], None), (https, "https", ["http/1.1"], tls), (h2, "h2", ["h2"], tls))
    spoken += ((auto, "auto", ["h2", "http/1.1"], tls),)
    return {
        "listeners": [
            {"name": name, "address": _address(port), "protocols": protocols, **({"tls": with_tls} if with_tls else {})}
            for port, name, protocols, with_tls in spoken
        ],
        "routes": [{"id": "scripted", "match": SCRIPTED, "upstream": "scripted"}, {"id": "demo", "upstream": "demo"}],
        "upstreams": {
            "scripted": {"endpoints": [f"http://{_address(scripted)}"]},
            "demo": {"endpoints": [f"http://{_address(demo)}"]},
        },
        "access-log": {"format": "off"},
    }


def _front(ports, tls, ca, demo, scripted, back):
    plain, secure = ports
    h2c, https, h2, auto = back
    trust = {"tls": {"ca": ca}}
    upstreams = {
        "scripted": {"endpoints": [f"http://{_address(scripted)}"]},
        "http": {"endpoints": [f"http://{_address(demo)}"]},
        "h2c": {"endpoints": [f"http://{_address(h2c)}"], "protocol": "h2"},
        "https": {"endpoints": [f"https://{_address(https)}"], **trust},
        "h2": {"endpoints": [f"https://{_address(h2)}"], "protocol": "h2", **trust},
        "auto": {"endpoints": [f"https://{_address(auto)}"], "protocol": "auto", **trust},
    }
    routes = [{"id": "http-scripted", "match": {**SCRIPTED, "headers": {"X-Origin": "http"}}, "upstream": "scripted"}]
    routes += [{"id": name, "match": {"headers": {"X-Origin": name}}, "upstream": name} for name in ORIGINS]
    return {
        "listeners": [
            {"name": "plain", "address": _address(plain)},
            {"name": "secure", "address": _address(secure), "tls": tls},
        ],
        "routes": routes,
        "upstreams": upstreams,
        "access-log": {"format": "off"},
    }


class Chain:
    """``plain`` and ``secure`` are the ports of the gateway under test, ``ca`` is the trust store of its clients."""

    def __init__(self, space, machine, jar):
        self.ca, key = certificates.self_signed(space)
        tls = {"certificates": [{"chain": self.ca, "key": key}]}
        demo = LychgateOrigin(space, machine, jar)
        scripted = Scripted()
        back = wire.free_ports(4)
        self.back = Gateway(space, machine, jar, "back", _back(back, tls, demo.port, scripted.port))
        self.plain, self.secure = wire.free_ports(2)
        front = _front((self.plain, self.secure), tls, self.ca, demo.port, scripted.port, back)
        self.front = Gateway(space, machine, jar, "front", front)
