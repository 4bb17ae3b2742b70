"""Results of a plan as Markdown, JSON and plots, beside the figures of its original authors."""

import json
import os
import shutil

from harness import chart

from .catalogue import DIRECT, GATEWAY

MIB = 1 << 20


def to_markdown(plan, run):
    machine = run["machine"]
    out = [
        f"# JMeter plan {plan.name}: {plan.title}",
        "",
        f"Machine: {machine['cpu']}, {machine['cpus']} CPUs, kernel {machine['kernel']}, {machine['system']}. "
        "The gateway alone on one CPU; JMeter and the origin share another.",
        "",
        "Versions: " + ", ".join(f"{name} {version}" for name, version in run["versions"].items()) + ".",
        "",
        f"JVM flags of the gateway: `{' '.join(run['jvm_flags'])}`",
        "",
        f"{run['rounds']} round{'s' * (run['rounds'] > 1)} of {_seconds(run['seconds'])} behind {run['warmup']} s of "
        "warm-up; the same plan against the bare origin and through the gateway. JMeter tells whole milliseconds.",
        "",
        "## Added latency",
        "",
        *_added(plan, run),
        "",
        "## All figures",
        "",
        *_figures(plan, run),
        "",
    ]
    if run["memory"]:
        out += ["## Memory", "", *_memory(run["memory"]), ""]
    doubts = [sentence for target in run["targets"] for sentence in target["doubts"]]
    if doubts:
        out += ["## Doubts", "", *(f"- {sentence}" for sentence in doubts), ""]
    if plan.seed:
        out += ["## The original's figures", "", plan.seed, ""]
        if plan.seed_cpu:
            out += [f"CPU: {plan.seed_cpu}; {_own_cpu(run)}.", ""]
    out += ["## Verdict", "", *(f"- {line}" for line in run["verdict"]), ""]
    out += [*(f"![{words}]({file})" for file, words in run["plots"]), ""]
    reports = ", ".join(f"[{name}]({name}/index.html)" for name in run["reports"])
    out += [f"JMeter's reports: {reports}.", ""]
    return "\n".join(out)


def _own_cpu(run):
    (rows,) = [target["labels"] for target in run["targets"] if target["name"] == GATEWAY]
    return "this gateway " + ", ".join(f"{_share(row['proxy_share'])} at {label}" for label, row in rows.items())


def _seconds(seconds):
    if isinstance(seconds, dict):
        return " and ".join(f"{one} s ({group})" for group, one in seconds.items())
    return f"{seconds} s a group"


def _table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| --- | --- |" + " ---: |" * (len(heads) - 2)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def _ms(value):
    return f"{value:.2f}"


def _share(value):
    return "-" if value is None else f"{value:.0%}"


def _added(plan, run):
    rows = []
    for target in run["targets"]:
        if target["name"] == DIRECT:
            continue
        for label, row in target["labels"].items():
            added = row["added"]
            mean = f"{_ms(added['mean'])} ± {_ms(2 * added['mean_error'])}"
            shown = [_ms(added[name]) for name in ("p50", "p90", "p99", "p999")]
            rows.append([target["name"], label, mean, *shown, str(row["errors"]), _share(row["proxy_share"])])
    heads = ["way", plan.axis or "kind", "mean, ms", "p50", "p90", "p99", "p99.9", "errors", "CPU of the gateway"]
    return _table(heads, rows)


def _figures(plan, run):
    rows = []
    for target in run["targets"]:
        for label, row in target["labels"].items():
            shown = [_ms(row[name]) for name in ("mean", "p50", "p90", "p99", "p999", "max")]
            counted = [f"{row['count']:,}", f"{row['rate']:,.0f}"]
            rows.append([target["name"], label, *counted, *shown, str(row["errors"]), _share(row["load_share"])])
    heads = ["way", plan.axis or "kind", "samples", "per second"]
    return _table(heads + ["mean, ms", "p50", "p90", "p99", "p99.9", "max", "errors", "CPU of the load"], rows)


def _memory(memory):
    rows = []
    for one in memory:
        for when in ("begin", "end"):
            seen = one[when]
            sizes = [seen[name] for name in ("resident", "heap_after_collection", "direct")]
            shown = ["-" if size is None else f"{size / MIB:.1f}" for size in sizes]
            rows.append([one["name"], when, *shown, str(seen["descriptors"])])
    return _table(["gateway", "when", "RSS, MiB", "heap after collection", "direct", "descriptors"], rows)


def _numeric(labels):
    try:
        return [float(label) for label in labels]
    except ValueError:
        return None


def plots(plan, run, looks):
    """(file name, title, SVG); ``looks``: samples of the first round by target, (time, sample)."""
    made = []
    ways = [target for target in run["targets"] if target["name"] != DIRECT]
    labels = list(ways[0]["labels"])
    xs = _numeric(labels) or list(range(len(labels)))
    ticks = list(zip(xs, labels))
    axis = plan.axis or "kind"
    if len(labels) > 1:
        added, shares = {}, {}
        for target in ways:
            rows = [target["labels"].get(label) for label in labels]
            for name in ("mean", "p99"):
                values = [row and max(0.0, row["added"][name]) for row in rows]
                added[f"{target['name']}, {name}"] = list(zip(xs, values))
            taken = [row and row["proxy_share"] for row in rows]
            shares[f"{target['name']}, CPU"] = [(x, None if one is None else 100 * one) for x, one in zip(xs, taken)]
        panels = [
            ("Added to the direct way, ms (less than nothing shown as nothing)", added, 160),
            ("Share of one CPU, %", shares, 120),
        ]
        title = f"JMeter plan {plan.name}"
        made.append(("added.svg", "added latency", chart.lines(title, plan.title, axis, panels, ticks)))
    if plan.soak:
        made.append(("memory.svg", "memory over time", _resident(plan, looks)))
    return made


def _resident(plan, looks):
    ways = {name: seen for name, seen in looks.items() if name != DIRECT and seen}
    unit, axis, ticks = chart.times(max(seen[-1][0] - seen[0][0] for seen in ways.values()))
    series = {}
    for name, seen in ways.items():
        # More points than the chart has pixels are invisible.
        few = seen[:: max(1, len(seen) // 500)]
        series[name] = [((moment - seen[0][0]) / unit, look.resident / MIB) for moment, look in few]
    return chart.lines(f"JMeter plan {plan.name}", plan.title, axis, [("Resident memory, MiB", series, 160)], ticks)


def write(directory, plan, run, session):
    """Writes everything into a directory; replaces JMeter's earlier reports and other files of the same name."""
    os.makedirs(directory, exist_ok=True)
    run["reports"] = []
    for name, one in session.runs:
        if name not in run["reports"]:
            shutil.rmtree(os.path.join(directory, name), ignore_errors=True)
            shutil.move(one.report(), os.path.join(directory, name))
            run["reports"].append(name)
    run["plots"] = []
    for file, words, svg in plots(plan, run, {name: rounds[0] for name, rounds in session.looks.items()}):
        _write(os.path.join(directory, file), svg)
        run["plots"].append((file, words))
    _write(os.path.join(directory, "summary.json"), json.dumps(run, indent=2) + "\n")
    _write(os.path.join(directory, "summary.md"), to_markdown(plan, run))


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
