"""The proxies of perf-tests/peers: small main classes around JVM proxies, built on first use."""

import os
import subprocess

from . import tools, wire
from .proxy import Proxy

_HOME = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "peers")

# By directory name: main class, and the library that determines the version.
PEERS = {
    "undertow": ("UndertowPeer", "undertow-core"),
    "vertx": ("VertxPeer", "vertx-http-proxy"),
    "zuul2": ("Zuul2Peer", "zuul-core"),
    "scg": ("ScgPeer", "spring-cloud-gateway-server-webflux"),
}


def _newest_source(directory):
    sources = [os.path.join(_HOME, "pom.xml"), os.path.join(directory, "pom.xml")]
    for place, _, names in os.walk(os.path.join(directory, "src")):
        sources += [os.path.join(place, name) for name in names]
    return max(os.path.getmtime(source) for source in sources)


def build(name):
    """Compiles it and fetches its libraries with Maven, unless that is up to date with its sources."""
    directory = os.path.join(_HOME, name)
    stamp = os.path.join(directory, "target", "built")
    if os.path.exists(stamp) and os.path.getmtime(stamp) >= _newest_source(directory):
        return
    tools.require("mvn")
    print(f"building {name} in perf-tests/peers", flush=True)
    command = [tools.path("mvn"), "-B", "-q", "-f", os.path.join(_HOME, "pom.xml"), "-pl", name, "clean", "package"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise tools.Refused(f"{name} could not be built; is its registry reachable?\n{done.stdout.strip()}")
    with open(stamp, "w", encoding="ascii"):
        pass


def version_in(names, artifact):
    """The version of an artifact in the names of jars."""
    for name in names:
        rest = name[len(artifact) + 1 :]
        if name.startswith(f"{artifact}-") and rest[:1].isdigit() and rest.endswith(".jar"):
            return rest[: -len(".jar")]
    raise tools.Refused(f"there is no {artifact} among the libraries")


class JvmPeer(Proxy):
    """One of these proxies, with the same JVM flags as the gateway."""

    def __init__(self, jvm, name):
        super().__init__()
        self.jvm = jvm
        self.name = name
        self.flags = jvm.flags(processors=1)
        self._main, self._artifact = PEERS[name]
        self._target = os.path.join(_HOME, name, "target")

    def version(self):
        return f"{version_in(os.listdir(os.path.join(self._target, 'lib')), self._artifact)}, JDK {self.jvm.version}"

    def command(self, workspace, setting):
        (self.port,) = wire.free_ports(1)
        path = os.pathsep.join([os.path.join(self._target, "classes"), os.path.join(self._target, "lib", "*")])
        ports = [str(port) for port in (self.port, *setting.origin_ports)]
        return [self.jvm.java, *self.flags, "-cp", path, f"dev.lychgate.peers.{self._main}", *ports]
