"""nginx: as origin, and as the reference proxy."""

import os
import signal
import subprocess

from . import limits, tools, wire
from .cases import GIB, GRPC, MIB, WEBSOCKET
from .proxy import Proxy

# The fields that every proxy under test adds; the origin returns them on /terms.
FORWARDING_FIELDS = (
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "X-Forwarded-Host",
    "X-Forwarded-Port",
    "Via",
    "X-Request-Id",
)

_MAIN = """\
{user}
worker_processes 1;
daemon off;
pid {directory}/nginx.pid;
error_log stderr error;
events {{ worker_connections {connections}; }}
http {{
    access_log off;
    default_type text/plain;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    keepalive_timeout 75s;
    keepalive_requests 1000000000;
    client_max_body_size 0;
    tcp_nopush on;
{http}
}}
"""

# A configuration parameter must be shorter than 10 KB; a value composed of variables may be longer.
_ORIGIN = """\
    open_file_cache max=16;
    sendfile on;
    server {{
{listens}
        set $kilobyte "{kilobyte}";
        location = /1k {{ return 200 $kilobyte; }}
        location = /10k {{ return 200 {ten}; }}
        location = /ready {{ return 200 "ready"; }}
        location = /count {{ stub_status; }}
        location = /terms {{ return 200 "{terms}"; }}
        location /files/ {{ alias {files}/; }}
    }}
"""

_PROXY = """\
    upstream origin {{
{servers}
        keepalive 4096;
        keepalive_requests 1000000000;
        keepalive_timeout 60s;
    }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
{tls}
{timeouts}
        location / {{
{location}
        }}
    }}
"""

_FORWARDING = """\
            proxy_pass http://origin;
            proxy_http_version 1.1;
            proxy_buffers 16 16k;
            proxy_max_temp_file_size 0;
            proxy_request_buffering off;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;"""
_TUNNEL = """\
            proxy_pass http://origin;
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $hop;
            proxy_set_header Host $http_host;"""
_GRPC = """\
            grpc_pass grpc://origin;"""
_FIELDS = (
    "X-Forwarded-For $remote_addr",
    "X-Forwarded-Proto $scheme",
    "X-Forwarded-Host $http_host",
    "X-Forwarded-Port $server_port",
    'Via "1.1 nginx"',
    "X-Request-Id $request_id",
)
# A request without Upgrade, such as the check that the proxy is ready, keeps the connection to the origin.
_CONNECTION = """\
    map $http_upgrade $hop { default upgrade; "" ""; }
"""


# The port without TLS supports either HTTP/1.1 or HTTP/2: the latter has its own port.
_TLS = """\
        listen 127.0.0.1:{tls} ssl http2 backlog=4096;
        listen 127.0.0.1:{h2c} http2 backlog=4096;
        ssl_certificate {certificate.chain};
        ssl_certificate_key {certificate.key};
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_session_cache shared:tls:4m;
        http2_max_concurrent_streams 128;"""


def command(workspace, name, http, program=None):
    """``program``: path of nginx; default the one of the distribution."""
    directory = workspace.subdirectory(name)
    # Otherwise the workers of a root master change to a user without access to the workspace.
    user = "user root;" if os.geteuid() == 0 else ""
    text = _MAIN.format(user=user, directory=directory, connections=limits.allowed_descriptors() - 200, http=http)
    configuration = workspace.write(f"{name}.conf", text)
    # -e: only root may write the built-in error log.
    return [program or tools.path("nginx"), "-e", "stderr", "-p", directory, "-c", configuration]


def version(program=None):
    shown = subprocess.run([program or tools.path("nginx"), "-v"], capture_output=True, text=True, check=True)
    return shown.stderr.strip().rpartition("/")[2]


class NginxOrigin:
    """Serves /1k and /10k from memory, serves /files/, counts requests, and returns the received fields."""

    def __init__(self, workspace, servers=1):
        self.ports = tuple(wire.free_ports(servers))
        self.files = workspace.subdirectory("files")
        for name, length in (("100k", 100 << 10), ("1m", MIB), ("100m", 100 * MIB), ("1g", GIB)):
            # A sparse file: reads return zeros from memory.
            with open(os.path.join(self.files, name), "wb") as file:
                file.truncate(length)
        fields = [f"{name}=$http_{name.lower().replace('-', '_')}" for name in FORWARDING_FIELDS]
        fields += ["protocol=$server_protocol", "connection=$http_connection", "host=$http_host"]
        http = _ORIGIN.format(
            listens="\n".join(f"        listen 127.0.0.1:{port} backlog=4096;" for port in self.ports),
            kilobyte="lychgate" * 128,
            ten="$kilobyte" * 10,
            terms="\\n".join(fields),
            files=self.files,
        )
        self._asked = 0
        self.process = workspace.start("origin", command(workspace, "origin", http))
        for port in self.ports:
            wire.await_ok(self.process, port, "/ready", seconds=10)

    @property
    def port(self):
        return self.ports[0]

    def requests(self):
        """Requests served so far, without those for this counter."""
        words = wire.get(self.port, "/count").text().split()
        self._asked += 1
        return int(words[words.index("requests") + 3]) - self._asked


class NginxProxy(Proxy):
    name = "nginx"
    drain_signal = signal.SIGQUIT

    def __init__(self, program=None, bare=False):
        """``program``: path of nginx; default the one of the distribution. ``bare``: adds no forwarding fields."""
        super().__init__()
        self._program = program
        self._bare = bare

    def version(self):
        return version(self._program)

    def _location(self, traffic):
        kind = {GRPC: _GRPC, WEBSOCKET: _TUNNEL}.get(traffic, _FORWARDING)
        setter = "grpc_set_header" if traffic == GRPC else "proxy_set_header"
        fields = [] if self._bare else [f"            {setter} {field};" for field in _FIELDS]
        return "\n".join([kind, *fields])

    def command(self, workspace, setting):
        self.port, self.tls_port, self.h2c_port = wire.free_ports(3)
        tls = ""
        if setting.certificate:
            tls = _TLS.format(tls=self.tls_port, h2c=self.h2c_port, certificate=setting.certificate)
        servers = "\n".join(f"        server 127.0.0.1:{port};" for port in setting.origin_ports)
        timeouts = ""
        if setting.patience:
            directives = ("client_header_timeout", "client_body_timeout", "send_timeout")
            timeouts = "\n".join(f"        {one} {setting.patience}s;" for one in directives)
            timeouts += f"\n        keepalive_timeout {setting.idle}s;"
        location = self._location(setting.traffic)
        http = _PROXY.format(servers=servers, port=self.port, tls=tls, timeouts=timeouts, location=location)
        return command(workspace, self.name, _CONNECTION + http, self._program)
