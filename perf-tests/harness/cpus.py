"""Assignment and utilization of CPUs."""

import os
from dataclasses import dataclass

from . import tools


@dataclass(frozen=True)
class Placement:
    """The proxy alone on one CPU; origin, generator and these scripts on the other."""

    proxy: int
    load: int

    def proxy_prefix(self):
        return [tools.path("taskset"), "-c", str(self.proxy)]


def place(proxy=None, load=None):
    """Chooses two CPUs and moves this process, and so all its later children, to the load CPU."""
    allowed = sorted(os.sched_getaffinity(0))
    wanted = [cpu for cpu in (proxy, load) if cpu is not None]
    for cpu in wanted:
        if cpu not in allowed:
            raise tools.Refused(f"CPU {cpu} is not among those this process may use: {allowed}")
    free = [cpu for cpu in allowed if cpu not in wanted]
    if len(wanted) + len(free) < 2 or (proxy is not None and proxy == load):
        raise tools.Refused("two CPUs are needed: one for the proxy alone, one for origin and generator")
    proxy = free.pop(0) if proxy is None else proxy
    load = free.pop(0) if load is None else load
    # The JVM derives its number of CPUs from its initial affinity mask, as from a cpuset.
    os.sched_setaffinity(0, {load})
    return Placement(proxy, load)


def _seconds(cpu):
    """user, nice, system, idle, iowait, irq, softirq, steal"""
    with open("/proc/stat", encoding="ascii") as stat:
        for line in stat:
            fields = line.split()
            if fields[0] == f"cpu{cpu}":
                return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields[1:9]]
    raise tools.Refused(f"/proc/stat has no line for CPU {cpu}")


def busy_seconds(cpu):
    """Seconds of CPU use, including time stolen by the hypervisor."""
    user, nice, system, _idle, _iowait, irq, softirq, steal = _seconds(cpu)
    return user + nice + system + irq + softirq + steal


def stolen_seconds(cpu):
    """Seconds in which the host did not run a CPU that had work."""
    return _seconds(cpu)[7]
