package dev.lychgate.config;

import java.util.Locale;

/**
 * The treatment of path parameters. A parameter extends from a semicolon, sent as {@code ;} or {@code %3B}, to the end
 * of its segment. Many origins remove parameters before they match a path, and thus treat {@code /admin;a=b/x} as
 * {@code /admin/x}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-3.3">RFC 3986, 3.3 Path</a>
 */
public enum ParameterPolicy {
    /**
     * Rejects a path if it would match a guarded route after the removal of its parameters, but matches a different
     * route with its parameters. This is the default.
     */
    AUTO,
    /** Rejects every path with parameters. */
    REFUSE,
    /**
     * Matches the path without its parameters. Forwards the path with its parameters, unless the route rewrites the
     * path.
     */
    STRIP_FOR_MATCHING,
    /** Treats parameters as a part of their segment. */
    PASS;

    /** Returns the value as it is written in the configuration. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
