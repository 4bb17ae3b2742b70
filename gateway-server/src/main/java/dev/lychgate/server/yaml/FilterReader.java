package dev.lychgate.server.yaml;

import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Key;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list of filters: {@code name: { settings }}, or a bare name for a filter without required settings. Built-in
 * filters are checked here. The settings of other filters are not checked here, because these filters are known only
 * when a generation is built.
 */
final class FilterReader {
    /** The kind of contribution that this class reads, if an extension provides it. */
    static final String KIND = "filter";

    static final FilterConfig NONE = FilterConfig.of("none");

    private FilterReader() {}

    static FilterConfig filter(Element element) {
        if (element.isMapping()) {
            return element.single("a filter's name", NONE, FilterReader::withSettings);
        }
        if (!element.isText()) {
            element.refuse(element.shown(), "the name of a filter, or a mapping of one name to its settings");
            return NONE;
        }
        return bare(element);
    }

    private static FilterConfig bare(Element element) {
        FilterConfig config = element.parsed(NONE, FilterConfig::of);
        FilterKind kind = BuiltinFilters.find(config.name());
        if (kind == null && !element.reading.contributors.isEmpty()) {
            ExtensionReader.filter(element, config.name(), null);
        }
        if (kind != null) {
            refuseIfRequired(element, config.name(), kind.settings());
        }
        return config;
    }

    /** Refuses a bare name if one of the filter's {@code settings} is required. */
    static void refuseIfRequired(Element element, String name, List<Key<?>> settings) {
        List<String> required = settings.stream()
                .filter(key -> key.requires() != null)
                .map(Key::name)
                .toList();
        if (!required.isEmpty()) {
            element.refuse(name, "a mapping with the settings of the filter; required: " + String.join(", ", required));
        }
    }

    private static FilterConfig withSettings(Element name, Element settings) {
        FilterConfig filter = name.parsed(NONE, FilterConfig::of);
        FilterKind kind = BuiltinFilters.find(filter.name());
        if (kind != null) {
            return settings.ofFilter().section(s -> config(kind, s));
        }
        FilterConfig contributed =
                name.reading.contributors.isEmpty() ? null : ExtensionReader.filter(name, filter.name(), settings);
        return contributed == null ? new FilterConfig(filter.name(), settings.rawMapping()) : contributed;
    }

    private static FilterConfig config(FilterKind kind, Section s) {
        FilterConfig config = new FilterConfig(kind.name(), values(kind, s));
        boolean whole = kind.settings().stream()
                .allMatch(key -> key.requires() == null || config.settings().containsKey(key.name()));
        // This filter is created only to find refused values; the running filter is created with the generation. This
        // filter is created only once, because a second attempt would lack the refused values, and might therefore
        // refuse further settings.
        boolean[] asked = {!whole};
        FilterConfig checked = s.build(() -> {
            if (!asked[0]) {
                asked[0] = true;
                kind.make(config, "");
            }
            return config;
        });
        return checked == null ? NONE : checked;
    }

    private static Map<String, Object> values(FilterKind kind, Section s) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Key<?> key : kind.settings()) {
            @Nullable Object value = s.get(key);
            if (s.has(key.name()) && value != null) {
                values.put(key.name(), s.marked(key.name(), value));
            }
        }
        return values;
    }
}
