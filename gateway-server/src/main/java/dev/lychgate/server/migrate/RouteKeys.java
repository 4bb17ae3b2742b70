package dev.lychgate.server.migrate;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Derives routes from the keys {@code zuul.routes.*}, and from the keys that concern all routes. */
final class RouteKeys {
    /** The header fields that Zuul in Spring Cloud removes from requests and responses by default. */
    private static final String SENSITIVE = "Cookie,Set-Cookie,Authorization";

    private final LegacyProperties properties;
    private final DerivedUpstreams upstreams;
    private final List<String> notes;

    RouteKeys(LegacyProperties properties, DerivedUpstreams upstreams, List<String> notes) {
        this.properties = properties;
        this.upstreams = upstreams;
        this.notes = notes;
    }

    /** Returns the routes as elements of a YAML sequence. */
    List<String> derive() {
        String prefix = properties.take("zuul.prefix", "");
        boolean stripsPrefix = Boolean.parseBoolean(properties.take("zuul.strip-prefix", "true"));
        Set<String> ignoredFields = fields(properties.take("zuul.ignored-headers", ""));
        String sensitive = properties.take("zuul.sensitive-headers", SENSITIVE);
        List<String> routes = new ArrayList<>();
        int ignored = 0;
        for (String pattern : list(properties.take("zuul.ignored-patterns", ""))) {
            String path = path(pattern);
            if (path == null) {
                notes.add("zuul.ignored-patterns: the pattern " + pattern);
            } else {
                routes.add("{ id: ignored-" + ++ignored + ", order: -1, match: { path: " + DerivedYaml.quoted(path)
                        + " }, respond: { status: 404 } }");
            }
        }
        for (String id : properties.namesAfter("zuul.routes.")) {
            String route = route(id, prefix, stripsPrefix, ignoredFields, sensitive);
            if (route != null) {
                routes.add(route);
            }
        }
        return routes;
    }

    private @Nullable String route(
            String id, String prefix, boolean stripsPrefix, Set<String> ofAll, String sensitiveOfAll) {
        String key = "zuul.routes." + id;
        String own = properties.take(key + ".path", properties.take(key, "/" + id + "/**"));
        String path = path(prefix + own);
        if (path == null) {
            notes.add(key + ": the pattern " + prefix + own);
            return null;
        }
        String url = properties.take(key + ".url");
        String service = properties.take(key + ".service-id", id);
        boolean strips = Boolean.parseBoolean(properties.take(key + ".strip-prefix", "true"));
        String base = "";
        String upstream;
        if (url == null) {
            upstream = upstreams.ofService(service);
        } else {
            URI origin = origin(url);
            if (origin == null) {
                notes.add(key + ".url=" + url + ": not the URL of an origin");
                return null;
            }
            base = origin.getRawPath() == null ? "" : origin.getRawPath().replaceAll("/+$", "");
            upstream = upstreams.ofUrl(id, origin);
        }
        // Zuul can keep its prefix and remove the path of the route, which follows the prefix.
        boolean keepsPrefixAlone = strips && !stripsPrefix;
        int removed = (strips ? segments(own) : 0) + (stripsPrefix || keepsPrefixAlone ? segments(prefix) : 0);
        String kept = keepsPrefixAlone ? base + prefix : base;
        Set<String> fields = new TreeSet<>(ofAll);
        fields.addAll(fields(properties.take(key + ".sensitive-headers", sensitiveOfAll)));
        return "{ id: " + name(id) + ", match: { path: " + DerivedYaml.quoted(path) + " }"
                + rewrite(path, removed, kept) + filters(fields) + ", upstream: " + upstream + " }";
    }

    /**
     * Returns the rewrite of the path, as a part of a route; empty if the path does not change.
     *
     * @param kept the text that replaces the removed segments in the path that the origin receives
     * @param removed the number of leading segments that are removed
     */
    private static String rewrite(String path, int removed, String kept) {
        if (kept.isEmpty()) {
            return removed == 0 ? "" : ", rewrite: { strip-prefix: " + removed + " }";
        }
        String rest = path;
        for (int i = 0; i < removed; i++) {
            rest = rest.replaceFirst("^/[^/]+", "");
        }
        return ", rewrite: { path: " + DerivedYaml.quoted(kept + rest.replace("/**", "/{**}")) + " }";
    }

    private static String filters(Set<String> fields) {
        if (fields.isEmpty()) {
            return "";
        }
        List<String> filters = new ArrayList<>();
        for (String field : fields) {
            filters.add("{ remove-request-header: { name: " + field + " } }");
            filters.add("{ remove-response-header: { name: " + field + " } }");
        }
        return ", filters: [" + String.join(", ", filters) + "]";
    }

    static @Nullable URI origin(String url) {
        try {
            URI uri = new URI(url);
            return uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    ? uri
                    : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Returns the path of a route for an Ant pattern; null if no path has the same meaning. */
    private static @Nullable String path(String pattern) {
        String path = pattern.startsWith("/") ? pattern : "/" + pattern;
        boolean prefix = path.endsWith("/**");
        String fixed = prefix ? path.substring(0, path.length() - 3) : path;
        if (fixed.endsWith("/*")) {
            fixed = fixed.substring(0, fixed.length() - 1) + "{segment}";
        }
        return fixed.contains("*") || fixed.contains("?") ? null : prefix ? fixed + "/**" : fixed;
    }

    /** Returns the number of segments before the first wildcard. */
    private static int segments(String pattern) {
        int count = 0;
        for (String segment : pattern.split("/", -1)) {
            if (segment.contains("*") || segment.contains("{")) {
                break;
            }
            count += segment.isEmpty() ? 0 : 1;
        }
        return count;
    }

    private static Set<String> fields(String value) {
        Set<String> fields = new TreeSet<>();
        for (String each : list(value)) {
            fields.add(each.toLowerCase(Locale.ROOT));
        }
        return fields;
    }

    static List<String> list(String value) {
        List<String> values = new ArrayList<>();
        for (String each : value.split(",", -1)) {
            if (!each.isBlank()) {
                values.add(each.strip());
            }
        }
        return values;
    }

    /** Returns the name of a route or an upstream. */
    static String name(String id) {
        String name = id.replaceAll("[^A-Za-z0-9_-]", "-");
        return name.isEmpty() || !Character.isLetterOrDigit(name.charAt(0)) ? "x" + name : name;
    }
}
