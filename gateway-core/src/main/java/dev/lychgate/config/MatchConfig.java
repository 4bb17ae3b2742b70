package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a route matches; everything said must hold. The text forms are read and checked when the route table is built.
 *
 * @param hosts exact names, or {@code *.example.com} for any name below it; empty = any
 * @param path exact ({@code /a/b}), prefix ({@code /a/**}), template ({@code /a/{id}/b}, {@code /a/{id}/**}) or
 *     {@code regex:...} (RE2, whole path); null = any
 * @param methods any of these, HEAD being served by who lists GET; empty = any
 * @param headers per field name the value it must have: exact, {@code *} for any value, or {@code regex:...} (whole
 *     value)
 * @param query per query parameter the value it must have, in the same forms; compared after percent-decoding
 * @param clients the client's address lies in one of these; empty = any
 * @param weight share among the routes of one group whose other predicates match; the group stands where the first of
 *     them stands; null = no group
 */
public record MatchConfig(
        List<String> hosts,
        @Nullable String path,
        List<String> methods,
        Map<String, String> headers,
        Map<String, String> query,
        List<Cidr> clients,
        @Nullable Weight weight) {
    /** Matches every request. */
    public static final MatchConfig ANY =
            new MatchConfig(List.of(), null, List.of(), Map.of(), Map.of(), List.of(), null);

    /**
     * A part of a group's traffic.
     *
     * @param group the group's name
     * @param share 0 to 1,000,000, relative to the others; 0 = no traffic
     */
    public record Weight(String group, int share) {
        public Weight {
            Expect.name("group", group);
            Expect.between(0, 1_000_000, "share", share);
        }
    }

    public MatchConfig {
        hosts = Expect.copy(hosts);
        methods = Expect.copy(methods);
        headers = Expect.copy(headers);
        query = Expect.copy(query);
        clients = Expect.copy(clients);
        for (String method : methods) {
            Expect.that(method.matches("[A-Z][A-Z0-9-]{0,30}"), "methods", method, "a method in capitals, such as GET");
        }
        for (String name : headers.keySet()) {
            Expect.fieldName("headers", name);
        }
    }

    /** Matches one path and nothing else. */
    public static MatchConfig path(String path) {
        return new MatchConfig(List.of(), path, List.of(), Map.of(), Map.of(), List.of(), null);
    }
}
