"""The processes of a comparison: origins, and the proxies that each case requires."""

import contextlib
import os

from . import against, certificate, filters, grpc, httpproxy, jvm, messages, openloop, peers, rounds, sources, terms, tools
from .cases import CASES, EVENTS, FIRST_WAVE, GRPC, HTTP, IDLE, MESSAGES, OPEN_LOOP, WEBSOCKET
from .envoy import EnvoyProxy
from .haproxy import HaproxyProxy
from .lychgate import LychgateOrigin, LychgateProxy, jar_path
from .nginx import NginxOrigin, NginxProxy
from .proxy import Setting
from .sink import Sink

# Lychgate with non-default settings; only if selected by name.
FORMS = {
    "lychgate+splice": {"listener": {"socket": {"backlog": 4096, "splice": "128KiB"}}},
    "lychgate+io_uring": {"top": {"transport": "io_uring"}},
}
# nginx without forwarding fields, and the programs of the distribution if --source replaces them.
PEER_FORMS = ("nginx-bare", "nginx-packaged", "haproxy-packaged")
# In display order.
PROXIES = ("nginx", "haproxy", "envoy", *PEER_FORMS, *peers.PEERS, "node", "lychgate", *FORMS)
# Beside compilation, idle processes open their connections and fill their pools within this time.
_SHORT_WARMUP = 2
# Names of gateways with filters, beside those without, in the case about filters.
_WITH_FILTERS = {"lychgate+1": "look", "lychgate+10": "ten-look", "lychgate+async": "single", "lychgate+body": "body"}
ORDER = (*PROXIES, *against.NAMES, *_WITH_FILTERS)
# Production gateways have a circuit breaker.
_UPSTREAM = {"breaker": {}}
# Configured for everything but HTTP/1.1 without TLS as well.
_VERSATILE = ("nginx", "haproxy", "envoy", *PEER_FORMS, "lychgate", *FORMS, *against.NAMES)
# What the gateway needs beside its usual settings.
_TRAFFIC = {GRPC: {"upstream": {**_UPSTREAM, "protocol": "h2"}}, WEBSOCKET: {"route": {"websocket": True}}}


class Bench:
    """Origins start when a case first needs them; only the proxies of the current case run."""

    def __init__(self, space, placement, chosen):
        self.space = space
        self.placement = placement
        self.chosen = chosen
        self.jvm = jvm.Jvm(chosen.java, chosen.jvm_opts)
        # For the current case: reasons why a proxy is missing in some rounds.
        self.left_out = {}
        self._origins = {}
        self._generator = None
        self._messages = None
        self._running = None, []
        secure = any(CASES[name].needs_certificate for name in chosen.cases)
        self._certificate = certificate.make(space) if secure else None

    def origin_ports(self, case):
        kind = "sink" if case.upload else "slow" if case.kind == FIRST_WAVE else case.traffic
        key = kind, case.origins
        if key not in self._origins:
            make = {
                "sink": lambda: Sink(self.space),
                "slow": lambda: LychgateOrigin(self.space, jvm.Jvm(self.chosen.java), self.chosen.jar),
                HTTP: lambda: NginxOrigin(self.space, case.origins),
                GRPC: lambda: grpc.Origin(self.jvm.java, self.space),
                WEBSOCKET: lambda: messages.Origin(self.jvm.java, self.space),
                EVENTS: lambda: messages.Origin(self.jvm.java, self.space),
            }
            self._origins[key] = make[kind]()
        return self._origins[key].ports

    def generator(self):
        """The open-loop origin; started when a case first needs it, on the CPU of the origins."""
        self._generator = self._generator or openloop.Generator(self.jvm.java, self.space, self.placement)
        return self._generator

    @property
    def messages(self):
        """The generator of messages; started when a case first needs it, on the CPU of the origins."""
        self._messages = self._messages or messages.Generator(self.jvm.java, self.space)
        return self._messages

    def request_body(self, length):
        """A file of this length that starts with the prefix of a gRPC message; None for no body."""
        if not length:
            return None
        path = self.space.path(f"body-{length}")
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(grpc.messages(length - grpc.PREFIX, 1))
        return path

    def setting(self, case):
        clients = case.connections + 200 if case.kind == IDLE else 0
        prefix = tuple(self.placement.proxy_prefix())
        # A pool for as many connections as there may be streams.
        pool = max(1024, case.connections + 200) if case.traffic == EVENTS else 1024
        ports = self.origin_ports(case)
        return Setting(ports, prefix, pool, certificate=self._certificate, clients=clients, traffic=case.traffic)

    def make(self, name, traffic=HTTP):
        if name in peers.PEERS:
            return peers.JvmPeer(self.jvm, name)
        if name == "node":
            return httpproxy.HttpProxy(name, forward=True)
        if name == "envoy":
            return EnvoyProxy()
        kind, _, form = name.partition("-")
        if kind in ("nginx", "haproxy"):
            program = None if form == "packaged" else self.chosen.built.get(kind)
            proxy = NginxProxy(program, bare=form == "bare") if kind == "nginx" else HaproxyProxy(program)
            proxy.name = name
            return proxy
        given = None
        if name in _WITH_FILTERS:
            given = self.space.path(f"filters-{name}")
            if not os.path.isdir(given):
                filters.write(given, _WITH_FILTERS[name])
        jar = self.chosen.against if name == against.EARLIER else self.chosen.jar
        more = {"upstream": _UPSTREAM, **_TRAFFIC.get(traffic, {}), **FORMS.get(name, {})}
        proxy = LychgateProxy(self.jvm, jar, filters=given, **more)
        proxy.name = name
        return proxy

    def names(self, case):
        """Participants: proxies that support the case's protocol, and gateways with filters in a case about filters."""
        names = list(self.chosen.proxies)
        if case.needs_certificate or case.traffic != HTTP:
            silent = [name for name in names if name not in _VERSATILE]
            if silent:
                print(f"      without {', '.join(silent)}: set up here for HTTP/1.1 without TLS alone", flush=True)
            names = [name for name in names if name not in silent]
        if case.filters and "lychgate" in names:
            names += _WITH_FILTERS
        return names

    def start(self, name, case):
        """A new process, alone on its CPU, that forwards to the origin on the same terms as the others."""
        proxy = self.make(name, case.traffic)
        proxy.start(self.space, self.setting(case), _ready(case))
        proxy.check_alone_on(self.placement.proxy)
        if _origin_shows_terms(case) and name != "nginx-bare":
            terms.check(proxy)
        return proxy

    def proxies(self, case):
        """The running proxies of the case; the proxies of the previous case are reused if the requirements are equal."""
        names = self.names(case)
        key = self.setting(case), tuple(names)
        if key != self._running[0]:
            self.end()
            self._running = key, []
            for name in names:
                self._running[1].append(self.start(name, case))
        return list(self._running[1])

    def end(self):
        for proxy in self._running[1]:
            proxy.process.end()
        self._running = None, []

    @contextlib.contextmanager
    def leaving_out(self, name):
        """A failure of one proxy must not end the run of the others."""
        try:
            yield
        except tools.Refused as refusal:
            print(f"      left out: {refusal}", flush=True)
            self.left_out[name] = str(refusal)

    def warmup(self, proxy):
        """Seconds of load before the measurement."""
        return self.chosen.warmup if proxy.jvm or proxy.name == "node" else min(_SHORT_WARMUP, self.chosen.warmup)

    def measure(self, case, number, proxy, seconds):
        return rounds.measure(case, number, proxy, self.placement, seconds, self)


def _ready(case):
    return "/?length=1" if case.kind == FIRST_WAVE else "/ready"


def _origin_shows_terms(case):
    return case.kind != FIRST_WAVE and not case.upload and case.traffic == HTTP


def needed(chosen):
    """The programs that the chosen cases and proxies need; fails before any start if one is missing. ``chosen.built``
    becomes the paths of nginx and HAProxy by name; those of the distribution are missing."""
    cases = [CASES[name] for name in chosen.cases]
    programs = ["nginx", "wrk", "taskset"] + ["openssl", "h2load"] * any(case.needs_certificate for case in cases)
    programs += ["haproxy"] * any(name.startswith("haproxy") for name in chosen.proxies) + ["strace"] * chosen.syscalls
    programs += ["envoy"] * ("envoy" in chosen.proxies)
    tools.require(*programs)
    if {"lychgate", *FORMS} & set(chosen.proxies) or any(case.kind == FIRST_WAVE for case in cases):
        jar_path(chosen.jar)
    if chosen.against:
        jar_path(chosen.against)
    chosen.built = sources.build(chosen.source) if chosen.source else {}
    if any(case.kind in (OPEN_LOOP, MESSAGES) or case.traffic == GRPC for case in cases):
        openloop.check_jar()
    for name in chosen.proxies:
        if name in peers.PEERS:
            peers.build(name)
        elif name == "node":
            httpproxy.install()
