"""Each plan: how it runs, its limits, and the figures of its original authors."""

from dataclasses import dataclass, field
from typing import Callable, Optional

DIRECT, GATEWAY, FILTERED = "direct", "gateway", "filtered"
TARGETS = (DIRECT, GATEWAY)

# Two submissions to Netflix' Cloud Prize of 2013: a port of Zuul to Netty 3, measured on an m1.medium.
_ZUUL_NETTY = """\
| requests/s | Zuul on Tomcat, ms | its CPU | zuul-netty at first, ms | its CPU |
| ---: | ---: | ---: | ---: | ---: |
| 350 | 64 | 20 % | 60 | 56 % |
| 700 | 64 | 42 % | 69 | 84 % |
| 1000 | 68 | 66 % | 116 | 92 % |
| 1200 | 74 | 78 % | 152 | 96 % |
| 1400 | 82 | 85 % | 204 | 96 % |

Mean latency with the origin's own time in it, on EC2's m1.medium (one CPU). Mended, zuul-netty reached 2,360 requests \
per second over 200 connections with a mean of 85 ms."""

_RAMP = """\
| connections | Zuul on Tomcat, requests/s | mean, ms | p90, ms | CPU | zuul-netty, requests/s | mean, ms | p90, ms | CPU |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 700 | 12,148 | 61.25 | 58.00 | 61 % | 13,283 | 52.65 | 54.25 | 47 % |
| 900 | 15,277 | 71.55 | 64.19 | 74 % | 16,701 | 54.01 | 56.98 | 57 % |
| 1100 | 15,385 | 6,410 | 58,000 | 80 % | 19,806 | 55.71 | 60.80 | 64 % |
| 1300 | 16,161 | 1,940 | 154.94 | 83 % | 22,461 | 57.86 | 67.43 | 70 % |
| 1500 | 16,215 | 109.96 | 151.89 | 84 % | 24,294 | 61.70 | 77.24 | 74 % |
| 1700 | 16,137 | 110.83 | 167.38 | 85 % | 26,012 | 65.29 | 85.59 | 76 % |
| 1900 | 15,759 | 136.60 | 203.54 | 85 % | 27,585 | 68.74 | 92.45 | 78 % |
| 2000 | 15,564 | 159.26 | 218.64 | 65 % | 28,196 | 70.87 | 96.34 | 79 % |

With the origin's 50 ms in it; on eight cores (Xeon E5430), wrk in a closed loop, ten minutes a step. JMeter on one CPU \
can't ask as often: here every connection pauses, so that rates are not to be compared, but what is added to 50 ms is."""

_TICKETMASTER = """\
| wait, ms | candidate | mean | p99 | requests |
| ---: | --- | ---: | ---: | ---: |
| 15000 | Vert.x, 1 verticle, best and worst of three runs | 15.03 s, 15.10 s | 15.04 s, 15.83 s | |
| 15000 | Vert.x, 4 verticles | 15.02 s, 15.03 s | 15.03 s, 15.06 s | |
| 15000 | Ratpack | 15.02 s, 15.06 s | 16.04 s, 16.24 s | |
| 15000 | Undertow | 15.11 s, 15.16 s | 16.03 s, 16.65 s | |
| 150 | Vert.x | 170.63 ms | 182 ms | 1,757,517 |
| 150 | Ratpack | 184.50 ms | 386 ms | 1,628,271 |
| 150 | Undertow | 170.36 ms | 180 ms | 1,757,202 |

These latencies include the wait of the origin. They were measured on an AWS m3.xlarge (4 cores) with wrk in a closed loop. \
The original requires that the gateway adds at most 50 ms at p99. With a wait of 150 ms, JMeter pauses between two requests of \
a connection, because one CPU cannot send 6,667 requests per second; `--pause 0` removes this pause."""


@dataclass(frozen=True)
class Limit:
    """Upper limits for the figures of a label; None = no limit."""

    mean: Optional[float] = None
    p99: Optional[float] = None


@dataclass(frozen=True)
class Plan:
    name: str
    title: str
    # The unit of the group names; "" where they are kinds of requests.
    axis: str
    # Duration of each group unless --seconds is given: one for all, or one per group.
    seconds: object
    # Limits by label.
    limits: dict = field(default_factory=dict)
    # Markdown text.
    seed: str = ""
    targets: tuple = TARGETS
    # Maximum connections of the gateway to the origin.
    pool: int = 512
    # Mean pause of a connection between two requests, ms; None if a schedule decides.
    pause: Optional[int] = None
    properties: Callable = lambda: {}
    # Further keys of the gateway's route.
    route: Optional[dict] = None
    # Whether memory and descriptors have limits, too.
    soak: bool = False
    # CPU figures of the original, for comparison with ours in one sentence.
    seed_cpu: str = ""


PLANS = {
    plan.name: plan
    for plan in (
        Plan(
            "zuul-netty",
            "10 KB, an origin that takes up to 50 ms, 350 to 2,000 requests per second over 200 connections",
            "requests per second",
            60,
            limits={"1400": Limit(mean=2.0, p99=10.0), "2000": Limit(mean=2.0, p99=10.0)},
            seed=_ZUUL_NETTY,
            seed_cpu="zuul-netty at first took 92 % of its one CPU at 1,000 and 96 % at 1,200 and 1,400",
        ),
        Plan(
            "ramp",
            "1 KB, an origin that takes 50 ms, 700 to 2,000 connections",
            "connections",
            60,
            seed=_RAMP,
            pool=2200,
            pause=700,
        ),
        Plan(
            "ticketmaster",
            "1,000 connections to an origin that waits 15 s, and 150 ms",
            "wait, ms",
            {"15000": 50, "150": 300},
            limits={"15000": Limit(p99=50.0), "150": Limit(p99=50.0)},
            seed=_TICKETMASTER,
            # More than one per client, so that the wait for a pooled connection is not measured.
            pool=1200,
            pause=150,
        ),
        Plan(
            "soak",
            "a mixture of requests at a steady rate, for long",
            "",
            3600,
            properties=lambda: {"body": "lychgate" * 512},
            soak=True,
        ),
        Plan(
            "filter-heavy",
            "bytes and JSON in turn, without filters and with ten in Groovy",
            "requests per second",
            60,
            targets=(DIRECT, GATEWAY, FILTERED),
        ),
        Plan(
            "websocket",
            "500 WebSockets, each of which sends 1 KB about four times a second",
            "",
            60,
            properties=lambda: {"body": "lychgate" * 128},
            route={"websocket": {}},
        ),
    )
}


def pause_properties(mean):
    """Half of the mean plus a random part, so that requests are not simultaneous."""
    return {} if mean is None else {"pause.least": mean // 2, "pause.range": mean - mean % 2}


def seconds_properties(plan, chosen):
    """Duration of the groups: as chosen, otherwise as in the plan."""
    if chosen is not None:
        return {"seconds": chosen, **{f"seconds.{group}": chosen for group in _groups_of(plan)}}
    if isinstance(plan.seconds, dict):
        return {f"seconds.{group}": seconds for group, seconds in plan.seconds.items()}
    return {"seconds": plan.seconds}


def _groups_of(plan):
    return plan.seconds if isinstance(plan.seconds, dict) else ()


def longest(plan, groups, chosen, warmup):
    """Hard timeout of a run, in seconds."""
    each = [chosen or (plan.seconds[name] if isinstance(plan.seconds, dict) else plan.seconds) for name in groups]
    # Allows for outstanding responses at the end of each group, and for the start of many threads.
    return warmup + sum(each) + 60 * (len(each) + 1) + 120
