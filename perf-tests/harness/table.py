"""Rows of figures as text and Markdown tables."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    title: str
    shape: str
    figure: str
    # Divisor for display.
    scale: float = 1.0

    @property
    def width(self):
        return max(len(self.title), int(self.shape.lstrip("{:<>").split(".")[0].rstrip(",d%}")))

    @property
    def left(self):
        return "<" in self.shape

    def cell(self, row):
        value = row.get(self.figure)
        if value is None:
            return "-"
        return self.shape.format(value / self.scale if self.scale != 1.0 else value).strip()

    def aligned(self, text):
        return text.ljust(self.width) if self.left else text.rjust(self.width)


def header(columns):
    return "  ".join(column.aligned(column.title) for column in columns)


def line(columns, row):
    return "  ".join(column.aligned(column.cell(row)) for column in columns)


def markdown(columns, rows):
    out = ["| " + " | ".join(column.title for column in columns) + " |"]
    out.append("|" + "|".join("---" if column.left else "---:" for column in columns) + "|")
    out += ["| " + " | ".join(column.cell(row) for column in columns) + " |" for row in rows]
    return out
