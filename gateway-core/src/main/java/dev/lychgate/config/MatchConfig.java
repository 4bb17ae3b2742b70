package dev.lychgate.config;

import static dev.lychgate.config.Key.list;
import static dev.lychgate.config.Key.section;
import static dev.lychgate.config.Key.text;
import static dev.lychgate.config.Key.texts;
import static dev.lychgate.config.Key.typed;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a route matches; everything said must hold. The text forms are read and checked when the route table is built.
 */
public record MatchConfig(
        List<String> hosts,
        @Nullable String path,
        List<String> methods,
        Map<String, String> headers,
        Map<String, String> query,
        List<Cidr> clients,
        @Nullable Weight weight) {
    private static final Key<List<String>> HOST = typed("host", Form.oneOrList(Form.TEXT), List.of())
            .absent("any")
            .about("exact names, or `*.example.com` for any name below it");
    private static final Key<String> PATH = text("path")
            .absent("any")
            .about("exact (`/a/b`), prefix (`/a/**`), template (`/a/{id}/b`, `/a/{id}/**`) or `regex:...` (RE2, "
                    + "whole path)");
    private static final Key<List<String>> METHODS = list(
                    "methods", Form.TEXT.matching("[A-Z][A-Z0-9-]{0,30}", "a method in capitals, such as GET"))
            .absent("any")
            .about("any of these methods, in capitals");
    private static final Key<Map<String, String>> HEADERS = texts("headers", "field name")
            .about("the value each field must have: exact, `*` for any, or `regex:...` (whole value)");
    private static final Key<Map<String, String>> QUERY = texts("query", "parameter")
            .about("the value each query parameter must have, in the same forms, after percent-decoding");
    private static final Key<List<Cidr>> CLIENTS =
            list("clients", Form.ADDRESS_BLOCK).absent("any").about("the client's address lies in one of these");
    private static final Key<Weight> WEIGHT = section("weight", null, Weight::read)
            .about("a share of the traffic of a group of routes whose other predicates match");

    /** Matches every request. */
    public static final MatchConfig ANY =
            new MatchConfig(List.of(), null, List.of(), Map.of(), Map.of(), List.of(), null);

    /**
     * A part of a group's traffic.
     */
    public record Weight(String group, int share) {
        private static final Key<String> GROUP =
                typed("group", Form.NAMED, "none").required("the group's name").about("the group");
        private static final Key<Integer> SHARE = Key.number("share", 0)
                .between(0, 1_000_000)
                .required("a whole number, relative to the group's others")
                .about("relative to the others of the group; 0 = no traffic");

        public Weight {
            GROUP.check(group);
            SHARE.check(share);
        }

        /** Reads a section. */
        static Weight read(Key.Values values) {
            return new Weight(values.get(GROUP), values.get(SHARE));
        }
    }

    public MatchConfig {
        METHODS.check(methods);
        hosts = Expect.copy(hosts);
        methods = Expect.copy(methods);
        headers = Expect.copy(headers);
        query = Expect.copy(query);
        clients = Expect.copy(clients);
        for (String name : headers.keySet()) {
            Form.FIELD_NAME.check("headers", name);
        }
    }

    /** Reads a section. */
    static MatchConfig read(Key.Values values) {
        return read(values, values.get(WEIGHT));
    }

    /** Reads what requests are meant, by all that a route may say but a weight. */
    static MatchConfig requests(Key.Values values) {
        return read(values, null);
    }

    private static MatchConfig read(Key.Values values, @Nullable Weight weight) {
        return new MatchConfig(
                values.get(HOST),
                values.get(PATH),
                values.get(METHODS),
                values.get(HEADERS),
                values.get(QUERY),
                values.get(CLIENTS),
                weight);
    }

    /** Matches one path and nothing else. */
    public static MatchConfig path(String path) {
        return new MatchConfig(List.of(), path, List.of(), Map.of(), Map.of(), List.of(), null);
    }
}
