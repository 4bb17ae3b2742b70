"""The npm package http-proxy as a proxy under test, and replicas of a small web application, both in node."""

import json
import os
import subprocess

from . import tools, wire
from .proxy import Proxy

_PACKAGE = "http-proxy@1.18.1"

_REPLICA = """\
const http = require('http');
const page = Buffer.from('<!doctype html><title>studies</title>' + '<p>one of many studies</p>'.repeat(300));
http.createServer((request, response) => {
  response.writeHead(200, {'Content-Type': 'text/html', 'Content-Length': page.length});
  response.end(page);
}).listen({host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096});
"""

_PROXY = """\
const http = require('http');
const proxy = require('http-proxy').createProxyServer({agent: new http.Agent({keepAlive: true})});
const targets = %s.map(port => ({target: 'http://127.0.0.1:' + port}));
let next = 0;
proxy.on('error', (error, request, response) => { response.writeHead(502); response.end(); });
http.createServer((request, response) => proxy.web(request, response, targets[next++ %% targets.length]))
  .listen({host: '127.0.0.1', port: %d, backlog: 4096});
"""


def version():
    shown = subprocess.run([tools.path("node"), "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.strip()


class Replicas:
    """So many processes of the same web application."""

    def __init__(self, space, count):
        script = space.write("replica.js", _REPLICA)
        self.ports = tuple(wire.free_ports(count))
        processes = [space.start(f"replica-{port}", [tools.path("node"), script, str(port)]) for port in self.ports]
        for process, port in zip(processes, self.ports):
            wire.await_ok(process, port, "/studies.html", seconds=10)


class HttpProxy(Proxy):
    name = "http-proxy"

    def version(self):
        return f"{_PACKAGE.partition('@')[2]}, node {version()}"

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        directory = workspace.subdirectory("http-proxy")
        if not os.path.isdir(os.path.join(directory, "node_modules")):
            install = [tools.path("npm"), "install", "--silent", "--no-audit", "--no-fund", "--prefix", directory, _PACKAGE]
            done = subprocess.run(install, capture_output=True, text=True, check=False, timeout=120)
            if done.returncode:
                raise tools.Refused(f"npm could not install {_PACKAGE}: {done.stderr.strip()}")
        script = workspace.write(
            os.path.join("http-proxy", f"proxy-{self.port}.js"), _PROXY % (json.dumps(list(setting.origin_ports)), self.port)
        )
        return [tools.path("node"), script]
