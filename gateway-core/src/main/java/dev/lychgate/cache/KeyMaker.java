package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.CacheKeyPart;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes the keys under which the responses of a route are stored. Immutable. A key contains every part of a request
 * that can affect the response. Otherwise, a client could store a response under the key of another request. The parts
 * are:
 *
 * <ul>
 *   <li>the scheme, the host in lower case and without the default port, the path that the origin receives, and the
 *       query
 *   <li>the configured parts of the request
 *   <li>the upstream, if a filter has chosen it
 *   <li>the fields that filters have added
 *   <li>every field that some origins use in place of the URI
 * </ul>
 */
final class KeyMaker {
    /** Fields that frameworks and proxies use in place of the host, the path, the scheme or the method of a request. */
    private static final Set<String> OVERRIDES = Set.of(
            "x-envoy-original-host",
            "x-envoy-original-path",
            "x-host",
            "x-http-host-override",
            "x-http-method",
            "x-http-method-override",
            "x-method-override",
            "x-url-scheme",
            "front-end-https");

    /**
     * The prefixes of fields that frameworks and proxies use in place of the host, the path, the scheme or the method.
     * Fields with these prefixes that contain the address of the client are not part of the key.
     */
    private static final List<String> OVERRIDE_BEGINNINGS = List.of("x-forwarded-", "x-original-", "x-rewrite-");

    private static final Set<String> ADDRESSES =
            Set.of("x-forwarded-for", "x-forwarded-by", "x-original-for", "x-original-forwarded-for");

    private static final AtomicLong NEXT = new AtomicLong();

    private final String prefix = Long.toString(NEXT.incrementAndGet(), 36) + ' ';
    private final List<CacheKeyPart> parts;
    private final List<String> allowed;
    private final List<String> ignored;
    private final boolean raw;

    /**
     * Creates the keys of a route with these cache settings.
     *
     * @param raw whether the origin receives the path as the client sent it
     */
    KeyMaker(CacheConfig config, boolean raw) {
        this.parts = config.key();
        this.allowed = config.allowQuery();
        this.ignored = config.ignoreQuery();
        this.raw = raw;
    }

    /**
     * Returns the key of a request.
     *
     * @param secure whether the client uses HTTPS
     * @param upstream the upstream that a filter has chosen; null for the upstream of the route
     * @param varying the fields that filters have added to the key, in lower case and sorted
     */
    CacheKey of(RequestHead head, boolean secure, @Nullable String upstream, List<String> varying) {
        String host = host(head.host(), secure);
        String query = head.query();
        StringBuilder text = new StringBuilder(
                        prefix.length() + host.length() + head.path().length() + 64)
                .append(prefix)
                .append(secure ? "https://" : "http://")
                .append(host)
                .append(head.path());
        if (query != null) {
            text.append('?');
            appendQuery(text, query);
        }
        // The parts are separated by line breaks. Neither a URI nor a field contains a line break, so no value can
        // imitate another part.
        if (raw && !head.rawPath().equals(head.path())) {
            text.append("\nraw=").append(head.rawPath());
        }
        if (upstream != null) {
            text.append("\nupstream=").append(upstream);
        }
        for (CacheKeyPart part : parts) {
            appendPart(text, part, head.headers());
        }
        for (String field : varying) {
            text.append("\nby ").append(field);
            appendValues(text, head.headers().getAll(field));
        }
        appendOverrides(text, head);
        return new CacheKey(text.toString(), target(host, head.path()));
    }

    /** Returns the host and path of a request, which identify the stored responses that the request invalidates. */
    static String target(RequestHead head, boolean secure) {
        return target(host(head.host(), secure), head.path());
    }

    static String target(String host, String path) {
        return host + path;
    }

    /** Returns the host in lower case, without an empty port and without the default port of the scheme. */
    static String host(String authority, boolean secure) {
        String host = authority.toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        if (colon < 0 || host.indexOf(']') > colon) {
            return host;
        }
        String port = host.substring(colon + 1);
        return port.isEmpty() || port.equals(secure ? "443" : "80") ? host.substring(0, colon) : host;
    }

    // ---- query

    private void appendQuery(StringBuilder text, String query) {
        if (allowed.isEmpty() && ignored.isEmpty()) {
            text.append(query);
            return;
        }
        boolean first = true;
        for (String pair : query.split("&", -1)) {
            if (counts(pair)) {
                text.append(first ? "" : "&").append(pair);
                first = false;
            }
        }
    }

    /**
     * Returns whether a query parameter is a part of the key. A parameter that contains a semicolon is always a part of
     * the key, because some origins read it as two parameters. Otherwise, a client could hide the second parameter
     * behind a name that the settings ignore.
     */
    private boolean counts(String pair) {
        if (pair.isEmpty()
                || pair.indexOf(';') >= 0
                || pair.toLowerCase(Locale.ROOT).contains("%3b")) {
            return true;
        }
        String name = QueryParameters.all(pair).keySet().iterator().next();
        return allowed.isEmpty()
                ? ignored.stream().noneMatch(each -> isNamed(name, each))
                : allowed.stream().anyMatch(each -> isNamed(name, each) || isSpelled(name, each));
    }

    private static boolean isSpelled(String name, String configured) {
        String loose = loose(configured);
        return !loose.isEmpty() && !loose.equals("*") && isNamed(loose(name), loose);
    }

    /**
     * Returns the name of a parameter as the most tolerant origins read it: in lower case, up to a bracket or a zero
     * byte, and without characters that some origins remove or replace. A parameter is also a part of the key if this
     * form matches the form of an allowed name.
     */
    private static String loose(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        for (int i = 0; i < name.length() && name.charAt(i) != '[' && name.charAt(i) != 0; i++) {
            char c = name.charAt(i);
            if (Character.isLetterOrDigit(c) || c == '*') {
                kept.append(Character.toLowerCase(c));
            }
        }
        return kept.toString();
    }

    private static boolean isNamed(String name, String configured) {
        int last = configured.length() - 1;
        return configured.charAt(last) == '*'
                ? name.startsWith(configured.substring(0, last))
                : name.equals(configured);
    }

    // ---- fields

    private static void appendPart(StringBuilder text, CacheKeyPart part, HttpHeaders headers) {
        text.append('\n').append(part);
        appendValues(
                text,
                switch (part.source()) {
                    case HEADER -> headers.getAll(part.name());
                    case COOKIE -> Cookies.values(headers, part.name());
                });
    }

    private static void appendValues(StringBuilder text, List<String> values) {
        for (String value : values) {
            text.append("\n=").append(value);
        }
    }

    private static void appendOverrides(StringBuilder text, RequestHead head) {
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = head.headers().iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            CharSequence name = field.getKey();
            if (!FieldNames.isPlain(name)) {
                // Some origins read X_Tenant as X-Tenant, which may be an override, a part of the key, or named in
                // Vary.
                appendField(text, name.toString().toLowerCase(Locale.ROOT), field.getValue());
                continue;
            }
            char first = name.length() > 5 ? (char) (name.charAt(0) | 0x20) : 0;
            if (first == 'x' || first == 'f') {
                appendOverride(text, name.toString().toLowerCase(Locale.ROOT), field.getValue(), head.host());
            }
        }
    }

    private static void appendOverride(StringBuilder text, String name, CharSequence value, String host) {
        if (name.equals("forwarded")) {
            appendForwarded(text, value.toString());
            return;
        }
        boolean isOverride = OVERRIDES.contains(name)
                || (OVERRIDE_BEGINNINGS.stream().anyMatch(name::startsWith) && !ADDRESSES.contains(name));
        boolean same = name.equals("x-forwarded-host") && host.contentEquals(value);
        if (isOverride && !same) {
            appendField(text, name, value);
        }
    }

    private static void appendField(StringBuilder text, String name, CharSequence value) {
        text.append('\n').append(name).append('=').append(value);
    }

    /**
     * Appends the parameters of {@code Forwarded} to the key, except addresses. Only trusted proxies may send this
     * field, but some of them forward the field of their client (RFC 7239, 8.1).
     */
    private static void appendForwarded(StringBuilder text, String value) {
        // Origins interpret quotes differently, so a comma or a semicolon separates pairs here even if it is within
        // quotes.
        for (String each : value.split("[,;]", -1)) {
            String pair = each.strip().toLowerCase(Locale.ROOT);
            if (!pair.isEmpty() && !pair.startsWith("for=") && !pair.startsWith("by=")) {
                appendField(text, "forwarded", pair);
            }
        }
    }
}
