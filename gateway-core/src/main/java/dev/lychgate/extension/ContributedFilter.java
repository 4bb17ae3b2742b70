package dev.lychgate.extension;

import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.filter.Filter;

/**
 * A kind of filter that an extension contributes. In the configuration, the filter is listed like a built-in filter:
 * {@code name: { settings }}.
 *
 * @param name the name in the configuration, such as {@code cel}
 * @param about one sentence in Markdown, without an initial capital and without a full stop
 * @param keys the settings; no key may have a nested section as its value
 * @param maker creates the filter
 * @param <O> the object that {@link Extension#open} returned
 * @param <F> the record of the settings; its constructor validates the values
 */
public record ContributedFilter<O, F>(String name, String about, Keys<F> keys, Maker<O, F> maker) {
    /** The setting {@code order}, which built-in filters also have; see {@link Filter#order}. */
    public static final Key<Integer> ORDER = Key.number("order", 0)
            .about("filters of a lower order run first; filters of the same order run in the" + " order of the list");

    /** Creates a filter for one entry in the configuration. */
    public interface Maker<O, F> {
        /**
         * Returns a new filter.
         *
         * @param name the {@link Filter#name}, which is unique in the list that contains the filter
         * @throws dev.lychgate.config.ConfigException if a value is refused; the key of the exception is the name of
         *     the setting
         * @throws Exception if the filter cannot do its work; the generation is refused
         */
        Filter make(O opened, F settings, String name) throws Exception;
    }
}
