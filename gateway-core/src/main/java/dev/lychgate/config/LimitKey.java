package dev.lychgate.config;

import java.util.Locale;

/**
 * A part of a request by which a rate limit counts: requests with the same value share a bucket. The client's address
 * replaces the value if a request contains no value or several different values.
 *
 * @param source the part of the request that contains the value
 * @param name the name of the header field, cookie, parameter or claim; empty for the sources {@code CLIENT} and {@code
 *     ROUTE}
 */
public record LimitKey(Source source, String name) {
    /** The part of a request that contains a value. */
    public enum Source {
        /** The part of the client's address that identifies the client, see {@link ClientsConfig}. */
        CLIENT,
        /** The id of the route. */
        ROUTE,
        /** The header field with a given name. */
        HEADER,
        /** The cookie with a given name. */
        COOKIE,
        /** The query parameter with a given name, decoded. */
        QUERY,
        /** A claim of the sender's verified identity. */
        CLAIM;

        boolean isNamed() {
            return this != CLIENT && this != ROUTE;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String EXPECTED = "client, route, header:NAME, cookie:NAME, query:NAME or claim:NAME";

    static final Form<LimitKey> FORM = Form.text("key", LimitKey::parse)
            .looking("client|route|(header|cookie):[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}|(query|claim):.{1,128}");

    public LimitKey {
        Expect.that(source.isNamed() != name.isEmpty(), "key", source.label(), EXPECTED);
        if (source == Source.HEADER) {
            Form.FIELD_NAME.check("key", name);
        } else if (source == Source.COOKIE) {
            Form.COOKIE_NAME.check("key", name);
        }
    }

    /**
     * Reads a key such as {@code client} or {@code header:x-tenant}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static LimitKey parse(String text) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        for (Source source : Source.values()) {
            if (source.label().equals(word) && source.isNamed() == (colon >= 0) && name.length() <= 128) {
                try {
                    return new LimitKey(source, name);
                } catch (ConfigException e) {
                    throw new IllegalArgumentException(EXPECTED, e);
                }
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    @Override
    public String toString() {
        return source.isNamed() ? source.label() + ":" + name : source.label();
    }
}
