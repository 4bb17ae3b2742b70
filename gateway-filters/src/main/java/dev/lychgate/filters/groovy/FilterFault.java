package dev.lychgate.filters.groovy;

import java.util.Comparator;

/**
 * One error of filter code, reported as one line of text.
 *
 * @param file the path of the file below the filter directory; the directory itself if the error belongs to no file
 * @param line the number of the line, from 1; 0 if the error belongs to the whole file
 * @param column the number of the column, from 1; 0 if the error belongs to the whole line
 * @param message the description of the error
 */
public record FilterFault(String file, int line, int column, String message) {
    static final Comparator<FilterFault> BY_POSITION = Comparator.comparing(FilterFault::file)
            .thenComparingInt(FilterFault::line)
            .thenComparingInt(FilterFault::column)
            .thenComparing(FilterFault::message);

    private static final int LONGEST = 600;

    public FilterFault {
        file = printable(file, LONGEST);
        line = Math.max(0, line);
        column = line == 0 ? 0 : Math.max(0, column);
        message = printable(message.strip(), LONGEST);
    }

    static FilterFault of(String file, String message) {
        return new FilterFault(file, 0, 0, message);
    }

    /** Returns {@code file:line:column: message}, without line and column if they are unknown. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + (column > 0 ? ":" + column : "") + ": " + message;
    }

    /**
     * Returns a text for terminals and logs: without control characters, and with at most {@code longest} characters.
     */
    public static String printable(String text, int longest) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), longest) + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (i == longest) {
                return clean.append("...").toString();
            }
            if (c == '\n' || c == '\r' || c == '\t') {
                clean.append(' ');
            } else {
                clean.append(Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c);
            }
        }
        return clean.toString();
    }
}
