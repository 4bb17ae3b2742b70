package dev.lychgate.route;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One host of a route: a name, or {@code *.example.com} for every subdomain of {@code example.com} at any depth, but
 * not for {@code example.com} itself. Case, port and trailing dot of the request's authority are ignored.
 *
 * @param name the name in lower case, without a leading {@code *.}
 * @param kind whether the pattern matches the name itself, or the subdomains of the name
 */
record HostPattern(String name, Kind kind) {
    enum Kind {
        EXACT,
        WILDCARD
    }

    /** Length of the longest name in DNS (RFC 1035, 2.3.4). Longer names match no route. */
    private static final int LONGEST = 253;

    private static final Pattern NAME = Pattern.compile(
            "(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]{2,45}]");

    /**
     * Parses a host name or a wildcard such as {@code *.example.com}.
     *
     * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
     */
    static HostPattern parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        Kind kind = lower.startsWith("*.") ? Kind.WILDCARD : Kind.EXACT;
        String name = kind == Kind.WILDCARD ? lower.substring(2) : lower;
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        if (!NAME.matcher(name).matches()
                && !(kind == Kind.EXACT && IPV6.matcher(name).matches())) {
            throw new IllegalArgumentException("a host name without port such as example.com or *.example.com");
        }
        return new HostPattern(name, kind);
    }

    /**
     * Returns the index at which the name in an authority ends, before the trailing dot and the port; 0 if there is no
     * name.
     */
    static int nameEnd(String authority) {
        int end;
        if (authority.startsWith("[")) {
            end = authority.indexOf(']') + 1;
        } else {
            int colon = authority.indexOf(':');
            end = colon < 0 ? authority.length() : colon;
            if (end > 0 && authority.charAt(end - 1) == '.') {
                end--;
            }
        }
        return end > LONGEST ? 0 : end;
    }

    boolean matches(String authority) {
        int end = nameEnd(authority);
        int start = end - name.length();
        if (start < 0 || !authority.regionMatches(true, start, name, 0, name.length())) {
            return false;
        }
        return kind == Kind.EXACT ? start == 0 : start > 1 && authority.charAt(start - 1) == '.';
    }

    /** Returns whether this pattern matches every host that {@code narrow} matches. */
    boolean covers(HostPattern narrow) {
        return equals(narrow) || (kind == Kind.WILDCARD && narrow.name.endsWith("." + name));
    }

    @Override
    public String toString() {
        return kind == Kind.WILDCARD ? "*." + name : name;
    }
}
