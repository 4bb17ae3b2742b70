"""Starts of each proxy to its first proxied answer, beside the least that a JVM takes to do nothing."""

import os
import statistics
import subprocess
import time

from . import goals, startup
from .cases import CASES
from .lychgate import LychgateProxy, launcher_path

# The start script, as its users start the gateway.
LAUNCHER = "bin/lychgate"


class Launched(LychgateProxy):
    """By the start script, which chooses flags by itself and takes the cache of classes if there is one."""

    name = "launcher"

    def command(self, workspace, setting):
        plain = super().command(workspace, setting)
        home = os.path.dirname(os.path.dirname(self.jvm.java))
        return ["env", f"LYCHGATE_JAVA_HOME={home}", launcher_path(), *plain[plain.index("run") :]]


def bare_jvm_ms(java, prefix, times):
    taken = []
    for _ in range(times):
        began = time.monotonic()
        subprocess.run([*prefix, java, "-version"], check=True, capture_output=True)
        taken.append((time.monotonic() - began) * 1000)
    return statistics.median(taken)


def cached(jar, release):
    """Whether bin/lychgate finds an ahead-of-time cache that is not older than the jar."""
    cache = f"{jar[: -len('.jar')]}-{release}.aot"
    return os.path.exists(cache) and os.path.getmtime(cache) >= os.path.getmtime(jar)


def measure(bench, times):
    """(milliseconds by name, those that goals speak of), medians."""
    case = CASES["c1"]
    setting = bench.setting(case)
    makers = {name: (lambda name=name: bench.make(name)) for name in bench.chosen.proxies}
    if "lychgate" in makers and not bench.chosen.jar:
        makers[LAUNCHER] = lambda: Launched(bench.jvm)
    seen = {}
    print("start-up to the first proxied 200")
    for name, make in makers.items():
        seen[name] = startup.median_ms(make, bench.space, setting, "/ready", times)
        print(f"    {name:<16} {seen[name]:6.0f} ms", flush=True)
    seen["java -version"] = bare_jvm_ms(bench.jvm.java, setting.prefix, times)
    print(f"    {'java -version':<16} {seen['java -version']:6.0f} ms", flush=True)
    goal = {}
    if "lychgate" in makers:
        goal[goals.WITHOUT_CACHE] = seen["lychgate"]
    if LAUNCHER in seen and cached(bench.make("lychgate").jar, bench.jvm.release):
        goal[goals.WITH_CACHE] = seen[LAUNCHER]
    return seen, goal
