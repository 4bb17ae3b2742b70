package dev.lychgate.filter;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cookie of a response. Each setter changes one part of the Set-Cookie header of the cookie, and keeps all other
 * parts. Names of attributes are case-insensitive. Of several attributes with the same name, the last one counts.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6265#section-4.1">RFC 6265, 4.1 Set-Cookie</a>
 */
public interface ResponseCookie {
    String getName();

    String getValue();

    /**
     * Sets the value of the cookie.
     *
     * @throws IllegalArgumentException if the value is malformed
     */
    void setValue(String value);

    /**
     * Returns the value of an attribute: empty if the attribute has no value, null if the cookie has no such attribute.
     */
    @Nullable
    String attribute(String name);

    /**
     * Sets an attribute.
     *
     * @param value the value; empty for an attribute without a value, null to remove the attribute
     * @throws IllegalArgumentException if name or value is malformed
     */
    void setAttribute(String name, @Nullable String value);

    default @Nullable String getPath() {
        return attribute("Path");
    }

    default void setPath(@Nullable String path) {
        setAttribute("Path", path);
    }

    default @Nullable String getDomain() {
        return attribute("Domain");
    }

    default void setDomain(@Nullable String domain) {
        setAttribute("Domain", domain);
    }

    /** Returns {@code Max-Age}, the time until the cookie expires; null if the attribute is missing or malformed. */
    @Nullable
    Duration getMaxAge();

    /** Sets {@code Max-Age}, the time until the cookie expires, in whole seconds. */
    default void setMaxAge(@Nullable Duration age) {
        setAttribute("Max-Age", age == null ? null : Long.toString(age.toSeconds()));
    }

    /** Returns {@code Expires}, the date on which the cookie expires; null if the attribute is missing or malformed. */
    @Nullable
    Instant getExpires();

    void setExpires(@Nullable Instant date);

    default boolean isSecure() {
        return attribute("Secure") != null;
    }

    default void setSecure(boolean secure) {
        setAttribute("Secure", secure ? "" : null);
    }

    default boolean isHttpOnly() {
        return attribute("HttpOnly") != null;
    }

    default void setHttpOnly(boolean httpOnly) {
        setAttribute("HttpOnly", httpOnly ? "" : null);
    }

    /**
     * Returns {@code SameSite} as sent: {@code Strict}, {@code Lax} or {@code None}; null if the attribute is missing.
     */
    default @Nullable String getSameSite() {
        return attribute("SameSite");
    }

    default void setSameSite(@Nullable String site) {
        setAttribute("SameSite", site);
    }
}
