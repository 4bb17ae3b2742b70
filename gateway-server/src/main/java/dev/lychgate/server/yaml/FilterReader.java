package dev.lychgate.server.yaml;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Durations;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.Form;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import dev.lychgate.filters.builtin.Setting;
import dev.lychgate.filters.groovy.NearMiss;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a list of filters: {@code name: { settings }} for those that come with the gateway, a bare name for those that need
 * no settings, and for filters of others. Whether somebody brings a filter of that name is not known here.
 */
final class FilterReader {
    private static final FilterConfig NONE = FilterConfig.of("none");

    private FilterReader() {}

    static FilterConfig filter(Element element) {
        return element.isMapping() ? element.single("a filter's name", NONE, FilterReader::builtin) : bare(element);
    }

    private static FilterConfig bare(Element element) {
        FilterConfig config = element.parsed(NONE, FilterConfig::of);
        FilterKind kind = BuiltinFilters.find(config.name());
        if (kind != null && !kind.needsNothing()) {
            List<String> required = kind.settings().stream()
                    .filter(Setting::required)
                    .map(Setting::name)
                    .toList();
            element.refuse(config.name(), "a mapping with its settings; required: " + String.join(", ", required));
        }
        return config;
    }

    private static FilterConfig builtin(Element name, Element settings) {
        String word = name.text("");
        FilterKind kind = BuiltinFilters.find(word);
        if (kind == null) {
            String near = NearMiss.of(word, BuiltinFilters.names());
            name.refuse(
                    near == null ? "unknown filter" : "unknown filter, did you mean '" + near + "'?",
                    "one of " + String.join(", ", BuiltinFilters.names())
                            + "; a filter of your own stands here by its bare name");
            return NONE;
        }
        return settings.section(s -> config(kind, s));
    }

    private static FilterConfig config(FilterKind kind, Section s) {
        FilterConfig config = new FilterConfig(kind.name(), values(kind, s));
        boolean whole = kind.settings().stream()
                .allMatch(setting -> !setting.required() || config.settings().containsKey(setting.name()));
        // Made for what it refuses; the filter that runs is made when a generation is. Asked once: without what it has
        // refused it would refuse other settings, too.
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
        for (Setting setting : kind.settings()) {
            Element element = setting.required() ? s.required(setting.name(), setting.about()) : s.get(setting.name());
            if (element.present()) {
                values.put(setting.name(), value(element, setting));
            }
        }
        return values;
    }

    private static Object value(Element element, Setting setting) {
        return switch (setting.type()) {
            case TEXT, REGEX -> element.text("unnamed");
            case NUMBER -> element.read(Form.NUMBER, 0);
            case FLAG -> element.flag(false);
            case DURATION -> element.measured(Duration.ofSeconds(1), Durations::parse);
            case SIZE -> element.measured(ByteSize.ofKiB(1), ByteSize::parse);
            case TEXTS ->
                element.isList()
                        ? element.list("texts", item -> item.text("unnamed"))
                        : List.of(element.text("unnamed"));
            case MAPPING -> element.named("texts", item -> item.text(""));
        };
    }
}
