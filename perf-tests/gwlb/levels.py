"""Both runs of each line at each level of concurrency: averages and their limits."""

import statistics
from dataclasses import asdict, dataclass

BARE, NGINX, HAPROXY, OURS = "bare origin", "nginx", "haproxy", "lychgate"
# No request may fail at these levels; at the highest one Lychgate must not be slower than nginx.
HELD = (500, 2000, 8000, 12000)
FASTEST_AT = 12000


@dataclass(frozen=True)
class Load:
    """One run of ab."""

    run: int
    line: str
    connections: int
    requests: int
    complete: int
    failed: int
    failures: dict
    not_2xx: int
    rate: float
    mean_ms: float
    p99_ms: int
    longest_ms: int
    # Maximum number of open sockets of ab; a late sample misses some.
    open_at_most: int
    # Maximum number of descriptors of the proxy and of the origins.
    descriptors: int
    # CPU shares of the proxy, of ab, of the origins, and of other processes on the proxy's and the load CPU.
    proxy_share: float
    ab_share: float
    origin_share: float
    foreign_share: float
    foreign_load_share: float

    def as_dict(self):
        return asdict(self)

    @property
    def generator_bound(self):
        """Whether ab and the origins limited the throughput instead of the proxy."""
        return self.ab_share + self.origin_share > 0.9 and self.proxy_share < 0.9

    @property
    def lost(self):
        return self.requests - self.complete + self.failed + self.not_2xx


def averages(loads):
    """{line: {connections: row}}, the mean of throughput and latency over the runs, as in the original."""
    table = {}
    for one in loads:
        table.setdefault(one.line, {}).setdefault(one.connections, []).append(one)
    return {line: {count: _row(several) for count, several in sorted(levels.items())} for line, levels in table.items()}


def _row(several):
    row = {name: statistics.mean(getattr(one, name) for one in several) for name in ("rate", "mean_ms")}
    for name in ("failed", "not_2xx", "lost"):
        row[name] = sum(getattr(one, name) for one in several)
    for name in ("longest_ms", "p99_ms", "open_at_most", "descriptors"):
        row[name] = max(getattr(one, name) for one in several)
    for name in ("proxy_share", "ab_share", "origin_share", "foreign_share", "foreign_load_share"):
        row[name] = statistics.mean(getattr(one, name) for one in several)
    row["generator_bound"] = all(one.generator_bound for one in several)
    row["runs"] = len(several)
    return row


def judge(table, verdict):
    ours = table.get(OURS, {})
    for connections in HELD:
        row = ours.get(connections)
        if row is None:
            verdict.leave_out(f"{connections} connections")
            continue
        verdict.check(
            row["lost"] == 0,
            f"{connections} connections: {row['failed']} failed, {row['not_2xx']} not 2xx, {row['lost']} lost in all",
        )
    for connections, row in ours.items():
        peer = table.get(NGINX, {}).get(connections)
        if peer is None:
            continue
        ratio = row["rate"] / peer["rate"]
        words = f"{connections} connections: {row['rate']:,.0f} requests/s, {ratio:.2f} times nginx' {peer['rate']:,.0f}"
        if peer["lost"]:
            words += f", which lost {peer['lost']}"
        if connections == FASTEST_AT:
            verdict.check(ratio >= 1.0, words)
        else:
            verdict.note(words)


def doubts(table):
    """Reasons why figures are less reliable; none of them fails the run."""
    found = []
    for line, levels in table.items():
        for connections, row in levels.items():
            who = f"{line}, {connections} connections"
            if line != BARE and row["generator_bound"]:
                shares = f"ab ({row['ab_share']:.0%}) and origins ({row['origin_share']:.0%})"
                found.append(f"{who}: {shares} were the limit, not the proxy")
            for whose, name in (("the proxy's", "foreign_share"), ("the load's", "foreign_load_share")):
                if row[name] > 0.1:
                    found.append(f"{who}: others used {row[name]:.0%} of {whose} CPU")
            # The run ended before the first sample.
            if 0 < row["open_at_most"] < 0.97 * connections:
                found.append(f"{who}: ab had at most {row['open_at_most']} connections")
    return found
