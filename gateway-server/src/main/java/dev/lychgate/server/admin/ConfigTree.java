package dev.lychgate.server.admin;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Durations;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.TelemetryConfig;
import dev.lychgate.config.TlsVersion;
import dev.lychgate.config.UpstreamResilience;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configuration as a tree of maps, lists and plain values, under names that are those of the file as far as the records
 * have them. What it holds back is a {@link Secrets.Masked}. Records that are added to the configuration need nothing here.
 */
final class ConfigTree {
    private ConfigTree() {}

    static @Nullable Object of(@Nullable Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            return value;
        }
        if (value instanceof Duration duration) {
            return Durations.print(duration);
        }
        if (value instanceof Enum<?> constant) {
            return word(constant);
        }
        if (value instanceof ByteSize
                || value instanceof Percent
                || value instanceof BindAddress
                || value instanceof EndpointAddress) {
            return value.toString();
        }
        if (value instanceof URI url) {
            return Secrets.url(url);
        }
        if (value instanceof FilterConfig filter) {
            return Map.of(filter.name(), ofMap(filter.settings()));
        }
        if (value instanceof Record settings) {
            return ofRecord(settings);
        }
        if (value instanceof Map<?, ?> map) {
            return ofMap(map);
        }
        if (value instanceof Collection<?> items) {
            List<@Nullable Object> list = new ArrayList<>();
            items.forEach(item -> list.add(of(item)));
            return list;
        }
        return Secrets.withoutUserInfo(value.toString());
    }

    private static Map<String, @Nullable Object> ofRecord(Record settings) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Class<?> type = settings.getClass();
        if (isVariant(type)) {
            tree.put("type", kebab(type.getSimpleName()));
        }
        for (RecordComponent component : type.getRecordComponents()) {
            String name = kebab(component.getName());
            Object value = read(settings, component);
            if (value instanceof RouteResilience
                    || value instanceof UpstreamResilience
                    || value instanceof LifecycleConfig
                    || value instanceof TelemetryConfig) {
                // In the file its parts stand beside the others.
                tree.putAll(ofRecord((Record) value));
            } else if (Secrets.isSecret(settings, name)) {
                tree.put(name, Secrets.mask(value));
            } else if (name.equals("headers") && value instanceof Map<?, ?> fields) {
                tree.put(name, Secrets.fields(settings, fields));
            } else {
                tree.put(name, of(value));
            }
        }
        return tree;
    }

    /** One of several things that may stand in a place: the place does not say which. */
    private static boolean isVariant(Class<?> type) {
        for (Class<?> above : type.getInterfaces()) {
            if (above.isSealed()) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, @Nullable Object> ofMap(Map<?, ?> map) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        // { name: authorization, value: ... }
        boolean secretField = Secrets.isSecretField(String.valueOf(map.get("name")));
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            boolean secret = Secrets.isSecret(name) || (secretField && name.equals("value"));
            // An upstream may be called whatever it likes.
            secret &= !(value instanceof Record);
            tree.put(name, secret ? Secrets.mask(value) : of(value));
        });
        return tree;
    }

    private static @Nullable Object read(Record settings, RecordComponent component) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("a record that can't be read: " + settings.getClass(), e);
        }
    }

    private static String word(Enum<?> constant) {
        if (constant instanceof ListenerProtocol protocol) {
            return protocol.alpn();
        }
        return constant instanceof TlsVersion version
                ? version.label()
                : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
