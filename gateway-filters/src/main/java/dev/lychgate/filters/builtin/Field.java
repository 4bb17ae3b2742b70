package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.http.FieldSyntax;

/**
 * A header field that a filter sets, checked when the filter is made.
 *
 * @param name a token, and no field of framing, routing or connection, which are the gateway's own
 * @param value visible ASCII, blanks and tabs
 */
record Field(String name, String value) {
    /** @throws ConfigException if name or value can't be used */
    static Field of(String name, String value) {
        if (!FieldSyntax.isName(name)) {
            throw new ConfigException("name", name, "a header field name");
        }
        if (!FieldSyntax.isSettable(name)) {
            throw new ConfigException("name", name, "no field of framing, routing or connection");
        }
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c < 0x7f))) {
            throw new ConfigException("value", value, "ASCII without line breaks");
        }
        return new Field(name, value);
    }
}
