package dev.lychgate.config;

/**
 * The policy that determines whether a browser sends a cookie in cross-site requests.
 *
 * @see <a href="https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-the-samesite-attribute">RFC
 *     6265bis, The SameSite Attribute</a>
 */
public enum SameSite {
    /** The browser never sends the cookie in cross-site requests. */
    STRICT("Strict"),
    /** The browser sends the cookie in a cross-site request only if the user follows a link. */
    LAX("Lax"),
    /** The browser always sends the cookie. Browsers then require {@code Secure}. */
    NONE("None");

    private final String attribute;

    SameSite(String attribute) {
        this.attribute = attribute;
    }

    /** Returns the value of the attribute in a Set-Cookie field. */
    public String attribute() {
        return attribute;
    }
}
