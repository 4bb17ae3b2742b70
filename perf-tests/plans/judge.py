"""The limits of a plan's figures, and reasons why figures are less reliable."""

from .catalogue import DIRECT

MIB = 1 << 20
# For a soak test: maximum growth of a gateway's resources from its warm-up to the end.
HEAP_GROWTH = 8 * MIB
RSS_GROWTH = 32 * MIB


def judge(plan, run, verdict):
    """``run``: see run.py; ``verdict``: harness.verdict.Verdict."""
    for target in run["targets"]:
        for label, row in target["labels"].items():
            seen = f"{target['name']}, {label}: {row['errors']} of {row['count']} failed"
            verdict.check(row["errors"] == 0, seen + (f": {row['reasons']}" if row["reasons"] else ""))
    for target in run["targets"]:
        if target["name"] == DIRECT:
            continue
        for label, limit in plan.limits.items():
            row = target["labels"].get(label)
            if row is not None:
                _hold(target["name"], label, row["added"], limit, verdict)
    for memory in run["memory"]:
        _hold_memory(memory, verdict)


def _hold(target, label, added, limit, verdict):
    for name, most in (("mean", limit.mean), ("p99", limit.p99)):
        if most is not None:
            verdict.check(added[name] <= most, f"{target}, {label}: {name} added {added[name]:.2f} ms (limit {most:g})")


def _hold_memory(memory, verdict):
    for name, most in (("heap_after_collection", HEAP_GROWTH), ("resident", RSS_GROWTH)):
        before, after = memory["begin"][name], memory["end"][name]
        grown = f"{before / MIB:.1f} to {after / MIB:.1f} MiB"
        verdict.check(after - before <= most, f"{memory['name']}, {name}: {grown} (may grow by {most / MIB:g})")
    before, after = memory["begin"]["descriptors"], memory["end"]["descriptors"]
    words = f"{memory['name']}, descriptors when all clients are gone: {before} before, {after} after"
    verdict.check(after <= before, words)


def doubts(plan, target, label, row, seconds):
    """Sentences; none of them fails a run. ``seconds``: duration of all rounds together."""
    found = []
    wanted = float(label) * seconds if plan.axis == "requests per second" else 0
    if row["count"] < 0.95 * wanted:
        found.append(f"{row['count']} of {wanted:.0f} requests were sent in time: the generator was too slow")
    if row["load_share"] is not None and row["load_share"] > 0.8:
        found.append(f"JMeter and origin took {row['load_share']:.0%} of their CPU: latencies are partly theirs")
    for whose, name in (("the gateway's", "foreign_share"), ("the load's", "foreign_load_share")):
        if row[name] is not None and row[name] > 0.1:
            found.append(f"others used {row[name]:.0%} of {whose} CPU")
    return [f"{target}, {label}: {sentence}" for sentence in found]
