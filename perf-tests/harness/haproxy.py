"""HAProxy as a proxy under test."""

import signal
import subprocess

from . import limits, tools, wire
from .cases import GRPC
from .proxy import Proxy

_CONFIGURATION = """\
global
    nbthread 1
    maxconn {connections}
{limits}

defaults
    mode http
    timeout connect 5s
    timeout client {client}s
{head}
    timeout server 75s
    timeout tunnel 1h
    http-reuse always
    option http-keep-alive

frontend main
    bind 127.0.0.1:{port} backlog 4096
{tls}
    http-request set-header X-Forwarded-For %[src]
    http-request set-header X-Forwarded-Proto http
    http-request set-header X-Forwarded-Host %[req.hdr(host)]
    http-request set-header X-Forwarded-Port %[dst_port]
    http-request set-header Via "1.1 haproxy"
    http-request set-header X-Request-Id %[uuid()]
    default_backend origin

backend origin
    default-server pool-max-conn -1 pool-purge-delay 60s
    balance roundrobin
{servers}
"""


class HaproxyProxy(Proxy):
    name = "haproxy"
    drain_signal = signal.SIGUSR1

    def __init__(self, program=None):
        """``program``: path of HAProxy; default the one of the distribution."""
        super().__init__()
        self._program = program

    def version(self):
        shown = subprocess.run([self._program or tools.path("haproxy"), "-v"], capture_output=True, text=True, check=True)
        return shown.stdout.split()[2]

    def command(self, workspace, setting):
        self.port, self.tls_port, self.h2c_port = wire.free_ports(3)
        tls = ""
        if setting.certificate:
            tls = f"    bind 127.0.0.1:{self.tls_port} ssl crt {setting.certificate.both} alpn h2,http/1.1 backlog 4096"
            tls += f"\n    bind 127.0.0.1:{self.h2c_port} proto h2 backlog 4096"
        protocol = " proto h2" if setting.traffic == GRPC else ""
        servers = "\n".join(
            f"    server origin{i} 127.0.0.1:{port}{protocol}" for i, port in enumerate(setting.origin_ports)
        )
        # HAProxy assumes two descriptors per connection and refuses to start above the limit.
        connections = setting.clients or (limits.allowed_descriptors() - 200) // 2
        lenient = "    no strict-limits" if setting.clients else ""
        head = ""
        if setting.patience:
            head = f"    timeout http-request {setting.patience}s\n    timeout http-keep-alive {setting.idle}s"
        client = setting.patience or 75
        text = _CONFIGURATION.format(
            connections=connections, limits=lenient, port=self.port, tls=tls, servers=servers, client=client, head=head
        )
        configuration = workspace.write("haproxy.cfg", text)
        return [self._program or tools.path("haproxy"), "-db", "-f", configuration]
