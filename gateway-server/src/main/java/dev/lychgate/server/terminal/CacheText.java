package dev.lychgate.server.terminal;

import dev.lychgate.config.Quantity;
import java.util.List;

/** The cache, as lines for a terminal. */
public final class CacheText {
    private CacheText() {}

    /**
     * Shows the result of a purge.
     *
     * @param page the response of {@code /cache/purge}
     */
    public static List<String> purge(JsonValue page) {
        return List.of("removed " + Quantity.of(Math.round(page.number("removed")), "stored response"));
    }
}
