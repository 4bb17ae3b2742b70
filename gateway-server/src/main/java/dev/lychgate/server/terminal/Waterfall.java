package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;
import static dev.lychgate.server.terminal.Printable.left;
import static dev.lychgate.server.terminal.Printable.right;

import java.util.ArrayList;
import java.util.List;

/**
 * Draws spans of time below each other, on one time scale. A duration is a bar of {@code =}; a duration that is too
 * short to measure is a {@code |}.
 */
final class Waterfall {
    /**
     * A span of time within an exchange: a line of its waterfall.
     *
     * @param label the name of the span, indented below the span that contains it
     * @param rank order of spans that start at the same time, the smallest first
     * @param start start in milliseconds from the request head
     * @param length length in milliseconds
     * @param remark a word about the outcome; empty for none
     */
    record Span(String label, int rank, double start, double length, String remark, List<String> below) {
        double end() {
            return start + length;
        }
    }

    private static final int LABEL = 22;
    private static final int LONGEST_LABEL = 48;
    private static final int FIGURE = 9;
    private static final int REMARK = 12;
    private static final int SHORTEST_BAR = 10;

    private final int label;
    private final int bar;
    private final int figures;
    private final double total;

    private Waterfall(int width, double total) {
        this.total = total;
        this.figures = Math.max(FIGURE, figure(total, 3).length());
        // The labels get a third of the extra columns of a wide terminal, and the bars get the rest.
        this.label = Math.max(LABEL, Math.min(LONGEST_LABEL, LABEL + (width - 80) / 3));
        this.bar = Math.max(SHORTEST_BAR, width - label - REMARK - 2 * figures - 4);
    }

    /**
     * Draws the spans.
     *
     * @param total duration of the exchange in milliseconds. The bars scale to this duration or to the latest end of a
     *     span, whichever is later
     * @param width number of columns of a line; a line with a long number or remark is longer
     */
    static List<String> draw(List<Span> spans, double total, int width) {
        double latest = spans.stream().mapToDouble(Span::end).max().orElse(0);
        Waterfall waterfall = new Waterfall(width, Math.max(total, latest));
        List<String> lines = new ArrayList<>();
        lines.add(waterfall.line("", " ".repeat(waterfall.bar), "start ms", "ms", ""));
        for (Span span : spans) {
            lines.add(waterfall.line(
                    span.label(),
                    waterfall.bar(span),
                    figure(span.start(), 3),
                    figure(span.length(), 3),
                    span.remark()));
            span.below().forEach(text -> lines.add("    " + text));
        }
        return lines;
    }

    private String line(String text, String drawn, String start, String length, String remark) {
        String line = left(text, label) + " " + drawn + " " + right(start, figures) + " " + right(length, figures) + " "
                + remark;
        return line.stripTrailing();
    }

    private String bar(Span span) {
        int from = Math.min(column(span.start()), bar - 1);
        if (span.length() <= 0) {
            return " ".repeat(from) + "|" + " ".repeat(bar - from - 1);
        }
        // At least one column, so that even the shortest span is visible.
        int to = Math.max(from + 1, column(span.end()));
        return " ".repeat(from) + "=".repeat(to - from) + " ".repeat(bar - to);
    }

    private int column(double millis) {
        if (total <= 0) {
            return 0;
        }
        return (int) Math.max(0, Math.min(bar, Math.round(millis / total * bar)));
    }
}
