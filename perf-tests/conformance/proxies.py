"""The proxies under test with equal settings: forwarding fields, short timeouts, one upstream per slot."""

import json

from harness import tools, wire
from harness.haproxy import HaproxyProxy
from harness.lychgate import LychgateProxy
from harness.nginx import NginxProxy, command

NAMES = ("lychgate", "nginx", "haproxy")

_NGINX = """\
    map_hash_max_size 8192;
    map_hash_bucket_size 128;
    map $remote_addr $chosen {{
        default ready;
{chosen}
    }}
    map $server_protocol $received {{ default 1.1; HTTP/1.0 1.0; }}
    map $http_via $via {{ default "$http_via, $received nginx"; "" "$received nginx"; }}
    client_header_timeout 3s;
    client_body_timeout 3s;
    upstream ready {{ server 127.0.0.1:{ready}; }}
{upstreams}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location ^~ /guarded/ {{ return 403; }}
        location / {{
            proxy_pass http://$chosen;
            proxy_http_version 1.1;
            proxy_connect_timeout 1s;
            proxy_read_timeout 2s;
            proxy_request_buffering off;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Host $http_host;
            proxy_set_header X-Forwarded-Port $server_port;
            proxy_set_header Forwarded "for=$remote_addr;proto=$scheme";
            proxy_set_header Via $via;
            proxy_set_header X-Request-Id $request_id;
        }}
    }}
"""

_HAPROXY = """\
global
    nbthread 1
    maxconn 2000

defaults
    mode http
    timeout connect 1s
    timeout client 3s
    timeout http-request 3s
    timeout http-keep-alive 10s
    timeout server 2s
    retries 1
    http-reuse always
    option http-keep-alive

frontend main
    bind 127.0.0.1:{port} backlog 4096
    http-request deny deny_status 403 if {{ path_beg /guarded/ }}
    http-request set-header X-Forwarded-For %[src]
    http-request set-header X-Forwarded-Proto http
    http-request set-header X-Forwarded-Host %[req.hdr(host)]
    http-request set-header X-Forwarded-Port %[dst_port]
    http-request set-header Forwarded for=%[src];proto=http
    http-request add-header Via "%[req.ver] haproxy"
    http-request set-header X-Request-Id %[uuid()]
    use_backend %[src,map_ip({map},ready)]

backend ready
    server origin 127.0.0.1:{ready}

{backends}
"""


class Nginx(NginxProxy):
    def __init__(self, slots):
        super().__init__()
        self.slots = slots

    def ports(self):
        return {"main": self.port}

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        upstream = "    upstream {0.name} {{ server 127.0.0.1:{0.port}; keepalive 16; }}"
        http = _NGINX.format(
            chosen="\n".join(f"        {slot.address} {slot.name};" for slot in self.slots),
            upstreams="\n".join(upstream.format(slot) for slot in self.slots),
            ready=setting.origin_ports[0],
            port=self.port,
        )
        return command(workspace, self.name, http)


class Haproxy(HaproxyProxy):
    def __init__(self, slots):
        super().__init__()
        self.slots = slots

    def ports(self):
        return {"main": self.port}

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        places = "".join(f"{slot.address} {slot.name}\n" for slot in self.slots)
        backends = "\n".join(f"backend {slot.name}\n    server origin 127.0.0.1:{slot.port}\n" for slot in self.slots)
        text = _HAPROXY.format(
            port=self.port,
            map=workspace.write("slots.map", places),
            ready=setting.origin_ports[0],
            backends=backends,
        )
        return [tools.path("haproxy"), "-db", "-f", workspace.write("haproxy.cfg", text)]


class Lychgate(LychgateProxy):
    def __init__(self, slots, jvm, jar):
        super().__init__(jvm, jar, processors=2)
        self.slots = slots

    def ports(self):
        return {"main": self.port, "proxied": self.proxied_port}

    def command(self, workspace, setting):
        self.port, self.proxied_port, self.admin_port = wire.free_ports(3)
        file = workspace.write("gateway.yml", self._configuration(setting.origin_ports[0]))
        return [self.jvm.java, *self.flags, "-jar", self.jar, "run", "--config", file]

    def _configuration(self, ready):
        lines = [
            "listeners:",
            "  - name: main",
            f'    address: "127.0.0.1:{self.port}"',
            "    forwarded: true",
            "    timeouts: { request-head: 3s, request-body: 3s, idle: 10s }",
            "  - name: proxied",
            f'    address: "127.0.0.1:{self.proxied_port}"',
            '    proxy-protocol: { from: ["127.0.0.0/8"] }',
            "    timeouts: { request-head: 3s, request-body: 3s, idle: 10s }",
            "routes:",
        ]
        for slot in self.slots:
            lines.append(
                f'  - {{ id: {slot.name}, match: {{ clients: ["{slot.address}/32"] }}, upstream: {slot.name} }}'
            )
        lines.append('  - { id: guarded, match: { path: "/guarded/**" }, respond: { status: 403 } }')
        lines += ['  - { id: ready, match: { path: "/ready" }, upstream: ready }', "upstreams:"]
        timeouts = "timeouts: { connect: 1s, response-head: 2s, response-body: 2s }"
        for name, port in [(slot.name, slot.port) for slot in self.slots] + [("ready", ready)]:
            lines.append(f"  {name}: {{ endpoints: {json.dumps([f'http://127.0.0.1:{port}'])}, {timeouts} }}")
        lines += [f'admin: {{ address: "127.0.0.1:{self.admin_port}" }}', "access-log: { format: off }", ""]
        return "\n".join(lines)
