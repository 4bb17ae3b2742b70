package dev.lychgate.config;

import java.util.Locale;

/**
 * A part of a request that, in addition to the URI, selects a stored response.
 *
 * @param source the part of the request that contains the value
 * @param name the name of the header field or cookie
 */
public record CacheKeyPart(Source source, String name) {
    /** The part of a request that contains a value. */
    public enum Source {
        /** All header fields with a given name. */
        HEADER,
        /** All cookies with a given name. */
        COOKIE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String EXPECTED = "header:NAME or cookie:NAME";

    static final Form<CacheKeyPart> FORM =
            Form.text("key", CacheKeyPart::parse).looking("(header|cookie):[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    public CacheKeyPart {
        Expect.that(!name.isEmpty(), "key", source.label(), EXPECTED);
        if (source == Source.HEADER) {
            Form.FIELD_NAME.check("key", name);
        } else {
            Form.COOKIE_NAME.check("key", name);
        }
    }

    /**
     * Reads a part such as {@code header:x-tenant} or {@code cookie:sid}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static CacheKeyPart parse(String text) {
        int colon = text.indexOf(':');
        for (Source source : Source.values()) {
            if (colon > 0 && text.length() <= colon + 129 && source.label().equals(text.substring(0, colon))) {
                try {
                    return new CacheKeyPart(source, text.substring(colon + 1));
                } catch (ConfigException e) {
                    throw new IllegalArgumentException(EXPECTED, e);
                }
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /** Returns whether this part is the header field {@code field}. */
    public boolean isHeader(String field) {
        return source == Source.HEADER && name.equalsIgnoreCase(field);
    }

    @Override
    public String toString() {
        return source.label() + ':' + name;
    }
}
