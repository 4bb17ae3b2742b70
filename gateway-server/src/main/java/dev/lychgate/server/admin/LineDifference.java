package dev.lychgate.server.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * The difference between two texts, line by line. Common lines at the beginning and the end are unchanged. Of the lines
 * in the middle, the longest common subsequence is unchanged. If this subsequence would be too expensive to compute,
 * all lines in the middle count as changed.
 */
final class LineDifference {
    /**
     * The maximum number of cells in the table that determines the longest common subsequence. The maximum suffices for
     * two texts of 1,000 lines without a common line.
     */
    private static final long MOST_WORK = 1_000_000;

    private static final int CONTEXT = 2;

    private LineDifference() {}

    /**
     * Returns the changed lines with a leading minus or plus, and the lines around them with a leading blank;
     * {@code ...} replaces omitted lines.
     */
    static List<String> between(String from, String to) {
        List<String> all = all(from.lines().toList(), to.lines().toList());
        List<String> shown = new ArrayList<>();
        boolean gap = false;
        for (int i = 0; i < all.size(); i++) {
            if (isNear(all, i)) {
                if (gap) {
                    shown.add("...");
                    gap = false;
                }
                shown.add(all.get(i));
            } else {
                gap = true;
            }
        }
        if (gap && !shown.isEmpty()) {
            shown.add("...");
        }
        return shown;
    }

    private static boolean isNear(List<String> all, int line) {
        int end = Math.min(all.size() - 1, line + CONTEXT);
        for (int i = Math.max(0, line - CONTEXT); i <= end; i++) {
            if (all.get(i).charAt(0) != ' ') {
                return true;
            }
        }
        return false;
    }

    private static List<String> all(List<String> a, List<String> b) {
        int begin = 0;
        while (begin < a.size() && begin < b.size() && a.get(begin).equals(b.get(begin))) {
            begin++;
        }
        int end = 0;
        while (end < a.size() - begin
                && end < b.size() - begin
                && a.get(a.size() - 1 - end).equals(b.get(b.size() - 1 - end))) {
            end++;
        }
        List<String> lines = new ArrayList<>();
        a.subList(0, begin).forEach(line -> lines.add(" " + line));
        middle(a.subList(begin, a.size() - end), b.subList(begin, b.size() - end), lines);
        a.subList(a.size() - end, a.size()).forEach(line -> lines.add(" " + line));
        return lines;
    }

    private static void middle(List<String> a, List<String> b, List<String> lines) {
        if ((long) a.size() * b.size() > MOST_WORK) {
            a.forEach(line -> lines.add("-" + line));
            b.forEach(line -> lines.add("+" + line));
            return;
        }
        int[][] longest = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                longest[i][j] = a.get(i).equals(b.get(j))
                        ? longest[i + 1][j + 1] + 1
                        : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                lines.add(" " + a.get(i));
                i++;
                j++;
            } else if (j == b.size() || (i < a.size() && longest[i + 1][j] >= longest[i][j + 1])) {
                lines.add("-" + a.get(i++));
            } else {
                lines.add("+" + b.get(j++));
            }
        }
    }
}
