"""The cost of one feature: CPU time per request of gateways that differ only in it, side by side on one CPU."""

import argparse
import dataclasses
import statistics

from . import rounds, tools
from .cases import CASES
from .paired import interval


def parser(name, description):
    made = argparse.ArgumentParser(prog=name, description=description)
    made.add_argument("--forks", type=int, default=3, help="fresh processes of each, in turn; default 3")
    made.add_argument("--rounds", type=int, default=5, help="in each fork; default 5")
    made.add_argument("--seconds", type=int, default=3, help="length of a round; default 3")
    made.add_argument("--warmup", type=int, default=12, help="of each gateway, seconds; default 12")
    made.add_argument("--rate", type=int, default=0, help="requests per second; default: the maximum throughput")
    made.add_argument("--java", metavar="PATH", help="the java command; default $JAVA_HOME or PATH")
    made.add_argument("--jvm-opts", default="", help="added behind the usual flags")
    made.add_argument("--jar", help="default gateway-server/target/lychgate.jar")
    made.add_argument("--keep", action="store_true", help="keep the directory of configurations and logs")
    return made


def names(made, text, known):
    """The chosen variants; the first one is the baseline."""
    chosen = [name.strip() for name in text.split(",")]
    if len(chosen) < 2 or any(name not in known for name in chosen):
        made.error(f"--variants: expected two or more of {', '.join(known)}")
    return chosen


class Comparison:
    """Rounds of all variants in turn, each compared with the baseline in the same turn."""

    def __init__(self, chosen, variants, placement):
        self.chosen = chosen
        self.names = variants
        self.placement = placement
        self.ratios = {name: [] for name in variants}
        self.seen = {name: [] for name in variants}

    def fork(self, number, start):
        """New gateways of all variants, measured in turn. ``start(name)`` creates and starts one."""
        # The start order varies between rounds.
        proxies = {name: start(name) for name in rounds.rotated(self.names, number)}
        for name, proxy in proxies.items():
            proxy.name = name
        ordered = [proxies[name] for name in self.names]
        try:
            self._measure(ordered)
        finally:
            for proxy in ordered:
                proxy.process.end()
        medians = (f"{name} {statistics.median(self.ratios[name][-self.chosen.rounds:]):.3f}" for name in self.names)
        print(f"fork {number + 1}: ratio to {self.names[0]}: {', '.join(medians)}", flush=True)

    def _measure(self, proxies):
        full = CASES["c1"]
        case = dataclasses.replace(full, rate=self.chosen.rate)
        for kind, seconds in ((full, self.chosen.warmup), (case, self.chosen.seconds)):
            for proxy in proxies:
                rounds.measure(kind, 0, proxy, self.placement, seconds)
        for number in range(self.chosen.rounds):
            these = {
                proxy.name: rounds.measure(case, number, proxy, self.placement, self.chosen.seconds)
                for proxy in rounds.rotated(proxies, number)
            }
            base = these[self.names[0]].micros
            for name, one in these.items():
                if one.errors:
                    raise tools.Refused(f"{name}: {one.errors} errors")
                self.seen[name].append(one)
                self.ratios[name].append(one.micros / base)

    def report(self, limits):
        """Prints the table; returns whether every variant is within its limit, as far as the resolution allows."""
        count = self.chosen.forks * self.chosen.rounds
        print(f"{'':10}{'µs/req':>8}{'user':>7}{'system':>8}{'CPU':>6}  ratio, 95 % interval of {count} rounds")
        held = True
        for name in self.names:
            low, high = interval(self.ratios[name])
            ratio = statistics.median(self.ratios[name])
            word = ""
            if name in limits:
                limit = limits[name]
                missed = low > limit
                held &= not missed
                word = "missed" if missed else "held" if ratio <= limit else "within the interval"
                word = f"  (limit {limit:.2f}: {word})"
            shown = ("micros", "micros_user", "micros_system", "proxy_share")
            micros, user, system, share = (statistics.median(getattr(one, f) for one in self.seen[name]) for f in shown)
            print(
                f"{name:<10}{micros:8.2f}{user:7.2f}{system:8.2f}{share:6.0%}  {ratio:.3f}, {low:.3f} to {high:.3f}{word}",
                flush=True,
            )
        return held
