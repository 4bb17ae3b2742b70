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
 * @param range the accepted numbers; null = all
 */
public record Setting(
        String name,
        Type type,
        boolean required,
        @Nullable Object otherwise,
        String about,
        Form.@Nullable Range range) {

    /** Stands for no upper bound, which a schema can't leave out. */
    static final int MOST = 999_999_999;

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

    private static Setting of(String name, Type type, String about, @Nullable Object otherwise) {
        return new Setting(name, type, false, otherwise, about, null);
    }

    static Setting text(String name, String about) {
        return of(name, Type.TEXT, about, null);
    }

    static Setting text(String name, String about, String otherwise) {
        return of(name, Type.TEXT, about, otherwise);
    }

    static Setting regex(String name, String about) {
        return of(name, Type.REGEX, about, null);
    }

    static Setting number(String name, String about, int otherwise) {
        return of(name, Type.NUMBER, about, otherwise);
    }

    static Setting flag(String name, String about, boolean otherwise) {
        return of(name, Type.FLAG, about, otherwise);
    }

    static Setting duration(String name, String about) {
        return of(name, Type.DURATION, about, null);
    }

    static Setting size(String name, String about, @Nullable ByteSize otherwise) {
        return of(name, Type.SIZE, about, otherwise);
    }

    static Setting texts(String name, String about, @Nullable List<String> otherwise) {
        return of(name, Type.TEXTS, about, otherwise);
    }

    static Setting mapping(String name, String about) {
        return of(name, Type.MAPPING, about, null);
    }

    static Setting needed(Setting setting) {
        return new Setting(setting.name, setting.type, true, null, setting.about, setting.range);
    }

    /** This setting with bounds, both accepted. */
    Setting between(long lowest, long highest) {
        return new Setting(name, type, required, otherwise, about, new Form.Range(lowest, highest, false));
    }

    boolean accepts(int number) {
        return range == null || (number >= range.lowest() && (number <= range.highest() || range.highest() == MOST));
    }

    String accepted() {
        long lowest = range == null ? 0 : range.lowest();
        long highest = range == null ? MOST : range.highest();
        return highest == MOST ? lowest + " or more" : lowest + " to " + highest;
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
