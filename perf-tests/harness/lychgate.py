"""Lychgate as the proxy under test, and the origin included in its jar."""

import json
import os

from . import tools, wire
from .proxy import Proxy

_ANY_PATH = {"path": "/**"}
_JAR = os.path.join("gateway-server", "target", "lychgate.jar")


def _in_repository(*parts):
    return os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), *parts)


def launcher_path():
    return _in_repository("bin", "lychgate")


def commit():
    """The measured state of the repository, if there is one; assumes that the jar is built from it."""
    try:
        return tools.output(["git", "-C", _in_repository(), "describe", "--always", "--dirty", "--exclude=*"]).strip()
    except (OSError, tools.Refused):
        return "of no commit"


def jar_path(given=None):
    jar = os.path.abspath(given or _in_repository(_JAR))
    if not os.path.isfile(jar):
        raise tools.Refused(f"{jar} is missing: build it with mvn -DskipTests package, or name one with --jar")
    return jar


def configuration(
    port,
    admin_port,
    setting,
    match,
    listener,
    filters=None,
    upstream=None,
    route=None,
    tls_port=None,
    tls=None,
    top=None,
    upstreams=None,
    routes=(),
):
    """The YAML file of a gateway with one route; JSON is valid YAML. ``listener``, ``upstream``, ``route``, ``tls``,
    ``top``: further keys of these sections and of the top level. ``upstreams``: further upstreams by name. ``routes``: further
    routes to the same upstream."""
    log = {"format": "json", "file": setting.access_log, "queue": 1 << 20} if setting.access_log else {"format": "off"}
    endpoints = [f"http://127.0.0.1:{origin}" for origin in setting.origin_ports]
    main = {"name": "main", "address": f"127.0.0.1:{port}", "socket": {"backlog": 4096}, **listener}
    timeouts = {}
    if setting.patience:
        main["timeouts"] = dict.fromkeys(("request-head", "request-body", "write"), f"{setting.patience}s")
        main["timeouts"]["idle"] = f"{setting.idle}s"
        # The other timeouts bound stalls; this one bounds clients that slowly but steadily send or read.
        timeouts = {"exchange": f"{2 * setting.patience}s"}
    secure = []
    if setting.certificate:
        files = [{"chain": setting.certificate.chain, "key": setting.certificate.key}]
        inside = {"certificates": files, **(tls or {})}
        secure = [f"  - {json.dumps({**main, 'name': 'tls', 'address': f'127.0.0.1:{tls_port}', 'tls': inside})}"]
    return "\n".join(
        [
            "listeners:",
            f"  - {json.dumps(main)}",
            *secure,
            "routes:",
            f"  - {json.dumps({'id': 'all', 'match': match, 'upstream': 'origin', **(route or {})})}",
            *(f"  - {json.dumps({'upstream': 'origin', **each})}" for each in routes),
            "upstreams:",
            "  origin:",
            f"    endpoints: {json.dumps(endpoints)}",
            f"    pool: {{ connections: {setting.pool} }}",
            f"    timeouts: {json.dumps(timeouts)}",
            *(f"    {key}: {json.dumps(value)}" for key, value in (upstream or {}).items()),
            *(f"  {name}: {json.dumps(keys)}" for name, keys in (upstreams or {}).items()),
            f'admin: {{ address: "127.0.0.1:{admin_port}" }}',
            f"access-log: {json.dumps(log)}",
            *([f"filters: {{ directory: {json.dumps(filters)} }}"] if filters else []),
            *(f"{key}: {json.dumps(value)}" for key, value in (top or {}).items()),
            "",
        ]
    )


class LychgateProxy(Proxy):
    name = "lychgate"

    def __init__(
        self,
        jvm,
        jar=None,
        processors=1,
        more_flags=(),
        match=None,
        listener=None,
        filters=None,
        upstream=None,
        route=None,
        tls=None,
        top=None,
        upstreams=None,
        routes=(),
    ):
        super().__init__()
        self.routes = routes
        self.top = top
        self.upstreams = upstreams
        self.route = route
        self.tls = tls
        self.jvm = jvm
        self.jar = jar_path(jar)
        self.flags = jvm.flags(processors) + list(more_flags)
        self.match = _ANY_PATH if match is None else match
        self.listener = listener or {}
        self.filters = filters
        self.upstream = upstream
        self.admin_port = None
        self.access_log = ""
        self.config_file = None

    def version(self):
        built = commit() if self.jar == os.path.abspath(_in_repository(_JAR)) else self.jar
        return f"{built}, JDK {self.jvm.version}"

    def command(self, workspace, setting):
        self.port, self.admin_port, self.tls_port = wire.free_ports(3)
        # Without TLS, HTTP/2 is detected by its preface.
        self.h2c_port = self.port
        self.access_log = setting.access_log
        keys = (self.match, self.listener, self.filters, self.upstream, self.route, self.tls_port, self.tls, self.top)
        text = configuration(self.port, self.admin_port, setting, *keys, self.upstreams, self.routes)
        # A separate directory: a gateway watches its file, and stores its last valid filters beside it.
        own = os.path.basename(workspace.subdirectory(f"gateway-{self.port}"))
        self.config_file = workspace.write(os.path.join(own, "gateway.yml"), text)
        return [self.jvm.java, *self.flags, "-jar", self.jar, "run", "--config", self.config_file]

    def start_first(self, workspace, setting):
        """Starts it before its origin: its admin listener reports when it is ready."""
        self.process = workspace.start(self.name, list(setting.prefix) + self.command(workspace, setting))
        wire.await_ok(self.process, self.admin_port, "/ready")

    def exchanges(self, without):
        """Lines of its access log that do not contain ``without``."""
        if not self.access_log:
            return None
        if not os.path.exists(self.access_log):
            return 0
        with open(self.access_log, encoding="utf-8", errors="replace") as log:
            return sum(1 for line in log if without not in line)

    def metric(self, name):
        """The sum over all lines of one metric of the admin listener; None if the metric is missing."""
        values = []
        for line in wire.get(self.admin_port, "/metrics").text().splitlines():
            metric, _, value = line.rpartition(" ")
            if metric.partition("{")[0] == name:
                values.append(float(value))
        return sum(values) if values else None


class LychgateOrigin:
    """The test origin in the jar: /?length=, ?delay= (ms), /upload, /count."""

    def __init__(self, workspace, jvm, jar=None):
        (self.port,) = wire.free_ports(1)
        flags = ["-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-Dio.netty.leakDetection.level=disabled"]
        command = [jvm.java, *flags, "-jar", jar_path(jar), "origin", "--port", str(self.port)]
        self.process = workspace.start("origin", command)
        wire.await_ok(self.process, self.port, "/?length=1")

    @property
    def ports(self):
        return (self.port,)
