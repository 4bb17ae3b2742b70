"""The run as a picture: an SVG without scripts, fonts or links, in the colours of its reader's choice, light or dark."""

import math
from xml.sax.saxutils import escape

from .seconds import ORIGINS

_WIDTH, _LEFT, _RIGHT = 1000, 58, 214
_TOP, _GAP = 62, 46
_INNER = _WIDTH - _LEFT - _RIGHT

# By class name: light, dark. The sound origin is grey: it is what the others are seen against.
_COLOURS = {
    "o1": ("#3b74b4", "#6ea6e0"),
    "o2": ("#e0741c", "#f09a4e"),
    "o3": ("#a0357a", "#d878b4"),
    "o4": ("#2e8540", "#5cbf70"),
    "o5": ("#b9bec6", "#59616d"),
    "rest": ("#6b7280", "#9aa3b0"),
    "back": ("#ffffff", "#14171c"),
    "ink": ("#1f2430", "#e4e7ec"),
    "dim": ("#5c6470", "#a3abb8"),
}
_LINES = {"grid": ("#e3e6ea", "#2b313a"), "mark": ("#9aa1ac", "#6c7582")}

# Name of the reason: colour, words. An origin's colour is that of the failures it caused.
_FAILED = {
    "died": ("o1", "POST, origin died with it"),
    "stalled": ("o2", "POST, never answered"),
    "status": ("o3", "POST, answered 500"),
    "cut": ("o4", "reset in mid-body"),
    "late": ("rest", "POST, sound origin late"),
    "budget": ("rest", "GET, no budget left"),
    "attempts": ("rest", "GET, all attempts used"),
    "unexplained": ("ink", "unexplained"),
}


def _style():
    def rules(which):
        fills = [f".{name}{{fill:{both[which]}}}" for name, both in _COLOURS.items()]
        strokes = [f".s-{name}{{stroke:{both[which]}}}" for name, both in {**_COLOURS, **_LINES}.items()]
        return "".join(fills + strokes)

    text = "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}.t{font-weight:600}"
    return f"<style>{text}path.l{{fill:none}}{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}</style>"


class _Sheet:
    def __init__(self, seconds):
        self.seconds = seconds
        self.parts = []
        self.panels = []
        self.bottom = _TOP

    def x(self, second):
        return _LEFT + _INNER * second / self.seconds

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, words, kind="dim", anchor="start", title=False):
        weight = " t" if title else ""
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}{weight}" text-anchor="{anchor}">{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, kind, dash=""):
        more = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<path class="l s-{kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"{more}/>')

    def panel(self, title, height):
        panel = _Panel(self, self.bottom + _GAP, height)
        self.bottom += _GAP + height
        self.panels.append(panel)
        self.text(_LEFT, panel.top - 10, title, "ink", title=True)
        return panel


class _Panel:
    def __init__(self, sheet, top, height):
        self.sheet, self.top, self.height = sheet, top, height
        self.bottom = top + height
        self.scale = None

    def linear(self, most, ticks, unit=""):
        self.scale = lambda value: self.bottom - self.height * value / most
        self._ticks(ticks, unit)

    def logarithmic(self, least, most, ticks, unit=""):
        low, high = math.log10(least), math.log10(most)
        self.scale = lambda value: self.bottom - self.height * (math.log10(max(value, least)) - low) / (high - low)
        self._ticks(ticks, unit)

    def _ticks(self, ticks, unit):
        for tick in ticks:
            y = self.scale(tick)
            self.sheet.line(_LEFT, y, _LEFT + _INNER, y, "grid")
            self.sheet.text(_LEFT - 7, y + 4, f"{tick:g}{unit}", anchor="end")

    def curve(self, values, kind, width):
        """One value for each second, drawn in the middle of it; None leaves a gap."""
        path, pen = "", "M"
        for second, value in enumerate(values):
            if value is None:
                pen = "M"
                continue
            path += f"{pen}{self.sheet.x(second + 0.5):.1f} {self.scale(value):.1f}"
            pen = "L"
        self.sheet.add(f'<path class="l s-{kind}" stroke-width="{width}" stroke-linejoin="round" d="{path}"/>')

    def bars(self, second, stack):
        """(colour, value) from below."""
        left, right, below = self.sheet.x(second) + 1, self.sheet.x(second + 1) - 1, 0
        for kind, value in stack:
            if value:
                upper, lower = self.scale(below + value), self.scale(below)
                self.sheet.add(
                    f'<rect class="{kind}" x="{left:.1f}" y="{upper:.1f}" width="{right - left:.1f}" '
                    f'height="{lower - upper:.1f}"/>'
                )
                below += value

    def label(self, y, words, kind=None, swatch=None):
        x = _LEFT + _INNER + 14
        if swatch:
            self.sheet.add(f'<rect class="{swatch}" x="{x}" y="{y - 9:.1f}" width="10" height="10" rx="2"/>')
        self.sheet.text(x + (16 if swatch else 0), y, words, kind or "ink")


def picture(rows, events, seconds, subtitle):
    """``events``: second, origin, what becomes of it, in a few letters."""
    sheet = _Sheet(seconds)
    sheet.text(_LEFT, 26, "Five origins, four faults", "ink", title=True)
    sheet.text(_LEFT + 170, 26, subtitle)
    _answers(sheet, rows)
    _failures(sheet, rows)
    _latency(sheet, rows)
    _shares(sheet, rows)
    _axis(sheet)
    _marks(sheet, events)
    height = sheet.bottom + 36
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="Five origins, four faults: answers, failures, latency and shares of the traffic, second by second">\n'
        f"{_style()}\n"
        f'<rect class="back" width="{_WIDTH}" height="{height}"/>\n' + "\n".join(sheet.parts) + "\n</svg>\n"
    )


def _nice(most, steps=3):
    """Ticks from 0 on, and the end of the scale."""
    most = max(most, 1)
    step = 10 ** math.floor(math.log10(most / steps))
    step *= next(factor for factor in (1, 2, 5, 10) if factor * step * steps >= most)
    step = max(1, step)
    ticks = [step * number for number in range(math.ceil(most / step) + 1)]
    return ticks, ticks[-1]


def _answers(sheet, rows):
    panel = sheet.panel("Answered rightly, requests a second", 90)
    ticks, most = _nice(max(row.asked for row in rows))
    panel.linear(most, ticks)
    panel.curve([row.asked for row in rows], "mark", 1)
    panel.curve([row.answered for row in rows], "ink", 2)
    asked, right = (sum(getattr(row, name) for row in rows) for name in ("asked", "answered"))
    middle = panel.scale(rows[-1].asked)
    panel.label(middle, f"{right} of {asked}")
    panel.label(middle + 17, f"{100 * right / asked:.2f} % rightly", "dim")


def _failures(sheet, rows):
    panel = sheet.panel("Failed for clients, by why they may not be sent again, requests a second", 130)
    ticks, most = _nice(max(sum(row.failed.values()) for row in rows))
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
    panel = sheet.panel("Latency of what was answered rightly, from when it was due, ms", 140)
    most = max(row.p99 or 10 for row in rows)
    ticks = [tick for tick in (10, 30, 100, 300, 1000, 3000, 10000) if tick < most * 3.3]
    panel.logarithmic(8, max(ticks[-1], most), ticks)
    panel.curve([row.p99 for row in rows], "ink", 2)
    panel.curve([row.p50 for row in rows], "rest", 2)
    ends = [panel.scale(rows[-1].p99 or most), panel.scale(rows[-1].p50 or 0)]
    ends[1] = max(ends[1], ends[0] + 17)
    panel.label(ends[0] + 4, "99 of 100 are faster", "ink")
    panel.label(ends[1] + 4, "half are faster", "rest")


def _shares(sheet, rows):
    panel = sheet.panel("Attempts by origin, share of all", 170)
    panel.linear(1, [])
    below = [0.0] * len(rows)
    names = {}
    # The sound one is at the bottom, where its growth is seen best.
    for origin in reversed(ORIGINS):
        above = [low + row.shares[origin] for low, row in zip(below, rows)]
        upper = "L".join(_steps(sheet, panel, above))
        lower = "L".join(reversed(_steps(sheet, panel, below)))
        sheet.add(f'<path class="o{origin}" d="M{upper}L{lower}Z"/>')
        names[origin] = panel.scale((below[-1] + above[-1]) / 2)
        below = above
    for share in (0, 50, 100):
        y = panel.scale(share / 100)
        sheet.line(_LEFT, y, _LEFT + _INNER, y, "grid")
        sheet.text(_LEFT - 7, y + 4, f"{share} %", anchor="end")
    for origin, y in names.items():
        panel.label(y + 4, f"origin {origin}" + (", sound throughout" if origin == 5 else ""), swatch=f"o{origin}")


def _steps(sheet, panel, values):
    """A level for each second, as points from left to right."""
    points = []
    for second, value in enumerate(values):
        y = panel.scale(min(1.0, value))
        points += [f"{sheet.x(second):.1f} {y:.1f}", f"{sheet.x(second + 1):.1f} {y:.1f}"]
    return points


def _axis(sheet):
    for second in range(0, sheet.seconds + 1, 10):
        sheet.text(sheet.x(second), sheet.bottom + 18, f"{second} s", anchor="middle")


def _marks(sheet, events):
    """What was done to the origins, over all panels."""
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
