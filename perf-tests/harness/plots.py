"""Charts of the comparison: a bar for each proxy of a case."""

from . import chart
from .cases import FIRST_WAVE, IDLE, OPEN_LOOP

_HEIGHT = 150
_ON_A_LINE = 8

# Panels per kind of case: title, and the parts of a bar from bottom to top as (figure, color, label, divisor).
_ADDED = tuple(
    (f"added at {name}, ms", ((f"added_{figure}", "blue", "", 1),))
    for name, figure in (("the median", "p50"), ("p99", "p99"), ("p99.9", "p999"))
)
_PANELS = {
    OPEN_LOOP: _ADDED,
    FIRST_WAVE: _ADDED,
    IDLE: (
        (
            "KB per connection",
            (("resident", "orange", "growth of resident memory", 1000), ("heap", "blue", "growth of the live heap", 1000)),
        ),
    ),
}


def _cpu(unit, divisor, word):
    parts = (("micros_system", "rest", "kernel", divisor), ("micros_user", "blue", "user", divisor))
    return ((f"CPU {word} per {unit}", parts),)


def panels(case):
    if case.kind in _PANELS:
        return _PANELS[case.kind]
    return _cpu(case.unit, 1000, "ms") if case.body else _cpu(case.unit, 1, "µs")


def _value(row, part):
    """Added latency may be negative within the noise; such a bar is empty."""
    return max(0.0, (row[part[0]] or 0.0) / part[3])


def of(case, seen):
    """The SVG; None without data."""
    rows = seen["medians"]
    if not rows:
        return None
    sheet = chart.Sheet(0, len(rows), f"{case.name}: {case.title}", "")
    for title, parts in panels(case):
        panel = sheet.panel(title, _HEIGHT)
        heights = [sum(_value(row, part) for part in parts) for row in rows]
        ticks, most = chart.nice(max(heights))
        panel.linear(most, ticks)
        for place, (row, height) in enumerate(zip(rows, heights)):
            panel.bars(place, [(part[1], _value(row, part)) for part in parts])
            sheet.text(sheet.x(place + 0.5), panel.scale(height) - 5, f"{height:.4g}", "ink", "middle")
        for line, part in enumerate(parts):
            if part[2]:
                panel.label(panel.top + 12 + 19 * line, part[2], swatch=part[1])
    for place, row in enumerate(rows):
        # Too many names would overlap on one line.
        down = 18 + (14 if len(rows) > _ON_A_LINE and place % 2 else 0)
        sheet.text(sheet.x(place + 0.5), sheet.bottom + down, row["proxy"], anchor="middle")
    return sheet.svg(", ".join(title for title, _ in panels(case)))
