"""Charts as SVG without scripts, fonts or links, with light and dark colors."""

import math
from xml.sax.saxutils import escape

_WIDTH, _LEFT, _RIGHT = 1000, 58, 214
_TOP, _GAP = 62, 46
_INNER = _WIDTH - _LEFT - _RIGHT

# By class name: light, dark.
COLOURS = {
    "blue": ("#3b74b4", "#6ea6e0"),
    "orange": ("#e0741c", "#f09a4e"),
    "plum": ("#a0357a", "#d878b4"),
    "green": ("#2e8540", "#5cbf70"),
    "rest": ("#6b7280", "#9aa3b0"),
    "back": ("#ffffff", "#14171c"),
    "ink": ("#1f2430", "#e4e7ec"),
    "dim": ("#5c6470", "#a3abb8"),
}
_LINES = {"grid": ("#e3e6ea", "#2b313a"), "mark": ("#9aa1ac", "#6c7582")}


def _style(colours):
    def rules(which):
        fills = [f".{name}{{fill:{both[which]}}}" for name, both in colours.items()]
        strokes = [f".s-{name}{{stroke:{both[which]}}}" for name, both in {**colours, **_LINES}.items()]
        return "".join(fills + strokes)

    text = "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}.t{font-weight:600}"
    return f"<style>{text}path.l{{fill:none}}{rules(0)}@media (prefers-color-scheme:dark){{{rules(1)}}}</style>"


class Sheet:
    """Vertically stacked panels with a common axis from ``least`` to ``most``."""

    def __init__(self, least, most, title, subtitle="", colours=None):
        self.least, self.most = least, most
        self.title = title
        self.colours = colours or COLOURS
        self.parts = []
        self.panels = []
        self.bottom = _TOP
        self.text(_LEFT, 26, title, "ink", title=True)
        self.text(_LEFT + 20 + 7 * len(title), 26, subtitle)

    def x(self, value):
        return _LEFT + _INNER * (value - self.least) / (self.most - self.least)

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, words, kind="dim", anchor="start", title=False):
        weight = " t" if title else ""
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}{weight}" text-anchor="{anchor}">{escape(words)}</text>')

    def line(self, x1, y1, x2, y2, kind, dash=""):
        more = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<path class="l s-{kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"{more}/>')

    def panel(self, title, height):
        panel = Panel(self, self.bottom + _GAP, height)
        self.bottom += _GAP + height
        self.panels.append(panel)
        self.text(_LEFT, panel.top - 10, title, "ink", title=True)
        return panel

    def axis(self, ticks):
        """(value, label) below the last panel."""
        for value, words in ticks:
            self.text(self.x(value), self.bottom + 18, words, anchor="middle")

    def svg(self, description):
        height = self.bottom + 36
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
            f'aria-label="{escape(self.title)}: {escape(description)}">\n'
            f"{_style(self.colours)}\n"
            f'<rect class="back" width="{_WIDTH}" height="{height}"/>\n' + "\n".join(self.parts) + "\n</svg>\n"
        )


class Panel:
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
            self.tick(tick, f"{tick:g}{unit}")

    def tick(self, value, words):
        y = self.scale(value)
        self.sheet.line(_LEFT, y, _LEFT + _INNER, y, "grid")
        self.sheet.text(_LEFT - 7, y + 4, words, anchor="end")

    def curve(self, points, kind, width=2):
        """(x, y); None as y leaves a gap."""
        path, pen = "", "M"
        for x, y in points:
            if y is None:
                pen = "M"
                continue
            path += f"{pen}{self.sheet.x(x):.1f} {self.scale(y):.1f}"
            pen = "L"
        self.sheet.add(f'<path class="l s-{kind}" stroke-width="{width}" stroke-linejoin="round" d="{path}"/>')

    def dots(self, points, kind):
        for x, y in points:
            if y is not None:
                self.sheet.add(f'<circle class="{kind}" cx="{self.sheet.x(x):.1f}" cy="{self.scale(y):.1f}" r="3"/>')

    def bars(self, second, stack):
        """(color, value) from bottom to top."""
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


def nice(most, steps=3):
    """Ticks from 0, and the end of the scale."""
    most = max(most, 1)
    step = 10 ** math.floor(math.log10(most / steps))
    step *= next(factor for factor in (1, 2, 5, 10) if factor * step * steps >= most)
    step = max(1, step)
    ticks = [step * number for number in range(math.ceil(most / step) + 1)]
    return ticks, ticks[-1]


def times(seconds):
    """(seconds per unit, unit, ticks) for an axis of this length."""
    unit, name = (60, "minutes") if seconds >= 180 else (1, "seconds")
    return unit, name, [(tick, f"{tick:g}") for tick in nice(seconds / unit, 6)[0] if tick <= seconds / unit]


# In the order of their assignment to series.
_SERIES = ("blue", "orange", "plum", "green", "rest", "ink")


def lines(title, subtitle, axis, panels, x_ticks=None):
    """Curves over one axis. ``panels``: (title, {series name: [(x, y or None)]}, height); a series has the same color in
    all panels. ``axis``: label of x; ``x_ticks``: (x, label), by default every x of the points."""
    names = list(dict.fromkeys(name for _, series, _ in panels for name in series))
    points = [point for _, series, _ in panels for several in series.values() for point in several]
    xs = sorted({x for x, _ in points})
    if not xs:
        raise ValueError(f"{title}: nothing to draw")
    sheet = Sheet(xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1, title, subtitle)
    for words, series, height in panels:
        panel = sheet.panel(words, height)
        ticks, most = nice(max((y for several in series.values() for _, y in several if y is not None), default=1))
        panel.linear(most, ticks)
        y = panel.top + 12
        for name, several in series.items():
            kind = _SERIES[names.index(name) % len(_SERIES)]
            panel.curve(several, kind)
            if len(several) <= 30:
                panel.dots(several, kind)
            panel.label(y, name, swatch=kind)
            y += 19
    sheet.axis(x_ticks or [(x, f"{x:g}") for x in xs])
    sheet.text(_LEFT + _INNER + 34, sheet.bottom + 18, axis)
    return sheet.svg(", ".join(words for words, _, _ in panels))
