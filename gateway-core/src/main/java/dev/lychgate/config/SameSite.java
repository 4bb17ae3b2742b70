package dev.lychgate.config;

/**
 * The policy on a cookie in cross-site requests.
 *
 * @see <a href="https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-the-samesite-attribute">RFC
 *     6265bis, The SameSite Attribute</a>
 */
public enum SameSite {
    /** Never. */
    STRICT("Strict"),
    /** Only when the user follows a link. */
    LAX("Lax"),
    /** Always; browsers require {@code Secure} then. */
    NONE("None");

    private final String attribute;

    SameSite(String attribute) {
        this.attribute = attribute;
    }

    /** Returns the word in a Set-Cookie field. */
    public String attribute() {
        return attribute;
    }
}
