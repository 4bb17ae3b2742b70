package dev.lychgate.server.terminal;

import java.util.ArrayList;
import java.util.List;

/** The content of a screen: a headline, and sections with their rows. */
public final class Frame {
    private final List<Line> head = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();

    /** The color of a line. The color only repeats information that the text of the line contains. */
    enum Tone {
        PLAIN(""),
        HEADING("\033[1m"),
        TROUBLE("\033[1;31m");

        private final String begin;

        Tone(String begin) {
            this.begin = begin;
        }

        String paint(String line) {
            return begin.isEmpty() ? line : begin + line + "\033[0m";
        }
    }

    /** @param text the printable text, on one line */
    record Line(String text, Tone tone) {}

    private record Section(Line heading, List<Line> rows) {
        boolean isQuiet() {
            return rows.isEmpty();
        }
    }

    void head(String text, Tone tone) {
        head.add(new Line(text, tone));
    }

    void section(String heading) {
        sections.add(new Section(new Line(heading, Tone.HEADING), new ArrayList<>()));
    }

    /** Adds a section without rows. Such a section takes only one line. */
    void quiet(String heading) {
        sections.add(new Section(new Line(heading + ": none", Tone.PLAIN), List.of()));
    }

    /** Adds a row to the last section. */
    void row(String text, Tone tone) {
        sections.get(sections.size() - 1).rows().add(new Line(text, tone));
    }

    /**
     * Returns the lines that fit. If there are too many lines, the empty lines are removed first. Then the longest
     * sections are shortened, and the last line of each shortened section shows the number of missing rows.
     *
     * @param colour whether lines about problems have a color
     */
    public List<String> lines(int width, int height, boolean colour) {
        int[] shown =
                sections.stream().mapToInt(section -> section.rows().size()).toArray();
        boolean airy = height(shown, true) <= height;
        while (height(shown, airy) > height) {
            int longest = 0;
            for (int i = 1; i < shown.length; i++) {
                longest = shown[i] > shown[longest] ? i : longest;
            }
            if (shown.length == 0 || shown[longest] <= 1) {
                break;
            }
            shown[longest]--;
        }
        List<Line> lines = new ArrayList<>(head);
        for (int i = 0; i < shown.length; i++) {
            Section section = sections.get(i);
            int missing = section.rows().size() - shown[i];
            if (airy && isApart(i)) {
                lines.add(new Line("", Tone.PLAIN));
            }
            lines.add(section.heading());
            lines.addAll(section.rows().subList(0, missing == 0 ? shown[i] : shown[i] - 1));
            if (missing > 0) {
                lines.add(new Line("... " + (missing + 1) + " more", Tone.PLAIN));
            }
        }
        return lines.stream()
                .limit(height)
                .map(line -> new Line(Printable.cut(line.text(), width).stripTrailing(), line.tone()))
                .map(line -> colour ? line.tone().paint(line.text()) : line.text())
                .toList();
    }

    /** Returns whether an empty line precedes a section. No empty line separates two sections without rows. */
    private boolean isApart(int section) {
        return section == 0
                || !sections.get(section).isQuiet()
                || !sections.get(section - 1).isQuiet();
    }

    private int height(int[] shown, boolean airy) {
        int height = head.size();
        for (int i = 0; i < shown.length; i++) {
            height += (airy && isApart(i) ? 1 : 0) + 1 + shown[i];
        }
        return height;
    }
}
