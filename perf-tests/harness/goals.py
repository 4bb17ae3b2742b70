"""The goals of Lychgate and their evaluation: the only place for these numbers."""

import statistics
from dataclasses import dataclass
from typing import Optional

GATEWAY = "lychgate"
WITH_CACHE = "start-up with the ahead-of-time cache"
WITHOUT_CACHE = "start-up without"


@dataclass(frozen=True)
class Goal:
    """``must`` and ``aim`` are minimums, or with ``at_most`` maximums."""

    title: str
    case: str
    must: Optional[float] = None
    aim: Optional[float] = None
    # A figure of the case's rows, or CPU time of this peer divided by the gateway's within one round.
    figure: str = ""
    peer: str = ""
    proxy: str = GATEWAY
    at_most: bool = False
    unit: str = ""

    def _shown(self, limit):
        return "" if limit is None else f"{'≤' if self.at_most else '≥'} {limit:g}{self.unit}"

    @property
    def must_shown(self):
        return self._shown(self.must)

    @property
    def aim_shown(self):
        return self._shown(self.aim)

    def holds(self, value, limit):
        return value <= limit if self.at_most else value >= limit


_TEN = "lychgate+10"
_SPLICING = "lychgate+splice"

GOALS = (
    Goal("1 KB: CPU time of nginx ÷ ours", "c1", 1.0, 1.1, peer="nginx"),
    Goal("10 KB: CPU time of nginx ÷ ours", "c2", 1.0, 1.05, peer="nginx"),
    Goal("1,000 connections: CPU time of nginx ÷ ours", "c3", 1.05, peer="nginx"),
    Goal("no keep-alive: CPU time of nginx ÷ ours", "close", 0.95, 1.05, peer="nginx"),
    Goal("TLS: CPU time of nginx ÷ ours", "tls", 0.9, 1.0, peer="nginx"),
    Goal("TLS, no keep-alive: CPU time of nginx ÷ ours", "tls-close", 1.05, peer="nginx"),
    Goal("TLS, 100 MiB download: CPU time of nginx ÷ ours", "tls-down-100m", 1.5, peer="nginx"),
    Goal("HTTP/2 over TLS: CPU time of nginx ÷ ours", "h2-32", 1.4, peer="nginx"),
    Goal("HTTP/2, one stream per connection: CPU time of nginx ÷ ours", "h2c-1", 1.15, peer="nginx"),
    Goal("1 MiB download, spliced: CPU time of nginx ÷ ours", "down-1m", aim=1.5, peer="nginx", proxy=_SPLICING),
    Goal("1 GiB download: CPU time of nginx ÷ ours", "down-1g", 1.0, peer="nginx"),
    Goal("1 GiB download, spliced: CPU time of nginx ÷ ours", "down-1g", aim=1.5, peer="nginx", proxy=_SPLICING),
    Goal("10 MiB upload: CPU time of nginx ÷ ours", "up-10m", 3.0, peer="nginx"),
    *(
        Goal(f"{title}: CPU time of {peer} ÷ ours", case, 1.0, peer=peer)
        for case, title in (("grpc", "gRPC"), ("grpc-stream", "gRPC stream"), ("ws", "WebSocket messages"))
        for peer in ("nginx", "haproxy", "envoy")
    ),
    *(
        Goal(f"{title}: CPU time of HAProxy ÷ ours", case, 1.0, peer="haproxy")
        for case, title in (
            ("c1", "1 KB"),
            ("c2", "10 KB"),
            ("c3", "1,000 connections"),
            ("close", "no keep-alive"),
            ("tls", "TLS"),
            ("tls-close", "TLS, no keep-alive"),
            ("tls-down-100m", "TLS, 100 MiB download"),
            ("h2-32", "HTTP/2 over TLS"),
            ("h2c-1", "HTTP/2, one stream per connection"),
            ("up-10m", "10 MiB upload"),
        )
    ),
    Goal("ten Groovy filters: CPU time of Undertow without ÷ ours", "filters", 1.0, peer="undertow", proxy=_TEN),
    Goal("ten Groovy filters: CPU time of Zuul 2 without ÷ ours", "filters", 2.5, peer="zuul2", proxy=_TEN),
    Goal("ten Groovy filters: CPU time of Spring Cloud Gateway without ÷ ours", "filters", 3.0, peer="scg", proxy=_TEN),
    Goal("p99 added at half load", "latency", 2.0, figure="added_p99", at_most=True, unit=" ms"),
    Goal("p99 added by 1,000 connections at once", "first-wave", 20.0, figure="added_p99", at_most=True, unit=" ms"),
    Goal("an idle connection, RSS and live heap", "idle", 6000, 3000, figure="held", at_most=True, unit=" B"),
    Goal("start-up with the ahead-of-time cache", WITH_CACHE, 600, at_most=True, unit=" ms"),
    Goal("start-up without", WITHOUT_CACHE, 1200, at_most=True, unit=" ms"),
)


@dataclass(frozen=True)
class Judged:
    goal: Goal
    value: float

    @property
    def shown(self):
        return f"{self.value:.2f}{self.goal.unit}" if self.value < 100 else f"{self.value:.0f}{self.goal.unit}"

    @property
    def missed(self):
        return self.goal.must is not None and not self.goal.holds(self.value, self.goal.must)

    @property
    def word(self):
        if self.missed:
            return "missed"
        if self.goal.aim is not None and not self.goal.holds(self.value, self.goal.aim):
            return "short of the aim"
        return "reached"


def cost_ratios(rounds, peer, proxy):
    """The peer's CPU time divided by the proxy's, for each round with both."""
    ratios = []
    for number in sorted({one["number"] for one in rounds}):
        costs = {one["proxy"]: one["micros"] for one in rounds if one["number"] == number}
        if costs.get(peer) and costs.get(proxy):
            ratios.append(costs[peer] / costs[proxy])
    return ratios


def cost_ratio(rounds, peer, proxy):
    """Median over the rounds of the peer's CPU time divided by the proxy's; None without a common round."""
    ratios = cost_ratios(rounds, peer, proxy)
    return statistics.median(ratios) if ratios else None


def _value(goal, run):
    for case in run["cases"]:
        if case["name"] == goal.case:
            if goal.peer:
                return cost_ratio(case["rounds"], goal.peer, goal.proxy)
            return next((row[goal.figure] for row in case["medians"] if row["proxy"] == goal.proxy), None)
    return run.get("startup_goals", {}).get(goal.case)


def judge(run):
    """All goals that the run has measured."""
    values = ((goal, _value(goal, run)) for goal in GOALS)
    return [Judged(goal, value) for goal, value in values if value is not None]


def errors(run):
    """Failures of all gateway variants, by case: errors, or rounds without a measurement."""
    found = {}
    for case in run["cases"]:
        count = sum(row["errors"] for row in case["medians"] if _is_ours(row["proxy"]))
        if count:
            found[case["name"]] = f"{count} errors"
        for proxy, reason in case.get("left_out", {}).items():
            if _is_ours(proxy):
                found[case["name"]] = reason
    return found


def _is_ours(proxy):
    return proxy.partition("+")[0] == GATEWAY
