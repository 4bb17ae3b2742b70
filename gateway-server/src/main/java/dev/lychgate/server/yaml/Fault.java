package dev.lychgate.server.yaml;

import dev.lychgate.config.KnownSecrets;
import dev.lychgate.filters.groovy.FilterFault;
import java.util.Comparator;

/**
 * One error of a configuration file, reported as one line of text.
 *
 * @param file the file in the form in which the user named it
 * @param line counted from 1; 0 for the whole file
 * @param column counted from 1, in characters; 0 for the whole line
 * @param key the path of the key, such as {@code routes[2].timeouts.connect}; empty for no particular key
 * @param problem the refused value, or a description of the error
 * @param expected the accepted values; empty if the problem implies them
 */
public record Fault(String file, int line, int column, String key, String problem, String expected) {
    static final Comparator<Fault> BY_POSITION = Comparator.comparing(Fault::file)
            .thenComparingInt(Fault::line)
            .thenComparingInt(Fault::column)
            .thenComparing(Fault::key);

    private static final int LONGEST = 600;

    public Fault {
        // A message of a filter or of a library may repeat a refused value.
        problem = printable(KnownSecrets.OF_PROCESS.hide(problem));
        expected = printable(KnownSecrets.OF_PROCESS.hide(expected));
        key = printable(key);
    }

    public static Fault of(FilterFault fault) {
        return new Fault(fault.file(), fault.line(), fault.column(), "", fault.message(), "");
    }

    /** Returns {@code file:line:column: key: value (expected: values)}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(file);
        if (line > 0) {
            text.append(':').append(line).append(column > 0 ? ":" + column : "");
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
