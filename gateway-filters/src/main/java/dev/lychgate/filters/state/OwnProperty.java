package dev.lychgate.filters.state;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Durations;
import dev.lychgate.config.SecretNames;
import dev.lychgate.filter.FilterProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A property that one file of the filter directory reads. */
public final class OwnProperty<T> implements FilterProperty<T> {
    private static final Logger LOG = LoggerFactory.getLogger(OwnProperty.class);

    private static final List<Type> TYPES = List.of(
            new Type(Boolean.class, "true or false", OwnProperty::flag),
            new Type(Integer.class, "a whole number", Integer::valueOf),
            new Type(Long.class, "a whole number", Long::valueOf),
            new Type(Double.class, "a number", Double::valueOf),
            new Type(BigDecimal.class, "a number", BigDecimal::new),
            new Type(Duration.class, "a duration, such as 5s", Durations::parse),
            new Type(String.class, "a text", text -> text),
            new Type(List.class, "a list of texts", text -> text));

    /** A type that the default of a property may have. */
    private record Type(Class<?> type, String words, Function<String, Object> parse) {
        static Type of(String name, Object otherwise) {
            boolean mixed = otherwise instanceof List<?> all && !all.stream().allMatch(String.class::isInstance);
            return TYPES.stream()
                    .filter(each -> each.type.isInstance(otherwise) && !mixed)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("property '" + name + "' has a default of "
                            + otherwise.getClass().getName()
                            + " (expected: a boolean, a number, a String, a Duration or a list of strings)"));
        }
    }

    private final String file;
    private final String place;
    private final String name;
    private final Type type;
    private final T otherwise;
    private final List<BiConsumer<? super T, ? super T>> actions = new CopyOnWriteArrayList<>();
    private volatile T latest;
    private volatile boolean loaded;

    /**
     * Declares a property of a file.
     *
     * @param place the file and line that declare the property
     */
    OwnProperty(String file, String place, String name, T otherwise) {
        this.file = file;
        this.place = place;
        this.name = name;
        this.type = Type.of(name, otherwise);
        this.otherwise = otherwise;
        this.latest = otherwise;
    }

    private static Boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return Boolean.valueOf(text);
    }

    @Override
    public String getName() {
        return name;
    }

    /** Returns the path of the file that reads the property, below the filter directory. */
    public String file() {
        return file;
    }

    /** Returns the file and line that declare the property. */
    public String place() {
        return place;
    }

    /** Describes the accepted values in words. */
    public String type() {
        return type.words();
    }

    /** Returns the default, which is the value if the property is not configured. */
    public T otherwise() {
        return otherwise;
    }

    @Override
    public T get() {
        return latest;
    }

    @Override
    public void onChange(BiConsumer<? super T, ? super T> action) {
        if (loaded) {
            throw new IllegalStateException("a filter can register onChange only while it is being loaded");
        }
        actions.add(action);
    }

    /**
     * Records that the filters are loaded. After this call, new {@code onChange} actions are refused, because they
     * would accumulate until the end of the generation.
     */
    void loaded() {
        loaded = true;
    }

    /**
     * Returns the configured value.
     *
     * @throws ConfigException if the type of the value differs from the type of the default
     */
    @SuppressWarnings("unchecked")
    T read(Map<String, List<String>> configured) {
        List<String> texts = configured.get(name);
        if (texts == null) {
            return otherwise;
        }
        if (otherwise instanceof List) {
            return (T) texts;
        }
        try {
            if (texts.size() == 1) {
                return (T) type.parse().apply(texts.get(0));
            }
        } catch (IllegalArgumentException e) {
            // Reported below, like the other errors.
        }
        throw new ConfigException(
                "filters.properties." + name,
                shown(texts.size() == 1 ? texts.get(0) : texts),
                type.words() + ", as at " + place);
    }

    /**
     * Sets the current value of the property.
     *
     * @return an action that calls the {@code onChange} actions; null if the value is unchanged or there are no such
     *     actions
     */
    @SuppressWarnings("unchecked")
    @Nullable
    Runnable set(Object value) {
        T was = latest;
        T now = (T) value;
        latest = now;
        return was.equals(now) || actions.isEmpty() ? null : () -> actions.forEach(action -> report(action, was, now));
    }

    private Object shown(Object value) {
        return SecretNames.isSecret(name) ? SecretNames.MASK : value;
    }

    private void report(BiConsumer<? super T, ? super T> action, T was, T now) {
        try {
            action.accept(was, now);
        } catch (Throwable e) {
            LOG.error(
                    "{}: onChange of property '{}' failed for the change from {} to {}; the property has the new value",
                    place,
                    name,
                    shown(was),
                    shown(now),
                    e);
        }
    }
}
