package dev.lychgate.server.replay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A difference between two runs of an exchange.
 *
 * @param filter the stage and the name of the filter that ran differently; empty for the route, the upstream, the
 *     error or the response
 * @param part the part that differs, such as {@code outcome}, {@code status} or the name of a header field
 * @param before the value in the first run; null if the part was missing
 * @param after the value in the second run; null if the part is missing
 */
public record ReplayDifference(
        String filter,
        String part,
        @Nullable String before,
        @Nullable String after) {
    /** Returns whether the values of this part are safe to show, because they never contain data of clients. */
    boolean isPublic() {
        return switch (part) {
            case "outcome", "run", "route", "upstream", "error", "status", ":status" -> true;
            default -> false;
        };
    }

    /**
     * Returns the name of the group to which this difference belongs. The name contains no values that clients may have
     * sent.
     */
    String group() {
        return isPublic() ? part + ": " + values() : part + " differs";
    }

    private String values() {
        return Objects.requireNonNullElse(before, "none") + " -> " + Objects.requireNonNullElse(after, "none");
    }

    /** Returns the difference as a line of text. */
    @Override
    public String toString() {
        return (filter.isEmpty() ? "" : filter + ": ") + part + ": " + values();
    }
}
