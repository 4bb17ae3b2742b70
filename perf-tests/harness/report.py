"""The rounds and their medians as text, Markdown and JSON."""

import json
import os
import platform
import statistics

_MEDIANS = ("rate", "micros", "micros_user", "micros_system", "ratio", "p50_ms", "p99_ms", "resident_mb")

_COLUMNS = (
    ("proxy", "{:<9}", "proxy"),
    ("req/s", "{:>9,.0f}", "rate"),
    ("CPU µs/req", "{:>10.2f}", "micros"),
    ("user", "{:>6.2f}", "micros_user"),
    ("system", "{:>6.2f}", "micros_system"),
    ("x nginx", "{:>7.3f}", "ratio"),
    ("p50 ms", "{:>7.2f}", "p50_ms"),
    ("p99 ms", "{:>7.2f}", "p99_ms"),
    ("errors", "{:>6d}", "errors"),
    ("RSS MB", "{:>6.0f}", "resident_mb"),
)
_SHARES = (
    ("proxy CPU", "{:>9.0%}", "proxy_share"),
    ("foreign", "{:>7.0%}", "foreign_share"),
    ("load CPU", "{:>8.0%}", "load_share"),
)


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
        own = [r for r in rounds if r.proxy == proxy]
        row = {"proxy": proxy, "rounds": len(own), "errors": sum(r.errors for r in own)}
        for figure in _MEDIANS:
            values = [getattr(r, figure) for r in own if getattr(r, figure) is not None]
            row[figure] = statistics.median(values) if values else None
        rows.append(row)
    return rows


def _cell(shape, value):
    if value is None:
        return " " * (len(shape.format(0)) - 1) + "-"
    return shape.format(value)


def header(shares=False):
    columns = _COLUMNS + (_SHARES if shares else ())
    cells = []
    for title, shape, _ in columns:
        width = int(shape.lstrip("{:<>").split(".")[0].rstrip(",d%}"))
        cells.append(f"{title:<{width}}" if "<" in shape else f"{title:>{max(width, len(title))}}")
    return "  ".join(cells)


def line(row, shares=False):
    columns = _COLUMNS + (_SHARES if shares else ())
    cells = []
    for title, shape, figure in columns:
        cell = _cell(shape, row.get(figure))
        cells.append(cell if "<" in shape else cell.rjust(len(title)))
    return "  ".join(cells)


def doubts(one, case):
    """What makes a round's figures less trustworthy; none of it stops the run."""
    found = []
    if one.foreign_share > 0.1:
        found.append(f"others used {one.foreign_share:.0%} of the proxy's CPU")
    if one.load_share > 0.95 and one.proxy_share < 0.9:
        found.append("the load CPU was the limit: compare CPU µs per request, not requests/s")
    if one.errors:
        found.append(f"{one.errors} errors with {case.connections} connections")
    return found


def to_markdown(run):
    out = [
        f"Machine: {run['machine']['cpu']}, {run['machine']['cpus']} CPUs, kernel {run['machine']['kernel']}, "
        f"{run['machine']['system']}. Proxy on one CPU, origin and wrk on another; "
        f"{run['rounds']} interleaved rounds of {run['seconds']} s, medians; JVM warmed up {run['warmup']} s a case.",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in run["versions"].items()) + ".",
        "",
    ]
    if run.get("jvm_flags"):
        out += [f"JVM flags: `{' '.join(run['jvm_flags'])}`", ""]
    for case in run["cases"]:
        out += [f"### {case['name']}: {case['title']}", ""]
        out.append("| " + " | ".join(title for title, _, _ in _COLUMNS) + " |")
        out.append("|" + "|".join("---" if "<" in shape else "---:" for _, shape, _ in _COLUMNS) + "|")
        for row in case["medians"]:
            cells = [_cell(shape, row.get(figure)).strip() for _, shape, figure in _COLUMNS]
            out.append("| " + " | ".join(cells) + " |")
        out.append("")
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
    return "\n".join(out)


def to_json(run):
    return json.dumps(run, indent=2) + "\n"
