"""Results as text, Markdown and JSON."""

import json
import os
import platform
import statistics

from . import goals, openloop, table
from .cases import FIRST_WAVE, IDLE, MESSAGES, OPEN_LOOP, ROUNDS
from .table import Column

_PROXY = Column("proxy", "{:<16}", "proxy")
_ERRORS = Column("errors", "{:>6d}", "errors")
_SHARES = (
    Column("proxy CPU", "{:>9.0%}", "proxy_share"),
    Column("foreign", "{:>7.0%}", "foreign_share"),
    Column("load CPU", "{:>8.0%}", "load_share"),
)
_SMALL = (
    _PROXY,
    Column("req/s", "{:>9,.0f}", "rate"),
    Column("CPU µs/req", "{:>10.2f}", "micros"),
    Column("user", "{:>6.2f}", "micros_user"),
    Column("system", "{:>6.2f}", "micros_system"),
    Column("x nginx", "{:>7.3f}", "ratio"),
    Column("p50 ms", "{:>7.2f}", "p50_ms"),
    Column("p99 ms", "{:>7.2f}", "p99_ms"),
    Column("switches/req", "{:>7.3f}", "switches"),
    _ERRORS,
    Column("RSS MB", "{:>6.0f}", "resident_mb"),
)
_MESSAGES = (
    _PROXY,
    Column("msg/s", "{:>9,.0f}", "rate"),
    Column("CPU µs/msg", "{:>10.2f}", "micros"),
    Column("user", "{:>6.2f}", "micros_user"),
    Column("system", "{:>6.2f}", "micros_system"),
    Column("x nginx", "{:>7.3f}", "ratio"),
    Column("switches/msg", "{:>7.3f}", "switches"),
    _ERRORS,
    Column("RSS MB", "{:>6.0f}", "resident_mb"),
)
_LARGE = (
    _PROXY,
    Column("MiB/s", "{:>7,.0f}", "rate"),
    Column("CPU ms/GiB", "{:>10.0f}", "micros", 1000),
    Column("user", "{:>6.0f}", "micros_user", 1000),
    Column("system", "{:>6.0f}", "micros_system", 1000),
    Column("x nginx", "{:>7.3f}", "ratio"),
    Column("switches/GiB", "{:>9,.0f}", "switches"),
    _ERRORS,
    Column("RSS MB", "{:>6.0f}", "resident_mb"),
)


def _added(*percentiles):
    return tuple(
        Column(f"{words}{name}", "{:>7.2f}", f"{figure}_{name.replace('.', '')}")
        for figure, words in (("direct", "direct "), ("added", "added "))
        for name in percentiles
    )


_BY_KIND = {
    OPEN_LOOP: (
        _PROXY,
        Column("req/s", "{:>9,.0f}", "rate"),
        *_added("p50", "p99", "p99.9"),
        Column("proxy CPU", "{:>9.0%}", "proxy_share"),
        Column("stolen", "{:>6.1%}", "stolen"),
        Column("late", "{:>6.1%}", "late"),
        Column("tries", "{:>5.0f}", "tries"),
        _ERRORS,
    ),
    FIRST_WAVE: (_PROXY, Column("answers", "{:>8,.0f}", "requests"), *_added("p50", "p99", "p99.9"), _ERRORS),
    IDLE: (
        _PROXY,
        Column("connections", "{:>7,.0f}", "connections"),
        Column("RSS KB each", "{:>7.2f}", "resident", 1000),
        Column("live heap KB each", "{:>7.2f}", "heap", 1000),
        Column("both", "{:>7.2f}", "held", 1000),
        _ERRORS,
    ),
}


def columns(case, shares=False):
    if case.kind in _BY_KIND:
        return _BY_KIND[case.kind]
    figures = _MESSAGES if case.kind == MESSAGES else _LARGE if case.body else _SMALL
    return figures + (_SHARES if shares else ())


def machine():
    return {
        "cpu": _cpu_model(),
        "cpus": os.cpu_count(),
        "kernel": platform.release(),
        "system": _os_name(),
    }


def _cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        models = [line.partition(":")[2].strip() for line in cpuinfo if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _os_name():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (AttributeError, OSError, KeyError):
        return platform.system()


def medians(rounds):
    """One row per proxy: medians of the figures, the sum of the errors."""
    rows = []
    for proxy in dict.fromkeys(r.proxy for r in rounds):
        own = [r.as_dict() for r in rounds if r.proxy == proxy]
        row = {"proxy": proxy, "rounds": len(own), "errors": sum(r["errors"] for r in own)}
        for figure in own[0]:
            if figure not in ("case", "number", "proxy", "errors"):
                values = [r[figure] for r in own if r[figure] is not None]
                row[figure] = statistics.median(values) if values else None
        rows.append(row)
    return rows


def doubts(one, case):
    """Reasons why figures of a round are less reliable; none of them stops the run."""
    found = []
    timed = case.kind in (ROUNDS, MESSAGES)
    if timed and not one.requests:
        found.append("there were no responses")
    if timed and one.foreign_share > 0.1:
        found.append(f"others used {one.foreign_share:.0%} of the proxy's CPU")
    if timed and one.load_share > 0.95 and one.proxy_share < 0.9:
        found.append(f"the load CPU was the limit: compare CPU time per {case.unit}, not the rate")
    if case.kind == OPEN_LOOP and (one.late > openloop.LATE or one.stolen > openloop.STOLEN):
        found.append(
            f"in the calmest of {one.tries} tries the generator itself was a millisecond late for {one.late:.1%} of the requests, "
            f"and the host took {one.stolen:.1%} of a CPU: the percentiles beyond are theirs"
        )
    if one.errors:
        found.append(f"{one.errors} errors with {case.connections} connections")
    return found


def to_markdown(run, cases, pictures=()):
    """``cases`` by name; ``pictures``: name of the case, file beside the Markdown."""
    pictures = dict(pictures)
    out = [
        f"Machine: {run['machine']['cpu']}, {run['machine']['cpus']} CPUs, kernel {run['machine']['kernel']}, "
        f"{run['machine']['system']}. Proxy on one CPU, origin and generator on another; "
        f"{run['rounds']} interleaved rounds of {run['seconds']} s, medians; JVMs warmed up {run['warmup']} s a case.",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in run["versions"].items()) + ".",
        "",
    ]
    if run.get("jvm_flags"):
        out += [f"JVM flags: `{' '.join(run['jvm_flags'])}`", ""]
    for seen in run["cases"]:
        out += [f"### {seen['name']}: {seen['title']}", ""]
        out += table.markdown(columns(cases[seen["name"]]), seen["medians"]) + [""]
        out += [f"Left out of some rounds: {reason}" for reason in seen.get("left_out", {}).values()]
        if seen["name"] in pictures:
            out += [f"![{seen['title']}]({pictures[seen['name']]})", ""]
    if run.get("startup_ms"):
        out += ["Start-up, process start to the first proxied 200, on one CPU, median:", ""]
        out += [f"- {name}: {ms:.0f} ms" for name, ms in run["startup_ms"].items()]
        out.append("")
    if run.get("syscalls"):
        out += ["System calls per request (c1, under strace):", ""]
        for name, calls in run["syscalls"].items():
            named = ", ".join(f"{call} {count:.2f}" for call, count in calls["calls"].items())
            out.append(f"- {name}: {calls['total']:.2f} ({named})")
        out.append("")
    judged = goals.judge(run)
    if judged:
        out += ["### Goals", "", "| | measured | must | aim | |", "|---|---:|---:|---:|---|"]
        for one in judged:
            cells = (one.goal.title, one.shown, one.goal.must_shown, one.goal.aim_shown, one.word)
            out.append(f"| {' | '.join(cells)} |")
        out.append("")
    return "\n".join(out)


def to_json(run):
    return json.dumps(run, indent=2) + "\n"
