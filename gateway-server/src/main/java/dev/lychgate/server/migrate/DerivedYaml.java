package dev.lychgate.server.migrate;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a configuration. Elements and values are flow collections in YAML. */
final class DerivedYaml {
    private final StringBuilder text = new StringBuilder();

    void line(String line) {
        text.append(line).append('\n');
    }

    /** Writes the section {@code extensions.zuul}, which contains the settings of the extension for Zuul filters. */
    void settings(@Nullable String properties, Map<String, String> vips, Map<String, String> routeHosts) {
        if (properties == null && vips.isEmpty() && routeHosts.isEmpty()) {
            line("extensions: { zuul: {} }");
            return;
        }
        line("extensions:");
        line("  zuul:");
        if (properties != null) {
            line("    properties: " + quoted(properties));
        }
        nested("vips", vips);
        nested("route-hosts", routeHosts);
    }

    private void nested(String key, Map<String, String> values) {
        if (!values.isEmpty()) {
            line("    " + key + ":");
            values.forEach((name, value) -> line("      " + quoted(name) + ": " + value));
        }
    }

    void sequence(String key, List<String> values) {
        line(key + ":");
        values.forEach(value -> line("  - " + value));
    }

    void mapping(String key, Map<String, String> values) {
        line(key + ":");
        values.forEach((name, value) -> line("  " + name + ": " + value));
    }

    static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
