package dev.lychgate.server.extensions;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.limit.BucketStore;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters that extensions contribute to one generation. The filters and the shared object of each extension are
 * closed after the last exchange of the generation, or by {@link #close}.
 */
public final class Contributions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Contributions.class);
    private static final String FILTER = "filter ";

    /** Maps each contribution, as {@link OpenExtension#contributions} names it, to its extension. */
    private final Map<String, Part<?>> parts = new LinkedHashMap<>();

    private final GenerationObjects objects;
    private @Nullable BucketStore buckets;
    private @Nullable String storing;

    private record Part<O>(OpenExtension extension, O opened) {
        @SuppressWarnings("unchecked")
        Filter make(ContributedFilter<?, ?> filter, FilterConfig config, String suffix) throws Exception {
            return made((ContributedFilter<O, ?>) filter, config, filter.name() + suffix);
        }

        @SuppressWarnings("unchecked")
        Authenticator make(ContributedAuthenticator<?, ?> authenticator, FilterConfig config) throws Exception {
            return made((ContributedAuthenticator<O, ?>) authenticator, config);
        }

        private <F> Authenticator made(ContributedAuthenticator<O, F> kind, FilterConfig config) throws Exception {
            F settings = kind.keys().read(PlainValues.of(config.settings()));
            return Objects.requireNonNull(kind.maker().make(opened, settings, kind.name()), "no authenticator");
        }

        private <F> Filter made(ContributedFilter<O, F> kind, FilterConfig config, String name) throws Exception {
            F settings = kind.keys().read(PlainValues.of(config.settings()));
            return Objects.requireNonNull(kind.maker().make(opened, settings, name), "no filter");
        }
    }

    private Contributions(GenerationObjects objects) {
        this.objects = objects;
    }

    /**
     * Opens the extensions of a configuration.
     *
     * @param objects the objects of the generation
     * @throws ConfigException if an extension can't be used; the key of the exception is the path from the top
     */
    public static Contributions open(Map<String, ExtensionConfig> configs, GenerationObjects objects) {
        Contributions all = new Contributions(objects);
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
            for (String each : extension.contributions()) {
                Part<?> other = parts.put(each, part);
                if (other != null) {
                    String kind = each.substring(0, each.indexOf(' '));
                    throw new ConfigException(
                            key,
                            each,
                            "a unique " + kind + " name; extension "
                                    + other.extension().name() + " already uses this name");
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
        // Registered even if the object can't be closed, so that a rollback reopens the extension with the current
        // content of the files that its settings name.
        AutoCloseable close = opened instanceof AutoCloseable closeable ? closeable : () -> {};
        objects.atEnd(source(extension), "close() of " + opened.getClass().getName(), close);
        if (opened instanceof BucketStore store) {
            if (buckets != null) {
                throw new ConfigException(
                        "extensions." + extension.name(),
                        "has a store of rate limits",
                        "at most one extension with such a store; extension " + storing + " also has one");
            }
            buckets = store;
            storing = extension.name();
        }
        return new Part<>(extension, opened);
    }

    private static String source(OpenExtension extension) {
        return "extension " + extension.name();
    }

    /**
     * Converts a failure to an exception. For a refused value, the exception contains the full path of the value. For
     * any other failure, it describes the failure in one line.
     */
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

    /** Returns the store for rate limits that several gateways share; null if no extension contributes such a store. */
    public @Nullable BucketStore buckets() {
        return buckets;
    }

    /** Returns the names of all contributed filters. */
    public Set<String> names() {
        return parts.keySet().stream()
                .filter(each -> each.startsWith(FILTER))
                .map(each -> each.substring(FILTER.length()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Creates a filter.
     *
     * @param where the place of the filter in the configuration
     * @param suffix a text that is added to the name of the filter
     * @return null if no extension contributes a filter of that name
     * @throws ConfigException if the filter can't be created; the key of the exception is the path from the top
     */
    public @Nullable List<Filter> make(FilterConfig config, String where, String suffix) {
        Part<?> part = parts.get(FILTER + config.name());
        ContributedFilter<?, ?> kind =
                part == null ? null : part.extension().filters().get(config.name());
        return part == null || kind == null ? null : List.of(made(part, kind, config, where, suffix));
    }

    private Filter made(Part<?> part, ContributedFilter<?, ?> kind, FilterConfig config, String where, String suffix) {
        try {
            Filter made = part.make(kind, config, suffix);
            objects.load(source(part.extension()), made);
            return made;
        } catch (Exception | LinkageError e) {
            throw refused(where + "." + config.name(), e);
        }
    }

    /**
     * Creates an authorizer in the way in which {@link #make} creates a filter.
     *
     * @return null if no extension contributes an authorizer of that name
     */
    public @Nullable Filter authorizer(FilterConfig config, String where, String suffix) {
        Part<?> part = parts.get("authorizer " + config.name());
        ContributedFilter<?, ?> kind =
                part == null ? null : part.extension().authorizers().get(config.name());
        return part == null || kind == null ? null : made(part, kind, config, where, suffix);
    }

    /**
     * Creates an authenticator.
     *
     * @param where the place of the authenticator in the configuration
     * @return null if no extension contributes an authenticator of that name
     * @throws ConfigException if the authenticator can't be created; the key of the exception is the path from the top
     */
    public @Nullable Authenticator authenticator(FilterConfig config, String where) {
        Part<?> part = parts.get("authenticator " + config.name());
        ContributedAuthenticator<?, ?> kind =
                part == null ? null : part.extension().authenticators().get(config.name());
        if (part == null || kind == null) {
            return null;
        }
        try {
            Authenticator made = part.make(kind, config);
            if (made instanceof AutoCloseable closeable) {
                objects.atEnd(
                        source(part.extension()),
                        "close() of " + made.getClass().getName(),
                        closeable);
            }
            return made;
        } catch (Exception | LinkageError e) {
            throw refused(where + "." + config.name(), e);
        }
    }

    /** Returns the name of the extension that contributes a filter; null if no extension contributes the filter. */
    public static @Nullable String extensionOf(Filter filter) {
        return ExtensionLoader.extensionOf(filter.definedIn());
    }

    /**
     * Closes the objects of the generation, and waits a limited time until they are closed. Must not be called while
     * exchanges use the filters.
     */
    @Override
    public void close() {
        try {
            objects.end().get(GenerationObjects.CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "extensions: not all objects were closed within {} ms; the remaining objects may hold resources",
                    GenerationObjects.CLOSE_LIMIT.toMillis());
        }
    }
}
