package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import io.netty.util.AsciiString;
import java.util.Locale;
import java.util.Set;

/**
 * A header field that a filter may set: a token, a value without control bytes, and no say in framing or persistence,
 * which are the gateway's own.
 *
 * @param name in lower case
 * @param value visible ASCII, blanks and tabs
 */
record Field(AsciiString name, AsciiString value) {
    private static final Set<String> OURS = Set.of(
            "connection",
            "content-length",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "keep-alive",
            "proxy-connection",
            "host");

    /** @throws ConfigException if name or value can't be used */
    static Field of(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!lower.matches("[!#$%&'*+.^_`|~0-9a-z-]+")) {
            throw new ConfigException("name", name, "a header field name");
        }
        if (OURS.contains(lower)) {
            throw new ConfigException("name", name, "no field of framing, routing or connection");
        }
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c < 0x7f))) {
            throw new ConfigException("value", value, "ASCII without line breaks");
        }
        return new Field(AsciiString.cached(lower), AsciiString.cached(value));
    }
}
