package dev.lychgate.server.extensions;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.PlainValues;
import dev.lychgate.extension.Extension;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filter.Filter;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adopts filters that were written for another gateway product. The program that embeds the gateway creates these
 * filters, and the extension that runs them is on the class path.
 */
public final class AdoptedFilters {
    /** A part of the name of each class that a framework has generated as a subclass. */
    private static final String GENERATED = "$$";

    private AdoptedFilters() {}

    /**
     * Returns filters of this gateway that run the filters of the program.
     *
     * @param extension the class of the extension, which the class loaders of the filters must find
     * @param settings the section of the extension
     * @throws ConfigException if the extension is missing, or a setting or a filter is refused
     */
    public static List<Filter> of(String extension, Collection<?> filters, Map<String, ?> settings) {
        if (filters.isEmpty()) {
            return List.of();
        }
        FilterDialect dialect = dialect(open(extension, filters.iterator().next()), settings);
        FilterDialect.Generation generation = dialect.begin();
        List<Filter> all = new ArrayList<>();
        for (Object filter : filters) {
            all.addAll(adopted(dialect, generation, filter));
        }
        all.addAll(generation.complete());
        return all;
    }

    private static Extension<?, ?> open(String name, Object filter) {
        try {
            ClassLoader loader = filter.getClass().getClassLoader();
            return Class.forName(name, true, loader)
                    .asSubclass(Extension.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            ConfigException missing = new ConfigException(
                    "class path", OpenExtension.cause(e), "the jar of the extension with the class " + name);
            missing.initCause(e);
            throw missing;
        }
    }

    private static <S> FilterDialect dialect(Extension<S, ?> extension, Map<String, ?> settings) {
        FilterDialect dialect = extension.dialect(extension.keys().read(PlainValues.of(new LinkedHashMap<>(settings))));
        if (dialect == null) {
            throw new ConfigException(
                    "class path", extension.getClass().getName(), "an extension with a dialect of filters");
        }
        return dialect;
    }

    private static List<Filter> adopted(FilterDialect dialect, FilterDialect.Generation generation, Object filter) {
        Class<?> type = written(filter.getClass());
        if (!isIn(dialect, type)) {
            throw new ConfigException("filters", type.getName(), "a class that extends a base class of the dialect");
        }
        try {
            return generation.adopt(filter, new FilterDialect.Code(type, type.getName(), byteCode(type)));
        } catch (FilterDialect.Refusal e) {
            String place = type.getName() + (e.line() > 0 ? ":" + e.line() : "");
            throw refused(place + ": " + e.getMessage(), e);
        } catch (Exception e) {
            throw refused(type.getName() + ": " + OpenExtension.cause(e), e);
        }
    }

    /** Returns {@code type} or, if a framework has generated it, its first superclass that is not generated. */
    private static Class<?> written(Class<?> type) {
        Class<?> base = type.getSuperclass();
        return base != null && type.getSimpleName().contains(GENERATED) ? written(base) : type;
    }

    private static boolean isIn(FilterDialect dialect, Class<?> type) {
        for (Class<?> base = type.getSuperclass(); base != null; base = base.getSuperclass()) {
            if (dialect.isBase(base.getName())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a function that reads the byte code of a class of the program. The function returns null for names that
     * begin with {@code java.} or {@code com.netflix.zuul.}, and for classes that are not found.
     */
    private static Function<String, byte @Nullable []> byteCode(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return name -> {
            if (loader == null || name.startsWith("java.") || name.startsWith("com.netflix.zuul.")) {
                return null;
            }
            try (InputStream in = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
                return in == null ? null : in.readAllBytes();
            } catch (IOException e) {
                return null;
            }
        };
    }

    private static ConfigException refused(String problem, Throwable cause) {
        ConfigException refused = new ConfigException("filters", problem, "filters that the gateway can run");
        refused.initCause(cause);
        return refused;
    }
}
