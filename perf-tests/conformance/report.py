"""Tables of passed and failed cases."""

from .case import GOOD, MUST, SHOULD


def _share(outcomes, level=None):
    chosen = [one for one in outcomes if level in (None, one.case.level)]
    return f"{sum(1 for one in chosen if not one.reason)} of {len(chosen)}"


def totals(results):
    lines = ["| Proxy | MUST | SHOULD | GOOD | all |", "|---|---|---|---|---|"]
    for name, outcomes in results.items():
        shares = [_share(outcomes, level) for level in (MUST, SHOULD, GOOD, None)]
        lines.append(f"| {name} | {' | '.join(shares)} |")
    return "\n".join(lines)


def failures(name, outcomes, verbose=False):
    lines = [f"{name}:"]
    for outcome in outcomes:
        case = outcome.case
        if outcome.unsteady:
            lines.append(f"  (unsteady: {case.id} held only when it was tried again)")
        if not outcome.reason:
            continue
        lines.append(f"  {case.level:6} {case.id}  {case.title} [{case.section}]: {outcome.reason}")
        if verbose:
            lines += wire(outcome)
    if len(lines) == 1:
        lines.append("  nothing failed")
    return "\n".join(lines)


def wire(outcome):
    """The bytes themselves."""
    seen = outcome.seen
    return [
        f"         sent      {_short(outcome.case.bytes_sent())}",
        f"         at origin {_short(seen.origin_bytes)}",
        f"         at client {_short(seen.received)} ({seen.ending})",
    ]


def _short(data):
    return repr(data) if len(data) <= 700 else f"{data[:450]!r} ... {data[-150:]!r} ({len(data)} bytes)"


def differences(results):
    """Cases with different results, and the correct proxies."""
    lines = []
    for outcomes in zip(*results.values()):
        right = [name for name, one in zip(results, outcomes) if not one.reason]
        wrong = [name for name, one in zip(results, outcomes) if one.reason]
        if not right or not wrong:
            continue
        case = outcomes[0].case
        lines.append(f"{case.level:6} {case.id}  {case.title} [{case.section}]")
        lines.append(f"         right: {', '.join(right)}")
        lines += [f"         {name}: {one.reason}" for name, one in zip(results, outcomes) if one.reason]
    return "\n".join(lines) or "the proxies agree in every case"


def together(results):
    """Cases that all proxies fail."""
    lines = []
    for outcomes in zip(*results.values()):
        if all(one.reason for one in outcomes):
            case = outcomes[0].case
            lines.append(f"{case.level:6} {case.id}  {case.title} [{case.section}]")
            lines += [f"         {name}: {one.reason}" for name, one in zip(results, outcomes)]
    return "\n".join(lines) or "none"
