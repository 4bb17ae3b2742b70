package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.List;

/** The cache, as lines for a terminal. */
public final class CacheText {
    private CacheText() {}

    /** Shows the result of a purge. @param page as {@code /cache/purge} returns it */
    public static List<String> purge(JsonValue page) {
        double removed = page.number("removed");
        return List.of("removed " + figure(removed, 0) + (removed == 1 ? " stored response" : " stored responses"));
    }
}
