"""Time from the start of each proxy to its first proxied response, compared with a JVM that does nothing."""

import os
import shutil
import statistics
import subprocess
import time

from . import goals, startup, tools
from .cases import CASES
from .lychgate import LychgateProxy, jar_path, launcher_path

# The start script that users run.
LAUNCHER = "bin/lychgate"
CACHED = "bin/lychgate, with its cache"


class Home:
    """A separate directory with the start script and the jar, and therefore its own class cache, or none."""

    def __init__(self, workspace, jvm):
        self.jvm = jvm
        self.java_home = f"LYCHGATE_JAVA_HOME={os.path.dirname(os.path.dirname(jvm.java))}"
        self.script = os.path.join(workspace.subdirectory(os.path.join("home", "bin")), "lychgate")
        target = workspace.subdirectory(os.path.join("home", "gateway-server", "target"))
        shutil.copy2(launcher_path(), self.script)
        shutil.copy2(jar_path(), os.path.join(target, "lychgate.jar"))

    def command(self, *arguments):
        return ["env", self.java_home, self.script, *arguments]

    def make_cache(self, prefix):
        made = subprocess.run([*prefix, *self.command("cache")], capture_output=True, text=True, check=False, timeout=300)
        if made.returncode != 0:
            raise tools.Refused(f"bin/lychgate cache failed: {made.stderr.strip()}")


class Launched(LychgateProxy):
    """Started by the script, which chooses flags and uses the class cache if there is one."""

    name = "launcher"

    def __init__(self, home):
        super().__init__(home.jvm)
        self.home = home

    def command(self, workspace, setting):
        plain = super().command(workspace, setting)
        return self.home.command(*plain[plain.index("run") :])


def bare_jvm_ms(java, prefix, times):
    taken = []
    for _ in range(times):
        began = time.monotonic()
        subprocess.run([*prefix, java, "-version"], check=True, capture_output=True)
        taken.append((time.monotonic() - began) * 1000)
    return statistics.median(taken)


def measure(bench, times):
    """(milliseconds by name, those with goals), medians."""
    setting = bench.setting(CASES["c1"])
    seen = {}

    def show(name, milliseconds):
        seen[name] = milliseconds
        print(f"    {name:<28} {milliseconds:6.0f} ms", flush=True)

    def start(name, make):
        show(name, startup.median_ms(make, bench.space, setting, "/ready", times))

    print("start-up to the first proxied 200")
    for name in bench.chosen.proxies:
        start(name, lambda name=name: bench.make(name))
    goal = {}
    if "lychgate" in bench.chosen.proxies and not bench.chosen.jar:
        home = Home(bench.space, bench.jvm)
        start(LAUNCHER, lambda: Launched(home))
        goal[goals.WITHOUT_CACHE] = seen[LAUNCHER]
        home.make_cache(setting.prefix)
        start(CACHED, lambda: Launched(home))
        if bench.jvm.release >= 25:
            goal[goals.WITH_CACHE] = seen[CACHED]
    show("java -version", bare_jvm_ms(bench.jvm.java, setting.prefix, times))
    return seen, goal
