"""Common parts of all scenarios: options, start of the gateway, shutdown."""

import argparse
import contextlib
from dataclasses import dataclass

from . import cpus, jvm, limits, tools, wire, workspace, wrk
from .haproxy import HaproxyProxy
from .lychgate import LychgateOrigin, LychgateProxy, jar_path
from .nginx import NginxProxy
from .proxy import Setting


def parser(name, description):
    made = argparse.ArgumentParser(prog=name, description=description)
    made.add_argument(
        "--gateway",
        choices=("lychgate", "nginx", "haproxy"),
        default="lychgate",
        help="the proxy; the others show the behavior of a peer in the same scenario",
    )
    made.add_argument("--java", metavar="PATH", help="the java command; default $JAVA_HOME or PATH")
    made.add_argument("--jvm-opts", default="", help="added behind the usual flags of the gateway")
    made.add_argument("--jar", help="default gateway-server/target/lychgate.jar")
    made.add_argument("--proxy-cpu", type=int, help="default the first CPU this process may use")
    made.add_argument("--load-cpu", type=int, help="default the second")
    made.add_argument("--keep", action="store_true", help="keep the directory of configurations and logs")
    return made


@dataclass
class Stage:
    space: workspace.Workspace
    placement: cpus.Placement
    chosen: argparse.Namespace

    def jvm(self):
        return jvm.Jvm(self.chosen.java, self.chosen.jvm_opts)

    def origin_of_jar(self):
        return LychgateOrigin(self.space, jvm.Jvm(self.chosen.java), self.chosen.jar)

    def gateway(self, origin_ports, ready_path, pool=1024, access_log="", jvm_flags=(), patience=0):
        if self.chosen.gateway == "lychgate":
            proxy = LychgateProxy(self.jvm(), self.chosen.jar, more_flags=jvm_flags)
        else:
            proxy = {"nginx": NginxProxy, "haproxy": HaproxyProxy}[self.chosen.gateway]()
        prefix = tuple(self.placement.proxy_prefix())
        setting = Setting(tuple(origin_ports), prefix, pool, access_log, patience)
        took = proxy.start(self.space, setting, ready_path)
        proxy.check_alone_on(self.placement.proxy)
        print(f"      {proxy.name} ({proxy.version()}) responded {took * 1000:.0f} ms after its start", flush=True)
        return proxy

    def warm_up(self, proxy, path, seconds, connections=64):
        """Warms up, because the measurement of a new JVM would include its compilation."""
        if seconds:
            result = wrk.run(proxy.port, path, connections, seconds)
            print(f"      warm-up: {result.requests} requests, {result.error_count} errors", flush=True)


@contextlib.contextmanager
def stage(chosen, *needed):
    """Checks all requirements before any start, and ends all started processes."""
    if chosen.gateway == "lychgate" or "jar" in needed:
        jar_path(chosen.jar)
    programs = [name for name in needed if name != "jar"]
    tools.require("taskset", *programs, *([] if chosen.gateway == "lychgate" else [chosen.gateway]))
    limits.set_descriptors()
    placement = cpus.place(chosen.proxy_cpu, chosen.load_cpu)
    with workspace.Workspace(chosen.keep) as space:
        yield Stage(space, placement, chosen)


def origin_and_path(given, stage_of, own_path):
    """(ports, path) of the user's origin if there is one, otherwise of the one in the jar."""
    if given:
        port, path = wire.split(given)
        return (port,), path
    return stage_of.origin_of_jar().ports, own_path
