"""Tables, curves and the memory chart."""

import json
import os

from harness import chart

from .levels import BARE

MIB = 1 << 20

_ORIGINAL = (
    "The original (2016, five Netty origins with 1 KB, GW-LB on Java 8 beside nginx, one million requests by ab at 500 to "
    "12,000 connections, twice) shows graphs of throughput, mean latency and memory, and no figures."
)


def to_markdown(run):
    machine = run["machine"]
    out = [
        "# GW-LB's plan: five origins by ab",
        "",
        f"Machine: {machine['cpu']}, {machine['cpus']} CPUs, kernel {machine['kernel']}, {machine['system']}. "
        "The proxy alone on one CPU; ab and the origins (one nginx, five ports) share another. "
        f"{run['descriptors']} descriptors allowed to each process.",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in run["versions"].items()) + ".",
        "",
        f"JVM flags: `{' '.join(run['jvm_flags'])}`" if run["jvm_flags"] else "",
        "",
        f"1 KB, round robin, no persistence, `ab -k`, {run['requests']:,} requests per level, {run['runs']} runs; means of "
        f"the runs, sums of what failed. The pool of the gateway: {run['pool']} connections to each origin.",
        "",
    ]
    heads = ["line", "connections", "requests/s", "mean, ms", "p99", "longest", "failed", "not 2xx"]
    heads += ["proxy CPU", "ab CPU", "origins' CPU", "descriptors"]
    out += ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    for line, levels in run["table"].items():
        for connections, row in levels.items():
            proxy = "-" if line == BARE else f"{row['proxy_share']:.0%}"
            cells = [line, f"{connections:,}", f"{row['rate']:,.0f}", f"{row['mean_ms']:.1f}"]
            cells += [str(row[name]) for name in ("p99_ms", "longest_ms", "failed", "not_2xx")]
            cells += [proxy, f"{row['ab_share']:.0%}", f"{row['origin_share']:.0%}"]
            out.append("| " + " | ".join([*cells, f"{row['descriptors']:,}"]) + " |")
    out.append("")
    out += ["## Verdict", "", *(f"- {line}" for line in run["verdict"]), ""]
    if run["doubts"]:
        out += ["## Doubts", "", *(f"- {line}" for line in run["doubts"]), ""]
    out += [_ORIGINAL, "", *(f"![{words}]({file})" for file, words in run["plots"]), ""]
    return "\n".join(out)


def _curves(run):
    rates = {line: [(c, row["rate"]) for c, row in levels.items()] for line, levels in run["table"].items()}
    means = {line: [(c, row["mean_ms"]) for c, row in levels.items()] for line, levels in run["table"].items()}
    lost = {line: [(c, row["lost"]) for c, row in levels.items()] for line, levels in run["table"].items()}
    panels = [("Requests per second", rates, 160), ("Mean latency, ms", means, 110), ("Requests lost", lost, 80)]
    if BARE in rates:
        without = {line: points for line, points in rates.items() if line != BARE}
        if without:
            panels.insert(0, ("Requests per second, proxies alone", without, 160))
    return chart.lines("GW-LB's plan", "five origins, 1 KB, ab", "connections", panels)


def memory_chart(heaps):
    begin = heaps[0].moment
    unit, axis, ticks = chart.times(heaps[-1].moment - begin)
    series = {
        name: [((heap.moment - begin) / unit, getattr(heap, name) / MIB) for heap in heaps]
        for name in ("reserved", "committed", "used")
    }
    words = "the gateway's heap, as the flight recorder saw it"
    return chart.lines("GW-LB's plan", words, axis, [("MiB", series, 220)], ticks)


def write(directory, run, heaps):
    os.makedirs(directory, exist_ok=True)
    drawn = [("throughput.svg", "throughput and latency", _curves(run))]
    if heaps:
        drawn.append(("memory.svg", "heap: reserved, committed, used", memory_chart(heaps)))
    run["plots"] = [(file, words) for file, words, _ in drawn]
    texts = {file: svg for file, _, svg in drawn}
    texts["summary.json"] = json.dumps(run, indent=2) + "\n"
    texts["summary.md"] = to_markdown(run)
    for name, text in texts.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
