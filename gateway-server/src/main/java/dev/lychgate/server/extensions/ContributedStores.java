package dev.lychgate.server.extensions;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Keys;
import dev.lychgate.config.PlainValues;
import dev.lychgate.extension.ContributedStore;
import dev.lychgate.filters.groovy.NearMiss;
import dev.lychgate.fleet.FleetStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fleet stores that installed extensions contribute. If a configuration names a store, only the extension that
 * contributes this store is opened.
 */
public final class ContributedStores {
    /** The stores that need no extension. */
    private static final List<String> BUILT_IN = List.of("directory", "etcd");

    private ContributedStores() {}

    /**
     * Returns the keys that the settings of a store may contain.
     *
     * @throws ExtensionException if no extension or several extensions contribute the store, or if the extension
     *     can't be used
     */
    public static Keys<?> keys(String name) throws ExtensionException {
        return find(name).keys();
    }

    /**
     * Opens a store.
     *
     * @param config the name and the settings of the store
     * @param space the part of the store that belongs to the fleet
     * @throws ConfigException if the store can't be opened; the key of the exception is the path from the top
     */
    public static FleetStore open(FilterConfig config, String space) {
        String path = "fleet.store." + config.name();
        try {
            return open(find(config.name()), config, space);
        } catch (ExtensionException e) {
            throw new ConfigException(path, e.problem(), e.expected());
        } catch (ConfigException e) {
            throw new ConfigException(path + "." + e.key(), e.value(), e.expected());
        } catch (Exception | LinkageError e) {
            ConfigException failed =
                    new ConfigException(path, OpenExtension.cause(e), "settings with which the store can be opened");
            failed.initCause(e);
            throw failed;
        }
    }

    private static <S> FleetStore open(ContributedStore<S> kind, FilterConfig config, String space) throws Exception {
        S settings = kind.keys().read(PlainValues.of(config.settings()));
        return Objects.requireNonNull(kind.opener().open(settings, space), "open() returned null");
    }

    private static ContributedStore<?> find(String name) throws ExtensionException {
        InstalledExtensions installed = InstalledExtensions.scan();
        List<InstalledExtension> contributing = installed.found().stream()
                .filter(each -> each.stores().contains(name))
                .toList();
        if (contributing.isEmpty()) {
            throw unknown(name, installed);
        }
        if (contributing.size() > 1) {
            throw new ExtensionException(
                    "two extensions have this store: "
                            + contributing.stream()
                                    .map(each -> each.jar().toString())
                                    .collect(Collectors.joining(" and ")),
                    "one extension with this store");
        }
        OpenExtension extension = OpenExtension.of(contributing.get(0).name());
        @Nullable ContributedStore<?> store = extension.stores().get(name);
        if (store == null) {
            throw new ExtensionException(
                    "extension " + extension.name() + " has no such store, although its manifest names the store",
                    "a manifest that matches the extension");
        }
        return store;
    }

    private static ExtensionException unknown(String name, InstalledExtensions installed) {
        List<String> names = new ArrayList<>(BUILT_IN);
        installed.found().forEach(each -> names.addAll(each.stores()));
        String near = NearMiss.of(name, names);
        String where = installed.directories().isEmpty()
                ? "lib/extensions beside the jar of the gateway"
                : installed.directories().stream().map(Object::toString).collect(Collectors.joining(", "));
        String unreadable = installed.unreadable().isEmpty()
                ? ""
                : "; unreadable jars: " + String.join(", ", installed.unreadable());
        return new ExtensionException(
                "unknown store" + (near == null ? "" : ", did you mean '" + near + "'?"),
                "one of " + String.join(", ", names) + "; extensions with other stores belong in " + where
                        + unreadable);
    }
}
