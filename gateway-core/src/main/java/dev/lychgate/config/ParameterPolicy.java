package dev.lychgate.config;

import java.util.Locale;

/**
 * The treatment of path parameters. A parameter extends from a semicolon, sent as {@code ;} or {@code %3B}, to the end of
 * its segment. Many origins remove parameters before they match a path: for them, {@code /admin;a=b/x} is
 * {@code /admin/x}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3986#section-3.3">RFC 3986, 3.3 Path</a>
 */
public enum ParameterPolicy {
    /**
     * Rejects a path that matches one route with its parameters, but would match a guarded route without its
     * parameters. This is the default.
     */
    AUTO,
    /** Rejects every path with parameters. */
    REFUSE,
    /**
     * Ignores the parameters for the route match, but forwards the path with its parameters, unless the route rewrites
     * the path.
     */
    STRIP_FOR_MATCHING,
    /** Treats parameters as a part of their segment. */
    PASS;

    /** Returns the value as it is written in the configuration. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
