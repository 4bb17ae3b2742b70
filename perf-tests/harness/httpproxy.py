"""The npm package http-proxy as a proxy under test, and replicas of a small web application, both in node."""

import json
import os
import subprocess

from . import tools, wire
from .proxy import Proxy

_PACKAGE = "http-proxy@1.18.1"
# Reused between runs.
_HOME = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "target", "http-proxy")

_REPLICA = """\
const http = require('http');
const page = Buffer.from('<!doctype html><title>studies</title>' + '<p>one of many studies</p>'.repeat(300));
http.createServer((request, response) => {
  response.writeHead(200, {'Content-Type': 'text/html', 'Content-Length': page.length});
  response.end(page);
}).listen({host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096});
"""

# Connection is a hop-by-hop field, but http-proxy would forward it unchanged.
_PROXY = """\
const http = require('http');
const { randomUUID } = require('crypto');
const forward = %(forward)s;
const proxy = require(%(package)s).createProxyServer({agent: new http.Agent({keepAlive: true}), xfwd: forward});
const targets = %(origins)s.map(port => ({target: 'http://127.0.0.1:' + port}));
let next = 0;
proxy.on('error', (error, request, response) => { response.writeHead(502); response.end(); });
if (forward) {
  proxy.on('proxyRes', (answer, request) => { answer.headers.connection = request.headers.connection || 'keep-alive'; });
  proxy.on('proxyReq', outgoing => {
    outgoing.setHeader('Connection', 'keep-alive');
    outgoing.setHeader('Via', '1.1 node');
    outgoing.setHeader('X-Request-Id', randomUUID());
  });
}
http.createServer(forward ? {keepAliveTimeout: 75000} : {},
    (request, response) => proxy.web(request, response, targets[next++ %% targets.length]))
  .listen({host: '127.0.0.1', port: %(port)d, backlog: 4096});
"""


def version():
    shown = subprocess.run([tools.path("node"), "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.strip()


class Replicas:
    """Several processes of the same web application."""

    def __init__(self, space, count):
        script = space.write("replica.js", _REPLICA)
        self.ports = tuple(wire.free_ports(count))
        processes = [space.start(f"replica-{port}", [tools.path("node"), script, str(port)]) for port in self.ports]
        for process, port in zip(processes, self.ports):
            wire.await_ok(process, port, "/studies.html", seconds=10)


def install():
    """The directory of the package; fetched with npm if it is missing."""
    package = os.path.join(_HOME, "node_modules", "http-proxy")
    if not os.path.isdir(package):
        tools.require("node", "npm")
        os.makedirs(_HOME, exist_ok=True)
        fetch = [tools.path("npm"), "install", "--silent", "--no-audit", "--no-fund", "--prefix", _HOME, _PACKAGE]
        done = subprocess.run(fetch, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise tools.Refused(f"npm could not install {_PACKAGE}; is its registry reachable? {done.stderr.strip()}")
    return package


class HttpProxy(Proxy):
    """With default settings, or with ``forward`` as a reverse proxy: with the fields that all of them add."""

    def __init__(self, name="http-proxy", forward=False):
        super().__init__()
        self.name = name
        self.forward = forward

    def version(self):
        return f"{_PACKAGE.partition('@')[2]}, node {version()}"

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        values = {"forward": self.forward, "package": install(), "origins": setting.origin_ports, "port": self.port}
        text = _PROXY % {name: value if name == "port" else json.dumps(value) for name, value in values.items()}
        return [tools.path("node"), workspace.write(f"{self.name}-{self.port}.js", text)]
