package dev.lychgate.filters.libraries;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the gateway's class path that filters may use. It contains the filter API, and the libraries that filters
 * share with the gateway. In an embedded gateway, it also contains the classes of the embedding program. Other classes
 * of the gateway are not found.
 */
public final class FilterClassPath extends ClassLoader {
    /**
     * The single instance. It has no state, and a second instance would duplicate the compiler's caches, which exist
     * per loader.
     */
    public static final FilterClassPath INSTANCE = new FilterClassPath();

    private static final String GATEWAY = "dev.lychgate.";

    /** The packages and classes of the API that filters and their tests may use. */
    private static final List<String> API = List.of(
            "dev.lychgate.filter.",
            "dev.lychgate.filters.rx.",
            "dev.lychgate.filters.testing.",
            "dev.lychgate.error.ErrorKind",
            "dev.lychgate.error.GatewayError",
            "dev.lychgate.error.Retry",
            "dev.lychgate.error.Side",
            // The types of settings, and the parsers of addresses, sizes and durations.
            "dev.lychgate.config.",
            // The types in the methods of the API and of the test kit.
            "dev.lychgate.tls.TlsSession",
            "dev.lychgate.chain.FilterSet",
            "dev.lychgate.filters.groovy.FilterFaultsException",
            // The superclass of every script.
            "dev.lychgate.filters.groovy.FilterScript");

    /**
     * Classes that are in packages of the API, but are not part of the API. They are public, because other packages of
     * the gateway use them.
     */
    private static final List<String> INTERNAL = List.of(
            "dev.lychgate.filters.testing.AbandonedTests",
            "dev.lychgate.filters.testing.BoundedRun",
            "dev.lychgate.filters.testing.BoundedTests",
            "dev.lychgate.filters.testing.DialectTests",
            "dev.lychgate.filters.testing.OfflineExchange",
            "dev.lychgate.filters.testing.SimulatedOrigins");

    /**
     * Packages of libraries in the gateway's jar that are hidden from filters, because their versions may change in any
     * release.
     */
    static final List<String> HIDDEN = List.of(
            "ch.qos.logback.",
            "com.aayushatharva.brotli4j.",
            "com.github.benmanes.",
            "com.github.luben.",
            "info.picocli.",
            "io.micrometer.",
            "io.prometheus.",
            "org.HdrHistogram.",
            "org.LatencyUtils.",
            "org.jctools.",
            "org.snakeyaml.",
            "picocli.");

    static {
        registerAsParallelCapable();
    }

    private FilterClassPath() {
        super("filter-api", FilterClassPath.class.getClassLoader());
    }

    /** Returns whether the gateway contains a class that filters may not use. */
    public static boolean hides(String className) {
        return className.startsWith(GATEWAY)
                ? API.stream().noneMatch(className::startsWith)
                        || INTERNAL.stream().anyMatch(className::startsWith)
                : HIDDEN.stream().anyMatch(className::startsWith);
    }

    /**
     * Returns the exception for a class that was not found. If the class is hidden from filters, the message of the
     * exception states this reason.
     */
    public static ClassNotFoundException notFound(String className) {
        return new ClassNotFoundException(hides(className) ? className + " is not part of the filter API" : className);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (hides(name)) {
            throw notFound(name);
        }
        return super.loadClass(name, resolve);
    }

    @Override
    public @Nullable URL getResource(String name) {
        return hidesResource(name) ? null : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return hidesResource(name) ? Collections.emptyEnumeration() : super.getResources(name);
    }

    private static boolean hidesResource(String name) {
        return name.endsWith(".class") && hides(name.replace('/', '.'));
    }
}
