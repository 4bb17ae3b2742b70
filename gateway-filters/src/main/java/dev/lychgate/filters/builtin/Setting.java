package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Durations;
import dev.lychgate.config.Form;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a built-in filter, as readers, schema and documentation know it.
 *
 * @param name as it is written in the file
 * @param type what its value is
 * @param required whether it must be there
 * @param otherwise its value where it is not there; null = none
 * @param about what it means, in one sentence without its end
 * @param range the accepted numbers, as the schema has them; the filter checks its settings itself; null = all
 */
public record Setting(
        String name,
        Type type,
        boolean required,
        @Nullable Object otherwise,
        String about,
        Form.@Nullable Range range) {

    /** What a value may be. */
    public enum Type {
        TEXT("text", String.class),
        /** Text that is compiled; what all filters of a configuration need for it is bounded together. */
        REGEX("text", String.class),
        NUMBER("whole number", Integer.class),
        FLAG("`true` or `false`", Boolean.class),
        DURATION("duration", Duration.class),
        SIZE("size", ByteSize.class),
        TEXTS("text or list of texts", List.class),
        MAPPING("mapping of texts", Map.class);

        private final String words;
        private final Class<?> form;

        Type(String words, Class<?> form) {
            this.words = words;
            this.form = form;
        }

        /** As the documentation says it. */
        public String words() {
            return words;
        }

        Class<?> form() {
            return form;
        }
    }

    static Setting required(String name, Type type, String about) {
        return new Setting(name, type, true, null, about, null);
    }

    static Setting optional(String name, Type type, String about) {
        return new Setting(name, type, false, null, about, null);
    }

    /** This setting with a default. */
    Setting or(Object value) {
        return new Setting(name, type, false, value, about, range);
    }

    /** This setting with bounds, both accepted. */
    Setting between(long lowest, long highest) {
        return new Setting(name, type, required, otherwise, about, new Form.Range(lowest, highest, false));
    }

    /** The default as it would be written in a file; null if there is none. */
    public @Nullable String shownDefault() {
        if (otherwise instanceof Duration duration) {
            return Durations.print(duration);
        }
        if (otherwise instanceof List<?> list) {
            return "[" + String.join(", ", list.stream().map(String::valueOf).toList()) + "]";
        }
        return otherwise == null ? null : otherwise.toString();
    }
}
