package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A kind of built-in filter.
 *
 * @param name the name in the configuration, such as {@code set-request-header}
 * @param about the description, in one sentence
 * @param settings the settings, in the order of the documentation
 * @param maker creates the filters, one for each phase. If a setting is refused, throws a ConfigException with the name
 *     of the setting as its key
 */
public record FilterKind(String name, String about, List<Key<?>> settings, Function<Settings, List<Filter>> maker) {
    private static final Key<Integer> ORDER = Key.number("order", 0)
            .about("filters of a lower order run first; filters of the same order run in the" + " order of the list");

    FilterKind(String name, String about, Function<Settings, List<Filter>> maker, Key<?>... settings) {
        this(
                name,
                about,
                Stream.<Key<?>>concat(Stream.of(settings), Stream.of(ORDER)).toList(),
                maker);
    }

    public boolean needsNothing() {
        return settings.stream().allMatch(key -> key.requires() == null);
    }

    /**
     * Creates the filters of one entry.
     *
     * @param config the settings; {@link FilterConfig#name} is ignored
     * @param suffix the end of the filter's name, which distinguishes the filter from all other filters in its list;
     *     may be empty
     * @return the filters to run, each in its phase; at least one
     * @throws ConfigException if the settings are refused; the key of the exception is the name of the setting
     */
    public List<Filter> make(FilterConfig config, String suffix) {
        return List.copyOf(maker.apply(new Settings(this, config, suffix)));
    }
}
