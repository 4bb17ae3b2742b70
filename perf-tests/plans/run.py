"""Runs a plan against the origin itself and through gateways, in turn, each on its CPUs; measures the gateway's cost."""

import os
import shutil
import time
from dataclasses import dataclass

from harness import cpus, memory, proc, tools, wire
from harness.lychgate import LychgateProxy
from harness.proxy import Setting
from harness.sampler import Watch

from . import catalogue, jmeter, judge, samples

_CONFIG = os.path.join(os.path.dirname(os.path.dirname(jmeter.HERE)), "config", "filters")
_OWN = os.path.join(jmeter.HERE, "filters")
# Ten, as many as the filters in config/filters that need no external service, plus one for this plan.
_FILTERS = {
    "inbound": ("AbSplit", "BotBlock", "GeoCountry", "LegacyPaths", "Profile"),
    "outbound": ("AbSplitCookie", "ClientDebug", "RedactJson", "SecurityHeaders"),
    # Classes that these filters use.
    "lib": ("JsonRedaction",),
}


@dataclass
class Target:
    """The target: the origin itself, or a gateway in front of it."""

    name: str
    port: int
    proxy: object = None

    def pids(self):
        return self.proxy.pids() if self.proxy else []


def filters(space):
    """The filter directory of the filter-heavy plan."""
    directory = space.path("filters")
    for phase, names in _FILTERS.items():
        os.makedirs(os.path.join(directory, phase))
        for name in names:
            shutil.copy(os.path.join(_CONFIG, phase, f"{name}.groovy"), os.path.join(directory, phase))
    for phase in os.listdir(_OWN):
        for name in os.listdir(os.path.join(_OWN, phase)):
            shutil.copy(os.path.join(_OWN, phase, name), os.path.join(directory, phase))
    return directory


def targets(plan, space, origin, machine, jar, placement):
    found = []
    for name in plan.targets:
        if name == catalogue.DIRECT:
            found.append(Target(name, origin.port))
            continue
        flags = [memory.COUNT_OFF_HEAP] if plan.soak else []
        own = filters(space) if name == catalogue.FILTERED else None
        proxy = LychgateProxy(machine, jar, more_flags=flags, filters=own, route=plan.route)
        # Uses the admin listener, because filters may reject plain readiness requests.
        proxy.start_first(space, Setting(origin.ports, tuple(placement.proxy_prefix()), plan.pool))
        proxy.check_alone_on(placement.proxy)
        if own and wire.get(proxy.port, "/").headers.get("x-frame-options") != "DENY":
            raise tools.Refused(f"the filters do not run:\n{proxy.process.log_tail()}")
        found.append(Target(name, proxy.port, proxy))
    return found


@dataclass(frozen=True)
class _Look:
    """Seconds of CPU time, of processes and of whole CPUs; bytes."""

    proxy: float
    load: float
    proxy_cpu: float
    load_cpu: float
    resident: int


class Session:
    """Runs of one plan; ``java``, ``home``: the JVM and directory of JMeter."""

    def __init__(self, plan, space, placement, origin, java, home, file, properties, patience):
        self.plan, self.space, self.placement, self.origin = plan, space, placement, origin
        self.java, self.home, self.file = java, home, file
        self.properties, self.patience = properties, patience
        # By target: its rounds, with figures by label. Then samples of its process: (seconds, sample).
        self.rounds = {}
        self.looks = {}
        self.runs = []

    def with_properties(self, properties):
        """A copy with other properties of the plan."""
        same = (self.plan, self.space, self.placement, self.origin, self.java, self.home, self.file)
        return Session(*same, properties, self.patience)

    def once(self, target, number):
        given = {**self.properties, "port": target.port}
        run = jmeter.Run(self.space, self.java, self.home, self.file, f"{target.name}-{number}", given)
        offset = time.time() - time.monotonic()
        run.start()
        pids = target.pids()
        load = [*run.process.family(), *self.origin.process.family()]
        with Watch(lambda: self._look(pids, load), every=0.5) as watch:
            run.wait(self.patience)
        looks = [(moment + offset, look) for moment, look in watch.seen]
        figures = samples.read(run.samples)
        if not figures:
            raise tools.Refused(f"JMeter sent no request:\n{run.process.log_tail()}")
        self.rounds.setdefault(target.name, []).append(
            {label: {**one.as_dict(), **self._shares(one, looks, bool(pids))} for label, one in figures.items()}
        )
        self.looks.setdefault(target.name, []).append(looks)
        self.runs.append((target.name, run))
        return figures

    def _look(self, pids, load):
        return _Look(
            proc.cpu_time(pids).total,
            proc.cpu_time(load).total,
            cpus.busy_seconds(self.placement.proxy),
            cpus.busy_seconds(self.placement.load),
            proc.resident_bytes(pids),
        )

    def _shares(self, figures, looks, has_proxy):
        def share(name):
            counted = [(moment, getattr(look, name)) for moment, look in looks]
            return samples.share_between(counted, figures.begin, figures.end)

        own, load = share("proxy"), share("load")
        return {
            "proxy_share": own if has_proxy else None,
            "foreign_share": _rest(share("proxy_cpu"), own) if has_proxy else None,
            "load_share": load,
            "foreign_load_share": _rest(share("load_cpu"), load),
        }


def _rest(busy, own):
    """CPU use of other processes; may be negative, because clocks have a coarse resolution."""
    return None if busy is None or own is None else max(0.0, busy - own)


_MEDIANS = ("rate", "mean", "mean_error", *samples.PERCENTILES, "max")
_SHARES = ("proxy_share", "foreign_share", "load_share", "foreign_load_share")


def summary(plan, session, seconds):
    """By target and label: medians over the rounds, and the latency added to the direct way of the same round.

    ``seconds``: the duration of a group, for plans whose groups are rates.
    """
    made = []
    direct = session.rounds[catalogue.DIRECT]
    for name, rounds in session.rounds.items():
        labels = {}
        for label in rounds[0]:
            own = [one[label] for one in rounds if label in one]
            row = {figure: samples.median_of([{figure: one[figure]} for one in own])[figure] for figure in _MEDIANS}
            for figure in _SHARES:
                known = [one[figure] for one in own if one[figure] is not None]
                row[figure] = sum(known) / len(known) if known else None
            row["count"], row["errors"] = (sum(one[figure] for one in own) for figure in ("count", "errors"))
            row["reasons"] = {}
            for one in own:
                for reason, count in one["reasons"].items():
                    row["reasons"][reason] = row["reasons"].get(reason, 0) + count
            if name != catalogue.DIRECT:
                pairs = [(a[label], b[label]) for a, b in zip(direct, rounds) if label in a and label in b]
                row["added"] = samples.median_of([samples.added(a, b) for a, b in pairs])
            labels[label] = row
        made.append({"name": name, "labels": labels})
    for target in made:
        target["doubts"] = [
            sentence
            for label, row in target["labels"].items()
            for sentence in judge.doubts(plan, target["name"], label, row, seconds * len(direct))
        ]
    return made


# A little longer than the pool's idle timeout of 4 s.
_POOLS_FORGET = 5


def holdings(target):
    """Resources of a gateway after some idle time."""
    time.sleep(_POOLS_FORGET)
    seen = memory.of(target.proxy)
    return {
        "resident": seen.resident,
        "heap_after_collection": seen.heap_after_collection,
        "direct": seen.direct,
        "descriptors": proc.descriptors(target.pids()),
    }
