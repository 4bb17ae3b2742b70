package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterPhase;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The purpose of a file, which the top directory of its path determines. */
enum PlaceInTree {
    INBOUND(FilterPhase.INBOUND, "inbound", "pre"),
    ENDPOINT(FilterPhase.ENDPOINT, "endpoint", "route"),
    OUTBOUND(FilterPhase.OUTBOUND, "outbound", "post"),
    ERROR(FilterPhase.ERROR, "error", "errors"),
    /** The directory for classes that filters share. It contains no filters. */
    SHARED(null, "lib", "shared");

    /** A directory whose subdirectories are separate filter directories. */
    static final String BUNDLES = "bundles/";

    private final @Nullable FilterPhase phase;
    private final String name;
    private final String alias;

    PlaceInTree(@Nullable FilterPhase phase, String name, String alias) {
        this.phase = phase;
        this.name = name;
        this.alias = alias;
    }

    /**
     * Returns the prefix of the paths in the bundle to which a file belongs, such as {@code bundles/orders/}; empty
     * outside of bundles.
     */
    static String bundle(String path) {
        int slash = path.startsWith(BUNDLES) ? path.indexOf('/', BUNDLES.length()) : -1;
        return path.substring(0, slash + 1);
    }

    static @Nullable PlaceInTree of(String fullPath) {
        String path = fullPath.substring(bundle(fullPath).length());
        int slash = path.indexOf('/');
        String top = slash < 0 ? "" : path.substring(0, slash);
        for (PlaceInTree place : values()) {
            if (top.equals(place.name) || top.equals(place.alias)) {
                return place;
            }
        }
        return null;
    }

    /** Returns the phase of the filters in this directory; null if the directory contains no filters. */
    @Nullable
    FilterPhase phase() {
        return phase;
    }

    /** Returns the names of all directories, for messages. */
    static String names() {
        return Stream.of(values())
                .flatMap(place -> Stream.of(place.name, place.alias))
                .collect(Collectors.joining(", "));
    }

    /** Returns the name of a phase, for messages. */
    static String name(FilterPhase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }
}
