package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterPhase;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the directory at the top of a file's path says about the file. */
enum PlaceInTree {
    INBOUND(FilterPhase.INBOUND, "inbound", "pre"),
    ENDPOINT(FilterPhase.ENDPOINT, "endpoint", "route"),
    OUTBOUND(FilterPhase.OUTBOUND, "outbound", "post"),
    ERROR(FilterPhase.ERROR, "error", "errors"),
    /** Classes that filters use, and no filters. */
    SHARED(null, "lib", "shared");

    private final @Nullable FilterPhase phase;
    private final String name;
    private final String alias;

    PlaceInTree(@Nullable FilterPhase phase, String name, String alias) {
        this.phase = phase;
        this.name = name;
        this.alias = alias;
    }

    static @Nullable PlaceInTree of(String path) {
        int slash = path.indexOf('/');
        String top = slash < 0 ? "" : path.substring(0, slash);
        for (PlaceInTree place : values()) {
            if (top.equals(place.name) || top.equals(place.alias)) {
                return place;
            }
        }
        return null;
    }

    /** When filters in this place run; null where there are none. */
    @Nullable
    FilterPhase phase() {
        return phase;
    }

    /** All names of places, for messages. */
    static String names() {
        return Stream.of(values())
                .flatMap(place -> Stream.of(place.name, place.alias))
                .collect(Collectors.joining(", "));
    }

    /** A phase as messages have it. */
    static String name(FilterPhase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }
}
