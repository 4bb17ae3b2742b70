package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.http.FieldSyntax;

/**
 * A part of a request that may contain a token.
 *
 * @param name the name of the header field, cookie or parameter; empty for {@link Kind#BEARER}
 */
record TokenPlace(Kind kind, String name) {
    /** The part of a request. */
    enum Kind {
        /** The field {@code Authorization} with the scheme {@code Bearer}. */
        BEARER("bearer"),
        /** A header field that contains only the token. */
        HEADER("header"),
        /** A cookie. */
        COOKIE("cookie"),
        /** A query parameter, which is removed from the request. */
        QUERY("query");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private static final String EXPECTED = "bearer, header:NAME, cookie:NAME or query:NAME";

    static final Form<TokenPlace> FORM = Form.text("place", TokenPlace::parse)
            .matching("bearer|(header|cookie|query):[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}", EXPECTED);

    /** @throws IllegalArgumentException if the text is malformed; the message states the expected form */
    static TokenPlace parse(String text) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        for (Kind kind : Kind.values()) {
            if (kind.word.equals(word) && (kind == Kind.BEARER) == (colon < 0)) {
                if (kind != Kind.BEARER && !FieldSyntax.isName(name)) {
                    break;
                }
                return new TokenPlace(kind, name);
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /**
     * Returns this place.
     *
     * @throws ConfigException if this place is a field that the gateway itself reads
     */
    TokenPlace checked(String key) {
        if (kind == Kind.HEADER && (!FieldSyntax.isSettable(name) || name.equalsIgnoreCase("authorization"))) {
            throw new ConfigException(key, toString(), "another header field, or bearer for Authorization");
        }
        return this;
    }

    @Override
    public String toString() {
        return kind == Kind.BEARER ? kind.word : kind.word + ":" + name;
    }
}
