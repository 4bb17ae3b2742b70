package dev.lychgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is said of filters for the gateway as a whole.
 *
 * @param directory where filters in source form lie; null = nowhere. A path of the file system, which a reader of files has
 *     resolved against the place of its file
 * @param global filters that run for every request, in this order where their own order is the same
 * @param guard what is done about filters that hold an event loop
 */
public record FiltersConfig(@Nullable String directory, List<FilterConfig> global, FilterGuard guard) {
    /** No filters, and the default guard. */
    public static final FiltersConfig DEFAULT = new FiltersConfig(null, List.of(), FilterGuard.DEFAULT);

    public FiltersConfig {
        Expect.that(directory == null || !directory.isBlank(), "directory", String.valueOf(directory), "a path");
        global = Expect.copy(global);
    }

    /** Filters that run for every request, with every default. */
    public static FiltersConfig global(FilterConfig... filters) {
        return new FiltersConfig(null, List.of(filters), FilterGuard.DEFAULT);
    }
}
