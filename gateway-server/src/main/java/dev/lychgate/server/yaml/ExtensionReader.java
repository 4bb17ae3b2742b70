package dev.lychgate.server.yaml;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Keys;
import dev.lychgate.config.PlainValues;
import dev.lychgate.server.extensions.ExtensionException;
import dev.lychgate.server.extensions.OpenExtension;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sections of extensions, and those configured filters that extensions contribute. Opens each extension that
 * has a section.
 */
final class ExtensionReader {
    private ExtensionReader() {}

    static Map<String, ExtensionConfig> extensions(Element element) {
        Map<String, ExtensionConfig> all = element.named("extensions", ExtensionReader::extension);
        all.values().removeIf(Objects::isNull);
        return all;
    }

    @SuppressWarnings("NullAway") // a refused section is left out
    private static ExtensionConfig extension(Element name, Element section) {
        if (name.reading.survey) {
            return null;
        }
        OpenExtension open;
        try {
            open = OpenExtension.of(name.trail.last());
        } catch (ExtensionException e) {
            name.refuse(e.problem(), e.expected());
            return null;
        }
        for (String each : open.contributions()) {
            OpenExtension other = name.reading.contributors.put(each, open);
            if (other != null && !other.name().equals(open.name())) {
                String kind = each.substring(0, each.indexOf(' '));
                name.refuse(
                        "contributes " + each,
                        "extensions with different " + kind + "s; extension " + other.name() + " has this " + kind);
            }
        }
        Map<String, Object> settings = settings(open.keys(), name, section.orEmpty());
        return settings == null ? null : new ExtensionConfig(open.name(), settings, open.source());
    }

    /** Returns the values in a section; null if they are refused. */
    static @Nullable Map<String, Object> settings(Keys<?> keys, Element name, Element section) {
        Map<String, Object> settings = new LinkedHashMap<>();
        Boolean accepted = section.section(s -> s.build(() -> {
            settings.clear();
            try {
                keys.read(PlainValues.recording(s, settings));
                return true;
            } catch (ConfigException e) {
                throw e;
            } catch (RuntimeException | LinkageError e) {
                name.refuse("the settings cannot be read: " + e, "an extension that can read its settings");
                return false;
            }
        }));
        return Boolean.TRUE.equals(accepted) ? settings : null;
    }

    /**
     * Returns the filter if a configured extension contributes it; otherwise null.
     *
     * @param settings the settings of the filter; null for a bare name
     */
    static @Nullable FilterConfig filter(Element name, String filter, @Nullable Element settings) {
        return contribution(name, FilterReader.KIND, filter, settings);
    }

    /** Works like {@link #filter}, for contributions of any kind. */
    static @Nullable FilterConfig contribution(Element name, String kind, String filter, @Nullable Element settings) {
        OpenExtension extension = name.reading.contributors.get(kind + " " + filter);
        Keys<?> keys = extension == null ? null : extension.keysOf(kind + " " + filter);
        if (keys == null) {
            return null;
        }
        if (settings == null) {
            FilterReader.refuseIfRequired(name, filter, keys.keys());
            return FilterConfig.of(filter);
        }
        Map<String, Object> values = settings(keys, name, settings);
        return new FilterConfig(filter, values == null ? Map.of() : values);
    }
}
