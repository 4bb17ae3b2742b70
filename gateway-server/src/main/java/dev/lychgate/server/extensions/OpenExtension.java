package dev.lychgate.server.extensions;

import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.ContributedStore;
import dev.lychgate.extension.Extension;
import dev.lychgate.filters.builtin.BuiltinFilters;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An extension with its classes. All configurations and generations that use an unchanged jar share one object. The
 * object may be discarded when no configuration or generation uses it.
 */
public final class OpenExtension {
    /** The open extensions, by the path and the state of their jars. */
    private static final Map<ExtensionConfig.Source, WeakReference<OpenExtension>> OPEN = new ConcurrentHashMap<>();

    /**
     * The gateway's own keys in the section {@code authenticate}. Because the name of an authenticator can also be a
     * key in this section, no authenticator may have one of these names.
     */
    private static final Set<String> KEYS_OF_SECTION = Set.of("optional", "any-of", "claims-to-headers");

    private final String name;
    private final ExtensionConfig.Source source;
    private final Extension<?, ?> extension;
    private final Keys<?> keys;
    private final Map<String, ContributedFilter<?, ?>> filters = new LinkedHashMap<>();
    private final Map<String, ContributedAuthenticator<?, ?>> authenticators = new LinkedHashMap<>();
    private final Map<String, ContributedFilter<?, ?>> authorizers = new LinkedHashMap<>();
    private final Map<String, ContributedStore<?>> stores = new LinkedHashMap<>();

    private OpenExtension(String name, ExtensionConfig.Source source, Extension<?, ?> extension)
            throws ExtensionException {
        this.name = name;
        this.source = source;
        this.extension = extension;
        this.keys = declared("keys", extension::keys);
        for (ContributedFilter<?, ?> filter : declared("filters", extension::filters)) {
            if (BuiltinFilters.find(filter.name()) != null || filters.put(filter.name(), filter) != null) {
                throw new ExtensionException(
                        "extension " + name + " contributes the filter " + filter.name()
                                + ", but this name is already in use",
                        "a unique filter name");
            }
        }
        for (ContributedAuthenticator<?, ?> authenticator : declared("authenticators", extension::authenticators)) {
            if (KEYS_OF_SECTION.contains(authenticator.name())
                    || authenticators.put(authenticator.name(), authenticator) != null) {
                throw new ExtensionException(
                        "extension " + name + " contributes the authenticator " + authenticator.name()
                                + ", but this name is already in use",
                        "a unique authenticator name");
            }
        }
        for (ContributedFilter<?, ?> authorizer : declared("authorizers", extension::authorizers)) {
            if (authorizers.put(authorizer.name(), authorizer) != null) {
                throw new ExtensionException(
                        "extension " + name + " contributes the authorizer " + authorizer.name()
                                + ", but this name is already in use",
                        "a unique authorizer name");
            }
        }
        for (ContributedStore<?> store : declared("stores", extension::stores)) {
            if (stores.put(store.name(), store) != null) {
                throw new ExtensionException(
                        "extension " + name + " contributes the store " + store.name()
                                + ", but this name is already in use",
                        "a unique store name");
            }
        }
    }

    private <T> T declared(String method, Supplier<T> declaration) throws ExtensionException {
        try {
            return Objects.requireNonNull(declaration.get());
        } catch (RuntimeException | LinkageError e) {
            throw failed(name, method + "() of " + extension.getClass().getName() + " failed: " + cause(e), e);
        }
    }

    /**
     * Opens the extension with a name.
     *
     * @throws ExtensionException if the extension can't be used
     */
    public static OpenExtension of(String name) throws ExtensionException {
        InstalledExtension installed = InstalledExtensions.scan().find(name);
        try {
            return of(installed, installed.source());
        } catch (IOException e) {
            throw unreadable(installed.jar(), e);
        }
    }

    /**
     * Returns the extension with which a configuration was read, and opens it if it is not open. The extension of a
     * generation that a rollback may restore stays open, even if its jar has been replaced.
     *
     * @throws ExtensionException if the jar has changed since the configuration was read, and no generation keeps the
     *     extension
     */
    static OpenExtension of(ExtensionConfig config) throws ExtensionException {
        OpenExtension kept = known(config.source());
        if (kept != null) {
            return kept;
        }
        OpenExtension open = of(config.name());
        if (!open.source.equals(config.source())) {
            throw new ExtensionException(
                    open.source.path() + " has changed since the configuration was read", "a reload");
        }
        return open;
    }

    private static OpenExtension of(InstalledExtension installed, ExtensionConfig.Source source)
            throws ExtensionException {
        OPEN.values().removeIf(reference -> reference.get() == null);
        OpenExtension known = known(source);
        if (known != null) {
            return known;
        }
        OpenExtension opened = new OpenExtension(installed.name(), source, create(installed));
        OPEN.put(source, new WeakReference<>(opened));
        return opened;
    }

    private static @Nullable OpenExtension known(ExtensionConfig.Source source) {
        WeakReference<OpenExtension> reference = OPEN.get(source);
        return reference == null ? null : reference.get();
    }

    private static Extension<?, ?> create(InstalledExtension installed) throws ExtensionException {
        String type = installed.type();
        try {
            Class<?> loaded = Class.forName(type, true, ExtensionLoader.of(installed.name(), installed.jar()));
            Object made = loaded.getConstructor().newInstance();
            if (made instanceof Extension<?, ?> extension) {
                return extension;
            }
            throw failed(installed.name(), type + " does not implement " + Extension.class.getName(), null);
        } catch (IOException e) {
            throw unreadable(installed.jar(), e);
        } catch (ClassNotFoundException e) {
            throw failed(installed.name(), "class " + type + " is missing in " + installed.jar(), e);
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
            throw failed(installed.name(), type + " has no public constructor without parameters", e);
        } catch (InvocationTargetException e) {
            throw failed(installed.name(), "the constructor of " + type + " failed: " + cause(e.getCause()), e);
        } catch (LinkageError e) {
            throw failed(installed.name(), "the classes of " + type + " cannot be linked: " + cause(e), e);
        }
    }

    private static ExtensionException failed(String name, String why, @Nullable Throwable cause) {
        return new ExtensionException("extension " + name + ": " + why, "an extension that can be opened", cause);
    }

    private static ExtensionException unreadable(Path jar, IOException e) {
        return new ExtensionException(jar + " cannot be read: " + e.getMessage(), "a complete jar", e);
    }

    static String cause(@Nullable Throwable failure) {
        return String.valueOf(failure).replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }

    public String name() {
        return name;
    }

    /** Returns the state of the jar that was opened. */
    public ExtensionConfig.Source source() {
        return source;
    }

    public Keys<?> keys() {
        return keys;
    }

    public Map<String, ContributedFilter<?, ?>> filters() {
        return filters;
    }

    public Map<String, ContributedAuthenticator<?, ?>> authenticators() {
        return authenticators;
    }

    public Map<String, ContributedFilter<?, ?>> authorizers() {
        return authorizers;
    }

    /**
     * Returns the stores for fleets. Stores are not among the {@link #contributions}, because no generation uses a
     * store.
     */
    public Map<String, ContributedStore<?>> stores() {
        return stores;
    }

    /**
     * Returns the contributions by kind and name: {@code filter NAME}, {@code authenticator NAME} and {@code authorizer
     * NAME}.
     */
    public List<String> contributions() {
        List<String> all = new ArrayList<>();
        filters.keySet().forEach(each -> all.add("filter " + each));
        authenticators.keySet().forEach(each -> all.add("authenticator " + each));
        authorizers.keySet().forEach(each -> all.add("authorizer " + each));
        return all;
    }

    /**
     * Returns the keys that the settings of a contribution may contain; null if the extension has no such contribution.
     *
     * @param contribution the kind and the name of the contribution, as in {@link #contributions}
     */
    public @Nullable Keys<?> keysOf(String contribution) {
        String each = contribution.substring(contribution.indexOf(' ') + 1);
        ContributedAuthenticator<?, ?> authenticator = authenticators.get(each);
        if (contribution.startsWith("authenticator ")) {
            return authenticator == null ? null : authenticator.keys();
        }
        ContributedFilter<?, ?> filter =
                contribution.startsWith("authorizer ") ? authorizers.get(each) : filters.get(each);
        return filter == null ? null : filter.keys();
    }

    Extension<?, ?> extension() {
        return extension;
    }
}
