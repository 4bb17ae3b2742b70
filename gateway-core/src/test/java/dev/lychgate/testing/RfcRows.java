package dev.lychgate.testing;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Rows for a test with different sections in its rows: first the section in the form of {@link Rfc}, then the text. Its display
 * name is {@code @ParameterizedTest(name = "RFC {0}: {1}")}.
 */
public final class RfcRows implements Iterable<Arguments> {
    private final List<Arguments> rows = new ArrayList<>();

    private RfcRows() {}

    /** A row for each of {@code texts}, all of which hold {@code section}. */
    public static RfcRows under(String section, String... texts) {
        return new RfcRows().and(section, texts);
    }

    /** Further rows, which hold {@code section}. */
    public RfcRows and(String section, String... texts) {
        for (String text : texts) {
            rows.add(arguments(section, text));
        }
        return this;
    }

    @Override
    public Iterator<Arguments> iterator() {
        return List.copyOf(rows).iterator();
    }
}
