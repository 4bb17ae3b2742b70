package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The predicates of a route. A request matches if all predicates are true. The texts of the predicates are parsed when
 * the route table is built.
 *
 * @param scheme the scheme of the client's request, {@code http} or {@code https}; null = any
 * @param listeners the names of the listeners that accept the request; empty = any
 * @param claims maps the name of a claim to the value that the sender's identity must have for this claim
 * @param not groups of predicates; a request matches only if none of these groups matches
 * @param any groups of predicates; a request matches only if at least one of these groups matches; empty = no such
 *     condition
 */
public record MatchConfig(
        List<String> hosts,
        @Nullable String path,
        List<String> methods,
        Map<String, String> headers,
        Map<String, String> query,
        Map<String, String> cookies,
        List<Cidr> clients,
        @Nullable Scheme scheme,
        List<String> listeners,
        Map<String, String> claims,
        List<MatchConfig> not,
        List<MatchConfig> any,
        @Nullable Weight weight)
        implements WrittenConfig.Section {
    /** The scheme of a request. */
    public enum Scheme {
        HTTP,
        HTTPS
    }

    private static final Key<List<String>> HOSTS = Key.typed("host", Form.oneOrList(Form.TEXT), List.of())
            .absent("any")
            .about("exact names, or `*.example.com` for all names below `example.com`");
    private static final Key<String> PATH = Key.text("path")
            .absent("any")
            .about("exact (`/a/b`), prefix (`/a/**`), template (`/a/{id}/b`, `/a/{id}/**`) or `regex:...` (RE2, "
                    + "whole path)");
    private static final Key<List<String>> METHODS = Key.list(
                    "methods", Form.TEXT.matching("[A-Z][A-Z0-9-]{0,30}", "a method in capitals, such as GET"))
            .absent("any")
            .about("the accepted methods, in capitals");
    private static final Key<Map<String, String>> HEADERS = Key.texts("headers", "field name")
            .about("the value that each field must have: exact, `*` for any, or `regex:...` (whole value)");
    private static final Key<Map<String, String>> QUERY = Key.texts("query", "parameter")
            .about("the value that each query parameter must have after decoding: exact, `*` for any, or `regex:...` "
                    + "(whole value)");
    private static final Key<Map<String, String>> COOKIES = Key.texts("cookies", "cookie")
            .about(
                    "the value that each cookie must have without decoding: exact, `*` for any, or `regex:...` (whole value)");
    private static final Key<List<Cidr>> CLIENTS = Key.list("clients", Form.ADDRESS_BLOCK)
            .absent("any")
            .about("the address blocks that contain the address of the client");
    private static final Key<Scheme> SCHEME = Key.typed("scheme", Form.choice(Scheme.class), null)
            .absent("any")
            .about("the scheme of the client's request: `https` if the connection uses TLS; for a trusted proxy, the "
                    + "scheme in `X-Forwarded-Proto`");
    private static final Key<List<String>> LISTENERS = Key.list("listeners", Form.NAMED)
            .absent("any")
            .about("the names of listeners, one of which must have accepted the request");
    private static final Key<Map<String, String>> CLAIMS = Key.texts("claims", "claim")
            .about("the value that each [claim](identity.md#claims-in-routes) of the sender must have: exact, `*`"
                    + " for any, or `regex:...` (whole value). If a claim is a list, one of its elements must have the value."
                    + " Needs `authenticate` on the listeners of the route or at the top level");
    private static final Key<List<MatchConfig>> NOT = Key.list("not", Form.section(MatchConfig::group))
            .about("groups of predicates; the route matches only if none of these groups matches");
    private static final Key<List<MatchConfig>> ANY_OF = Key.list("any", Form.section(MatchConfig::group))
            .about("groups of predicates; the route matches only if at least one of these groups matches");
    private static final Key<Weight> WEIGHT = Key.section("weight", null, () -> Weight.KEYS)
            .about("divides requests among the routes of a group: if a request matches all other predicates of several "
                    + "routes of the group, each of these routes gets a share of such requests by its weight");

    /** Matches every request. */
    public static final MatchConfig ANY =
            new MatchConfig(List.of(), null, List.of(), Map.of(), Map.of(), List.of(), null);

    /** Creates predicates without cookies, scheme, listeners and groups. */
    public MatchConfig(
            List<String> hosts,
            @Nullable String path,
            List<String> methods,
            Map<String, String> headers,
            Map<String, String> query,
            List<Cidr> clients,
            @Nullable Weight weight) {
        this(
                hosts, path, methods, headers, query, Map.of(), clients, null, List.of(), Map.of(), List.of(),
                List.of(), weight);
    }

    /** The weight of a route within a group of routes that share traffic. */
    public record Weight(String group, int share) {
        private static final Key<String> GROUP = Key.typed("group", Form.NAMED, "none")
                .required("the name of the group")
                .about("the group");
        private static final Key<Integer> SHARE = Key.number("share", 0)
                .between(0, 1_000_000)
                .required("a whole number, relative to the shares of the other routes in the group")
                .about("the share, relative to the shares of the other routes in the group; 0 = no traffic");

        static final Keys<Weight> KEYS = Keys.of(Weight::new, GROUP, SHARE);

        public Weight {
            KEYS.check(group, share);
        }
    }

    public MatchConfig {
        METHODS.check(methods);
        hosts = Expect.copy(hosts);
        methods = Expect.copy(methods);
        headers = Expect.copy(headers);
        query = Expect.copy(query);
        cookies = Expect.copy(cookies);
        clients = Expect.copy(clients);
        listeners = Expect.copy(listeners);
        claims = Expect.copy(claims);
        not = Expect.copy(not);
        any = Expect.copy(any);
        for (String name : headers.keySet()) {
            Form.FIELD_NAME.check("headers", name);
        }
        for (String name : cookies.keySet()) {
            Form.COOKIE_NAME.check("cookies", name);
        }
        checkGroups("not", not);
        checkGroups("any", any);
    }

    private static void checkGroups(String key, List<MatchConfig> groups) {
        for (int i = 0; i < groups.size(); i++) {
            MatchConfig group = groups.get(i);
            boolean plain = group.not.isEmpty() && group.any.isEmpty() && group.weight == null;
            Expect.that(
                    plain,
                    key + "[" + i + "]",
                    "contains not, any or weight",
                    "only predicates, without groups and weight");
        }
    }

    /** Returns whether at least one predicate reads the client's address. */
    public boolean readsClient() {
        return !clients.isEmpty() || Stream.concat(not.stream(), any.stream()).anyMatch(MatchConfig::readsClient);
    }

    /** Returns whether at least one predicate reads the claims of the sender. */
    public boolean readsClaims() {
        return !claims.isEmpty() || Stream.concat(not.stream(), any.stream()).anyMatch(MatchConfig::readsClaims);
    }

    /** Returns the names of all listeners that the predicates contain, including predicates in groups. */
    Stream<String> listenersNamed() {
        return Stream.concat(
                listeners.stream(), Stream.concat(not.stream(), any.stream()).flatMap(MatchConfig::listenersNamed));
    }

    static MatchConfig read(Key.Values values) {
        return read(values, true, values.get(NOT), values.get(ANY_OF), values.get(WEIGHT));
    }

    /** Reads a group of predicates of a route. Such a group contains neither groups nor a weight. */
    private static MatchConfig group(Key.Values values) {
        return read(values, true, List.of(), List.of(), null);
    }

    /**
     * Reads the predicates of a section that does not describe a route. These predicates contain no claims, because the
     * sender is not known yet. They contain neither groups nor a weight.
     */
    static MatchConfig requests(Key.Values values) {
        return read(values, false, List.of(), List.of(), null);
    }

    /**
     * Reads the predicates of a section.
     *
     * @param sender whether the predicates may read the claims of the sender
     */
    private static MatchConfig read(
            Key.Values values, boolean sender, List<MatchConfig> not, List<MatchConfig> any, @Nullable Weight weight) {
        return new MatchConfig(
                values.get(HOSTS),
                values.get(PATH),
                values.get(METHODS),
                values.get(HEADERS),
                values.get(QUERY),
                values.get(COOKIES),
                values.get(CLIENTS),
                values.get(SCHEME),
                values.get(LISTENERS),
                sender ? values.get(CLAIMS) : Map.of(),
                not,
                any,
                weight);
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        // A group of predicates must not contain the keys not, any and weight, so empty values are not written.
        section.keySet().removeAll(List.of(NOT.name(), WEIGHT.name()));
        if (claims.isEmpty()) {
            // Sections for requests whose sender is not known lack this key.
            section.remove(CLAIMS.name());
        }
        if (!not.isEmpty()) {
            section.put(NOT.name(), WrittenConfig.write(NOT, not));
        }
        if (!any.isEmpty()) {
            section.put(ANY_OF.name(), WrittenConfig.write(ANY_OF, any));
        }
        if (weight != null) {
            section.put(WEIGHT.name(), WrittenConfig.write(WEIGHT, weight));
        }
    }

    /** Creates a predicate that matches exactly one path. */
    public static MatchConfig path(String path) {
        return new MatchConfig(List.of(), path, List.of(), Map.of(), Map.of(), List.of(), null);
    }
}
