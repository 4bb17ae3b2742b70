"""A chart of the run."""

from harness import chart

from .seconds import ORIGINS

# The healthy origin is gray, as the reference for the others.
_ORIGIN_COLOURS = {
    "o1": chart.COLOURS["blue"],
    "o2": chart.COLOURS["orange"],
    "o3": chart.COLOURS["plum"],
    "o4": chart.COLOURS["green"],
    "o5": ("#b9bec6", "#59616d"),
}

# By reason: color, label. The color of an origin is that of the failures it caused.
_FAILED = {
    "died": ("o1", "POST, origin died with it"),
    "stalled": ("o2", "POST without a response"),
    "status": ("o3", "POST with a response of 500"),
    "cut": ("o4", "reset in mid-body"),
    "late": ("rest", "POST, sound origin late"),
    "budget": ("rest", "GET, no budget left"),
    "attempts": ("rest", "GET, all attempts used"),
    "unexplained": ("ink", "unexplained"),
}


def picture(rows, events, seconds, subtitle):
    """``events``: second, origin, short name of the action."""
    sheet = chart.Sheet(0, seconds, "Five origins, four faults", subtitle, {**chart.COLOURS, **_ORIGIN_COLOURS})
    _answers(sheet, rows)
    _failures(sheet, rows)
    _latency(sheet, rows)
    _shares(sheet, rows)
    sheet.axis((second, f"{second} s") for second in range(0, seconds + 1, 10))
    _marks(sheet, events)
    return sheet.svg("responses, failures, latency and shares of the traffic, second by second")


def _middles(values):
    """One value per second, drawn at its middle."""
    return [(second + 0.5, value) for second, value in enumerate(values)]


def _answers(sheet, rows):
    panel = sheet.panel("Correct responses per second", 90)
    ticks, most = chart.nice(max(row.asked for row in rows))
    panel.linear(most, ticks)
    panel.curve(_middles([row.asked for row in rows]), "mark", 1)
    panel.curve(_middles([row.answered for row in rows]), "ink", 2)
    asked, right = (sum(getattr(row, name) for row in rows) for name in ("asked", "answered"))
    middle = panel.scale(rows[-1].asked)
    panel.label(middle, f"{right} of {asked}")
    panel.label(middle + 17, f"{100 * right / asked:.2f} % right", "dim")


def _failures(sheet, rows):
    panel = sheet.panel("Failed for clients, by why they may not be sent again, requests a second", 130)
    ticks, most = chart.nice(max(sum(row.failed.values()) for row in rows))
    panel.linear(most, ticks)
    for row in rows:
        panel.bars(row.number, [(kind, row.failed[name]) for name, (kind, _) in _FAILED.items()])
    y = panel.top + 12
    for name, (kind, words) in _FAILED.items():
        count = sum(row.failed[name] for row in rows)
        if count:
            panel.label(y, f"{words}: {count}", swatch=kind)
            y += 19


def _latency(sheet, rows):
    panel = sheet.panel("Latency of correct responses, from the due time, ms", 140)
    most = max(row.p99 or 10 for row in rows)
    ticks = [tick for tick in (10, 30, 100, 300, 1000, 3000, 10000) if tick < most * 3.3]
    panel.logarithmic(8, max(ticks[-1], most), ticks)
    panel.curve(_middles([row.p99 for row in rows]), "ink", 2)
    panel.curve(_middles([row.p50 for row in rows]), "rest", 2)
    ends = [panel.scale(rows[-1].p99 or most), panel.scale(rows[-1].p50 or 0)]
    ends[1] = max(ends[1], ends[0] + 17)
    panel.label(ends[0] + 4, "99 of 100 are faster", "ink")
    panel.label(ends[1] + 4, "half are faster", "rest")


def _shares(sheet, rows):
    panel = sheet.panel("Attempts by origin, share of all", 170)
    panel.linear(1, [])
    below = [0.0] * len(rows)
    names = {}
    # The healthy origin is at the bottom, where its growth is most visible.
    for origin in reversed(ORIGINS):
        above = [low + row.shares[origin] for low, row in zip(below, rows)]
        upper = "L".join(_steps(sheet, panel, above))
        lower = "L".join(reversed(_steps(sheet, panel, below)))
        sheet.add(f'<path class="o{origin}" d="M{upper}L{lower}Z"/>')
        names[origin] = panel.scale((below[-1] + above[-1]) / 2)
        below = above
    for share in (0, 50, 100):
        panel.tick(share / 100, f"{share} %")
    for origin, y in names.items():
        panel.label(y + 4, f"origin {origin}" + (", sound throughout" if origin == 5 else ""), swatch=f"o{origin}")


def _steps(sheet, panel, values):
    """A step per second, as points from left to right."""
    points = []
    for second, value in enumerate(values):
        y = panel.scale(min(1.0, value))
        points += [f"{sheet.x(second):.1f} {y:.1f}", f"{sheet.x(second + 1):.1f} {y:.1f}"]
    return points


def _marks(sheet, events):
    """The actions on the origins, across all panels."""
    by_moment = {}
    for at, origin, what in events:
        by_moment.setdefault(at, []).append((origin, what))
    for at, several in by_moment.items():
        x = sheet.x(at)
        for panel in sheet.panels:
            sheet.line(x, panel.top, x, panel.bottom, "mark", "3 3")
        origin, what = several[0]
        one = len(several) == 1
        sheet.text(x, 56, f"origin {origin}" if one else "all four", f"o{origin}" if one else "ink", title=True)
        sheet.text(x, 72, what if one else "recover", "ink")
