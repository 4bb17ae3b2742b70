package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A kind of filter that comes with the gateway.
 *
 * @param name as the file has it: {@code set-request-header}
 * @param about what it does, in one sentence
 * @param settings in the order of the documentation
 * @param maker makes what runs, one filter for each phase; throws ConfigException with a setting's name as its key
 */
public record FilterKind(String name, String about, List<Key<?>> settings, Function<Settings, List<Filter>> maker) {
    private static final Key<Integer> ORDER =
            Key.number("order", 0).about("lower runs first, then the earlier one in the list");

    FilterKind(String name, String about, Function<Settings, List<Filter>> maker, Key<?>... settings) {
        this(
                name,
                about,
                Stream.<Key<?>>concat(Stream.of(settings), Stream.of(ORDER)).toList(),
                maker);
    }

    /** Whether there is nothing that must be said for it. */
    public boolean needsNothing() {
        return settings.stream().allMatch(key -> key.requires() == null);
    }

    /**
     * Makes a filter.
     *
     * @param config its settings; the name in it is not looked at
     * @param suffix is added to its name, to tell it from others in the same place; may be empty
     * @return what is to run, each in its phase; at least one
     * @throws ConfigException if the settings can't be used; its key is the setting's name
     */
    public List<Filter> make(FilterConfig config, String suffix) {
        return List.copyOf(maker.apply(new Settings(this, config, suffix)));
    }
}
