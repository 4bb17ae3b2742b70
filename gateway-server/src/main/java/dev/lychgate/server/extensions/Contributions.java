package dev.lychgate.server.extensions;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import dev.lychgate.filter.Filter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the extensions of one generation contribute. The shared object of an extension is closed when this object and all
 * filters that were made with it are unreachable, or by {@link #close}.
 */
public final class Contributions implements AutoCloseable {
    private final Map<String, Part<?>> filters = new LinkedHashMap<>();
    private final Map<String, Part<?>> parts = new LinkedHashMap<>();

    private record Part<O>(OpenExtension extension, O opened, Lease lease) {
        @SuppressWarnings("unchecked")
        Filter make(ContributedFilter<?, ?> filter, FilterConfig config, String suffix) throws Exception {
            return make((ContributedFilter<O, ?>) filter, config, filter.name() + suffix, lease);
        }

        private <F> Filter make(ContributedFilter<O, F> kind, FilterConfig config, String name, Lease kept)
                throws Exception {
            F settings = kind.keys().read(PlainValues.of(config.settings()));
            Filter made = Objects.requireNonNull(kind.maker().make(opened, settings, name), "no filter");
            kept.heldBy(made);
            return made;
        }
    }

    private Contributions() {}

    /**
     * Opens the extensions of a configuration.
     *
     * @throws ConfigException if one cannot be used; its key is the path from the top
     */
    public static Contributions open(Map<String, ExtensionConfig> configs) {
        Contributions all = new Contributions();
        try {
            configs.values().forEach(all::add);
            return all;
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    private void add(ExtensionConfig config) {
        String key = "extensions." + config.name();
        try {
            OpenExtension extension = OpenExtension.of(config);
            Part<?> part = part(extension, extension.extension(), config);
            parts.put(config.name(), part);
            for (String filter : extension.filters().keySet()) {
                Part<?> other = filters.put(filter, part);
                if (other != null) {
                    throw new ConfigException(
                            key,
                            "filter " + filter,
                            "a unique filter name; " + other.extension().name() + " has it");
                }
            }
        } catch (ExtensionException e) {
            throw new ConfigException(key, e.problem(), e.expected());
        } catch (Exception | LinkageError e) {
            throw refused(key, e);
        }
    }

    private <S, O> Part<O> part(OpenExtension extension, Extension<S, O> code, ExtensionConfig config)
            throws Exception {
        S settings = code.keys().read(PlainValues.of(config.settings()));
        O opened = Objects.requireNonNull(code.open(settings), "open() returned null");
        Lease lease = new Lease(config.name(), opened);
        lease.heldBy(this);
        return new Part<>(extension, opened, lease);
    }

    /** A refused value with the path of its key, or a failure in one line. */
    private static ConfigException refused(String path, Throwable e) {
        if (e instanceof ConfigException refused) {
            return refused.key().startsWith(path)
                    ? refused
                    : new ConfigException(path + "." + refused.key(), refused.value(), refused.expected());
        }
        ConfigException failed =
                new ConfigException(path, OpenExtension.cause(e), "settings that the extension accepts");
        failed.initCause(e);
        return failed;
    }

    /** Returns the names of all contributed filters. */
    public Set<String> names() {
        return filters.keySet();
    }

    /**
     * Makes a filter.
     *
     * @param where its place in the configuration
     * @param suffix is added to its name
     * @return null if no extension contributes a filter of that name
     * @throws ConfigException if the filter cannot be made; its key is the path from the top
     */
    public @Nullable List<Filter> make(FilterConfig config, String where, String suffix) {
        Part<?> part = filters.get(config.name());
        ContributedFilter<?, ?> kind =
                part == null ? null : part.extension().filters().get(config.name());
        if (part == null || kind == null) {
            return null;
        }
        try {
            return List.of(part.make(kind, config, suffix));
        } catch (Exception | LinkageError e) {
            throw refused(where + "." + config.name(), e);
        }
    }

    /** Returns the name of the extension that a filter is from; null if it is from none. */
    public static @Nullable String extensionOf(Filter filter) {
        return ExtensionLoader.extensionOf(filter.definedIn());
    }

    /** Closes the shared objects. No exchange may use a filter any more. */
    @Override
    public void close() {
        parts.values().forEach(part -> part.lease().close());
    }
}
