package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.http.FieldSyntax;

/** What all built-in filters have: a name, an order, and that they answer at once. */
abstract class Builtin implements SyncFilter {
    private final String name;
    private final int order;

    /** @param about what tells it from others of its kind: the field it sets, for one; may be empty */
    Builtin(Settings settings, String about) {
        this.name = settings.name(about);
        this.order = settings.order();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int order() {
        return order;
    }

    /** @throws ConfigException if {@code name} is no field that filters may write */
    static String fieldName(String key, String name) {
        if (!FieldSyntax.isName(name)) {
            throw new ConfigException(key, name, "the name of a header field");
        }
        if (!FieldSyntax.isSettable(name)) {
            throw new ConfigException(key, name, "no field of framing, routing or connection");
        }
        return name;
    }

    /** @throws ConfigException if {@code value} could not be sent as a field's value */
    static String fieldValue(String key, String value) {
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c < 0x7f))) {
            throw new ConfigException(key, value, "ASCII without line breaks");
        }
        return value;
    }
}
