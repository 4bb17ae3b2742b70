"""Caches that are compared with that of Lychgate, with the settings with which cache-tests.fyi publishes their results."""

import subprocess

from . import nginx, tools, wire
from .proxy import Proxy

_NGINX = """\
    proxy_cache_path {directory} levels=1:2 keys_zone=responses:8m max_size=256m inactive=600m use_temp_path=off;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_cache responses;
            proxy_cache_revalidate on;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }}
    }}
"""

_VARNISH = """\
vcl 4.1;
backend default {{
    .host = "127.0.0.1";
    .port = "{origin}";
}}
"""

# Lifetimes and stale responses only as the origin states them; stale responses remain for validation.
_PARAMETERS = ("default_ttl=0", "default_grace=0", "default_keep=3600")


class NginxCache(Proxy):
    name = "nginx"

    def version(self):
        return nginx.version()

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        directory = workspace.subdirectory("responses")
        http = _NGINX.format(directory=directory, port=self.port, origin=setting.origin_ports[0])
        return nginx.command(workspace, self.name, http)


class VarnishCache(Proxy):
    name = "varnish"

    def version(self):
        shown = subprocess.run([tools.path("varnishd"), "-V"], capture_output=True, text=True, check=True)
        return shown.stderr.partition("(")[2].partition(" revision")[0]

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        script = workspace.write("varnish.vcl", _VARNISH.format(origin=setting.origin_ports[0]))
        parameters = [word for parameter in _PARAMETERS for word in ("-p", parameter)]
        # Without a jail: the directory of the workspace belongs to the current user alone.
        place = ["-F", "-j", "none", "-n", workspace.subdirectory("varnish"), "-f", script, "-s", "malloc,256m"]
        return [tools.path("varnishd"), "-a", f"127.0.0.1:{self.port}", *place, *parameters]
