package dev.lychgate.server.yaml;

import dev.lychgate.filters.groovy.FilterFault;
import java.util.Comparator;

/**
 * One thing wrong with a configuration file, fit for one line of a terminal.
 *
 * @param file the file as the user named it
 * @param line counted from 1; 0 where the file as a whole is meant
 * @param column counted from 1, in characters
 * @param key the path of the key, such as {@code routes[2].timeouts.connect}; empty where no key is meant
 * @param problem the refused value, or what is wrong
 * @param expected what would have been accepted; empty where the problem says it all
 */
public record Fault(String file, int line, int column, String key, String problem, String expected) {
    static final Comparator<Fault> BY_POSITION = Comparator.comparing(Fault::file)
            .thenComparingInt(Fault::line)
            .thenComparingInt(Fault::column)
            .thenComparing(Fault::key);

    private static final int LONGEST = 400;

    public Fault {
        problem = printable(problem);
        expected = printable(expected);
        key = printable(key);
    }

    /** {@code file:line:column: key: value (expected: what)}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(file);
        if (line > 0) {
            text.append(':').append(line).append(':').append(column);
        }
        text.append(": ");
        if (!key.isEmpty()) {
            text.append(key).append(": ");
        }
        text.append(problem);
        if (!expected.isEmpty()) {
            text.append(" (expected: ").append(expected).append(')');
        }
        return text.toString();
    }

    private static String printable(String text) {
        return FilterFault.printable(text.replace("\n", "\\n").replace("\t", "\\t"), LONGEST);
    }
}
